"""What goes wrong while indexes are published: nothing half made is ever seen, nothing is lost, nothing is there twice.

    python3 published_faults.py PROGRAM
"""
import os
import pathlib
import signal
import subprocess
import sys
import time

from faults import CuttingProxy, signal_each
from published import Repository, packet, server_with, work, write
from server import Machine, expect, need_tools, run_scenarios, shows

TASK = "the voucher is subtracted twice in checkout"


def begin(machine, repository):
    return subprocess.Popen(machine.command(["worker", "--mirrors", str(repository.mirrors), "--once"]), cwd=machine.path,
                            env=machine.environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def let_it_be_tried(server):
    """As if the lease, and the time before the next attempt, had run out."""
    server.sql("owner", "UPDATE knapsack.jobs SET not_before = now(), lease_until = now() - interval '1 s', attempts = 0 "
               "WHERE state IN ('queued', 'running')")


def expect_whole(server, repository, commit, where):
    """Whatever happened: a worker ends it, there is one snapshot of the commit, and it is all there."""
    for _ in range(10):
        let_it_be_tried(server)
        if work(Machine(server, "ci"), repository).returncode == 0 and server.sql(
                "owner", f"SELECT count(*) FROM knapsack.snapshots WHERE commit_id = '{commit}'") == "1":
            break
    expect(f"{where}: one snapshot", server.sql("owner", f"SELECT count(*) FROM knapsack.snapshots WHERE commit_id = '{commit}'") == "1")
    expect(f"{where}: one job, done", server.sql("owner", f"SELECT string_agg(state, ',') FROM knapsack.jobs WHERE commit_id = '{commit}'") == "done",
           server.sql("owner", "SELECT * FROM knapsack.jobs"))
    names = server.sql("owner", "SELECT count(*) - count(DISTINCT (repository, name)) FROM knapsack.objects")
    expect(f"{where}: no object twice", names == "0", names)


def next_commit(repository, number):
    write(repository.path, "shop/price.py", f"def total(lines):\n    return sum(line.price for line in lines) + {number}\n")
    return repository.commit(f"Prices, {number}")


def publish_first(server, repository):
    shows(work(Machine(server, "ci"), repository))


def seen_is_whole(server, reader, repository, known):
    """What a reader gets at any moment: the newest commit that is published, whole."""
    newest = server.sql("owner", "SELECT commit_id FROM knapsack.snapshots ORDER BY sequence DESC LIMIT 1")
    text = packet(reader, "how does total add prices", "--repository", "shop")
    expect("a reader sees a whole commit", f"+ {known[newest]}\n" in text + "\n" if newest in known else True, text)


def the_server_is_killed_in_the_middle_of_a_publish():
    shop = Repository(modules=60)
    with server_with(shop) as server:
        publish_first(server, shop)
        known = {}
        for number in range(1, 6):
            commit = next_commit(shop, number)
            known[commit] = number
            shows(Machine(server, "ci").run("team", "pushed", "shop", commit))
            running = begin(Machine(server, "ci"), shop)
            time.sleep(0.1 + 0.12 * number)
            server.kill()
            running.communicate(timeout=120)
            server.start()
            seen_is_whole(server, Machine(server, "reader"), shop, known)
            expect_whole(server, shop, commit, f"server killed {number}")


def the_worker_is_killed_at_any_moment():
    shop = Repository(modules=60)
    with server_with(shop) as server:
        publish_first(server, shop)
        ci = Machine(server, "ci")
        known = {}
        for number in range(1, 9):
            commit = next_commit(shop, number)
            known[commit] = number
            shows(ci.run("team", "pushed", "shop", commit))
            running = begin(ci, shop)
            time.sleep(0.05 + 0.08 * number)
            running.kill()
            running.communicate()
            seen_is_whole(server, Machine(server, "reader"), shop, known)
            expect_whole(server, shop, commit, f"worker killed {number}")
        left = [each.name for each in pathlib.Path(ci.home, ".cache").rglob("work/*")]
        expect("what killed ones left is swept", len([each for each in left if each != ".lock"]) <= 1, str(left))


def connections_are_cut_at_every_message_of_a_publish():
    shop = Repository()
    with server_with(shop) as server:
        publish_first(server, shop)
        proxy = CuttingProxy(server.port)
        ci = Machine(server, "ci", proxy.port)
        commit = next_commit(shop, 1)
        shows(ci.run("team", "pushed", "shop", commit))
        proxy.arm(None)
        shows(work(ci, shop))
        messages = proxy.passed
        expect("there are messages to cut", messages > 20, str(messages))
        for number in range(1, messages + 2):
            commit = next_commit(shop, 100 + number)
            proxy.arm(None)
            shows(ci.run("team", "pushed", "shop", commit))
            proxy.arm(number)
            done = work(ci, shop)
            expect("it ends in time, with words", done.returncode in (0, 1) and done.stderr.count("\n") <= 4, done.stderr)
            proxy.arm(None)
            expect_whole(server, shop, commit, f"cut at {number} of {messages}")


def the_server_stands_still_for_half_a_minute():
    shop = Repository(modules=60)
    with server_with(shop) as server:
        publish_first(server, shop)
        reader = Machine(server, "reader")
        before = packet(reader, TASK, "--repository", "shop")
        commit = next_commit(shop, 1)
        shows(Machine(server, "ci").run("team", "pushed", "shop", commit))
        running = begin(Machine(server, "ci"), shop)
        time.sleep(0.3)
        children = pathlib.Path(f"/proc/{server.process.pid}/task/{server.process.pid}/children").read_text().split()
        signal_each([server.process.pid, *children], signal.SIGSTOP)
        time.sleep(30)
        signal_each([server.process.pid, *children], signal.SIGCONT)
        running.communicate(timeout=300)
        expect_whole(server, shop, commit, "stood still")
        expect("the old commit is as it was", before == packet(reader, TASK, "--repository", f"shop@{server.sql('owner', 'SELECT commit_id FROM knapsack.snapshots ORDER BY sequence LIMIT 1')}"))


def the_servers_disk_is_full():
    """As PostgreSQL says it: a statement that needs room is refused with 53100."""
    shop = Repository(modules=60)
    with server_with(shop) as server:
        publish_first(server, shop)
        commit = next_commit(shop, 1)
        shows(Machine(server, "ci").run("team", "pushed", "shop", commit))
        server.sql("owner", "CREATE FUNCTION no_room() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN "
                   "RAISE EXCEPTION 'could not extend file: No space left on device' USING ERRCODE = '53100'; END $$")
        server.sql("owner", "CREATE TRIGGER no_room BEFORE INSERT ON knapsack.objects FOR EACH ROW EXECUTE FUNCTION no_room()")
        done = work(Machine(server, "ci"), shop)
        expect("the worker says it", "No space left on device" in done.stderr, done.stderr)
        expect("nothing is published", server.sql("owner", "SELECT count(*) FROM knapsack.snapshots") == "1")
        server.sql("owner", "DROP TRIGGER no_room ON knapsack.objects")
        expect_whole(server, shop, commit, "disk full")


if __name__ == "__main__":
    need_tools()
    sys.exit(run_scenarios([the_server_is_killed_in_the_middle_of_a_publish, the_worker_is_killed_at_any_moment,
                            connections_are_cut_at_every_message_of_a_publish, the_server_stands_still_for_half_a_minute,
                            the_servers_disk_is_full]))
