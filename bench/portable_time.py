"""Times the program of the packages beside the build from source, in one run and by turns, so that a busy machine slows both.

    python3 bench/portable_time.py build/portable-x86_64/knapsack build/release/knapsack build/release/bench/make_repository

Start is `--version`; warm is `pack` in a generated repository of 5,000 files whose index is there. What counts is processor
time, which neighbours hardly change; the ratio is portable to source, of medians.
"""
import argparse
import pathlib
import statistics
import subprocess
import tempfile

from measure import timed
from pack_time import tasks

STARTS, PACKS = 60, 25


def by_turns(programs: dict[str, str], arguments: list[list[str]], folder: str) -> dict[str, tuple[float, float]]:
    """For each program the medians of wall and processor milliseconds."""
    wall: dict[str, list[float]] = {name: [] for name in programs}
    processor: dict[str, list[float]] = {name: [] for name in programs}
    for words in arguments:
        for name, program in programs.items():
            seconds, _, used = timed([program, *words], folder)
            wall[name].append(seconds * 1000)
            processor[name].append(used * 1000)
    return {name: (statistics.median(wall[name]), statistics.median(processor[name])) for name in programs}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("portable")
    parser.add_argument("source")
    parser.add_argument("make_repository")
    parser.add_argument("--files", type=int, default=5000)
    parser.add_argument("--max-warm-ratio", type=float, default=0.9)
    parser.add_argument("--max-start", type=float, default=5, help="milliseconds of processor time")
    options = parser.parse_args()
    programs = {"portable": str(pathlib.Path(options.portable).resolve()), "source": str(pathlib.Path(options.source).resolve())}
    with tempfile.TemporaryDirectory() as work:
        folder = pathlib.Path(work) / "repository"
        subprocess.run([options.make_repository, str(folder), "--files", str(options.files), "--git", "500"], check=True, capture_output=True)
        start = by_turns(programs, [["--version"]] * STARTS, work)
        subprocess.run([programs["source"], "index"], cwd=folder, check=True, capture_output=True)
        asked = [["pack", task, "--sources", "code", "--budget", "8000"] for task in tasks(folder)[:PACKS]]
        by_turns(programs, asked[:2], str(folder))
        warm = by_turns(programs, asked, str(folder))
    for what, times in (("start", start), ("warm pack", warm)):
        for name, (wall, processor) in times.items():
            print(f"{what:<10} {name:<9} {wall:8.2f} ms  {processor:8.2f} ms of processor time")
        print(f"{what:<10} ratio     {times['portable'][0] / times['source'][0]:8.2f}     "
              f"{times['portable'][1] / times['source'][1]:8.2f}")
    if start["portable"][1] > options.max_start:
        raise SystemExit(f"start takes more than {options.max_start} ms")
    if warm["portable"][1] / warm["source"][1] > options.max_warm_ratio:
        raise SystemExit(f"a warm pack is not below {options.max_warm_ratio} of the build from source")


if __name__ == "__main__":
    main()
