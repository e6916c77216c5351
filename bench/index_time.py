"""Times `knapsack index` against the floor of bare tree-sitter parsing, on generated and real repositories.

Every ratio is of two medians taken in turn in this run, so that a busy machine slows both.
"""
import argparse
import json
import os
import pathlib
import shutil
import statistics
import tempfile
import time

from measure import run, timed


class Bench:
    def __init__(self, arguments: argparse.Namespace):
        self.program = str(pathlib.Path(arguments.program).resolve())
        self.tools = pathlib.Path(arguments.tools).resolve()
        self.threads = str(arguments.threads)
        self.rounds = arguments.rounds

    def index(self, folder: str, *more: str) -> tuple[float, int, float]:
        return timed([self.program, "index", "--jobs", self.threads, "--format", "json", *more], folder)

    def full_against_floor(self, name: str, folder: str) -> dict:
        floors, indexes, processor, memory, source = [], [], [], 0, 0
        for _ in range(self.rounds):
            seconds, source = run([str(self.tools / "parse_floor"), folder, self.threads]).split()
            floors.append(float(seconds))
            shutil.rmtree(f"{folder}/.knapsack", ignore_errors=True)
            seconds, peak, used = self.index(folder)
            indexes.append(seconds)
            processor.append(used)
            memory = max(memory, peak)
        report = json.loads(run([self.program, "index", "--format", "json"], folder))
        stored = sum(path.stat().st_size for path in pathlib.Path(folder, ".knapsack").rglob("*") if path.is_file())
        row = {
            "repository": name, "files": report["files"], "lines": report["lines"],
            "source_mb": report["source_bytes"] / 1e6, "parsed_mb": int(source) / 1e6,
            "floor_s": statistics.median(floors), "index_s": statistics.median(indexes),
            "processor_s": statistics.median(processor), "memory_mb": memory / 1000, "stored_mb": stored / 1e6,
        }
        row["ratio"] = row["index_s"] / row["floor_s"]
        print(f"{name:24} {row['files']:>6} files {row['source_mb']:>6.1f} MB {row['lines']:>9,} lines  floor"
              f" {row['floor_s']:6.2f} s  index {row['index_s']:6.2f} s  ratio {row['ratio']:4.2f}  memory"
              f" {row['memory_mb']:5.0f} MB ({row['memory_mb'] / row['lines'] * 1e3:.2f} GB/Mline)  stored"
              f" {row['stored_mb'] / row['source_mb']:.2f} x source", flush=True)
        return row

    def again(self, name: str, folder: str) -> None:
        time.sleep(2.1)  # files that were written in the last two seconds are read again
        self.index(folder)
        nothing = statistics.median(self.index(folder)[0] for _ in range(7))
        changed = []
        target = next(path for path in sorted(pathlib.Path(folder).rglob("*.py")) if path.stat().st_size > 2000)
        for number in range(7):
            with target.open("a") as file:
                file.write(f"\n\ndef added_{number}():\n    return {number}\n")
            changed.append(self.index(folder)[0])
        print(f"{name:24} nothing changed {nothing * 1000:6.1f} ms   one file changed"
              f" {statistics.median(changed) * 1000:6.1f} ms", flush=True)

    def revisions(self, folder: str, count: int) -> None:
        commits = run(["git", "rev-list", "--first-parent", f"--max-count={count}", "HEAD"], folder).split()
        shutil.rmtree(f"{folder}/.knapsack", ignore_errors=True)
        first = self.index(folder, "--rev", commits[0])[0]
        start = time.perf_counter()
        for commit in commits[1:]:
            self.index(folder, "--rev", commit)
        rest = time.perf_counter() - start
        print(f"{count} revisions: the first {first:.2f} s, the other {len(commits) - 1} together {rest:.2f} s"
              f" ({rest / first:.2f} of one index)", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("program")
    parser.add_argument("tools", help="the folder of parse_floor and make_repository")
    parser.add_argument("--threads", type=int, default=os.cpu_count())
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--sizes", default="1,3,10", help="multiples of 3,000 files")
    parser.add_argument("--real", action="append", default=[], help="a folder of real sources; copied, not changed")
    parser.add_argument("--json", help="write the rows there as well")
    arguments = parser.parse_args()
    bench = Bench(arguments)
    rows = []
    with tempfile.TemporaryDirectory() as scratch:
        for size in [int(text) for text in arguments.sizes.split(",") if text]:
            folder = f"{scratch}/generated-{size}"
            run([str(bench.tools / "make_repository"), folder, "--files", str(3000 * size), "--bytes",
                 str(20_000_000 * size), "--language", "python", "--seed", "7"])
            rows.append(bench.full_against_floor(f"generated python {size}x", folder))
            bench.again(f"generated python {size}x", folder)
            if size > 1:
                shutil.rmtree(folder)
        if len(rows) > 1:
            first, last = rows[0], rows[-1]
            print(f"growth: {last['files'] / first['files']:.1f} times the files cost"
                  f" {last['index_s'] / first['index_s']:.1f} times the time and"
                  f" {last['processor_s'] / first['processor_s']:.1f} times the processor time"
                  f" (bare parsing: {last['floor_s'] / first['floor_s']:.1f} times the time)")
        for real in arguments.real:
            folder = f"{scratch}/{pathlib.Path(real).name}"
            shutil.copytree(real, folder, symlinks=True, ignore=shutil.ignore_patterns(".knapsack"))
            rows.append(bench.full_against_floor(pathlib.Path(real).name, folder))
            bench.again(pathlib.Path(real).name, folder)
            shutil.rmtree(folder)
        folder = f"{scratch}/history"
        run([str(bench.tools / "make_repository"), folder, "--files", "3000", "--bytes", "20000000", "--language",
             "python", "--seed", "7", "--git", "60"])
        bench.revisions(folder, 50)
    if arguments.json:
        pathlib.Path(arguments.json).write_text(json.dumps(rows, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
