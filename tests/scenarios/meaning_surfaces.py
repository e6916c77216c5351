"""Every way to ask finds a memory that shares no word with the prompt, and none of them does with --no-meaning.

    python3 meaning_surfaces.py PROGRAM
"""
import json
import pathlib
import re
import subprocess
import sys
import tempfile
import urllib.request

PROGRAM = str(pathlib.Path(sys.argv[1]).resolve())
PROMPT = "Why is there water on the basement floor?"
FOUND = "The plumber said the pipe in the cellar is leaking."
MEMORIES = {"plumber": FOUND, "backup": "The database is copied to the archive at night.",
            "train": "Trains to the coast leave at nine."}


class Workspace:
    def __init__(self):
        self.held = tempfile.TemporaryDirectory()
        self.path = pathlib.Path(self.held.name, "shop")
        self.environment = {"PATH": "/usr/bin:/bin", "HOME": self.held.name, "LC_ALL": "C.UTF-8", "KNAPSACK_BACKGROUND": "off"}
        (self.path / ".git").mkdir(parents=True)
        (self.path / ".git/HEAD").write_text("ref: refs/heads/main\n")
        facts = self.path / ".knapsack/memory/facts/2026-11-01"  # of one day, which have nothing else in common
        facts.mkdir(parents=True)
        for name, text in MEMORIES.items():
            (facts / f"{name}.md").write_text(f"---\nid: {name}\ncreated: 2026-11-01T10:00:00Z\n---\n{text}\n")

    def run(self, *words, given=""):
        result = subprocess.run([PROGRAM, *words], cwd=self.path, env=self.environment, text=True, input=given,
                                capture_output=True, timeout=120)
        return result.stdout + result.stderr


def asked_by_hook(made, off):
    event = {"session_id": "s1", "cwd": str(made.path), "hook_event_name": "UserPromptSubmit", "prompt": PROMPT}
    return made.run("hook", "claude-code", *off, given=json.dumps(event))


def asked_by_mcp(name, arguments):
    call = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {
        "name": name, "arguments": arguments, "_meta": {"io.modelcontextprotocol/protocolVersion": "2026-07-28",
                                                        "io.modelcontextprotocol/clientCapabilities": {}}}}
    return lambda made, off: made.run("mcp", *off, given=json.dumps(call) + "\n")


def asked_by_http(path, body):
    def ask(made, off):
        serving = subprocess.Popen([PROGRAM, "serve", "--port", "0", "--no-token", *off], cwd=made.path, env=made.environment,
                                   text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        try:
            address = None
            while address is None:  # what it says when it listens; its end where it cannot
                line = serving.stdout.readline()
                if not line:
                    return "the server ended"
                address = re.search(r"http://127\.0\.0\.1:\d+", line)
            request = urllib.request.Request(address.group() + path, json.dumps(body).encode(),
                                             {"Content-Type": "application/json"})
            with urllib.request.urlopen(request, timeout=60) as answer:
                return answer.read().decode()
        finally:
            serving.terminate()
            serving.communicate(timeout=30)
    return ask


WAYS = {
    "recall": lambda made, off: made.run("recall", PROMPT, *off),
    "search": lambda made, off: made.run("search", PROMPT, *off),
    "pack": lambda made, off: made.run("pack", PROMPT, *off),
    "hook": asked_by_hook,
    "recall by MCP": asked_by_mcp("recall", {"prompt": PROMPT}),
    "search by MCP": asked_by_mcp("search", {"query": PROMPT}),
    "pack by MCP": asked_by_mcp("pack", {"task": PROMPT}),
    "recall by HTTP": asked_by_http("/v1/recall", {"prompt": PROMPT}),
    "search by HTTP": asked_by_http("/v1/search", {"query": PROMPT}),
    "pack by HTTP": asked_by_http("/v1/pack", {"task": PROMPT}),
}


def main():
    failed = 0
    for name, ask in WAYS.items():
        for off in ((), ("--no-meaning",)):
            answer = ask(Workspace(), off)
            if (FOUND in answer) != (not off):
                failed += 1
                print(f"{name} {' '.join(off)}: {'found' if off else 'did not find'} it: {answer[:600]}")
    print(f"{len(WAYS)} ways to ask, {failed} wrong answers")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
