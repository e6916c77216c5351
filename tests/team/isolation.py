"""Three roles and two teams: what the database itself lets each of them see and do, by plain SQL and by every command; and the
same behind a pooler that hands each transaction to another connection.

    python3 isolation.py PROGRAM
"""
import os
import pathlib
import subprocess
import sys
import time

from published import Repository, packet, server_with, work
from server import Machine, Server, expect, need_tools, pooler, refused, run_scenarios, shows

SHOP, BANK = "The shop's alarm code is on the blue card", "The bank moves its vault in March"
COMMON = "Both houses share a gardener"


def two_teams():
    """anna: shop; boris: bank; cora: reads both, writes neither. dan has no right at all."""
    server = Server()
    server.roles("anna", "boris", "cora", "dan")
    owner = Machine(server, "owner")
    owner.run("team", "init", server.url("owner"))
    for role, team, right in (("anna", "shop", "write"), ("boris", "bank", "write"), ("cora", "shop", "read"), ("cora", "bank", "read")):
        shows(owner.run("team", "grant", role, f"team:{team}", right), f"{role} may {right} team:{team}")
    return server


def filled():
    server = two_teams()
    anna, boris = Machine(server, "anna"), Machine(server, "boris")
    anna.remember(SHOP, "shop")
    boris.remember(BANK, "bank")
    anna.remember(COMMON, "shop")
    boris.remember(COMMON, "bank")
    return server


def every_table_shows_a_role_its_own_rows_only():
    with filled() as server:
        tables = server.sql("owner", "SELECT tablename FROM pg_tables WHERE schemaname = 'knapsack' ORDER BY 1").split()
        months = [each for each in tables if each.startswith("runs_2")]
        expect("the ledger has its months", len(months) == 24, str(months))
        expect("the tables are those that were looked at", [each for each in tables if each not in months] == [
            "auditors", "grants", "jobs", "memories", "namespaces", "objects", "repositories", "repository_grants", "runs", "runs_other",
            "schema_version", "snapshots"], str(tables))
        unprotected = server.sql("owner", "SELECT relname FROM pg_class c JOIN pg_namespace n ON n.oid = relnamespace WHERE nspname = "
                                 "'knapsack' AND relkind IN ('r', 'p', 'v', 'm') AND NOT relrowsecurity AND relname <> 'schema_version'")
        expect("no table of teams is without policies", unprotected == "", unprotected)
        definers = server.sql("owner", "SELECT proname FROM pg_proc p JOIN pg_namespace n ON n.oid = pronamespace WHERE nspname = "
                              "'knapsack' AND prosecdef")
        expect("no function lends anybody rights", definers == "", definers)
        for role, own, other in (("anna", "shop", "bank"), ("boris", "bank", "shop")):
            for table in tables:
                if table.startswith("runs_"):
                    denied = server.sql(role, f"SELECT * FROM knapsack.{table}", check=False)
                    expect(f"nobody looks at {table} by itself", denied.returncode != 0, denied.stdout)
                    continue
                seen = server.sql(role, f"SELECT t::text FROM knapsack.{table} t")
                expect(f"{role} sees nothing of {other} in {table}", other not in seen and (BANK if own == "shop" else SHOP) not in seen, seen)
            expect(f"{role} sees its own", own in server.sql(role, "SELECT string_agg(namespace, ',') FROM knapsack.memories"))
        expect("cora sees both", server.sql("cora", "SELECT count(*) FROM knapsack.memories") == "4")
        for table in tables:
            denied = server.sql("dan", f"SELECT * FROM knapsack.{table}", check=False)
            expect(f"dan may not look at {table}", denied.returncode != 0 and "permission denied" in denied.stderr, denied.stdout)
        # Whoever owns the tables, and is not above all policies, is no member of every team.
        server.sql("owner", "CREATE ROLE keeper LOGIN")
        server.sql("owner", "ALTER TABLE knapsack.memories OWNER TO keeper; GRANT USAGE ON SCHEMA knapsack TO keeper;"
                   " GRANT EXECUTE ON FUNCTION knapsack.granted(boolean) TO keeper; GRANT SELECT ON knapsack.grants TO keeper")
        expect("nor is their owner", server.sql("keeper", "SELECT count(*) FROM knapsack.memories") == "0")


