"""Times Knapsack beside what one would use instead, on the same files and in turn: an index against bare tree-sitter
parsing and Universal Ctags, a warm question against ripgrep looking for the same words.

Ratios are of medians taken in this run. ripgrep prints lines that hold a word, unranked and without limit; `retrieve`
brings its index up to date, ranks and packs: the ratio says what that costs, not that they do the same.
"""
import argparse
import json
import os
import pathlib
import shutil
import statistics
import sysconfig
import tempfile
import time

from measure import run, timed, write_between_marks

TASKS = ["the total of an order ignores the discount", "session token expires while the report is written",
         "cache of the parser grows without limit", "invoice for a customer without a carrier fails",
         "read the configuration file once and keep it"]


def first_line(command: list[str]) -> str:
    return run(command).splitlines()[0]


class Comparison:
    def __init__(self, arguments: argparse.Namespace):
        self.program = str(pathlib.Path(arguments.program).resolve())
        self.tools = pathlib.Path(arguments.tools).resolve()
        self.rounds = arguments.rounds
        self.threads = str(os.cpu_count())

    def median(self, command: list[str], folder: str, before=lambda: None, allowed=(0,)) -> dict:
        rows = []
        for _ in range(self.rounds):
            before()
            rows.append(timed(command, folder, allowed))
        return {"seconds": statistics.median(row[0] for row in rows), "memory_mb": max(row[1] for row in rows) / 1000}

    def building(self, folder: str) -> dict:
        def forget() -> None:
            shutil.rmtree(f"{folder}/.knapsack", ignore_errors=True)

        tags = f"{folder}/.knapsack-compare-tags"
        result = {
            "floor": self.median([str(self.tools / "parse_floor"), folder, self.threads], folder),
            "ctags": self.median(["ctags", "-R", "-f", tags, "."], folder),
        }
        os.remove(tags)
        result["index"] = self.median([self.program, "index", "--jobs", self.threads], folder, forget)
        time.sleep(2.1)  # files that were written in the last two seconds are read again
        run([self.program, "index"], folder)
        result["unchanged"] = self.median([self.program, "index"], folder)
        return result

    def asking(self, folder: str) -> dict:
        ours, theirs = [], []
        for number in range(self.rounds):
            for task in TASKS:
                words = [word for word in task.split() if len(word) > 3]
                theirs.append(timed(["rg", "-i", *(part for word in words for part in ("-e", word))], folder, (0, 1)))
                ours.append(timed([self.program, "retrieve", f"{task} ({number})", "--stages", "scope,precision", "--no-llm",
                                   "--context-window", "9000", "--reserved-tokens", "1000"], folder))
        return {name: {"seconds": statistics.median(row[0] for row in rows), "memory_mb": max(row[1] for row in rows) / 1000}
                for name, rows in (("rg", theirs), ("retrieve", ours))}

    def repository(self, name: str, folder: str) -> dict:
        row = {"repository": name, **self.building(folder), **self.asking(folder)}
        report = json.loads(run([self.program, "index", "--format", "json"], folder))
        row |= {"files": report["files"], "source_mb": report["source_bytes"] / 1e6}
        print(line(row), flush=True)
        return row


HEADER = ("| repository | parse floor | ctags | index | index/floor | index/ctags | unchanged | rg | retrieve | retrieve/rg |"
          " memory: ctags, index, rg, retrieve |\n|---|" + "---:|" * 10)


def line(row: dict) -> str:
    second = {name: row[name]["seconds"] for name in ("floor", "ctags", "index", "unchanged", "rg", "retrieve")}
    memory = ", ".join(f"{row[name]['memory_mb']:.0f}" for name in ("ctags", "index", "rg", "retrieve"))
    return (f"| {row['repository']}: {row['files']:,} files, {row['source_mb']:.1f} MB | {second['floor']:.2f} s"
            f" | {second['ctags']:.2f} s | {second['index']:.2f} s | {second['index'] / second['floor']:.2f}"
            f" | {second['index'] / second['ctags']:.2f} | {second['unchanged'] * 1000:.0f} ms | {second['rg'] * 1000:.0f} ms"
            f" | {second['retrieve'] * 1000:.0f} ms | {second['retrieve'] / second['rg']:.1f} | {memory} MB |")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("program")
    parser.add_argument("tools", help="the folder of parse_floor and make_repository")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--sizes", default="1,10", help="multiples of 3,000 files")
    parser.add_argument("--real", action="append", default=[], help="a folder of real sources; copied, not changed")
    parser.add_argument("--json", help="write the figures there as well")
    parser.add_argument("--page", help="a page whose table is replaced")
    arguments = parser.parse_args()
    comparison = Comparison(arguments)
    versions = {"knapsack": first_line([comparison.program, "--version"]), "ctags": first_line(["ctags", "--version"]),
                "rg": first_line(["rg", "--version"])}
    print(HEADER)
    rows = []
    with tempfile.TemporaryDirectory() as scratch:
        for size in arguments.sizes.split(","):
            folder = f"{scratch}/generated-{size}"
            run([str(comparison.tools / "make_repository"), folder, "--files", str(int(3000 * float(size))), "--bytes",
                 str(int(20_000_000 * float(size))), "--language", "python", "--seed", "7"])
            rows.append(comparison.repository(f"generated Python {size}×", folder))
            shutil.rmtree(folder)
        for real in arguments.real or [sysconfig.get_path("stdlib")]:
            folder = f"{scratch}/{pathlib.Path(real).name}"
            shutil.copytree(real, folder, symlinks=True, ignore=shutil.ignore_patterns(".knapsack", "__pycache__"))
            rows.append(comparison.repository(pathlib.Path(real).name, folder))
    if arguments.json:
        figures = {"versions": versions, "cores": os.cpu_count(), "rows": rows}
        pathlib.Path(arguments.json).write_text(json.dumps(figures, indent=1) + "\n", encoding="utf-8")
    if arguments.page:
        written_by = f"\n{'; '.join(versions.values())}; {os.cpu_count()} cores.\n"
        write_between_marks(pathlib.Path(arguments.page), "compare", "\n".join([HEADER, *map(line, rows)]) + "\n" + written_by)


if __name__ == "__main__":
    main()
