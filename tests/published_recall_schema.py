"""Holds what `knapsack recall --format json` prints against its schema, and broken packets too: these must be refused."""
import json
import pathlib
import subprocess
import tempfile

from published_schema_check import Broken, failures, not_reached

NOW = "2026-11-15T08:00:00Z"
MEMORY = "---\nid: {id}\ncategory: {category}\ncreated: 2026-11-{day:02}T10:00:00Z\n{keys}---\n{text}\n"


def check(root: pathlib.Path, program: str, modules: pathlib.Path) -> list[str]:
    printed = packets(program)
    wanted = {
        "status ok": lambda packet: packet["status"] == "ok",
        "status empty": lambda packet: packet["status"] == "empty",
        "status degraded": lambda packet: packet["status"] == "degraded",
        "something left out": lambda packet: packet["omitted"],
        "a reduced item": lambda packet: any(i.get("form") == "reduced" for s in packet["sections"] for i in s["items"]),
        "an episode": lambda packet: any(s["key"] == "episodes" for s in packet["sections"]),
    }
    return (failures(root, modules, "recall-packet", printed, broken_packets(printed["full 300"]))
            + not_reached("recall packet", printed, wanted))


def packets(program: str) -> dict:
    printed = {}
    with tempfile.TemporaryDirectory() as folder:
        tree = pathlib.Path(folder, ".knapsack/memory")
        recall(program, folder, printed, "nothing", "deploy", [])
        for i in range(12):
            place = tree / (f"boxes/2026-11-{i + 1:02}" if i % 3 == 0 else f"facts/2026-11-{i + 1:02}")
            place.mkdir(parents=True, exist_ok=True)
            keys = "status: superseded\n" if i == 5 else ""
            text = f"deploy rule {i} \x01 \u2028 </item>. " + "It has many details. " * (10 * i)
            (place / f"m{i}.md").write_text(MEMORY.format(id=f"m{i}", category="decision", day=i + 1, keys=keys, text=text),
                                            encoding="utf-8")
        (tree / "profile.md").write_text("# Profile\n\n- short answers\n\n## Style\n- no jokes\n", encoding="utf-8")
        for budget in (0, 30, 100, 300, 2000, 100000):
            for mode in ("auto", "full", "graph_mode", "no_recall"):
                recall(program, folder, printed, f"{mode} {budget}", "deploy rule", ["--mode", mode, "--max-tokens", str(budget)])
        recall(program, folder, printed, "degraded", "deploy", ["--rerank"])
        recall(program, folder, printed, "nobody embeds", "deploy", ["--embed-model", "m", "--embed-url", "http://127.0.0.1:9"])
        recall(program, folder, printed, "past", "deploy", ["--as-of", "2026-11-03"])
    return printed


def recall(program: str, folder: str, printed: dict, name: str, prompt: str, flags: list[str]) -> None:
    run = subprocess.run([program, "recall", prompt, "--format", "json", "--now", NOW, *flags], cwd=folder, check=True,
                         capture_output=True)
    printed[name] = json.loads(run.stdout)


def broken_packets(good: dict) -> dict:
    broken = Broken(good)
    item = lambda packet: packet["sections"][0]["items"][0]
    broken.lacks_each()
    broken.nulls_each()
    broken.lacks_each("item ", item, optional=("reason",))
    broken.breaks("an unknown field", lambda packet: packet.update(extra=1))
    broken.breaks("an unknown mode", lambda packet: packet["plan"].update(mode="some"))
    broken.breaks("a negative count", lambda packet: packet.update(used=-1))
    broken.breaks("degraded without a warning", lambda packet: packet.update(status="degraded", warnings=[]))
    broken.breaks("empty with sections", lambda packet: packet.update(status="empty"))
    broken.breaks("one left out without a reason", lambda packet: packet["omitted"][0].pop("reason"))
    return broken.documents