def plain_sql_cannot_reach_over():
    with filled() as server:
        columns = "(namespace, id, category, text, confidence, created)"
        attempts = [
            ("anna", f"INSERT INTO knapsack.memories {columns} VALUES ('bank', 'x', 'fact', 'planted', 0.9, now())"),
            ("cora", f"INSERT INTO knapsack.memories {columns} VALUES ('shop', 'x', 'fact', 'planted', 0.9, now())"),
            ("dan", f"INSERT INTO knapsack.memories {columns} VALUES ('shop', 'x', 'fact', 'planted', 0.9, now())"),
            ("anna", "INSERT INTO knapsack.memories (namespace, id, category, text, confidence, created, author_role, review, changed, written)"
                     " VALUES ('shop', 'x', 'fact', 'forged', 0.9, now(), 'boris', 'accepted', '1', now())"),
            ("anna", "UPDATE knapsack.memories SET text = 'changed'"),
            ("anna", "UPDATE knapsack.memories SET namespace = 'bank'"),
            ("anna", "DELETE FROM knapsack.memories"),
            ("anna", "TRUNCATE knapsack.memories"),
            ("anna", "INSERT INTO knapsack.grants VALUES ('anna', 'bank', true)"),
            ("anna", "UPDATE knapsack.grants SET namespace = 'bank'"),
            ("anna", "INSERT INTO knapsack.namespaces (name) VALUES ('mine')"),
            ("anna", "ALTER TABLE knapsack.memories DISABLE ROW LEVEL SECURITY"),
            ("anna", "SET row_security = off; SELECT * FROM knapsack.memories"),
            ("anna", "SET ROLE boris; SELECT * FROM knapsack.memories"),
            ("anna", "SET SESSION AUTHORIZATION boris"),
            ("anna", "COPY knapsack.memories TO PROGRAM 'cat'"),
            ("anna", "CREATE FUNCTION knapsack.mine() RETURNS int LANGUAGE sql AS 'SELECT 1'"),
            ("anna", "CREATE TRIGGER mine BEFORE INSERT ON knapsack.memories FOR EACH ROW EXECUTE FUNCTION knapsack.stamp_memory()"),
        ]
        for role, statement in attempts:
            done = server.sql(role, statement, check=False)
            expect(f"{role}: {statement} is refused", done.returncode != 0, done.stdout)
        # A leaky function of one's own runs after the policy, not before it.
        server.sql("owner", "GRANT CREATE ON SCHEMA public TO anna")
        server.sql("anna", "CREATE FUNCTION public.leak(t text) RETURNS boolean LANGUAGE plpgsql COST 0.0001 AS "
                   "$$ BEGIN RAISE NOTICE 'leak %', t; RETURN true; END $$")
        leaked = server.sql("anna", "SELECT count(*) FROM knapsack.memories WHERE public.leak(text)", check=False)
        expect("nor does it leak", BANK not in leaked.stderr and SHOP in leaked.stderr, leaked.stderr)
        joined = server.sql("anna", "SELECT count(*) FROM knapsack.memories WHERE namespace = 'bank' OR id IN (SELECT id FROM knapsack.memories)")
        expect("nor a condition", joined == "2", joined)
        expect("nothing has changed", server.count() == 4 and server.count("text = 'planted'") == 0)
        # A member of a group has what the group has; a role that is gone has nothing.
        server.sql("owner", "CREATE ROLE dispatch; GRANT dispatch TO dan")
        owner = Machine(server, "owner")
        shows(owner.run("team", "grant", "dispatch", "team:shop", "read"))
        expect("a group's right is its members'", server.sql("dan", "SELECT count(*) FROM knapsack.memories") == "2")


def every_command_shows_a_role_its_own_team_only():
    with filled() as server:
        machines = {role: Machine(server, role) for role in ("anna", "boris", "cora", "dan")}
        for role, machine in machines.items():
            machine.run("team", "sync")
            machine.run("index")
            outputs = []
            for words in (("team", "status"), ("recall", "what is on the blue card, and who moves a vault"), ("memories", "list", "--status", "all"),
                          ("memories", "list", "--namespace", "team:shop"), ("memories", "list", "--namespace", "team:bank"),
                          ("memories", "list", "--namespace", "team:bank", "--status", "proposed"),
                          ("memories", "review", "--namespace", "team:bank"), ("memories", "review", "--namespace", "team:shop"),
                          ("search", "alarm vault card March", "--source", "memory"), ("pack", "the alarm code and the vault"),
                          ("explain", "latest"), ("status",), ("doctor",)):
                done = machine.run(*words)
                outputs.append(done.stdout + done.stderr)
            files = [path.read_bytes() for path in (machine.home / ".local/share/knapsack").rglob("*") if path.is_file()]
            seen = "\n".join(outputs) + b"\n".join(files).decode("utf-8", "replace")
            expect(f"{role} and the shop", (SHOP in seen) == (role in ("anna", "cora")), seen[:1500])
            expect(f"{role} and the bank", (BANK in seen) == (role in ("boris", "cora")), seen[:1500])
        planted = machines["anna"].json("remember", "Anna was here", "--namespace", "team:bank")
        expect("it is not delivered", planted["delivery"] == "queued" and server.count("namespace = 'bank'") == 2, str(planted))
        sync = machines["anna"].run("team", "sync")
        expect("and that is said", "refused" in sync.stderr and "team:bank" in sync.stderr, sync.stderr)
        read_only = machines["cora"].json("remember", "Cora was here", "--namespace", "team:shop")
        expect("nor from who may only read", read_only["delivery"] == "queued" and server.count() == 4)
        promoted = machines["boris"].json("remember", "My own thought")["id"]
        machines["boris"].json("promote", promoted, "--to", "team:shop")
        expect("nor promoted", server.count("namespace = 'shop'") == 2)
        granted = machines["anna"].run("team", "grant", "anna", "team:bank", "read")
        expect("nobody grants rights to themselves", granted.returncode != 0, granted.stdout)
        denied = machines["dan"].run("team", "sync")
        expect("dan is told", denied.returncode == 2 and denied.stderr.count("\n") == 1, denied.stderr)


