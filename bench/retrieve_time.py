"""Times whole `knapsack retrieve --no-llm` runs, process start and refresh of the index included, on a generated
repository. Each run asks something else, so that nothing is answered from a session.
"""
import argparse
import pathlib
import statistics
import subprocess
import tempfile
import time

WORDS = "total discount customer order price invoice carrier batch cache session token report".split()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("program")
    parser.add_argument("make_repository")
    parser.add_argument("--files", type=int, default=3000)
    parser.add_argument("--runs", type=int, default=15)
    arguments = parser.parse_args()
    program = str(pathlib.Path(arguments.program).resolve())
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run([arguments.make_repository, folder, "--files", str(arguments.files), "--bytes",
                        str(20_000_000 * arguments.files // 3000), "--language", "python", "--seed", "7"], check=True)
        subprocess.run([program, "index"], cwd=folder, check=True, stdout=subprocess.DEVNULL)
        time.sleep(2.1)  # files that were written in the last two seconds are read again
        subprocess.run([program, "index"], cwd=folder, check=True, stdout=subprocess.DEVNULL)
        for window, form in ((4000, "md"), (16000, "md"), (16000, "prompt"), (64000, "json")):
            seconds = []
            for run in range(arguments.runs):
                task = f"fix the {WORDS[run % 12]} of the {WORDS[(run * 5 + 3) % 12]}, case {run} {window} {form}"
                start = time.perf_counter()
                subprocess.run([program, "retrieve", task, "--stages", "scope,precision", "--context-window",
                                str(window), "--reserved-tokens", "1000", "--no-llm", "--format", form], cwd=folder,
                               check=True, stdout=subprocess.DEVNULL)
                seconds.append(time.perf_counter() - start)
            print(f"{arguments.files} files, window {window:>6} {form:6}  median {statistics.median(seconds) * 1000:6.1f} ms"
                  f"  worst {max(seconds) * 1000:6.1f} ms", flush=True)


if __name__ == "__main__":
    main()
