"""How long a large memory tree takes: a cold index, a warm recall, and the memory that both need.

    python3 bench/memory_time.py build/release/knapsack [--memories 20000] [--folder DIR] [--vectors]
    python3 bench/memory_time.py build/release/knapsack --folder DIR --again

Makes a tree of memories about a made-up project, the same for the same number, and runs the program on it. With
--again it times the warm commands in the folder that an earlier run left, whose vectors took minutes to make.
"""
import argparse
import datetime
import os
import pathlib
import random
import resource
import shutil
import statistics
import subprocess
import sys
import tempfile
import time

# What would make vectors beside it is no part of what is measured.
os.environ["KNAPSACK_BACKGROUND"] = "off"

PEOPLE = ["anna", "boris", "carla", "dmitri", "elena", "farid", "greta", "hiro"]
THINGS = ["the importer", "the billing service", "the nightly build", "the search index", "the release script",
          "the login page", "the message queue", "the staging database", "the mobile client", "the audit log"]
DEEDS = ["was moved to", "must never share a lock with", "is slower than", "replaced", "depends on", "was blamed for",
         "will be retired after", "was measured against", "is tested together with", "has to be deployed before"]
REASONS = ["because retries doubled the load", "after the outage in the second week", "since the vendor changed its limits",
           "so that a restart loses nothing", "as the review had asked", "потому что очередь переполнялась",
           "to keep the budget of the quarter", "until the new cluster is ready", "after two failed attempts"]
CATEGORIES = ["fact", "preference", "decision", "relationship", "principle", "commitment", "moment", "skill"]


def memory(number: int, random_source: random.Random) -> tuple[str, str]:
    day = datetime.date(2025, 1, 1) + datetime.timedelta(days=number // 30)
    identifier = f"fact-{number:06d}"
    sentences = [
        f"{random_source.choice(THINGS).capitalize()} {random_source.choice(DEEDS)} {random_source.choice(THINGS)} "
        f"{random_source.choice(REASONS)} (ticket {random_source.randrange(10000)})."
        for _ in range(random_source.randrange(2, 7))
    ]
    text = "\n".join([
        "---", f"id: {identifier}", f"category: {random_source.choice(CATEGORIES)}",
        f"created: {day}T{random_source.randrange(24):02d}:{random_source.randrange(60):02d}:00.000Z",
        f"updated: {day}T23:59:00.000Z", "source: extraction",
        f"confidence: {random_source.randrange(50, 100) / 100}", "confidenceTier: implied",
        f'tags: ["{random_source.choice(PEOPLE)}", "week-{number // 210}"]',
        f"entityRef: person-{random_source.choice(PEOPLE)}", "status: active",
        f"importanceScore: {random_source.randrange(100) / 100}", "importanceLevel: normal",
        f"links: [{{targetId: fact-{max(0, number - random_source.randrange(1, 50)):06d}, linkType: follows, strength: 0.5}}]",
        "---", "", *sentences, ""])
    return f"facts/{day}/{identifier}.md", text


def make_tree(folder: pathlib.Path, count: int) -> int:
    random_source = random.Random(count)
    size = 0
    for number in range(count):
        path, text = memory(number, random_source)
        target = folder / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(text, encoding="utf-8")
        size += len(text.encode())
    (folder / "profile.md").write_text("# Profile\n\n- Likes short answers.\n- Works in the importer.\n", encoding="utf-8")
    return size


def timed(command: list[str], folder: pathlib.Path) -> tuple[float, str]:
    begin = time.perf_counter()
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    took = time.perf_counter() - begin
    if done.returncode != 0:
        sys.exit(f"{' '.join(command)}: {done.stderr.strip()}")
    return took * 1000, done.stderr


def report(name: str, command: list[str], folder: pathlib.Path, repeats: int) -> None:
    timed(command, folder)
    runs = sorted(timed(command, folder)[0] for _ in range(repeats))
    print(f"{name:15} {statistics.median(runs):9.1f} ms median, {runs[0]:.1f} least, {runs[-1]:.1f} most")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("program")
    parser.add_argument("--memories", type=int, default=20000)
    parser.add_argument("--folder", help="where to make the tree (default: a temporary folder)")
    parser.add_argument("--repeats", type=int, default=15)
    parser.add_argument("--vectors", action="store_true", help="make all vectors, which takes minutes, and recall with them")
    parser.add_argument("--again", action="store_true", help="use the folder as an earlier run left it")
    options = parser.parse_args()
    if options.again and not (options.folder and (pathlib.Path(options.folder) / ".knapsack").is_dir()):
        sys.exit("--again needs --folder with the folder of an earlier run")
    program = os.path.abspath(options.program)
    workspace = pathlib.Path(options.folder or tempfile.mkdtemp(prefix="memory-time-"))
    opening = [program, "memories", "list", "--limit", "1", "--stats"]
    recalling = [program, "recall", "why was the importer blamed for the nightly build?", "--stats"]
    if options.again:
        report("warm open", opening, workspace, options.repeats)
        report("words alone", [*recalling, "--no-meaning"], workspace, options.repeats)
        report("warm recall", recalling, workspace, options.repeats)
        return
    workspace.mkdir(parents=True, exist_ok=True)
    tree = workspace / "memory"
    size = make_tree(tree, options.memories)
    print(f"{options.memories} memories, {size / 1e6:.1f} MB")
    shutil.rmtree(workspace / ".knapsack", ignore_errors=True)
    (workspace / "knapsack.toml").write_text('[memory]\ndir = "memory"\n', encoding="utf-8")

    cold, _ = timed(opening, workspace)
    print(f"cold index      {cold:9.1f} ms")
    report("warm open", opening, workspace, options.repeats)
    report("warm recall", recalling, workspace, options.repeats)
    if options.vectors:
        took, _ = timed([program, "embed"], workspace)
        print(f"all vectors     {took:9.1f} ms")
        report("warm, vectors", recalling, workspace, options.repeats)
    edited = tree / memory(0, random.Random(0))[0]
    edited.write_text(edited.read_text(encoding="utf-8") + "One more sentence.\n", encoding="utf-8")
    took, _ = timed(opening, workspace)
    print(f"after an edit   {took:9.1f} ms")
    peak = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024
    print(f"memory          {peak:9.1f} MB at most")
    derived = sum(path.stat().st_size for path in (workspace / ".knapsack").rglob("*") if path.is_file())
    print(f"derived files   {derived / 1e6:9.1f} MB")
    if not options.folder:
        shutil.rmtree(workspace)


if __name__ == "__main__":
    main()