def a_right_that_is_taken_away_takes_the_copy_with_it():
    with filled() as server:
        cora = Machine(server, "cora")
        cora.run("team", "sync")
        expect("both teams", len(cora.listed("shop")) == 2 and len(cora.listed("bank")) == 2)
        server.sql("owner", "DELETE FROM knapsack.grants WHERE role_name = 'cora' AND namespace = 'bank'")
        cora.run("team", "sync")
        expect("one is gone", len(cora.listed("shop")) == 2 and cora.listed("bank") == [], str(cora.listed("bank")))
        files = b"".join(path.read_bytes() for path in (cora.home / ".local/share/knapsack/team").rglob("*") if path.is_file())
        expect("from the disk too", BANK.encode() not in files)
        server.sql("owner", "INSERT INTO knapsack.grants VALUES ('cora', 'bank', false)")
        cora.run("team", "sync")
        expect("and comes back, old ones and all", len(cora.listed("bank")) == 2, str(cora.listed("bank")))


def two_repositories():
    """ci publishes the shop, robot the bank; anna reads the shop, boris the bank, cora both, dan has no right at all."""
    shop, bank = Repository("shop"), Repository("bank")
    server = server_with()
    server.roles("anna", "boris", "cora", "dan", "robot")
    owner = Machine(server, "owner")
    for name, writer, readers in (("shop", "ci", ("anna", "cora")), ("bank", "robot", ("boris", "cora"))):
        shows(owner.run("team", "repos", "add", name, f"https://git.example.org/{name}.git"))
        shows(owner.run("team", "grant", writer, f"repo:{name}", "write"))
        for reader in readers:
            shows(owner.run("team", "grant", reader, f"repo:{name}", "read"))
    shows(work(Machine(server, "ci"), shop))
    shows(work(Machine(server, "robot"), bank))
    for role, name in (("anna", "shop"), ("boris", "bank")):
        server.sql(role, "INSERT INTO knapsack.runs (repository, commit_id, command, request, status, milliseconds)"
                   f" VALUES ('{name}', '', 'pack', '{{}}', 'ok', 1)")
    return server, shop, bank


