"""Holds what the program prints against the schemas in docs/schemas, and broken packets too: these must be refused."""
import json
import os
import pathlib
import subprocess
import sys
import tempfile

import published_graph_schemas
import published_memory_schemas
import published_pack_schema
import published_recall_schema
import published_search_schema
from published_schema_check import Broken, failures, not_reached

NOW = "2026-11-15T08:00:00Z"
TOKEN = "ghp_" + "a1B2" * 9

# Workspaces whose packets differ in kind: nothing at all, one of everything, a great deal of it, hostile text.
FOLDERS = {
    "empty": {},
    "headings only": {"TASKS.md": "# Tasks\n\n## Later\n"},
    "small": {
        "CONSTITUTION.md": "- [ ] Never lose a row\n",
        "TASKS.md": "- [ ] Resume the import #in-progress #added:2026-11-01-101500\n- [x] Done\n- [ ] #tags-only\n",
        "CONVENTIONS.md": "- Errors are values\n  - nested\n",
        "DECISIONS.md": "## [2026-11-10-101500] One transaction a batch\n\nSo that the import can resume.\n\n"
                        "## [2024-01-01] Old\n\n**Status**: Superseded by One transaction a batch\n",
        "LEARNINGS.md": "### Undated\n\nA fact.\n\n### Dated\n\n**Discovered**: 2026-10-30\n\nAnother.\n",
    },
    "hostile": {
        "CONSTITUTION.md": "- [ ] \"quotes\" \\ back\\slashes \x01 \u2028 </script> \ud83c\udf92\n",
        "DECISIONS.md": f"## [2026-11-10] {TOKEN}\n\n```\nnever closed {TOKEN}\n\n# Context Packet\n\n{{\"a\": null}}\n",
        "LEARNINGS.md": "## [2026-02-31] No such day\n\nx\n\n## [9999-12-31] Far away\n\ny\n",
    },
    "large": {
        "CONSTITUTION.md": "".join(f"- [ ] Rule {i}\n" for i in range(10)),
        "TASKS.md": "".join(f"- [ ] Task {i} " + "about the cache " * (i % 9) + "\n" for i in range(120)),
        "CONVENTIONS.md": "".join(f"- Convention {i} " + "of the cache " * (i % 7) + "\n" for i in range(60)),
        "DECISIONS.md": "".join(f"## [2026-{i % 12 + 1:02}-01] Decision {i}\n\n" + "The cache. " * (i % 30) + "\n\n"
                                for i in range(80)),
        "LEARNINGS.md": "".join(f"## [2026-10-{i % 28 + 1:02}] Learning {i}\n\n" + "The retry. " * (i % 40) + "\n\n"
                                for i in range(90)),
    },
}
BUDGETS = (0, 60, 150, 400, 2000, 8000, 1000000)

# Repositories likewise; the names of files are bytes.
REPOSITORIES = {
    "nothing": {},
    "shop": {
        b"shop/__init__.py": "",
        b"shop/cart.py": "from shop.prices import price_of\n\n\nclass Cart:\n    def total(self, items):\n"
                         "        return sum(price_of(item) for item in items)\n\n"
                         + "".join(f"    def helper_{i}(self):\n        return {i}\n\n" for i in range(40)),
        b"shop/prices.py": f"KEY = '{TOKEN}'\n\n\ndef price_of(item, key='{TOKEN}'):\n    return item.price\n",
        b"shop/data.bin": "\0\0\0",
    },
    "hostile": {
        b"total \xff\n\x1b[31m\".py": "def total():\n    return '</lines></file>'\n",
        b"deep/" * 40 + b"total.md": "# total\n\n```\nnever closed\n",
        b"utf16.py": "total\0\n",
    },
}
TASKS = ("fix Cart.total in shop/cart.py", "what is in shop/data.bin", "total \x1b[31m \u2028 \"quoted\" </context>")


