"""Published indexes: a worker makes them from a mirror, and machines without the repository answer from them as if they had it.

    python3 published.py PROGRAM
"""
import json
import os
import pathlib
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request

from server import Machine, PROGRAM, Server, expect, free_port, need_tools, refused, run_scenarios, shows

NOW = "2026-11-16T12:00:00Z"
SECRET = "AKIA" + "IOSFODNN7ABCDEFG"


def git(folder, *words):
    identity = {"GIT_AUTHOR_NAME": "Anna", "GIT_AUTHOR_EMAIL": "anna@example.org", "GIT_COMMITTER_NAME": "Anna",
                "GIT_COMMITTER_EMAIL": "anna@example.org", "GIT_AUTHOR_DATE": "2026-11-01T10:00:00Z",
                "GIT_COMMITTER_DATE": "2026-11-01T10:00:00Z", "PATH": "/usr/bin:/bin", "HOME": str(folder)}
    return subprocess.run(["git", *words], cwd=folder, env=identity, check=True, capture_output=True, text=True).stdout.strip()


def write(folder, path, text):
    place = pathlib.Path(folder, path)
    place.parent.mkdir(parents=True, exist_ok=True)
    place.write_text(text, encoding="utf-8")


class Repository:
    """A small shop in Python, with notes, and a mirror of it as a worker finds it."""

    def __init__(self, name="shop", modules=6, parts=8):
        self.held = tempfile.TemporaryDirectory(prefix="knapsack-published-")
        self.root = pathlib.Path(self.held.name)
        self.name, self.path, self.mirrors = name, self.root / "work", self.root / "mirrors"
        self.path.mkdir()
        self.mirrors.mkdir()
        git(self.path, "init", "-q", "-b", "main")
        write(self.path, "shop/cart.py", "from shop.price import total\n\n\nclass Cart:\n    def checkout(self, voucher):\n"
              "        \"\"\"The price after the voucher.\"\"\"\n        return total(self.lines) - voucher.worth\n")
        write(self.path, "shop/price.py", "def total(lines):\n    return sum(line.price for line in lines)\n")
        for number in range(modules):
            write(self.path, f"shop/module{number}.py", "\n\n".join(
                f"def step_{number}_{part}(rows):\n    # rows of {name} that came in on day {part}\n    return [row + {part} for row in rows]"
                for part in range(parts)) + "\n")
        write(self.path, "tests/test_cart.py", "from shop.cart import Cart\n\n\ndef test_checkout():\n    assert Cart().checkout(None) == 0\n")
        write(self.path, "deploy.py", f"KEY = \"{SECRET}\"\n\n\ndef deploy(voucher):\n    return KEY\n")
        write(self.path, ".context/CONVENTIONS.md", "# Conventions\n\n- Vouchers are never below zero.\n")
        write(self.path, "AGENTS.md", "# Agents\n\n- A voucher is tested with an empty cart.\n")
        self.commit("A shop with a cart")

    def commit(self, message):
        git(self.path, "add", "-A")
        git(self.path, "commit", "-q", "-m", message)
        mirror = self.mirrors / f"{self.name}.git"
        if mirror.exists():
            git(self.root, "--git-dir", mirror, "fetch", "-q", "origin", "+refs/heads/*:refs/heads/*")
        else:
            git(self.root, "clone", "-q", "--mirror", str(self.path), str(mirror))
        return git(self.path, "rev-parse", "HEAD")

    def head(self):
        return git(self.path, "rev-parse", "HEAD")


def server_with(*repositories, settings=""):
    """ci writes all repositories, reader reads them; nobody reads nothing."""
    server = Server(settings)
    server.roles("ci", "reader", "nobody", "auditor")
    owner = Machine(server, "owner")
    shows(owner.run("team", "init", server.url("owner")))
    for repository in repositories:
        shows(owner.run("team", "repos", "add", repository.name, f"https://git.example.org/{repository.name}.git"), "waits for a worker")
        shows(owner.run("team", "grant", "ci", f"repo:{repository.name}", "write"), "may write")
        shows(owner.run("team", "grant", "reader", f"repo:{repository.name}", "read"), "may read")
    return server


