"""A PostgreSQL of the tests' own, in a temporary folder and on a free port of this machine, and machines that share it."""
import contextlib
import glob
import json
import os
import pathlib
import pwd
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time

PROGRAM = str(pathlib.Path(sys.argv[1]).resolve())
BINARIES = sorted(glob.glob("/usr/lib/postgresql/*/bin"), key=lambda path: int(path.split("/")[4]))[-1]
FAILED: list[str] = []


def expect(what, holds, shown=""):
    if not holds:
        FAILED.append(f"{what}\n{shown}")


def shows(result, *texts, without=()):
    expect(f"exit 0: {result.args[1:]}", result.returncode == 0, result.stdout + result.stderr)
    for text in texts:
        expect(f"{result.args[1:]} shows {text!r}", text in result.stdout, result.stdout + result.stderr)
    for text in without:
        expect(f"{result.args[1:]} does not show {text!r}", text not in result.stdout, result.stdout)


def refused(result, *texts, code=2):
    expect(f"exit {code}: {result.args[1:]}", result.returncode == code, result.stdout + result.stderr)
    expect(f"one line: {result.args[1:]}", result.stdout == "" and result.stderr.count("\n") == 1, result.stderr)
    for text in texts:
        expect(f"{result.args[1:]} says {text!r}", text in result.stderr, result.stderr)


def run_scenarios(scenarios) -> int:
    for scenario in scenarios:
        before = len(FAILED)
        scenario()
        print(f"{'ok  ' if len(FAILED) == before else 'FAIL'} {scenario.__name__}", flush=True)
    print("\n".join(FAILED))
    return 1 if FAILED else 0


def free_port():
    with socket.socket() as held:
        held.bind(("127.0.0.1", 0))
        return held.getsockname()[1]


class Server:
    """PostgreSQL does not run as root: where the tests do, it gets the user that Debian made for it."""

    def __init__(self, settings=""):
        self.held = tempfile.TemporaryDirectory(prefix="knapsack-team-")
        self.folder = pathlib.Path(self.held.name)
        self.user = {}
        if os.geteuid() == 0:
            who = pwd.getpwnam("postgres")
            os.chown(self.folder, who.pw_uid, who.pw_gid)
            self.user = {"user": who.pw_uid, "group": who.pw_gid, "extra_groups": []}
        self.folder.chmod(0o755)
        self.port = free_port()
        self.data = self.folder / "data"
        self.environment = {"PATH": "/usr/bin:/bin", "LC_ALL": "C.UTF-8", "HOME": str(self.folder)}
        self.tool("initdb", "-D", self.data, "-U", "owner", "-A", "trust", "-E", "UTF8", "--locale=C.UTF-8", "--no-sync")
        with open(self.data / "postgresql.conf", "a", encoding="utf-8") as file:
            file.write(f"port = {self.port}\nlisten_addresses = '127.0.0.1'\nunix_socket_directories = '{self.folder}'\n"
                       f"max_connections = 100\nshared_buffers = 32MB\n{settings}\n")
        self.process = None
        self.start()
        self.sql("owner", "CREATE DATABASE team", database="postgres")

    def tool(self, name, *words, check=True):
        return subprocess.run([f"{BINARIES}/{name}", *map(str, words)], env=self.environment, check=check,
                              capture_output=True, text=True, cwd=self.folder, **self.user)

    def start(self):
        self.log = open(self.folder / "log", "ab")
        self.process = subprocess.Popen([f"{BINARIES}/postgres", "-D", str(self.data)], env=self.environment,
                                        stdout=self.log, stderr=self.log, start_new_session=True, cwd=self.folder, **self.user)
        for _ in range(600):
            if self.tool("pg_isready", "-h", "127.0.0.1", "-p", self.port, check=False).returncode == 0:
                return
            if self.process.poll() is not None:
                break
            time.sleep(0.1)
        raise RuntimeError("PostgreSQL does not start: " + (self.folder / "log").read_text(errors="replace")[-2000:])

    def signal_all(self, number):
        os.killpg(self.process.pid, number)

    def kill(self):
        """As a machine that loses its power: every process at once, nothing is written any more."""
        children = pathlib.Path(f"/proc/{self.process.pid}/task/{self.process.pid}/children").read_text().split()
        for each in [str(self.process.pid), *children]:
            try:
                os.kill(int(each), signal.SIGKILL)
            except ProcessLookupError:
                pass
        self.process.wait()
        (self.data / "postmaster.pid").unlink(missing_ok=True)
        time.sleep(0.2)

    def stop(self):
        if self.process and self.process.poll() is None:
            self.signal_all(signal.SIGCONT)
            self.process.send_signal(signal.SIGQUIT)  # at once; the next start recovers
            self.process.wait(timeout=60)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.stop()
        self.log.close()
        self.held.cleanup()

    def url(self, role, port=None, database="team"):
        return f"postgresql://{role}@127.0.0.1:{port or self.port}/{database}"

    def sql(self, role, statement, database="team", check=True):
        done = subprocess.run([f"{BINARIES}/psql", "-X", "-A", "-t", "-v", "ON_ERROR_STOP=1", "-h", "127.0.0.1", "-p",
                               str(self.port), "-U", role, "-d", database, "-c", statement], env=self.environment,
                              capture_output=True, text=True, timeout=60)
        if check and done.returncode != 0:
            raise RuntimeError(f"{statement}: {done.stderr}")
        return done.stdout.strip() if check else done

    def roles(self, *names):
        for name in names:
            self.sql("owner", f'CREATE ROLE "{name}" LOGIN')

    def count(self, where="true"):
        """Of all rows, whoever may see them: the owner of the cluster is above policies."""
        return int(self.sql("owner", f"SELECT count(*) FROM knapsack.memories WHERE {where}"))


