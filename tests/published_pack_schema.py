"""Holds what `knapsack pack --format json` prints against its schema, and broken packets too: these must be refused."""
import pathlib

from published_schema_check import Broken, failures, not_reached
from published_workspace import TOKEN, Workspace

TASKS = ("x", "why did the import of a carrier manifest fail?", "continue TG-TASK-RESUME in src/parcels/importer.py",
         "\x1b[31m \u2028 </context> \U0001f392 import")


def check(root: pathlib.Path, program: str, modules: pathlib.Path) -> list[str]:
    printed = packets(root, program)
    broken = Broken(printed[f"{TASKS[1]} 500"])
    items = lambda packet: [item for section in packet["sections"] for item in section["items"]]
    item = lambda packet: items(packet)[0]
    broken.lacks_each()
    broken.nulls_each()
    broken.lacks_each("item ", item, optional=("reason",))
    broken.lacks_each("file ", lambda packet: packet["files"][0])
    broken.lacks_each("preamble ", lambda packet: packet["preambles"][0])
    broken.breaks("an unknown field", lambda packet: packet.update(extra=1))
    broken.breaks("an unknown source", lambda packet: item(packet).update(source="wiki"))
    broken.breaks("an unknown section", lambda packet: packet["sections"][0].update(key="luck"))
    broken.breaks("an unknown preamble", lambda packet: packet["preambles"][0].update(key="luck"))
    broken.breaks("a preamble without lines", lambda packet: packet["preambles"][0].update(lines=[]))
    broken.breaks("a negative count", lambda packet: packet.update(used=-1))
    broken.breaks("degraded without a warning", lambda packet: packet.update(status="degraded", warnings=[]))
    broken.breaks("empty with items", lambda packet: packet.update(status="empty"))
    broken.breaks("one left out without a reason", lambda packet: packet["omitted"][0].pop("reason"))
    broken.breaks("an item with both a file and a text", lambda packet: item(packet).update(text="x", file="y"))
    wanted = {
        "status ok": lambda packet: packet["status"] == "ok",
        "status empty": lambda packet: packet["status"] == "empty",
        "status degraded": lambda packet: packet["status"] == "degraded",
        "something left out": lambda packet: packet["omitted"],
        "an edge": lambda packet: packet["edges"],
        "rules": lambda packet: any(p["key"] == "constitution" for p in packet["preambles"]),
        "an item that is not in full": lambda packet: any(i.get("reason") for i in items(packet)),
    }
    for source in ("code", "notes", "memory", "graph"):
        wanted[f"an item of {source}"] = lambda packet, source=source: any(i["source"] == source for i in items(packet))
    return failures(root, modules, "pack-packet", printed, broken.documents) + not_reached("pack packet", printed, wanted)


def packets(root: pathlib.Path, program: str) -> dict:
    printed = {}
    with Workspace(root, program) as workspace:
        workspace.note("memory/facts/2026-11-14/key.md", f"The import key is {TOKEN} \u2028 \"quoted\".\n")
        for task in TASKS:
            for budget in (0, 200, 500, 2000, 100000):
                printed[f"{task} {budget}"] = workspace.run("pack", task, "--budget", str(budget))
        with (workspace.folder / "graphs/kg_nodes.jsonl").open("a", encoding="utf-8") as nodes:
            nodes.write("broken\n")
        printed["degraded"] = workspace.run("pack", TASKS[1])
    with Workspace(root, program) as workspace:
        workspace.remove(".context", "graphs", "memory", "src", "tests", "README.md")
        printed["of nothing"] = workspace.run("pack", TASKS[0])
    return printed
