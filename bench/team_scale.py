"""A team's server at scale, all on this machine: repositories published by workers, query nodes with cold and warm caches, a large
number of memories, many writers at once. Prints the tables of docs/benchmarks.md.

    python3 bench/team_scale.py build/release/knapsack [--repositories 200] [--memories 1000000] [--writers 64] [--seconds 10]

The server is a PostgreSQL of its own in a temporary folder, with synchronous commits. Everything shares the cores of one machine,
clients included, so that the figures are a lower bound for machines of their own.
"""
import argparse
import json
import os
import pathlib
import random
import shutil
import statistics
import subprocess
import sys
import tempfile
import threading
import time

parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
parser.add_argument("program")
parser.add_argument("--repositories", type=int, default=200)
parser.add_argument("--files", type=int, default=60)
parser.add_argument("--memories", type=int, default=1_000_000)
parser.add_argument("--namespaces", type=int, default=200)
parser.add_argument("--writers", type=int, default=64)
parser.add_argument("--seconds", type=float, default=10)
parser.add_argument("--nodes", default="1,2,4")
options = parser.parse_args()
sys.argv = [sys.argv[0], options.program]
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "tests/team"))
from published import Node, git, write  # noqa: E402
from server import FAILED, Machine, Server  # noqa: E402

WORDS = ("cart voucher price stock order mail login session report export import queue worker cache index search filter page token user "
         "address payment refund invoice shipping label parser reader writer buffer socket timer retry").split()


def make_repositories(mirrors, count, files):
    for number in range(count):
        source = random.Random(number)
        with tempfile.TemporaryDirectory() as folder:
            for at in range(files):
                name = f"{source.choice(WORDS)}_{source.choice(WORDS)}_{at}"
                body = "\n\n".join(
                    f"def {source.choice(WORDS)}_{source.choice(WORDS)}_{at}_{part}(rows):\n"
                    f"    \"\"\"The {source.choice(WORDS)} of the {source.choice(WORDS)}.\"\"\"\n"
                    f"    for row in rows:\n        if row.{source.choice(WORDS)} > {part}:\n            yield row.{source.choice(WORDS)}"
                    for part in range(12))
                write(folder, f"{source.choice(WORDS)}/{name}.py", body + "\n")
            git(folder, "init", "-q", "-b", "main")
            git(folder, "add", "-A")
            git(folder, "commit", "-q", "-m", "All of it")
            git(folder, "clone", "-q", "--mirror", folder, str(mirrors / f"repo{number}.git"))


def cpu_seconds(process):
    """Of a process and its children, alive now: close enough for a server whose backends live."""
    ticks, todo = 0, [process.pid]
    while todo:
        pid = todo.pop()
        try:
            fields = pathlib.Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()
            ticks += int(fields[11]) + int(fields[12]) + int(fields[13]) + int(fields[14])
            todo += [int(each) for each in pathlib.Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]
        except (FileNotFoundError, ProcessLookupError):
            pass
    return ticks / os.sysconf("SC_CLK_TCK")


def percentile(values, share):
    return sorted(values)[min(len(values) - 1, int(share * len(values)))]


def ask_for(nodes, repositories, seconds, clients):
    times, failures, lock, until = [], [], threading.Lock(), time.monotonic() + seconds

    def client(number):
        source = random.Random(number)
        while time.monotonic() < until:
            node, task = nodes[source.randrange(len(nodes))], f"the {source.choice(WORDS)} of the {source.choice(WORDS)} is wrong"
            began = time.monotonic()
            status, reply = node.ask("/v1/pack", {"repository": f"repo{source.randrange(repositories)}", "task": task, "max_tokens": 4000})
            with lock:
                times.append(time.monotonic() - began)
                if status != 200:
                    failures.append(reply)

    threads = [threading.Thread(target=client, args=(number,)) for number in range(clients)]
    for each in threads:
        each.start()
    for each in threads:
        each.join()
    return times, failures


def row(name, times, seconds, load):
    print(f"| {name} | {len(times) / seconds:.1f} | {1000 * percentile(times, .5):.0f} | {1000 * percentile(times, .99):.0f} | {load:.1f} |", flush=True)


def published(server, folder):
    mirrors = folder / "mirrors"
    mirrors.mkdir()
    make_repositories(mirrors, options.repositories, options.files)
    owner, ci = Machine(server, "owner"), Machine(server, "ci")
    for number in range(options.repositories):
        server.sql("owner", f"INSERT INTO knapsack.repositories (name, source) VALUES ('repo{number}', 'https://git.example.org/{number}');"
                   f"INSERT INTO knapsack.jobs (repository, commit_id) VALUES ('repo{number}', 'HEAD')")
        server.sql("owner", f"INSERT INTO knapsack.repository_grants VALUES ('ci', 'repo{number}', true), ('reader', 'repo{number}', false)")
    owner.run("team", "grant", "ci", "repo:repo0", "write")
    owner.run("team", "grant", "reader", "repo:repo0", "read")
    began = time.monotonic()
    done = ci.run("worker", "--mirrors", str(mirrors), "--once", "--jobs", "2", timeout=7200)
    took = time.monotonic() - began
    count = int(server.sql("owner", "SELECT count(*) FROM knapsack.snapshots"))
    stored = int(server.sql("owner", "SELECT sum(octet_length(bytes)) FROM knapsack.objects"))
    on_disk = int(server.sql("owner", "SELECT pg_total_relation_size('knapsack.objects')"))
    print(f"{count} repositories of {options.files} files published by one worker (--jobs 2) in {took:.0f} s, {count / took:.1f}/s; "
          f"{stored / 1e6:.0f} MB of objects, {on_disk / 1e6:.0f} MB on the server's disk\n", flush=True)
    if done.returncode != 0 or count != options.repositories:
        print(done.stderr[-2000:])
    print("| packs of 4,000 tokens | a second | p50 ms | p99 ms | PostgreSQL, % of a core |\n|---|---:|---:|---:|---:|")
    machine = Machine(server, "reader")
    for nodes in [int(each) for each in options.nodes.split(",")]:
        cold = [Machine(server, "reader") for _ in range(nodes)]
        running = [Node(each) for each in cold]
        for name in ("cold", "warm"):
            before = cpu_seconds(server.process)
            times, failures = ask_for(running, options.repositories, options.seconds if name == "warm" else max(options.seconds, 5), 4 * nodes)
            if failures:
                print(f"{len(failures)} failed: {failures[0]}")
            if name == "cold" and nodes > 0:
                # Fetch the rest, so that warm is warm.
                row(f"{nodes} node{'s' * (nodes > 1)}, cold caches", times, options.seconds, 100 * (cpu_seconds(server.process) - before) / options.seconds)
                for each in running:
                    for number in range(options.repositories):
                        each.ask("/v1/search", {"repository": f"repo{number}", "query": "cart"})
            else:
                row(f"{nodes} node{'s' * (nodes > 1)}, warm caches", times, options.seconds, 100 * (cpu_seconds(server.process) - before) / options.seconds)
        for each in running:
            each.stop()
    print(flush=True)