def main(root: pathlib.Path, program: str, modules: pathlib.Path) -> int:
    notes = packets(program)
    code = code_packets(program)
    broken_notes = broken_packets(notes["large 2000 o200k --explain"])
    broken_code = broken_code_packets(code["shop 150 chars4"])
    found = failures(root, modules, "agent-packet", notes, broken_notes)
    found += failures(root, modules, "packet", code, broken_code)
    found += not_reached("packet", notes, KINDS) + not_reached("code packet", code, CODE_KINDS)
    for others in (published_graph_schemas, published_memory_schemas, published_recall_schema, published_search_schema,
                   published_pack_schema):
        found += others.check(root, program, modules)
    print("\n".join(found) or f"{len(notes) + len(code)} packets of notes and code fit, and so does everything else; "
                              f"{len(broken_notes) + len(broken_code)} broken packets are refused")
    return 1 if found else 0


def packets(program: str) -> dict:
    printed = {}
    for name, files in FOLDERS.items():
        with tempfile.TemporaryDirectory() as folder:
            notes = pathlib.Path(folder, ".context")
            notes.mkdir()
            for file, text in files.items():
                (notes / file).write_text(text, encoding="utf-8", errors="surrogatepass")
            for budget in BUDGETS:
                for counter in ("bytes4", "o200k"):
                    for flags in ([], ["--explain"], ["--explain", "--task", "the \"cache\""]):
                        command = [program, "agent", "--format", "json", "--now", NOW, "--budget", str(budget),
                                   "--tokenizer", counter, *flags]
                        run = subprocess.run(command, cwd=folder, check=True, capture_output=True)
                        printed[" ".join([name, str(budget), counter, *flags])] = json.loads(run.stdout)
    return printed


def code_packets(program: str) -> dict:
    printed = {}
    for name, files in REPOSITORIES.items():
        with tempfile.TemporaryDirectory() as folder:
            pathlib.Path(folder, ".knapsack").mkdir()
            for file, text in files.items():
                path = pathlib.Path(folder, os.fsdecode(file))
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_text(text, encoding="utf-8")
            for number, task in enumerate(TASKS):
                for budget in (1, 50, 65, 90, 150, 1000, 100000):
                    for counter in ("chars4", "o200k"):
                        command = ["retrieve", task, "--stages", "scope,precision", "--context-window", str(budget + 7),
                                   "--reserved-tokens", "7", "--no-llm", "--tokenizer", counter, "--task-id", "t%d" % number]
                        key = " ".join([name, str(budget), counter] + (["task %d" % number] if number else []))
                        printed[key] = code_packet(program, command, folder)
            request = json.dumps({"missing_files": ["prices.py", "nowhere.py"]})
            printed[name + " refined"] = code_packet(program, ["refine", "--task-id", "t0", "--request", "-"], folder,
                                                     request)
            # Nobody answers there.
            printed[name + " degraded"] = code_packet(program, [
                "retrieve", TASKS[0], "--stages", "scope", "--context-window", "5000", "--reserved-tokens", "0",
                "--model", "m", "--base-url", "http://127.0.0.1:9"], folder)
    return printed


def code_packet(program: str, command: list[str], folder: str, request: str = "") -> dict:
    run = subprocess.run([program, *command, "--format", "json", "--now", NOW], cwd=folder, check=True,
                         input=request.encode(), capture_output=True)
    if TOKEN.encode() in run.stdout:
        raise SystemExit(f"a secret stands in the packet of {command}")
    return json.loads(run.stdout)


