"""What the sandbox around grammars costs: `knapsack index` of a whole repository with it and without, in turn.

Every ratio is of two medians taken in this run, so that a busy machine slows both. Processor time counts the processes that
parse as well.
"""
import argparse
import os
import pathlib
import shutil
import statistics
import tempfile

from measure import run, timed


def measure(program: str, folder: str, rounds: int, jobs: str) -> dict[str, list[tuple[float, int, float]]]:
    taken = {"true": [], "false": []}
    for number in range(2 * rounds):
        sandbox = ("true", "false")[(number + number // 2) % 2]
        shutil.rmtree(f"{folder}/.knapsack", ignore_errors=True)
        os.environ["KNAPSACK_INDEX_SANDBOX"] = sandbox
        taken[sandbox].append(timed([program, "index", "--jobs", jobs], folder))
    return taken


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("program")
    parser.add_argument("tools", help="the folder of make_repository")
    parser.add_argument("--files", type=int, default=1500)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--jobs", default=str(os.cpu_count()))
    parser.add_argument("--max-ratio", type=float, default=1.10)
    arguments = parser.parse_args()
    program = str(pathlib.Path(arguments.program).resolve())
    worst = 0.0
    for kind in ("python", "mixed"):
        with tempfile.TemporaryDirectory() as folder:
            maker = str(pathlib.Path(arguments.tools).resolve() / "make_repository")
            run([maker, folder, "--files", str(arguments.files), "--language", kind])
            taken = measure(program, folder, arguments.rounds, arguments.jobs)
        wall, processor = (
            {sandbox: statistics.median(each[field] for each in rows) for sandbox, rows in taken.items()} for field in (0, 2)
        )
        ratio = wall["true"] / wall["false"]
        worst = max(worst, ratio)
        print(f"{kind:8} {arguments.files} files  without {wall['false']:.2f} s  with {wall['true']:.2f} s  ratio {ratio:.3f}"
              f"  processor {processor['false']:.2f} s, {processor['true']:.2f} s, ratio {processor['true'] / processor['false']:.3f}",
              flush=True)
    if worst > arguments.max_ratio:
        print(f"the sandbox costs more than it may: {worst:.3f} > {arguments.max_ratio}")
        return 1
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
