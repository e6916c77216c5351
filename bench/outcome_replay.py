"""Replays a repository's own commits: was the packet any good?

    python3 bench/outcome_replay.py build/release/knapsack . [--commits 100] [--budget 8000] [--json FILE]

Each of the newest commits that has one parent and changes a file that was there before is a task: its message. A copy of the
repository stands at the parent when `knapsack pack` is asked, so notes and history are those of that moment; then
`knapsack outcome latest --commit COMMIT` tells what was changed, and `knapsack report` sums up. Nothing is written to the
repository itself.
"""
import argparse
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import time

TRAILERS = ("co-authored-by:", "signed-off-by:", "change-id:", "reviewed-by:")


def git(folder: pathlib.Path, *arguments: str) -> str:
    return subprocess.run(["git", "-C", str(folder), *arguments], check=True, capture_output=True, encoding="utf-8",
                          errors="replace").stdout


def tasks_of(repository: pathlib.Path, wanted: int) -> list[dict]:
    """The newest tasks, oldest first."""
    tasks = []
    for line in git(repository, "log", "--no-merges", "--format=%H %ct %P").splitlines():
        commit, when, *parents = line.split()
        if len(parents) != 1:
            continue
        changed = git(repository, "diff-tree", "-r", "--no-commit-id", "--name-status", "-M", parents[0], commit).splitlines()
        message = "\n".join(row for row in git(repository, "show", "-s", "--format=%B", commit).splitlines()
                            if not row.lower().startswith(TRAILERS)).strip()
        if message and any(not row.startswith("A") for row in changed):
            tasks.append({"commit": commit, "parent": parents[0], "message": message, "time": int(when)})
        if len(tasks) == wanted:
            break
    return tasks[::-1]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program", type=pathlib.Path)
    parser.add_argument("repository", type=pathlib.Path)
    parser.add_argument("--commits", type=int, default=100)
    parser.add_argument("--budget", type=int, default=8000)
    parser.add_argument("--json", type=pathlib.Path)
    arguments = parser.parse_args()
    program = str(arguments.program.resolve())
    with tempfile.TemporaryDirectory() as folder:
        copy, home = pathlib.Path(folder, "copy"), pathlib.Path(folder, "home")
        home.mkdir()
        subprocess.run(["git", "clone", "--quiet", "--no-checkout", str(arguments.repository.resolve()), str(copy)], check=True)
        environment = {"PATH": os.environ["PATH"], "HOME": str(home)}

        def run(*words: str, text: str = "") -> str:
            result = subprocess.run([program, *words], cwd=copy, env=environment, input=text, capture_output=True,
                                    encoding="utf-8", errors="replace")
            if result.returncode != 0:
                raise SystemExit(f"knapsack {' '.join(words)}: {result.stderr}")
            return result.stdout

        tasks = tasks_of(copy, arguments.commits)
        begun = time.monotonic()
        for number, task in enumerate(tasks, 1):
            git(copy, "checkout", "--quiet", "--detach", task["parent"])
            now = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(task["time"]))
            run("pack", "--budget", str(arguments.budget), "--now", now, "-", text=task["message"])
            run("outcome", "latest", "--commit", task["commit"], "--now", now)
            if sys.stderr.isatty():
                print(f"\r{number} of {len(tasks)}", end="", file=sys.stderr)
        report = run("report", "--by", "day", "--format", "json")
        print(f"{len(tasks)} commits, budget {arguments.budget}, {time.monotonic() - begun:.0f} s\n")
        print(run("report", "--by", "day"))
        if arguments.json:
            arguments.json.write_text(report, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
