"""Many clients at once against `knapsack serve`: errors, latency, and what the server holds in memory.

    python3 bench/serve_load.py build/release/knapsack [--clients 200] [--seconds 60] [--max-growth-mb 64]

Each client keeps one connection and asks without a pause: status pages, searches, packets and MCP calls, in a fixed
mixture. Fails when a reply is wrong, when a client gets none, or when memory grows by more than the given amount between
the end of the warm-up and the end.
"""
import argparse
import asyncio
import json
import os
import pathlib
import random
import re
import shutil
import signal
import statistics
import subprocess
import sys
import tempfile
import time

SOURCE = pathlib.Path(__file__).resolve().parent.parent
META = {"io.modelcontextprotocol/protocolVersion": "2026-07-28", "io.modelcontextprotocol/clientCapabilities": {}}
WORDS = ["import", "parcel", "offset", "resume", "carrier", "batch", "crash", "cursor"]
REPLY_TIMEOUT = 120  # seconds; on a busy machine hundreds of calls wait for two cores


def make_workspace(folder: pathlib.Path) -> None:
    shutil.copytree(SOURCE / "examples/workspace", folder, dirs_exist_ok=True)
    for i in range(100):
        target = folder / f"src/generated/module_{i}.py"
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text("".join(f"def step_{i}_{k}(row):\n    return row + {k}\n\n\n" for k in range(20)), encoding="utf-8")


def request(port: int, method: str, path: str, body: dict | None = None, headers: dict | None = None) -> bytes:
    content = b"" if body is None else json.dumps(body).encode()
    lines = [f"{method} {path} HTTP/1.1", f"Host: localhost:{port}"]
    if body is not None:
        lines += ["Content-Type: application/json", f"Content-Length: {len(content)}"]
    lines += [f"{name}: {value}" for name, value in (headers or {}).items()]
    return "\r\n".join(lines).encode() + b"\r\n\r\n" + content


def choose(port: int, source: random.Random) -> tuple[str, bytes]:
    words = " ".join(source.choices(WORDS, k=3))
    kind = source.choices(["health", "search", "pack", "mcp list", "mcp call"], weights=[40, 25, 10, 15, 10])[0]
    mcp = {"Accept": "application/json", "MCP-Protocol-Version": "2026-07-28"}
    if kind == "health":
        return kind, request(port, "GET", "/healthz")
    if kind == "search":
        return kind, request(port, "POST", "/v1/search", {"query": words, "max_tokens": 2000})
    if kind == "pack":
        return kind, request(port, "POST", "/v1/pack", {"task": words, "max_tokens": source.randrange(500, 8000)})
    if kind == "mcp list":
        return kind, request(port, "POST", "/mcp", {"jsonrpc": "2.0", "id": 1, "method": "tools/list", "params": {"_meta": META}},
                             {**mcp, "Mcp-Method": "tools/list"})
    params = {"name": "read", "arguments": {"what": "importer.py"}, "_meta": META}
    return kind, request(port, "POST", "/mcp", {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params},
                         {**mcp, "Mcp-Method": "tools/call", "Mcp-Name": "read"})


async def read_reply(reader: asyncio.StreamReader) -> tuple[int, bytes]:
    head = await reader.readuntil(b"\r\n\r\n")
    length = re.search(rb"\r\nContent-Length: (\d+)\r\n", head)
    body = await reader.readexactly(int(length.group(1))) if length else b""
    return int(head.split(b" ", 2)[1]), body


async def client(port: int, number: int, until: float, times: dict[str, list[float]], errors: list[str]) -> None:
    source = random.Random(number)
    try:
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        while time.monotonic() < until:
            kind, bytes_ = choose(port, source)
            began = time.perf_counter()
            writer.write(bytes_)
            status, body = await asyncio.wait_for(read_reply(reader), REPLY_TIMEOUT)
            times.setdefault(kind, []).append(time.perf_counter() - began)
            answer = json.loads(body)
            if status != 200 or "error" in answer or answer.get("result", {}).get("isError"):
                errors.append(f"{kind}: {status} {body[:200]!r}")
        writer.close()
    except Exception as problem:  # whatever it is, it is what this program counts
        errors.append(f"client {number}: {problem!r}")


def resident_mb(process: int) -> float:
    pages = int(pathlib.Path(f"/proc/{process}/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGESIZE") / 2**20


def processor_seconds(process: int) -> float:
    fields = pathlib.Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def percentile(values: list[float], share: float) -> float:
    return sorted(values)[min(len(values) - 1, int(len(values) * share))]


async def load(port: int, process: int, arguments: argparse.Namespace) -> tuple[dict, list, list]:
    times: dict[str, list[float]] = {}
    errors: list[str] = []
    memory = [("at start", resident_mb(process))]
    until = time.monotonic() + arguments.seconds
    clients = [asyncio.create_task(client(port, i, until, times, errors)) for i in range(arguments.clients)]
    warm = min(10.0, arguments.seconds / 2)
    await asyncio.sleep(warm)
    memory.append((f"after {warm:g} s", resident_mb(process)))
    await asyncio.gather(*clients)
    memory.append(("at the end", resident_mb(process)))
    return times, errors, memory


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("--clients", type=int, default=200)
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--max-growth-mb", type=float, default=64)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="knapsack-load-") as folder:
        make_workspace(pathlib.Path(folder))
        program = os.path.abspath(arguments.program)
        subprocess.run([program, "index"], cwd=folder, check=True, capture_output=True)
        server = subprocess.Popen([program, "serve", "--port", "0", "--no-token"], cwd=folder, stderr=subprocess.PIPE, text=True)
        try:
            line = server.stderr.readline()
            port = int(re.search(r"listening on http://[\d.]+:(\d+) ", line).group(1))
            times, errors, memory = asyncio.run(load(port, server.pid, arguments))
            processor = processor_seconds(server.pid)
            server.send_signal(signal.SIGTERM)
            code = server.wait(60)
        finally:
            server.kill()
    every = [each for values in times.values() for each in values]
    for kind, values in sorted(times.items()):
        print(f"{kind:<10} {len(values):>7} replies, p50 {1000 * statistics.median(values):7.1f} ms, "
              f"p99 {1000 * percentile(values, 0.99):7.1f} ms")
    print(f"{arguments.clients} clients, {arguments.seconds:g} s: {len(every)} replies, {len(every) / arguments.seconds:.0f}/s, "
          f"p50 {1000 * statistics.median(every):.1f} ms, p99 {1000 * percentile(every, 0.99):.1f} ms, {len(errors)} errors")
    # What other work on the machine does not change.
    print(f"processor: {1000 * processor / len(every):.1f} ms a reply")
    print("memory: " + ", ".join(f"{mb:.0f} MB {when}" for when, mb in memory))
    for error in errors[:10]:
        print(error)
    grown = memory[-1][1] - memory[1][1]
    if grown > arguments.max_growth_mb:
        print(f"memory grew by {grown:.0f} MB")
    return 1 if errors or code != 0 or grown > arguments.max_growth_mb else 0


if __name__ == "__main__":
    sys.exit(main())