def memories(server):
    server.sql("owner", f"INSERT INTO knapsack.namespaces (name) SELECT 'team' || i FROM generate_series(0, {options.namespaces - 1}) i")
    server.sql("owner", f"INSERT INTO knapsack.grants (role_name, namespace, may_write) SELECT 'anna', 'team' || i, true FROM generate_series(0, 4) i")
    owner = Machine(server, "owner")
    owner.run("team", "grant", "anna", "team:team0", "write")
    began = time.monotonic()
    subprocess.run(["psql", "-X", "-q", "-h", "127.0.0.1", "-p", str(server.port), "-U", "owner", "-d", "team", "-c",
                    "ALTER TABLE knapsack.memories DISABLE TRIGGER stamp;"
                    "INSERT INTO knapsack.memories (namespace, id, category, text, confidence, created, author_role, review, changed, written)"
                    f" SELECT 'team' || (i % {options.namespaces}), 'fact-' || i, 'fact', 'Step ' || i || ' of the import was measured on machine '"
                    " || (i % 31) || ' and took ' || (i % 977) || ' ms after the change of the queue', 0.9, now(), 'owner', 'accepted',"
                    f" pg_current_xact_id(), now() FROM generate_series(1, {options.memories}) i;"
                    "ALTER TABLE knapsack.memories ENABLE TRIGGER stamp; ANALYZE knapsack.memories"], env=server.environment, check=True)
    took = time.monotonic() - began
    size = int(server.sql("owner", "SELECT pg_total_relation_size('knapsack.memories')"))
    print(f"{options.memories:,} memories in {options.namespaces} namespaces, {size / 1e6:.0f} MB on the server's disk (written there in {took:.0f} s)")
    anna = Machine(server, "anna")
    began = time.monotonic()
    done = anna.run("team", "sync", timeout=3600)
    print(f"first copy of 5 namespaces: {done.stdout.strip()} in {time.monotonic() - began:.1f} s")
    times = []
    for number in range(5):
        began = time.monotonic()
        anna.run("team", "sync")
        times.append(time.monotonic() - began)
    print(f"a sync with nothing new: {1000 * statistics.median(times):.0f} ms")
    times = []
    for number in range(5):
        began = time.monotonic()
        anna.run("recall", f"how long did step {number * 1000} of the import take on machine 7")
        times.append(time.monotonic() - began)
    print(f"recall from the copy: {1000 * statistics.median(times):.0f} ms, whole process\n", flush=True)


def writers(server):
    machines = [Machine(server, "anna") for _ in range(options.writers)]
    each_writes, times, lock = 5, [], threading.Lock()

    def writer(number):
        for turn in range(each_writes):
            began = time.monotonic()
            done = machines[number].run("remember", f"Writer {number} says {turn}", "--namespace", "team:team0")
            with lock:
                times.append((time.monotonic() - began, "delivered" in done.stdout or done.returncode == 0))

    before = int(server.sql("owner", "SELECT count(*) FROM knapsack.memories WHERE text LIKE 'Writer %'"))
    threads = [threading.Thread(target=writer, args=(number,)) for number in range(options.writers)]
    began = time.monotonic()
    for each in threads:
        each.start()
    for each in threads:
        each.join()
    took = time.monotonic() - began
    for machine in machines:
        if int(server.sql("owner", "SELECT count(*) FROM knapsack.memories WHERE text LIKE 'Writer %'")) - before == options.writers * each_writes:
            break
        machine.run("team", "sync")
    there = int(server.sql("owner", "SELECT count(*) FROM knapsack.memories WHERE text LIKE 'Writer %'")) - before
    only = [each for each, _ in times]
    print(f"{options.writers} writers at once, a program start each: {len(times) / took:.0f} memories a second, p50 {1000 * percentile(only, .5):.0f} ms, "
          f"p99 {1000 * percentile(only, .99):.0f} ms; {there} of {options.writers * each_writes} are on the server, each once")


def main():
    with tempfile.TemporaryDirectory(prefix="team-scale-") as name, Server("max_connections = 300\nshared_buffers = 256MB") as server:
        server.roles("ci", "reader", "anna")
        owner = Machine(server, "owner")
        owner.run("team", "init", server.url("owner"))
        if options.repositories:
            published(server, pathlib.Path(name))
        if options.memories:
            memories(server)
        if options.writers:
            writers(server)
    print("\n".join(FAILED))


if __name__ == "__main__":
    main()