class Machine:
    """A person's machine: a home folder and a workspace of its own."""

    def __init__(self, server, role, port=None):
        self.held = tempfile.TemporaryDirectory()
        self.home = pathlib.Path(self.held.name)
        self.path = self.home / "work"
        self.path.mkdir()
        self.server, self.role = server, role
        (self.home / ".gitconfig").write_text(f"[user]\n\tname = {role.title()} Berg\n\temail = {role}@example.org\n")
        self.environment = {"PATH": "/usr/bin:/bin", "HOME": str(self.home), "LC_ALL": "C.UTF-8", "KNAPSACK_BACKGROUND": "off",
                            "KNAPSACK_TEAM_URL": server.url(role, port)}

    def command(self, words):
        return [PROGRAM, *words, "--no-meaning"]

    def run(self, *words, given="", timeout=120):
        return subprocess.run(self.command(words), cwd=self.path, env=self.environment, text=True, input=given,
                              capture_output=True, timeout=timeout)

    def json(self, *words):
        done = self.run(*words, "--format", "json")
        expect(f"exit 0: {words}", done.returncode == 0, done.stderr)
        return json.loads(done.stdout)

    def remember(self, text, team="shop", *more):
        return self.json("remember", text, "--namespace", f"team:{team}", *more)

    def listed(self, team="shop", *more):
        return [row["title"] for row in self.json("memories", "list", "--namespace", f"team:{team}", "--limit", "100000", *more)["memories"]]


def team_server(roles=("anna", "boris"), team="shop", review=False):
    """A server with a schema, roles, and all of them in one team."""
    server = Server()
    server.roles(*roles)
    owner = Machine(server, "owner")
    made = owner.run("team", "init", server.url("owner"))
    expect("the schema is created", made.returncode == 0, made.stderr)
    for role in roles:
        granted = owner.run("team", "grant", role, f"team:{team}", "write", *(["--review"] if review else []))
        expect("a right is granted", granted.returncode == 0, granted.stderr)
    return server


@contextlib.contextmanager
def pooler(server, *roles):
    """pgbouncer before the server, which hands each transaction to another connection; its port."""
    port = free_port()
    folder = server.folder / f"pooler-{port}"
    folder.mkdir()
    folder.chmod(0o777)
    (folder / "users.txt").write_text("".join(f'"{role}" ""\n' for role in roles))
    (folder / "pgbouncer.ini").write_text(
        f"[databases]\nteam = host=127.0.0.1 port={server.port} dbname=team\n[pgbouncer]\nlisten_addr = 127.0.0.1\nlisten_port = {port}\n"
        f"auth_type = trust\nauth_file = {folder}/users.txt\npool_mode = transaction\ndefault_pool_size = 2\nunix_socket_dir =\n"
        "logfile = /dev/null\npidfile =\n")
    process = subprocess.Popen(["/usr/sbin/pgbouncer", str(folder / "pgbouncer.ini")], env=server.environment, stdout=subprocess.DEVNULL,
                               stderr=subprocess.DEVNULL, start_new_session=True, **server.user)
    try:
        for _ in range(100):
            with socket.socket() as tried:
                if tried.connect_ex(("127.0.0.1", port)) == 0:
                    break
            time.sleep(0.1)
        yield port
    finally:
        process.kill()
        process.wait()


def need_tools():
    for tool in (f"{BINARIES}/postgres", "/usr/sbin/pgbouncer"):
        if not shutil.which(tool):
            sys.exit(f"{tool} is missing: run `scripts/setup test`")