def broken_code_packets(good: dict) -> dict:
    broken = Broken(good)
    item = lambda packet: next(s for s in packet["sections"] if s["items"])["items"][0]
    broken.lacks_each()
    broken.nulls_each()
    broken.lacks_each("item ", item, optional=("reason",))
    broken.lacks_each("file ", lambda packet: packet["files"][0])
    broken.breaks("an unknown field", lambda packet: packet.update(extra=1))
    broken.breaks("an unknown field of a file", lambda packet: packet["files"][0].update(extra=1))
    broken.breaks("a negative count", lambda packet: packet.update(used=-1))
    broken.breaks("an unknown status", lambda packet: packet.update(status="fine"))
    broken.breaks("degraded without a warning", lambda packet: packet.update(status="degraded", warnings=[]))
    broken.breaks("empty with files", lambda packet: packet.update(status="empty"))
    broken.breaks("ok without files", lambda packet: packet.update(files=[]))
    broken.breaks("a line 0",
                  lambda packet: packet["files"][0]["parts"].append({"first_line": 0, "last_line": 1, "text": ""}))
    broken.breaks("one left out without a reason", lambda packet: packet["omitted"][0].pop("reason"))
    broken.breaks("an edge to nowhere", lambda packet: packet["edges"].append({"from": "a", "kind": "imports"}))
    broken.breaks("an item with both a file and a text", lambda packet: item(packet).update(text="x"))
    return broken.documents


CODE_KINDS = {
    "status ok": lambda packet: packet["status"] == "ok",
    "status empty": lambda packet: packet["status"] == "empty",
    "status degraded": lambda packet: packet["status"] == "degraded",
    "nothing at all": lambda packet: packet["used"] == 0,
    "everything": lambda packet: packet["files"] and not packet["omitted"],
    "something left out": lambda packet: packet["omitted"],
    "an edge": lambda packet: packet["edges"],
    "a signature": lambda packet: any(file["signatures"] for file in packet["files"]),
    "a reduced item": lambda packet: any(i.get("reason") for s in packet["sections"] for i in s["items"]),
    "a file by its path alone": lambda packet: any(not f["parts"] + f["signatures"] for f in packet["files"]),
    "a replaced secret": lambda packet: any("secret" in warning for warning in packet["warnings"]),
    "an unresolved name": lambda packet: any("nowhere.py" in warning for warning in packet["warnings"]),
}


def broken_packets(good: dict) -> dict:
    broken = Broken(good)
    entry = lambda packet, form: next(e for e in packet["entries"] if e["form"] == form)
    broken.lacks_each(optional=("entries", "omitted"))
    broken.nulls_each()
    broken.lacks_each("entry ", lambda packet: packet["entries"][0], optional=("reason",))
    broken.breaks("entries without omitted", lambda packet: packet.pop("omitted"))
    broken.breaks("an unknown field", lambda packet: packet.update(extra=1))
    broken.breaks("an unknown field of an entry", lambda packet: packet["entries"][0].update(extra=1))
    broken.breaks("a negative count", lambda packet: packet.update(tokens_used=-1))
    broken.breaks("half a token", lambda packet: packet.update(tokens_used=1.5))
    broken.breaks("a number among the tasks", lambda packet: packet["tasks"].append(7))
    broken.breaks("a summary without its kind", lambda packet: packet["summaries"].append("Cache"))
    broken.breaks("an entry that is shown as nothing", lambda packet: packet["entries"][0].update(form="none"))
    broken.breaks("one left out without a reason", lambda packet: packet["omitted"][0].pop("reason"))
    broken.breaks("one left out that is shown", lambda packet: packet["omitted"][0].update(form="full"))
    broken.breaks("a reduced one without a reason", lambda packet: entry(packet, "title").pop("reason"))
    broken.breaks("one in full with a reason", lambda packet: entry(packet, "full").update(reason="why"))
    broken.breaks("a component that nobody knows", lambda packet: packet["entries"][-1]["components"].update(luck=1))
    return broken.documents


KINDS = {
    "over budget": lambda packet: packet["over_budget"],
    "everything in full": lambda packet: packet["decisions"] and not packet["omitted_count"] + len(packet["summaries"]),
    "summaries": lambda packet: packet["summaries"],
    "left out": lambda packet: packet["omitted_count"],
    "an entry without a date": lambda packet: any(e["date"] is None for e in packet.get("entries", [])),
    "a superseded entry": lambda packet: any(e.get("reason") == "superseded" for e in packet.get("omitted", [])),
    "nothing at all": lambda packet: not packet["read_order"],
}


if __name__ == "__main__":
    sys.exit(main(pathlib.Path(sys.argv[1]), sys.argv[2], pathlib.Path(sys.argv[3])))
