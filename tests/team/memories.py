"""Memories that a team shares: set-up, rights, delivery, review, and what is sent nowhere.

    python3 memories.py PROGRAM
"""
import concurrent.futures
import json
import subprocess
import sys

from server import PROGRAM, Machine, Server, expect, need_tools, refused, run_scenarios, shows, team_server


def a_server_is_set_up_once_however_often_it_is_asked():
    with Server() as server:
        machines = [Machine(server, "owner") for _ in range(4)]
        with concurrent.futures.ThreadPoolExecutor(4) as pool:
            done = list(pool.map(lambda each: each.run("team", "init", server.url("owner")), machines))
        for each in done:
            shows(each, "schema knapsack is at version 2")
        # Steps are taken one at a time, so that two of them may have done one each.
        expect("some of them did it", 1 <= sum("as it was" not in each.stdout for each in done) <= 2, str([each.stdout for each in done]))
        expect("each step once", server.sql("owner", "SELECT string_agg(version::text, ',' ORDER BY version) FROM knapsack.schema_version") == "1,2")
        shows(machines[0].run("team", "init", server.url("owner")), "as it was")


def a_newer_schema_is_refused_in_one_line():
    with team_server() as server:
        server.sql("owner", "INSERT INTO knapsack.schema_version (version) VALUES (99)")
        anna = Machine(server, "anna")
        for words in (("team", "init", server.url("owner")), ("team", "status"), ("team", "sync"),
                      ("team", "grant", "anna", "team:shop", "read")):
            refused(anna.run(*words), "schema is of version 99 and this program knows 2", "update knapsack")
        said = anna.remember("Releases are cut on Tuesdays")
        expect("what is remembered waits", said["delivery"] == "queued", str(said))
        shows(anna.run("recall", "anything at all about releases"))
        server.sql("owner", "DELETE FROM knapsack.schema_version WHERE version = 99")
        shows(anna.run("team", "sync"), "1 delivered, 0 waiting")


def what_one_remembers_the_other_recalls():
    with team_server() as server:
        anna, boris = Machine(server, "anna"), Machine(server, "boris")
        said = anna.remember("Releases of the shop are cut on Tuesdays", "shop", "--tags", "release,shop")
        expect("delivered", said["delivery"] == "delivered" and said["path"] == "team:shop", str(said))
        shows(boris.run("team", "sync"), "1 fetched")
        recalled = boris.run("recall", "when are releases of the shop cut", "--now", "2026-11-20T08:00:00Z")
        shows(recalled, "Releases of the shop are cut on Tuesdays", "Memories of your teams are as of ")
        packet = boris.json("recall", "when are releases of the shop cut")
        expect("it says whose", "team:shop" in json.dumps(packet), json.dumps(packet)[:2000])
        shows(boris.run("pack", "when are releases of the shop cut"), "Releases of the shop are cut on Tuesdays",
              "Memories of your teams are as of ")
        found = boris.run("search", "releases Tuesdays", "--source", "memory")
        shows(found, "Releases of the shop are cut on Tuesdays")
        expect("listed", boris.listed() == ["Releases of the shop are cut on Tuesdays"])
        shows(boris.run("memories", "list"), "[in team:shop]")
        row = server.sql("owner", "SELECT author_role, author_git, review, tags FROM knapsack.memories")
        expect("the author is known", row == "anna|Anna Berg <anna@example.org>|accepted|{release,shop}", row)
        again = boris.run("remember", "releases of the shop are cut on tuesdays!", "--namespace", "team:shop")
        expect("a duplicate is refused", again.returncode == 1 and said["id"] in again.stderr, again.stderr)
        expect("and not sent", server.count() == 1)
        for words in (("forget", said["id"]), ("feedback", said["id"], "--useful")):
            done = boris.run(*words)
            expect(f"{words} changes nothing of a team", done.returncode != 0, done.stdout + done.stderr)
        status = boris.json("team", "status")
        expect("status", status["online"] and status["role"] == "boris" and status["copied"] == 1 and status["waiting"] == 0 and
               status["namespaces"] == [{"namespace": "team:shop", "write": True, "review": False}], str(status))


