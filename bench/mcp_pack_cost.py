#!/usr/bin/env python3
"""The processor time of one `pack` over MCP beside that of the same `pack` on the command line, in one run.

  python3 bench/mcp_pack_cost.py build/release/knapsack build/release/bench/make_repository [FILES]

A server's time is what its process has used between two replies; a command's, what the process used that ended. Fails above
1.3 times.
"""
import json
import os
import pathlib
import resource
import statistics
import subprocess
import sys
import tempfile

LIMIT = 1.3
ROUNDS = 9
TASKS = ["fix the crash when the cache is empty", "add a timeout to the parser", "why does the index lose entries after a restart"]


def used_by(pid: int) -> float:
    fields = pathlib.Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


class Server:
    def __init__(self, program: str, folder: str):
        self.process = subprocess.Popen([program, "mcp", "--workspace", folder], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.number = 0
        self.ask("initialize", {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "bench", "version": "1"}})
        self.send({"jsonrpc": "2.0", "method": "notifications/initialized"})

    def send(self, message: dict) -> None:
        self.process.stdin.write(json.dumps(message) + "\n")
        self.process.stdin.flush()

    def ask(self, method: str, params: dict) -> dict:
        self.number += 1
        self.send({"jsonrpc": "2.0", "id": self.number, "method": method, "params": params})
        while True:
            reply = json.loads(self.process.stdout.readline())
            if reply.get("id") == self.number:
                return reply["result"]

    def pack(self, task: str) -> float:
        before = used_by(self.process.pid)
        reply = self.ask("tools/call", {"name": "pack", "arguments": {"task": task, "max_tokens": 8000}})
        assert not reply.get("isError"), reply
        return used_by(self.process.pid) - before

    def end(self) -> None:
        self.process.stdin.close()
        self.process.wait()


def command(program: str, folder: str, task: str) -> float:
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run([program, "pack", task, "--workspace", folder], check=True, capture_output=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def main() -> int:
    program, maker = (str(pathlib.Path(path).resolve()) for path in sys.argv[1:3])
    files = sys.argv[3] if len(sys.argv) > 3 else "2000"
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run([maker, folder, "--files", files], check=True, capture_output=True)
        command(program, folder, TASKS[0])  # the first one makes the index
        server = Server(program, folder)
        server.pack(TASKS[0])
        over_mcp, by_command = [], []
        for round_number in range(ROUNDS):
            task = TASKS[round_number % len(TASKS)]
            by_command.append(command(program, folder, task))
            over_mcp.append(server.pack(task))
        server.end()
    mcp, alone = statistics.median(over_mcp), statistics.median(by_command)
    print(f"{files} files: {mcp * 1000:.0f} ms over MCP, {alone * 1000:.0f} ms as a command, ratio {mcp / alone:.2f} (at most {LIMIT})")
    return 0 if mcp <= LIMIT * alone else 1


if __name__ == "__main__":
    sys.exit(main())
