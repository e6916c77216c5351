"""Times whole runs of `knapsack agent`, process start included, on the large messy notes folder.

Every row is asked in a workspace of its own, so that its ledger holds the runs of this row alone. The limit is
that of the notes packet: 50 ms for every budget.
"""
import pathlib
import statistics
import subprocess
import sys
import tempfile
import time

LIMIT = 50.0
RUNS = 21
BUDGETS = (0, 500, 4000, 8000, 20000, 60000, 1000000)
CASES = [(budget, "bytes4", "md") for budget in BUDGETS] + [
    (budget, counter, form) for budget in (8000, 1000000)
    for counter, form in (("bytes4", "json"), ("cl100k", "md"), ("o200k", "md"), ("o200k", "json"))]


def main(program: str, make_notes: str) -> int:
    program = str(pathlib.Path(program).resolve())
    print(f"{'command':34}{'best':>8}{'median':>8}{'worst':>8}  ms")
    print_row("--version", [program, "--version"], ".")
    slow = 0
    for budget, counter, form in CASES:
        with tempfile.TemporaryDirectory() as folder:
            subprocess.run([make_notes, f"{folder}/.context"], check=True)
            command = [program, "agent", "--budget", str(budget), "--tokenizer", counter, "--format", form]
            slow += print_row(f"agent {budget} {counter} {form}", command, folder) > LIMIT
    print(f"{slow} of {len(CASES)} above {LIMIT:.0f} ms")
    return 0


def print_row(label: str, command: list[str], folder: str) -> float:
    times = []
    for _ in range(RUNS):
        start = time.perf_counter()
        subprocess.run(command, cwd=folder, check=True, stdout=subprocess.DEVNULL)
        times.append((time.perf_counter() - start) * 1000)
    times = times[1:]  # the first run creates the ledger
    median = statistics.median(times)
    print(f"{label:34}{min(times):8.1f}{median:8.1f}{max(times):8.1f}", flush=True)
    return median


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], sys.argv[2]))