def work(machine, repository, *more):
    return machine.run("worker", "--mirrors", str(repository.mirrors), "--once", *more)


def packet(machine, task, *more):
    done = machine.run("pack", task, "--budget", "3000", "--now", NOW, *more)
    expect(f"exit 0: {done.args[1:]}", done.returncode == 0, done.stderr)
    return done.stdout


def local_packet(machine, repository, task, *more):
    """From an index of the same commit, made here in a clean clone."""
    with tempfile.TemporaryDirectory() as folder:
        clone = pathlib.Path(folder, "clone")
        git(repository.root, "clone", "-q", str(repository.path), str(clone))
        done = subprocess.run(machine.command(["pack", task, "--budget", "3000", "--now", NOW, *more]), cwd=clone,
                              env={**machine.environment, "HOME": folder}, capture_output=True, text=True)
        expect("a local pack", done.returncode == 0, done.stderr)
        return done.stdout


def a_pack_from_a_published_snapshot_is_the_local_one():
    shop = Repository()
    with server_with(shop) as server:
        ci, reader = Machine(server, "ci"), Machine(server, "reader")
        done = work(ci, shop)
        expect("the worker publishes it", done.returncode == 0 and "published shop HEAD" in done.stderr, done.stderr)
        for task in ("the voucher is subtracted twice in checkout", "rename total in shop/price.py", "where is the key for deploy"):
            local = local_packet(reader, shop, task)
            far = packet(reader, task, "--repository", "shop")
            expect(f"the same bytes: {task}", far == local, f"--- local\n{local}\n--- published\n{far}")
            expect("it is about code and notes", "shop/" in far or "deploy.py" in far, far)
        expect("the notes are there", "never below zero" in packet(reader, "vouchers", "--repository", "shop"))
        shows(reader.run("symbols", "Cart", "--repository", "shop"), "shop/cart.py")
        shows(reader.run("search", "voucher worth", "--repository", "shop"), "shop/cart.py")
        # Nothing of the repository's secrets has left the machine that had it.
        for table in ("objects", "snapshots", "jobs", "runs"):
            expect(f"no secret in {table}", SECRET not in server.sql("owner", f"SELECT t::text FROM knapsack.{table} t"))
        for place in pathlib.Path(reader.home, ".cache").rglob("*"):
            if place.is_file():
                expect(f"no secret in {place.name}", SECRET.encode() not in place.read_bytes())


def each_commit_has_its_own_and_shares_the_rest():
    shop = Repository(modules=200, parts=40)
    with server_with(shop) as server:
        ci, reader = Machine(server, "ci"), Machine(server, "reader")
        work(ci, shop)
        first = shop.head()
        write(shop.path, "shop/price.py", "def total(lines):\n    return round(sum(line.price for line in lines), 2)\n")
        second = shop.commit("Prices are rounded")
        shows(ci.run("team", "pushed", "shop", second), "waits for a worker")
        shows(ci.run("team", "pushed", "shop", second), "waits already")
        done = work(ci, shop)
        expect("it is published", "published shop " + second[:12] in done.stderr, done.stderr)
        shows(ci.run("team", "pushed", "shop", second), "is published")
        old, new = (packet(reader, "how is the total rounded in price.py", "--repository", f"shop@{commit[:10]}") for commit in (first, second))
        expect("the old commit is as it was", "round(" not in old and "def total" in old, old)
        expect("the new one is new", "round(" in new, new)
        expect("no revision is the newest", packet(reader, "how is the total rounded in price.py", "--repository", "shop") == new)
        expect("the same bytes again", new == local_packet(reader, shop, "how is the total rounded in price.py"))
        sizes = [int(each) for each in server.sql("owner", "SELECT added FROM knapsack.snapshots ORDER BY sequence").split()]
        expect("two commits that share 99 % of their files share 95 % of their bytes", sizes[1] <= 0.05 * sizes[0], str(sizes))
        listed = reader.json("team", "repos", "list")
        expect("the list says so", listed[0]["commit"] == second and listed[0]["snapshots"] == 2 and listed[0]["waiting"] == 0, str(listed))