def repositories_are_as_apart_as_teams():
    server, shop, bank = two_repositories()
    with server:
        for role, own, other in (("anna", "shop", "bank"), ("ci", "shop", "bank"), ("boris", "bank", "shop"), ("robot", "bank", "shop")):
            for table in ("repositories", "repository_grants", "objects", "snapshots", "jobs", "runs", "auditors"):
                seen = server.sql(role, f"SELECT t::text FROM knapsack.{table} t")
                expect(f"{role} sees nothing of {other} in {table}", f"({other}," not in seen and f",{other}," not in seen, seen[:500])
            for table in ("repositories", "objects", "snapshots", "jobs"):
                expect(f"{role} sees {own} in {table}", int(server.sql(role, f"SELECT count(*) FROM knapsack.{table}")) > 0)
            machine = Machine(server, role)
            refused(machine.run("pack", "vouchers", "--repository", other), f"no repository '{other}'", code=1)
            expect("and its own answers", "shop/cart.py" in packet(machine, "the voucher in checkout", "--repository", own))
            expect("the list is its own", [each["name"] for each in machine.json("team", "repos", "list")] == [own])
            refused(machine.run("team", "pushed", other, "1" * 40), f"may not publish {other}")
        expect("cora sees both", len(Machine(server, "cora").json("team", "repos", "list")) == 2)
        name = server.sql("anna", "SELECT encode(name, 'hex') FROM knapsack.objects LIMIT 1")
        snapshot = f"'{'2' * 40}', decode('{name}', 'hex'), 1, 1"
        attempts = [
            ("anna", "INSERT INTO knapsack.objects (repository, name, bytes) VALUES ('shop', sha256('x'), 'x')"),
            ("ci", "INSERT INTO knapsack.objects (repository, name, bytes) VALUES ('bank', sha256('x'), 'x')"),
            ("ci", "INSERT INTO knapsack.objects (repository, name, bytes) VALUES ('shop', sha256('x'), 'y')"),
            ("ci", "UPDATE knapsack.objects SET bytes = 'x'"),
            ("ci", "DELETE FROM knapsack.objects"),
            ("anna", f"INSERT INTO knapsack.snapshots (repository, commit_id, manifest, size, added) VALUES ('shop', {snapshot})"),
            ("ci", f"INSERT INTO knapsack.snapshots (repository, commit_id, manifest, size, added) VALUES ('bank', {snapshot})"),
            ("ci", "UPDATE knapsack.snapshots SET manifest = sha256('x')"),
            ("anna", "INSERT INTO knapsack.jobs (repository, commit_id) VALUES ('shop', 'HEAD')"),
            ("ci", "UPDATE knapsack.jobs SET repository = 'bank'"),
            ("anna", "INSERT INTO knapsack.repositories (name, source) VALUES ('mine', 'x')"),
            ("anna", "INSERT INTO knapsack.repository_grants VALUES ('anna', 'bank', true)"),
            ("anna", "INSERT INTO knapsack.auditors VALUES ('anna')"),
            ("anna", "INSERT INTO knapsack.runs (repository, commit_id, command, request, status, milliseconds)"
                     " VALUES ('bank', '', 'pack', '{}', 'ok', 1)"),
            ("anna", "UPDATE knapsack.runs SET command = 'x'"),
            ("anna", "DELETE FROM knapsack.runs"),
            ("anna", "SELECT * FROM knapsack.runs_other"),
        ]
        for role, statement in attempts:
            done = server.sql(role, statement, check=False)
            expect(f"{role}: {statement} is refused", done.returncode != 0, done.stdout)
        for table in ("repositories", "objects", "snapshots", "jobs", "runs"):
            denied = server.sql("dan", f"SELECT * FROM knapsack.{table}", check=False)
            expect(f"dan may not look at {table}", denied.returncode != 0 and "permission denied" in denied.stderr, denied.stdout)
        updated = server.sql("anna", "UPDATE knapsack.jobs SET state = 'queued' RETURNING 1", check=False)
        expect("who only reads takes no job", updated.returncode != 0 or "1" not in updated.stdout.split(), updated.stdout)
        with pooler(server, "ci", "anna") as port:
            through = Machine(server, "anna", port)
            expect("the same behind a pooler", packet(through, "the voucher in checkout", "--repository", "shop") ==
                   packet(Machine(server, "anna"), "the voucher in checkout", "--repository", "shop"))
            server.sql("ci", "INSERT INTO knapsack.jobs (repository, commit_id) VALUES ('shop', 'HEAD')")
            shows(work(Machine(server, "ci", port), shop))
            expect("a worker too", server.sql("owner", "SELECT string_agg(DISTINCT state, ',') FROM knapsack.jobs WHERE repository = 'shop'") == "done")


def the_same_behind_a_pooler_in_transaction_mode():
    with filled() as server:
        with pooler(server, "owner", "anna", "boris", "cora", "dan") as port:
            anna, boris, cora = (Machine(server, role, port) for role in ("anna", "boris", "cora"))
            for _ in range(100):
                if anna.json("team", "status")["online"]:
                    break
                time.sleep(0.1)
            shows(Machine(server, "owner", port).run("team", "init", server.url("owner", port)), "as it was")
            expect("delivered", anna.remember("Through the pooler")["delivery"] == "delivered")
            running = [subprocess.Popen(machine.command(["remember", f"{machine.role} {number}", "--namespace", f"team:{team}"]), cwd=machine.path,
                                        env=machine.environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
                       for number in range(5) for machine, team in ((anna, "shop"), (boris, "bank"))]
            for each in running:
                expect("at once", each.wait(timeout=120) == 0)
            for machine in (anna, boris, cora):
                machine.run("team", "sync")
            expect("each its own", len(anna.listed("shop")) == 8 and anna.listed("bank") == [] and len(boris.listed("bank")) == 7 and
                   boris.listed("shop") == [], f"{anna.listed('shop')} {boris.listed('bank')}")
            expect("cora both", len(cora.listed("shop")) == 8 and len(cora.listed("bank")) == 7)


if __name__ == "__main__":
    need_tools()
    sys.exit(run_scenarios([every_table_shows_a_role_its_own_rows_only, plain_sql_cannot_reach_over,
                            every_command_shows_a_role_its_own_team_only, a_right_that_is_taken_away_takes_the_copy_with_it,
                            repositories_are_as_apart_as_teams, the_same_behind_a_pooler_in_transaction_mode]))
