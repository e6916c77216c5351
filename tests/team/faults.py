"""What goes wrong between a machine and its team's server: nothing that was acknowledged is lost, and nothing is doubled.

    python3 faults.py PROGRAM
"""
import json
import os
import pathlib
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time

from server import Machine, Server, expect, need_tools, run_scenarios, shows, team_server


def begin(machine, text):
    return subprocess.Popen(machine.command(["remember", text, "--namespace", "team:shop", "--format", "json"]), cwd=machine.path,
                            env=machine.environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def acknowledged(running):
    """The text of what the program answered for; nothing where it failed."""
    out, err = running.communicate(timeout=120)
    if running.returncode != 0:
        expect("a failure is one line", err.count("\n") <= 2, err)
        return None
    return json.loads(out)["id"]


def expect_each_once(server, machine, ids):
    for _ in range(10):
        if machine.run("team", "sync").returncode == 0:
            break
    stored = server.sql("owner", "SELECT id FROM knapsack.memories").split()
    expect("nothing is doubled", len(stored) == len(set(stored)), str(stored))
    missing = [each for each in ids if each not in stored]
    expect("nothing acknowledged is lost", not missing, f"{missing} of {len(ids)}")
    expect("and nothing else is there", set(stored) == set(ids), f"{set(stored) - set(ids)}")
    expect("nothing waits any more", machine.json("team", "status")["waiting"] == 0)


def the_server_is_killed_while_memories_arrive():
    with team_server() as server:
        anna = Machine(server, "anna")
        ids = []
        for number in range(8):
            running = begin(anna, f"Fact {number} of the shop that is killed")
            time.sleep(0.02 + 0.03 * number)
            server.kill()
            said = acknowledged(running)
            expect("it is acknowledged all the same", said is not None)
            ids.append(said)
            server.start()
        expect_each_once(server, anna, ids)


def the_program_is_killed_at_any_moment():
    with team_server() as server:
        anna = Machine(server, "anna")
        ids = []
        for number in range(12):
            running = begin(anna, f"Fact {number} of a program that is killed")
            time.sleep(0.01 * number)
            running.kill()
            out, _ = running.communicate()
            if out.strip().endswith("}"):
                ids.append(json.loads(out)["id"])
        anna.run("team", "sync")
        stored = server.sql("owner", "SELECT id FROM knapsack.memories").split()
        expect("nothing is doubled", len(stored) == len(set(stored)), str(stored))
        expect("nothing acknowledged is lost", set(ids) <= set(stored), str(set(ids) - set(stored)))
        texts = int(server.sql("owner", "SELECT count(DISTINCT text) FROM knapsack.memories"))
        expect("a text once", texts == len(stored), str(stored))


def signal_each(processes, number):
    for each in processes:
        try:
            os.kill(int(each), number)
        except ProcessLookupError:  # the backend of a connection that is over
            pass


def the_server_stands_still():
    with team_server() as server:
        anna = Machine(server, "anna")
        anna.remember("The shop is open on Sundays")
        children = pathlib.Path(f"/proc/{server.process.pid}/task/{server.process.pid}/children").read_text().split()
        signal_each([server.process.pid, *children], signal.SIGSTOP)
        said = acknowledged(begin(anna, "The shop stood still for a while"))
        status = anna.json("team", "status")
        expect("it is queued, and nobody waits for ever", said is not None and not status["online"] and status["waiting"] == 1, str(status))
        shows(anna.run("recall", "is the shop open on Sundays"), "The shop is open on Sundays")
        signal_each([server.process.pid, *children], signal.SIGCONT)
        expect("both are there, once", anna.run("team", "sync").returncode == 0 and server.count() == 2, str(server.count()))
        expect("nothing waits", anna.json("team", "status")["waiting"] == 0)


class CuttingProxy:
    """Passes bytes on in both directions and closes both sides before its Nth message."""

    def __init__(self, port):
        self.target = port
        self.cut_at = None
        self.passed = 0
        self.lock = threading.Lock()
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.port = self.listener.getsockname()[1]
        threading.Thread(target=self.serve, daemon=True).start()

    def serve(self):
        while True:
            try:
                client, _ = self.listener.accept()
            except OSError:
                return
            try:
                server = socket.create_connection(("127.0.0.1", self.target))
            except OSError:
                client.close()
                continue
            for source, sink in ((client, server), (server, client)):
                threading.Thread(target=self.pump, args=(source, sink), daemon=True).start()

    def pump(self, source, sink):
        try:
            while data := source.recv(65536):
                with self.lock:
                    self.passed += 1
                    cuts = self.cut_at is not None and self.passed >= self.cut_at
                if cuts:
                    break
                sink.sendall(data)
        except OSError:
            pass
        for each in (source, sink):
            try:
                each.shutdown(socket.SHUT_RDWR)
            except OSError:
                pass
            each.close()

    def arm(self, number):
        with self.lock:
            self.passed, self.cut_at = 0, number


def connections_are_cut_at_every_message():
    with team_server() as server:
        proxy = CuttingProxy(server.port)
        anna = Machine(server, "anna", proxy.port)
        anna.remember("The first one goes through")
        proxy.arm(None)
        anna.remember("The second one counts the messages")
        messages = proxy.passed
        expect("there are messages to cut", messages > 8, str(messages))
        ids = server.sql("owner", "SELECT id FROM knapsack.memories").split()
        queued = 0
        for number in range(1, messages + 2):
            proxy.arm(number)
            said = anna.remember(f"Cut before message {number}")
            queued += said["delivery"] == "queued"
            ids.append(said["id"])
        expect("most of them had to wait", queued >= 3, f"{queued} of {messages}")
        proxy.arm(None)
        expect_each_once(server, anna, ids)
        boris = Machine(server, "boris")
        boris.run("team", "sync")
        expect("the other machine has all of them", len(boris.listed()) == len(ids), f"{len(boris.listed())} of {len(ids)}")
        # And while it fetches: a copy is whole, or it is fetched again.
        cora = Machine(server, "boris", proxy.port)
        for number in range(1, 30):
            proxy.arm(number)
            if cora.run("team", "sync").returncode == 0:
                break
        proxy.arm(None)
        cora.run("team", "sync")
        expect("a copy that was cut is complete in the end", sorted(cora.listed()) == sorted(boris.listed()))


def clocks_jump_between_machines():
    with team_server() as server:
        anna, boris = Machine(server, "anna"), Machine(server, "boris")
        times = ["2026-11-16T08:00:00Z", "2031-01-01T00:00:00Z", "1999-12-31T23:59:59Z", "2026-11-16T08:00:01Z"]
        for number, when in enumerate(times):
            for machine in (anna, boris):
                machine.remember(f"{machine.role} said {number} at {when}", "shop", "--now", when)
                (boris if machine is anna else anna).run("team", "sync", "--now", times[(number + 1) % len(times)])
        for machine in (anna, boris):
            machine.run("team", "sync")
            expect(f"{machine.role} has all of them, once", len(machine.listed("shop", "--status", "all")) == 2 * len(times),
                   str(machine.listed("shop", "--status", "all")))
        expect("and so has the server", server.count() == 2 * len(times))
        past = anna.run("team", "status", "--now", "1990-01-01T00:00:00Z")
        shows(past, "(just now)")


def a_transaction_that_commits_late_is_not_missed():
    with team_server() as server:
        anna, boris = Machine(server, "anna"), Machine(server, "boris")
        slow = subprocess.Popen(["bash", "-c", "sleep 3; echo 'COMMIT;'"], stdout=subprocess.PIPE)
        insert = ("INSERT INTO knapsack.memories (namespace, id, category, text, confidence, created)"
                  " VALUES ('shop', 'late-1', 'fact', 'It was written early and committed late', 0.9, now());")
        psql = subprocess.Popen(["/bin/bash", "-c", f"(echo \"BEGIN; {insert}\"; sleep 4; echo 'COMMIT;') | "
                                 f"psql -X -q -h 127.0.0.1 -p {server.port} -U anna -d team"], env=server.environment)
        time.sleep(1)
        anna.remember("It was written later and committed first")
        boris.run("team", "sync")
        expect("the other one is not to be seen yet", boris.listed() == ["It was written later and committed first"])
        psql.wait(timeout=60)
        slow.kill()
        slow.wait()
        boris.run("team", "sync")
        expect("then it is", sorted(boris.listed()) == ["It was written early and committed late", "It was written later and committed first"],
               str(boris.listed()))


def a_server_that_was_restored_is_copied_anew():
    with team_server() as server:
        anna = Machine(server, "anna")
        for number in range(3):
            anna.remember(f"Fact {number} before the backup")
        dump = server.tool("pg_dump", "-h", "127.0.0.1", "-p", server.port, "-U", "owner", "-d", "team").stdout
        anna.remember("Fact 3 after the backup")
        server.sql("owner", "DROP DATABASE team", database="postgres")
        server.sql("owner", "CREATE DATABASE team", database="postgres")
        subprocess.run(["psql", "-X", "-q", "-h", "127.0.0.1", "-p", str(server.port), "-U", "owner", "-d", "team"], input=dump, text=True,
                       env=server.environment, check=True, capture_output=True)
        shows(anna.run("team", "sync"))
        expect("what the server lost is gone", sorted(anna.listed()) == [f"Fact {number} before the backup" for number in range(3)],
               str(anna.listed()))
        boris = Machine(server, "boris")
        boris.remember("A fact of the new time")
        anna.run("team", "sync")
        expect("what is new is there", len(anna.listed()) == 4, str(anna.listed()))


def many_write_at_once():
    with team_server() as server:
        machines = [Machine(server, "anna" if number % 2 else "boris") for number in range(6)]
        running = [begin(machine, f"Machine {number} says {turn}") for turn in range(4) for number, machine in enumerate(machines)]
        ids = [acknowledged(each) for each in running]
        for machine in machines:
            machine.run("team", "sync")
        expect("each is there once", server.count() == len(ids) == len(set(ids)), f"{server.count()} of {len(set(ids))}")
        for machine in machines:
            machine.run("team", "sync")
            expect("and everywhere", len(machine.listed()) == len(ids), f"{len(machine.listed())}")


def the_servers_disk_is_full():
    """A small file system of its own, where this machine lets us make one; else a quota on the table's space is not to be had."""
    folder = tempfile.mkdtemp(prefix="knapsack-full-")
    if subprocess.run(["mount", "-t", "tmpfs", "-o", "size=24m,mode=0777", "tmpfs", folder], capture_output=True).returncode != 0:
        os.rmdir(folder)
        return the_server_refuses_to_grow()
    try:
        with team_server() as server:
            os.chmod(folder, 0o777)
            space = pathlib.Path(folder, "space")
            space.mkdir()
            if "user" in server.user:
                os.chown(space, server.user["user"], server.user["group"])
            server.sql("owner", f"CREATE TABLESPACE small LOCATION '{space}'")
            server.sql("owner", "ALTER TABLE knapsack.memories SET TABLESPACE small")
            filler = pathlib.Path(folder, "filler")
            full_disk(server, lambda: fill(filler), filler.unlink)
    finally:
        subprocess.run(["umount", "-l", folder], check=False)
        shutil.rmtree(folder, ignore_errors=True)


def fill(path):
    with open(path, "wb") as file:
        try:
            while True:
                file.write(b"x" * 65536)
                file.flush()
        except OSError:
            pass


def full_disk(server, make_full, make_room):
    anna = Machine(server, "anna")
    ids = [anna.remember("There is room for this one")["id"]]
    make_full()
    long = "Words about a shop that has no room. " * 300
    waits = []
    for number in range(40):
        said = anna.remember(f"{number} {long}")
        ids.append(said["id"])
        waits.append(said["delivery"] == "queued")
    expect("some had to wait", any(waits), str(waits))
    make_room()
    expect_each_once(server, anna, ids)


def the_server_refuses_to_grow():
    """The same refusal without a file system of its own: the files of the server may not grow beyond what they have."""
    with team_server() as server:
        anna = Machine(server, "anna")
        ids = [anna.remember("There is room for this one")["id"]]
        server.sql("owner", "CREATE FUNCTION no_room() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN "
                   "RAISE EXCEPTION 'could not extend file: No space left on device' USING ERRCODE = '53100'; END $$")
        server.sql("owner", "CREATE TRIGGER no_room BEFORE INSERT ON knapsack.memories FOR EACH ROW EXECUTE FUNCTION no_room()")
        for number in range(3):
            said = anna.remember(f"There is no room for {number}")
            expect("it waits", said["delivery"] == "queued", str(said))
            ids.append(said["id"])
        server.sql("owner", "DROP TRIGGER no_room ON knapsack.memories")
        expect_each_once(server, anna, ids)


if __name__ == "__main__":
    need_tools()
    sys.exit(run_scenarios([the_server_is_killed_while_memories_arrive, the_program_is_killed_at_any_moment, the_server_stands_still,
                            connections_are_cut_at_every_message, clocks_jump_between_machines,
                            a_transaction_that_commits_late_is_not_missed, a_server_that_was_restored_is_copied_anew,
                            many_write_at_once, the_servers_disk_is_full]))