def what_was_read_of_a_copy_is_kept():
    """Also on the machine of somebody who has no memories of their own."""
    with team_server() as server:
        anna, boris = Machine(server, "anna"), Machine(server, "boris")
        anna.remember("The till is counted at seven")
        boris.run("team", "sync")
        shows(boris.run("recall", "when is the till counted"), "counted at seven")
        kept = [each.name for each in (boris.path / ".knapsack").rglob("*") if each.is_file()]
        expect("the index of the copy is on disk", any(each.endswith(".segment") for each in kept), str(kept))


def offline_is_normal():
    with team_server() as server:
        anna, boris = Machine(server, "anna"), Machine(server, "boris")
        anna.remember("The shop ships parcels on Fridays")
        boris.run("team", "sync")
        server.stop()
        said = anna.remember("The shop ships letters on Mondays")
        expect("queued", said["delivery"] == "queued", str(said))
        second = anna.run("remember", "The shop closes at noon", "--namespace", "team:shop")
        shows(second, "  queued\n")
        again = anna.run("remember", "the shop closes at noon.", "--namespace", "team:shop")
        expect("what waits is not said twice", again.returncode == 1 and "says the same already" in again.stderr, again.stderr)
        expect("people are told", "it waits here and is delivered later" in second.stderr, second.stderr)
        shows(anna.run("remember", "My own note about parcels"))
        shows(anna.run("recall", "which note is there about parcels"), "My own note about parcels", "The shop ships parcels on Fridays")
        shows(boris.run("recall", "when does the shop ship parcels"), "The shop ships parcels on Fridays", "Memories of your teams are as of")
        status = anna.run("team", "status")
        shows(status, "offline     the team's server does not answer", "outbox      2 waiting", "team:shop: read and write")
        sync = anna.run("team", "sync")
        expect("a sync says that it is not complete", sync.returncode == 1 and "0 delivered, 2 waiting" in sync.stdout, sync.stdout)
        server.start()
        shows(anna.run("team", "sync"), "2 delivered, 0 waiting")
        shows(anna.run("team", "sync"), "0 delivered, 0 waiting")
        boris.run("team", "sync")
        expect("all of it, once", server.count() == 3 and len(boris.listed()) == 3, str(boris.listed()))


def one_of_ones_own_is_promoted_with_where_it_comes_from():
    with team_server() as server:
        anna = Machine(server, "anna")
        own = anna.json("remember", "We decided to keep the ledger in SQLite", "--category", "decision")
        for _ in range(2):
            said = anna.json("promote", own["id"], "--to", "team:shop")
            expect("it keeps its id", said["id"] == own["id"] and said["delivery"] == "delivered", str(said))
        expect("once", server.count() == 1)
        provenance = json.loads(server.sql("owner", "SELECT provenance FROM knapsack.memories"))
        expect("with its provenance", provenance["promoted_from"] == own["id"] and provenance["created"].startswith("20"), str(provenance))
        refused(anna.run("promote", own["id"], "--to", "shop"), "'shop' is not a team's namespace")
        refused(anna.run("promote", "none-such", "--to", "team:shop"), "there is no memory none-such", code=1)


def what_is_proposed_waits_for_somebody_else():
    with team_server(review=True) as server:
        anna, boris = Machine(server, "anna"), Machine(server, "boris")
        first = anna.remember("Vouchers are valid for a year")
        second = anna.remember("Vouchers may be combined")
        boris.run("team", "sync")
        shows(boris.run("recall", "how long are vouchers valid"), without=("valid for a year",))
        expect("both wait", sorted(boris.listed("shop", "--status", "proposed")) == ["Vouchers are valid for a year", "Vouchers may be combined"])
        own = anna.run("memories", "review", "--namespace", "team:shop", "--accept", first["id"])
        expect("nobody accepts their own", own.returncode == 2 and "is your own" in own.stderr, own.stderr)
        done = boris.run("memories", "review", "--namespace", "team:shop", "--accept", first["id"], "--refuse", second["id"])
        expect("another member decides", done.returncode == 0, done.stderr)
        anna.run("team", "sync")
        shows(anna.run("recall", "how long are vouchers valid"), "Vouchers are valid for a year", without=("may be combined",))
        expect("statuses", server.sql("owner", "SELECT string_agg(review || ' ' || reviewed_by, ',' ORDER BY text) FROM knapsack.memories")
               == "accepted boris,rejected boris")
        expect("rejected ones are listed as such", anna.listed("shop", "--status", "rejected") == ["Vouchers may be combined"])


