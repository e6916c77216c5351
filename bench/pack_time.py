"""Times whole `knapsack pack` runs, process start included, in a generated workspace with all four sources.

    python3 bench/pack_time.py build/release/knapsack build/release/bench/make_repository [--files 5000]

First: nothing is indexed yet. Warm: everything is, and each run asks something else. Changed: one file was edited
before each run. The workspace is the same on every machine. Fails when the first run or the warm median takes longer than is
allowed. With --before, another build answers the same tasks in turn with this one, each in a workspace of its own, and it fails when
this one takes more than 1.05 times the processor time.
"""
import argparse
import json
import pathlib
import random
import shutil
import statistics
import subprocess
import tempfile

from graph_time import Generator, LAYERS
from measure import timed
from memory_time import memory

WARM_RUNS = 15
MAX_RATIO = 1.05


def write_memories(folder: pathlib.Path, count: int) -> None:
    source = random.Random(7)
    for number in range(count):
        name, text = memory(number, source)
        path = folder / ".knapsack" / "memory" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")


def write_graph(folder: pathlib.Path, count: int) -> None:
    generator = Generator(7)
    (folder / "graphs").mkdir()
    lines: dict[str, list[str]] = {layer: [] for layer in LAYERS}
    for number in range(count):
        layer, node = generator.node(number, count)
        lines[layer].append(json.dumps(node, ensure_ascii=False))
    for layer, name in LAYERS.items():
        (folder / "graphs" / name).write_text("".join(line + "\n" for line in lines[layer]), encoding="utf-8")
    (folder / "graphs" / "post_response_commits.jsonl").write_text("", encoding="utf-8")


def write_notes(folder: pathlib.Path) -> None:
    notes = folder / ".context"
    notes.mkdir()
    (notes / "CONSTITUTION.md").write_text("# Constitution\n\n- [ ] Never lose a row\n", encoding="utf-8")
    entries = "".join(f"\n## [2026-{1 + i % 12:02}-{1 + i % 28:02}-080000] Decision {i} about part {i}\n\n"
                      f"**Decision**: Part {i} keeps what part {i + 1} read.\n" for i in range(200))
    (notes / "DECISIONS.md").write_text("# Decisions\n" + entries, encoding="utf-8")


def tasks(folder: pathlib.Path) -> list[str]:
    """Words of the workspace's own files, so that every run finds something."""
    files = sorted(path for path in folder.rglob("*.py"))
    source = random.Random(11)
    return [f"fix the crash in {path.relative_to(folder)} when the importer resumes"
            for path in source.sample(files, min(len(files), 2 * WARM_RUNS))]


def compare(programs: list[str], workspaces: list[pathlib.Path], asked: list[str]) -> float:
    """What the first program takes of the processor for a warm pack, as a share of the second's."""
    taken: list[list[float]] = [[], []]
    for number, task in enumerate([asked[0], *asked]):  # the first builds the index and does not count
        for program, workspace, times in zip(programs, workspaces, taken):
            spent = timed([program, "pack", "--log-level", "error", task], str(workspace))[2]
            if number > 0:
                times.append(spent)
    ours, theirs = (statistics.median(times) for times in taken)
    print(f"warm pack     {1000 * ours:6.0f} ms of processor, {1000 * theirs:.0f} ms by the other build: "
          f"{ours / theirs:.2f} times, median of {len(asked)}")
    return ours / theirs


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("knapsack")
    parser.add_argument("make_repository")
    parser.add_argument("--files", type=int, default=5000)
    parser.add_argument("--memories", type=int, default=2000)
    parser.add_argument("--nodes", type=int, default=2000)
    parser.add_argument("--max-first", type=float, default=10, help="seconds")
    parser.add_argument("--before", help="another build to compare with")
    parser.add_argument("--max-warm", type=float, default=0.15, help="seconds, of the median")
    arguments = parser.parse_args()
    knapsack = str(pathlib.Path(arguments.knapsack).resolve())
    folder = pathlib.Path(tempfile.mkdtemp(prefix="pack_time_"))
    try:
        workspace = folder / "workspace"
        subprocess.run([arguments.make_repository, str(workspace), "--files", str(arguments.files), "--git", "500"],
                       check=True, capture_output=True)
        write_notes(workspace)
        write_memories(workspace, arguments.memories)
        write_graph(workspace, arguments.nodes)
        asked = tasks(workspace)
        if arguments.before:
            copies = [pathlib.Path(shutil.copytree(workspace, folder / name)) for name in ("now", "before")]
            if compare([knapsack, str(pathlib.Path(arguments.before).resolve())], copies, asked) > MAX_RATIO:
                raise SystemExit(f"more than {MAX_RATIO} times the processor time of the other build")
        pack = [knapsack, "pack", "--log-level", "error"]
        seconds, peak, _ = timed([*pack, asked[0]], str(workspace))
        print(f"{arguments.files} files, {arguments.memories} memories, {arguments.nodes} nodes")
        print(f"first pack    {seconds:6.2f} s, {peak / 1024:.0f} MB")
        first = seconds
        timed([*pack, asked[1]], str(workspace))
        warm = [timed([*pack, task], str(workspace)) for task in asked[2:2 + WARM_RUNS]]
        times = sorted(seconds for seconds, _, _ in warm)
        print(f"warm pack     {1000 * statistics.median(times):6.0f} ms median, {1000 * times[-1]:.0f} ms slowest, "
              f"{max(peak for _, peak, _ in warm) / 1024:.0f} MB")
        changed = []
        for task in asked[:5]:
            path = workspace / task.split()[4]
            path.write_text(path.read_text(encoding="utf-8") + "\n# edited\n", encoding="utf-8")
            changed.append(timed([*pack, task], str(workspace))[0])
        print(f"one change    {1000 * statistics.median(changed):6.0f} ms median")
        timed([knapsack, "--version"], str(workspace))
        start = statistics.median(timed([knapsack, "--version"], str(workspace))[0] for _ in range(5))
        print(f"process start {1000 * start:6.1f} ms")
        if first > arguments.max_first or statistics.median(times) > arguments.max_warm:
            raise SystemExit(f"slower than {arguments.max_first:g} s at first or {1000 * arguments.max_warm:g} ms when warm")
    finally:
        shutil.rmtree(folder)


if __name__ == "__main__":
    main()
