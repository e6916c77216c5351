"""How many changed hunks are in the packet, by two programs on the same commits?

    bench/packet_hunks.py BEFORE AFTER REPOSITORY… [--commits 50] [--budget 8000] [--docs docs/benchmarks.md]

BEFORE and AFTER are two builds of knapsack. Tasks are the last commits of each repository that changed one to five source
files that were there before: the message is the task, asked of the state before the commit, and a hunk is shown when all of
its old lines are in the packet (of a pure insertion: the lines around it). Both programs index that state themselves, in a
copy of the repository.
"""
import argparse
import pathlib
import re
import subprocess
import tempfile

from measure import write_between_marks

SOURCES = {".py", ".js", ".ts", ".tsx", ".jsx", ".go", ".rs", ".java", ".c", ".h", ".cc", ".cpp", ".rb", ".php", ".cs", ".kt"}
TEST = re.compile(r"(^|/)(tests?|spec|__tests__|testdata|fixtures)/|(_test|\.test|\.spec|Test)\.\w+$|(^|/)test_[^/]*$")


def run(*command: str, folder: pathlib.Path | None = None, check: bool = True) -> str:
    done = subprocess.run(command, cwd=folder, capture_output=True, check=check)
    return done.stdout.decode(errors="replace")


def hunks_of(folder: pathlib.Path, commit: str) -> dict:
    """path → [(first, last)] in lines of the state before; nothing when the commit is no task."""
    found, path = {}, None
    # The first commit of a shallow clone has no state before it.
    diff = run("git", "diff", "-U0", "--no-color", "--no-ext-diff", "-M", f"{commit}^", commit, folder=folder, check=False)
    for line in diff.splitlines():
        if line.startswith("--- "):
            path = line[6:] if line.startswith("--- a/") else None
        elif line.startswith("@@") and path and pathlib.PurePath(path).suffix in SOURCES and not TEST.search(path):
            first, _, count = line.split()[1][1:].partition(",")
            first, count = int(first), int(count or 1)
            found.setdefault(path, []).append((first, first + count - 1) if count else (max(first, 1), first + 1))
    return found if 1 <= len(found) <= 5 else {}


def tasks_of(folder: pathlib.Path, count: int):
    made = []
    for commit in run("git", "log", "--no-merges", f"-n{20 * count}", "--format=%H", folder=folder).split():
        if len(made) == count:
            break
        message = run("git", "log", "-1", "--format=%B", commit, folder=folder)
        if len(message.split()) < 3 or re.match(r"\W*(release|bump|version|v?\d+\.\d+)", message, re.I):
            continue
        hunks = hunks_of(folder, commit)
        if hunks:
            made.append((f"{commit}^", message, hunks))
    return made


def shown_lines(packet: str) -> dict:
    """path → [(first, last)], from the headings and the lines that name what is shown."""
    shown, path = {}, None
    for line in packet.splitlines():
        if line.startswith("## "):
            path = line[3:].strip()
        elif path and re.fullmatch(r"lines \d[\d, -]*", line):
            for part in line[6:].split(","):
                first, _, last = part.strip().partition("-")
                shown.setdefault(path, []).append((int(first), int(last or first)))
    return shown


def share(hunks: dict, shown: dict) -> float:
    every = [(path, hunk) for path, ranges in hunks.items() for hunk in ranges]
    hit = sum(all(any(a <= line <= b for a, b in shown.get(path, [])) for line in range(hunk[0], hunk[1] + 1))
              for path, hunk in every)
    return hit / len(every)


def measure(program: str, folder: pathlib.Path, tasks: list, budget: int, *flags: str) -> list[float]:
    shares = []
    for before, message, hunks in tasks:
        revision = run("git", "rev-parse", before, folder=folder).strip()
        run(program, "index", "--rev", revision, folder=folder)
        packet = run(program, "retrieve", message, "--stages", "scope,precision", "--context-window", str(budget),
                     "--reserved-tokens", "0", "--no-llm", "--rev", revision, "--tokenizer", "o200k", *flags, folder=folder)
        shares.append(share(hunks, shown_lines(packet)))
    return shares


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("before")
    parser.add_argument("after")
    parser.add_argument("repositories", nargs="+", type=pathlib.Path)
    parser.add_argument("--commits", type=int, default=50)
    parser.add_argument("--budget", type=int, default=8000)
    parser.add_argument("--docs")
    arguments = parser.parse_args()
    rows = []
    for repository in arguments.repositories:
        name = repository.name if repository.name != "repo" else repository.parent.name
        row = []
        for program in (arguments.before, arguments.after):
            with tempfile.TemporaryDirectory() as temporary:
                folder = pathlib.Path(temporary, "copy")
                run("git", "clone", "-q", str(repository.resolve()), str(folder))
                tasks = tasks_of(folder, arguments.commits)
                path = str(pathlib.Path(program).resolve())
                row.append(measure(path, folder, tasks, arguments.budget))
                if program == arguments.after:
                    row.append(measure(path, folder, tasks, arguments.budget, "--fill"))
        rows.append((name.replace("+", "/"), *row))
        print(name, *(f"{100 * sum(each) / len(each):.1f}" for each in row), flush=True)
    table = [f"| hunks shown at {arguments.budget // 1000}k, percent | commits | before | after | after, with fill |", "|---|---:|---:|---:|---:|"]
    for name, *shares in rows:
        table.append(f"| {name} | {len(shares[0])} | " + " | ".join(f"{100 * sum(each) / len(each):.1f}" for each in shares) + " |")
    print("\n".join(table))
    if arguments.docs:
        write_between_marks(pathlib.Path(arguments.docs), "hunks", "\n".join(table) + "\n")


if __name__ == "__main__":
    main()
