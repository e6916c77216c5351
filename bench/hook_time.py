"""How long a client waits for its hook: a workspace with notes, memories and an indexed repository, everything warm.

    python3 bench/hook_time.py build/release/knapsack [--files 3000] [--memories 2000] [--repeats 25]

Prints the median and the slowest run of each event, the start of the process included, and the processor time, which a
busy machine does not stretch. Fails when a median is over 100 ms.
"""
import argparse
import json
import pathlib
import random
import resource
import statistics
import subprocess
import sys
import tempfile
import time

from memory_time import make_tree

LIMIT_MS = 100
PROMPTS = {
    "pack": "fix {name}: it fails for an empty list and raises ValueError, round {round}",
    "recall": "what did we decide about the importer in round {round}?",
    "nothing": "thanks",
}


def make_code(folder: pathlib.Path, count: int) -> list[str]:
    choose = random.Random(count)
    verbs = ["load", "store", "merge", "split", "check", "send", "parse", "render", "count", "close"]
    nouns = ["order", "parcel", "invoice", "route", "driver", "batch", "label", "price", "queue", "report"]
    names = []
    for number in range(count):
        name = f"{choose.choice(verbs)}_{choose.choice(nouns)}_{number}"
        other = choose.choice(names) if names else ""
        module = f"import {other}\n\n" if other else ""
        calls = f"    {other}.{other}(values)\n" if other else ""
        body = "".join(f"    total += {i} * len(values)  # {choose.choice(nouns)}\n" for i in range(choose.randrange(3, 30)))
        target = folder / "src" / f"part{number % 40}" / f"{name}.py"
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(f'"""{name} of a {choose.choice(nouns)}."""\n{module}\ndef {name}(values):\n    total = 0\n{calls}{body}'
                          "    return total\n", encoding="utf-8")
        names.append(name)
    return names


def make_notes(folder: pathlib.Path) -> None:
    notes = folder / ".context"
    notes.mkdir()
    (notes / "CONSTITUTION.md").write_text("# Constitution\n\n" + "".join(f"- Rule {i} always holds\n" for i in range(12)))
    (notes / "TASKS.md").write_text("# Tasks\n\n" + "".join(f"- [ ] Task {i} of the importer\n" for i in range(40)))
    for name in ("DECISIONS", "LEARNINGS"):
        entries = "".join(f"\n## [2026-02-{1 + i % 28:02d}-10{i:04d}] Entry {i}\n\nBatches of the importer are resumed, number {i}.\n"
                          for i in range(200))
        (notes / f"{name}.md").write_text(f"# {name.capitalize()}\n{entries}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("program", type=pathlib.Path)
    parser.add_argument("--files", type=int, default=3000)
    parser.add_argument("--memories", type=int, default=2000)
    parser.add_argument("--repeats", type=int, default=25)
    options = parser.parse_args()
    program = str(options.program.resolve())
    slow = False
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        names = make_code(folder, options.files)
        make_notes(folder)
        make_tree(folder / "memories", options.memories)
        (folder / "knapsack.toml").write_text('[memory]\ndir = "memories"\n')
        environment = {"PATH": "/usr/bin:/bin", "HOME": name, "KNAPSACK_BACKGROUND": "off"}
        for command in (["git", "init", "-q"], ["git", "add", "."],
                        ["git", "-c", "user.name=a", "-c", "user.email=a@b", "commit", "-qm", "all"],
                        [program, "index"]):
            subprocess.run(command, cwd=folder, env=environment, check=True, stdout=subprocess.DEVNULL)

        def processor_ms() -> float:
            used = resource.getrusage(resource.RUSAGE_CHILDREN)
            return (used.ru_utime + used.ru_stime) * 1000

        def ask(event: str, prompt: str, round_number: int) -> tuple[float, float, int]:
            given = {"hook_event_name": event, "session_id": f"{event}{round_number}", "cwd": name, "prompt": prompt,
                     "source": "startup"}
            used, begin = processor_ms(), time.perf_counter()
            done = subprocess.run([program, "hook", "claude-code"], input=json.dumps(given), text=True, cwd=folder,
                                  env=environment, capture_output=True, check=True)
            return (time.perf_counter() - begin) * 1000, processor_ms() - used, len(done.stdout)

        for kind in ("notes", *PROMPTS):
            times, processor, size = [], [], 0
            for number in range(-3, options.repeats):  # the first three warm up
                if kind == "notes":
                    took, used, size = ask("SessionStart", "", number)
                else:
                    prompt = PROMPTS[kind].format(name=names[(number * 37) % len(names)], round=number)
                    took, used, size = ask("UserPromptSubmit", prompt, number)
                if number >= 0:
                    times.append(took)
                    processor.append(used)
            median = statistics.median(times)
            slow = slow or median > LIMIT_MS
            print(f"{kind:8} median {median:6.1f} ms   slowest {max(times):6.1f} ms   "
                  f"processor {statistics.median(processor):5.1f} ms   answer of {size} bytes")
    if slow:
        sys.exit(f"slower than {LIMIT_MS} ms")


if __name__ == "__main__":
    main()