def what_is_not_there_is_said_in_a_line():
    shop = Repository()
    with server_with(shop) as server:
        ci, reader, nobody = Machine(server, "ci"), Machine(server, "reader"), Machine(server, "nobody")
        refused(reader.run("pack", "x", "--repository", "shop"), "nothing is published of shop yet", code=1)
        refused(ci.run("worker", "--mirrors", "nowhere", "--once"), "there is no folder nowhere")
        empty = tempfile.mkdtemp()
        done = ci.run("worker", "--mirrors", empty, "--once")
        expect("a mirror that is missing is told", "there is no mirror of shop" in done.stderr, done.stderr)
        expect("and kept", "there is no mirror of shop" in reader.json("team", "repos", "list")[0]["problem"])
        server.sql("owner", "UPDATE knapsack.jobs SET not_before = now()")
        work(ci, shop)
        refused(reader.run("pack", "x", "--repository", "bank"), "no repository 'bank'", code=1)
        refused(reader.run("pack", "x", "--repository", "shop@0123456789"), "is not published", code=1)
        refused(reader.run("pack", "x", "--repository", "shop@main"), "is not a commit id")
        refused(reader.run("pack", "x", "--repository", "../shop"), "not a name for a repository")
        refused(nobody.run("pack", "x", "--repository", "shop"), "no right to the team's database")
        refused(reader.run("team", "pushed", "shop", shop.head()[:39]), "is not the id of a commit")
        refused(reader.run("team", "pushed", "shop", "0" * 40), "may not publish shop")
        server.sql("owner", "UPDATE knapsack.jobs SET state = 'queued', not_before = now(), commit_id = repeat('1', 40)")
        done = work(ci, shop)
        expect("a commit that the mirror lacks is told", "has no commit 1111" in done.stderr, done.stderr)


def two_workers_and_one_job():
    shops = [Repository(f"shop{number}") for number in range(6)]
    with server_with(*shops) as server:
        ci = Machine(server, "ci")
        for shop in shops[1:]:
            shutil.copytree(shop.mirrors / f"{shop.name}.git", shops[0].mirrors / f"{shop.name}.git")
        running = [subprocess.Popen(ci.command(["worker", "--mirrors", str(shops[0].mirrors), "--once", "--jobs", "2"]), cwd=ci.path,
                                    env=ci.environment, stderr=subprocess.PIPE, text=True) for _ in range(2)]
        told = [each.communicate(timeout=300)[1] for each in running]
        expect("each repository is published by one", sum(each.count("published") for each in told) == 6, "\n".join(told))
        expect("and once", server.sql("owner", "SELECT count(*) FROM knapsack.snapshots") == "6")
        # A lease that ran out: two have the same job, and one of them may publish.
        server.sql("owner", "UPDATE knapsack.jobs SET state = 'queued', not_before = now() WHERE repository = 'shop0'")
        server.sql("owner", "DELETE FROM knapsack.snapshots WHERE repository = 'shop0'")
        running = []
        for _ in range(2):
            running.append(subprocess.Popen(ci.command(["worker", "--mirrors", str(shops[0].mirrors), "--once"]), cwd=ci.path,
                                            env=ci.environment, stderr=subprocess.PIPE, text=True))
            for _ in range(100):
                if server.sql("owner", "SELECT count(*) FROM knapsack.jobs WHERE repository = 'shop0' AND state = 'running'") == "1":
                    break
                time.sleep(0.01)
            server.sql("owner", "UPDATE knapsack.jobs SET lease_until = now() - interval '1 s' WHERE repository = 'shop0' AND state = 'running'")
        for each in running:
            each.communicate(timeout=300)
        expect("one snapshot", server.sql("owner", "SELECT count(*) FROM knapsack.snapshots WHERE repository = 'shop0'") == "1")
        expect("one job, done", server.sql("owner", "SELECT string_agg(state, ',') FROM knapsack.jobs WHERE repository = 'shop0'") == "done")


