"""Holds what the program prints against the schemas in docs/schemas, and broken packets too: these must be refused."""
import copy
import json
import pathlib
import subprocess
import sys
import tempfile

import published_graph_schemas

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


def main(root: pathlib.Path, program: str, modules: pathlib.Path) -> int:
    printed = packets(program)
    broken = broken_packets(printed["large 2000 o200k --explain"])
    verdicts = json.loads(subprocess.run(
        ["node", root / "tests/validate_json.cjs", (modules / "ajv").resolve(),
         root / "docs/schemas/agent-packet.schema.json"],
        input=json.dumps(printed | broken), check=True, stdout=subprocess.PIPE, text=True).stdout)
    failures = [f"{name}: {'; '.join(verdicts[name][:3])}" for name in printed if verdicts[name]]
    failures += [f"{name}: not refused" for name in broken if not verdicts[name]]
    failures += kinds_not_reached(printed)
    failures += published_graph_schemas.check(root, program, modules)
    print("\n".join(failures) or f"{len(printed)} packets fit, {len(broken)} broken ones are refused")
    return 1 if failures else 0


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


def broken_packets(good: dict) -> dict:
    broken = {}

    def breaks(name: str, change) -> None:
        packet = copy.deepcopy(good)
        change(packet)
        broken[f"broken: {name}"] = packet

    for field in good:
        if field not in ("entries", "omitted"):
            breaks(f"without {field}", lambda packet: packet.pop(field))
        breaks(f"{field} is null", lambda packet: packet.update({field: None}))
    for field in good["entries"][0]:
        if field != "reason":
            breaks(f"entry without {field}", lambda packet: packet["entries"][0].pop(field))
    breaks("entries without omitted", lambda packet: packet.pop("omitted"))
    breaks("an unknown field", lambda packet: packet.update(extra=1))
    breaks("an unknown field of an entry", lambda packet: packet["entries"][0].update(extra=1))
    breaks("a negative count", lambda packet: packet.update(tokens_used=-1))
    breaks("half a token", lambda packet: packet.update(tokens_used=1.5))
    breaks("a number among the tasks", lambda packet: packet["tasks"].append(7))
    breaks("a summary without its kind", lambda packet: packet["summaries"].append("Cache"))
    breaks("an entry that is shown as nothing", lambda packet: packet["entries"][0].update(form="none"))
    breaks("one left out without a reason", lambda packet: packet["omitted"][0].pop("reason"))
    breaks("one left out that is shown", lambda packet: packet["omitted"][0].update(form="full"))
    breaks("a reduced one without a reason",
           lambda packet: next(e for e in packet["entries"] if e["form"] == "title").pop("reason"))
    breaks("one in full with a reason",
           lambda packet: next(e for e in packet["entries"] if e["form"] == "full").update(reason="why"))
    breaks("a component that nobody knows", lambda packet: packet["entries"][-1]["components"].update(luck=1))
    return broken


def kinds_not_reached(printed: dict) -> list[str]:
    """The check above proves little unless every kind of answer was looked at."""
    wanted = {
        "over budget": lambda packet: packet["over_budget"],
        "everything in full": lambda packet: packet["decisions"] and not packet["omitted_count"] + len(packet["summaries"]),
        "summaries": lambda packet: packet["summaries"],
        "left out": lambda packet: packet["omitted_count"],
        "an entry without a date": lambda packet: any(e["date"] is None for e in packet.get("entries", [])),
        "a superseded entry": lambda packet: any(e.get("reason") == "superseded" for e in packet.get("omitted", [])),
        "nothing at all": lambda packet: not packet["read_order"],
    }
    return [f"no packet has {kind}" for kind, reached in wanted.items() if not any(map(reached, printed.values()))]


if __name__ == "__main__":
    sys.exit(main(pathlib.Path(sys.argv[1]), sys.argv[2], pathlib.Path(sys.argv[3])))