def secrets_do_not_leave_the_machine():
    with team_server() as server:
        anna = Machine(server, "anna")
        key = "AKIA" + "IOSFODNN7EXAMPLE"
        token = "ghp_" + "16C7e42F292c6912E7710c838347Ae178B4a"
        anna.remember(f"The deploy key is {key} and the token {token}", "shop", "--tags", key)
        server.stop()
        anna.remember(f"Another one is {token}")
        waiting = "".join(path.read_text() for path in (anna.home / ".local/share/knapsack/team").rglob("*.json"))
        expect("nor wait to", key not in waiting and token not in waiting and "[redacted" in waiting, waiting)
        server.start()
        anna.run("team", "sync")
        text = server.sql("owner", "SELECT string_agg(m::text, ' ') FROM knapsack.memories m")
        expect("nothing of them is there", key not in text and token not in text and text.count("[redacted") >= 3, text)


def the_server_is_the_users_choice():
    with team_server() as server:
        anna = Machine(server, "anna")
        del anna.environment["KNAPSACK_TEAM_URL"]
        refused(anna.run("team", "status"), "no team's server is named", "KNAPSACK_TEAM_URL")
        (anna.path / "knapsack.toml").write_text(f'[team]\nurl = "{server.url("anna")}"\n')
        done = anna.run("team", "status")
        expect("a workspace's file does nothing", done.returncode == 2 and "team.url of knapsack.toml does nothing" in done.stderr, done.stderr)
        (anna.path / "knapsack.toml").write_text('[memory]\nnamespace = "team:shop"\n')
        chosen = anna.run("remember", "A secret plan of mine")
        expect("nor sends anything to a team", server.count() == 0, chosen.stdout + chosen.stderr)
        (anna.path / "knapsack.toml").unlink()
        config = anna.home / ".config/knapsack/knapsack.toml"
        config.parent.mkdir(parents=True)
        config.write_text('[team]\nurl = "postgresql://anna:hunter2@127.0.0.1:%d/team"\n' % server.port)
        shows(anna.run("team", "status"), "role        anna", without=("hunter2",))
        listed = anna.run("config")
        shows(listed, "team.url", without=("hunter2",))
        (anna.home / ".config/knapsack/knapsack.toml").unlink()
        elsewhere = server.url("anna").replace("127.0.0.1", "db.example.org")
        refused(anna.run("team", "status", "--team-url", elsewhere + "?sslmode=disable"), "sslmode=disable does not prove")
        refused(anna.run("team", "status", "--team-url", elsewhere + "?sslmode=require"), "sslmode=require does not prove")
        anna.environment["PGHOST"] = "db.example.org"
        refused(anna.run("team", "status", "--team-url", "postgresql:///team?sslmode=prefer"), "sslmode=prefer does not prove")
        refused(anna.run("team", "status", "--team-url", "https://example.org/team"), "is not a PostgreSQL address")
        refused(anna.run("team", "status", "--team-url", "postgresql://anna@127.0.0.1/team?service=other"), "service file")


def nobody_pays_who_has_no_team():
    linked = subprocess.run(["ldd", PROGRAM], capture_output=True, text=True, check=True).stdout
    expect("the client library is not linked", "libpq" not in linked, linked)
    with Server() as server:
        anna = Machine(server, "anna")
        del anna.environment["KNAPSACK_TEAM_URL"]
        traced = subprocess.run(["strace", "-f", "-e", "trace=openat", "-o", str(anna.home / "trace"), PROGRAM, "recall", "what is there"],
                                cwd=anna.path, env=anna.environment, capture_output=True, text=True, timeout=120)
        opened = (anna.home / "trace").read_text(errors="replace")
        expect("nor opened", "libpq" not in opened and traced.returncode == 0, opened[-1000:] + traced.stderr)


if __name__ == "__main__":
    need_tools()
    sys.exit(run_scenarios([a_server_is_set_up_once_however_often_it_is_asked, a_newer_schema_is_refused_in_one_line,
                            what_one_remembers_the_other_recalls, what_was_read_of_a_copy_is_kept, offline_is_normal,
                            one_of_ones_own_is_promoted_with_where_it_comes_from, what_is_proposed_waits_for_somebody_else,
                            secrets_do_not_leave_the_machine, the_server_is_the_users_choice, nobody_pays_who_has_no_team]))