class Node:
    """A `serve --team` of its own, with a token."""

    def __init__(self, machine, *more):
        self.port = free_port()
        self.machine = machine
        self.session = {}  # of MCP, once it has begun
        self.process = subprocess.Popen(machine.command(["serve", "--team", "--port", str(self.port), "--now", NOW, *more]), cwd=machine.path,
                                        env={**machine.environment, "KNAPSACK_TOKEN": "t" * 40}, stderr=subprocess.PIPE, text=True)
        for line in self.process.stderr:
            if "listening" in line:
                break

    def ask(self, path, body=None):
        request = urllib.request.Request(f"http://127.0.0.1:{self.port}{path}", headers={"Authorization": "Bearer " + "t" * 40,
                                         "Content-Type": "application/json", **self.session}, data=None if body is None else json.dumps(body).encode())
        try:
            with urllib.request.urlopen(request, timeout=120) as reply:
                if reply.headers.get("Mcp-Session-Id"):
                    self.session = {"Mcp-Session-Id": reply.headers["Mcp-Session-Id"], "MCP-Protocol-Version": "2025-06-18"}
                return reply.status, json.loads(reply.read())
        except urllib.error.HTTPError as error:
            return error.code, json.loads(error.read())

    def stop(self, number=signal.SIGTERM):
        self.process.send_signal(number)
        self.process.communicate(timeout=60)


def nodes_answer_for_every_published_repository():
    shop, bank = Repository("shop"), Repository("bank")
    write(bank.path, "bank/vault.py", "def open_vault(code):\n    return code == 7\n")
    bank.commit("A vault")
    with server_with(shop, bank) as server:
        ci, reader = Machine(server, "ci"), Machine(server, "reader")
        work(ci, shop)
        server.sql("owner", "UPDATE knapsack.jobs SET not_before = now()")
        work(ci, bank)
        nodes = [Node(Machine(server, "reader")) for _ in range(2)]
        try:
            said = [node.ask("/v1/pack", {"repository": "shop", "task": "the voucher is subtracted twice", "max_tokens": 3000}) for node in nodes]
            expect("both answer", all(status == 200 for status, _ in said), str(said))
            expect("the same", said[0][1]["text"] == said[1][1]["text"] and "shop/cart.py" in said[0][1]["text"], str(said))
            status, reply = nodes[0].ask("/v1/search", {"repository": "bank", "query": "open vault code"})
            expect("the other repository", status == 200 and "bank/vault.py" in reply["text"], str(reply))
            status, reply = nodes[0].ask("/v1/pack", {"task": "x"})
            expect("a repository has to be named", status == 400 and "repository" in reply["error"]["message"], str(reply))
            status, reply = nodes[0].ask("/v1/pack", {"repository": "none", "task": "x"})
            expect("one that is not there", status == 404, str(reply))
            status, reply = nodes[0].ask("/v1/runs")
            expect("no runs of its own", status == 404 and "does not answer /v1/runs" in reply["error"]["message"], str(reply))
            status, reply = nodes[0].ask("/openapi.json")
            expect("the description says what is answered", "/v1/runs" not in reply["paths"] and "repository" in
                   reply["components"]["schemas"]["pack_arguments"]["required"], str(reply["paths"].keys()))
            # Over MCP: the same calls, as an agent makes them.
            def call(method, params=None):
                status, reply = nodes[0].ask("/mcp", {"jsonrpc": "2.0", "id": 1, "method": method, "params": params or {}})
                expect(f"MCP {method}", status == 200 and "result" in reply, str(reply))
                return reply.get("result", {})
            call("initialize", {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "test", "version": "1"}})
            tools = {each["name"]: each for each in call("tools/list")["tools"]}
            expect("tools that write, or remember a call, are not there", "pack" in tools and not {"remember", "outcome", "refine_context", "note",
                   "graph_put", "explain_packet"} & set(tools), str(tools.keys()))
            expect("each takes a repository", all("repository" in each["inputSchema"]["required"] for each in tools.values()))
            said_again = call("tools/call", {"name": "pack", "arguments": {"repository": "shop", "task": "the voucher is subtracted twice"}})
            expect("an answer", not said_again.get("isError") and "shop/cart.py" in said_again["content"][0]["text"], str(said_again)[:500])
            expect("no resources", call("resources/list")["resources"] == [])
            rows = server.sql("reader", "SELECT repository || ' ' || command || ' ' || author FROM knapsack.runs ORDER BY 1").split("\n")
            expect("the ledger has the runs", rows.count("shop pack reader") == 3 and rows.count("bank search reader") == 1, str(rows))
            expect("nobody else sees them", server.sql("ci", "SELECT count(*) FROM knapsack.runs") == "0")
            Machine(server, "owner").run("team", "grant", "auditor", "ledger", "read")
            expect("an auditor does", server.sql("auditor", "SELECT count(*) FROM knapsack.runs") == "4")
            for statement in ("UPDATE knapsack.runs SET status = 'x'", "DELETE FROM knapsack.runs"):
                denied = server.sql("reader", statement, check=False)
                expect("the ledger only grows", denied.returncode != 0 and "permission denied" in denied.stderr, denied.stderr)
            # The server is away: what is here still answers, and says so nowhere but in the log.
            server.kill()
            status, reply = nodes[0].ask("/v1/pack", {"repository": "shop", "task": "the voucher is subtracted twice", "max_tokens": 3000})
            expect("without the server", status == 200 and reply["text"] == said[0][1]["text"], str(reply))
            server.start()
            status, _ = nodes[1].ask("/v1/search", {"repository": "bank", "query": "vault"})
            expect("and when it is back", status == 200)
        finally:
            for node in nodes:
                node.stop()


