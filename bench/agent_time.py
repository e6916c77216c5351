"""Times whole runs of `knapsack agent`, process start included, on the large messy notes folder."""
import pathlib
import statistics
import subprocess
import sys
import tempfile
import time


def main(program: str, make_notes: str) -> int:
    program = str(pathlib.Path(program).resolve())
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run([make_notes, f"{folder}/.context"], check=True)
        size = sum(path.stat().st_size for path in pathlib.Path(folder, ".context").rglob("*.md"))
        print(f"notes folder: {size / 1000:.0f} kB")
        empty = time_of([program, "--version"], folder)
        print(f"{'process start (--version)':32} median {empty:6.1f} ms")
        for budget, counter, form in [("8000", "bytes4", "md"), ("8000", "bytes4", "json"), ("60000", "bytes4", "md"),
                                      ("8000", "o200k", "md"), ("1000000", "o200k", "md")]:
            command = [program, "agent", "--budget", budget, "--tokenizer", counter, "--format", form]
            print(f"{f'agent {budget} {counter} {form}':32} median {time_of(command, folder):6.1f} ms")
    return 0


def time_of(command: list[str], folder: str) -> float:
    times = []
    for _ in range(21):
        start = time.perf_counter()
        subprocess.run(command, cwd=folder, check=True, stdout=subprocess.DEVNULL)
        times.append((time.perf_counter() - start) * 1000)
    return statistics.median(times[1:])


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], sys.argv[2]))