def a_node_that_is_killed_leaves_nothing_half_made():
    shop = Repository(modules=60)
    with server_with(shop) as server:
        ci, reader = Machine(server, "ci"), Machine(server, "reader")
        work(ci, shop)
        whole = packet(Machine(server, "reader"), "the voucher is subtracted twice", "--repository", "shop")
        for number in range(12):
            running = subprocess.Popen(reader.command(["pack", "the voucher is subtracted twice", "--repository", "shop"]), cwd=reader.path,
                                       env=reader.environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            time.sleep(0.01 * number)
            running.kill()
            running.wait()
        expect("the next one answers whole", packet(reader, "the voucher is subtracted twice", "--repository", "shop") == whole)


def the_cache_keeps_to_its_size():
    shops = [Repository(f"shop{number}", modules=40) for number in range(4)]
    with server_with(*shops) as server:
        ci = Machine(server, "ci")
        for shop in shops[1:]:
            shutil.copytree(shop.mirrors / f"{shop.name}.git", shops[0].mirrors / f"{shop.name}.git")
        work(ci, shops[0])
        machine = Machine(server, "reader")
        node = Node(machine, "--cache-size", "1")
        try:
            texts = {}
            for turn in range(2):
                for shop in shops:
                    status, reply = node.ask("/v1/pack", {"repository": shop.name, "task": "the voucher is subtracted twice"})
                    expect("it answers", status == 200 and "shop/cart.py" in reply["text"], str(reply))
                    expect("the same each time", texts.setdefault(shop.name, reply["text"]) == reply["text"])
                    kept = sum(each.stat().st_size for each in pathlib.Path(machine.home, ".cache").rglob("contents/*"))
                    expect("no more than its size, and the one that is in use", kept < 2 << 20, str(kept))
        finally:
            node.stop()


if __name__ == "__main__":
    need_tools()
    sys.exit(run_scenarios([a_pack_from_a_published_snapshot_is_the_local_one, each_commit_has_its_own_and_shares_the_rest,
                            what_is_not_there_is_said_in_a_line, two_workers_and_one_job, nodes_answer_for_every_published_repository,
                            a_node_that_is_killed_leaves_nothing_half_made, the_cache_keeps_to_its_size]))
