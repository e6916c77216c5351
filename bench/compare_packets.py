"""Which of the changed lines do other packers show for the same tasks and the same tokens? Beside Knapsack:

  repomix   whole files in the order in which it prints them, up to the budget
  probe     the parts that `probe search` finds for the text of the task, by its score, up to the budget

Both come from the npm registry, into a folder DIR outside of this one; probe's package carries its program as an archive:
    npm install --prefix DIR --ignore-scripts repomix@1.18.1
    npm pack --pack-destination DIR @probelabs/probe@0.6.0-rc325

    bench/compare_packets.py TASKS.jsonl --repos DIR --tools DIR --report eval.json [--every 8] [--docs docs/benchmarks.md]

`eval.json` is what `knapsack eval TASKS.jsonl --repos DIR --out eval.json` wrote. Tokens are o200k for all, counted
by tiktoken (scripts/setup test installs it); the path of a part counts. Every N-th task is tried: each needs a work tree.
"""
import argparse
import json
import pathlib
import random
import re
import shutil
import subprocess
import tarfile
import tempfile

from measure import write_between_marks

BUDGETS = [2000, 8000, 16000]
STOPPED, FILLED = "knapsack, which stops where code is far from the task", "knapsack --fill"
MAX_QUERY = 1500  # characters: probe parses the query as an expression and refuses very long ones


def git(repository: pathlib.Path, *arguments: str, **options) -> bytes:
    return subprocess.run(["git", "-C", str(repository), *arguments], check=True, capture_output=True, **options).stdout


def check_out(repository: pathlib.Path, commit: str, folder: pathlib.Path) -> None:
    archive = subprocess.Popen(["git", "-C", str(repository), "archive", commit], stdout=subprocess.PIPE)
    with tarfile.open(fileobj=archive.stdout, mode="r|") as tar:
        tar.extractall(folder, filter="data")
    if archive.wait() != 0:
        raise RuntimeError(f"no tree of {commit}")


COUNT = """
const { get_encoding } = require(process.argv[1] + '/tiktoken');
const encoding = get_encoding('o200k_base');
const texts = JSON.parse(require('fs').readFileSync(0, 'utf8'));
console.log(JSON.stringify(texts.map((text) => encoding.encode(text, [], []).length)));
"""


def count_tokens(texts: list[str]) -> list[int]:
    """o200k by a counter that is not ours; beyond what the largest budget shows nobody counts."""
    if not texts:
        return []
    modules = pathlib.Path(__file__).resolve().parent.parent / "deps/node_modules"
    done = subprocess.run(["node", "-e", COUNT, str(modules)], input=json.dumps(texts), text=True, check=True,
                          capture_output=True)
    return json.loads(done.stdout)


def unpack_probe(tools: pathlib.Path) -> None:
    if (tools / "probe").exists():
        return
    [package] = tools.glob("probelabs-probe-*.tgz")
    with tarfile.open(package) as outer:
        [archive] = [member for member in outer if member.name.endswith("x86_64-unknown-linux-musl.tar.gz")]
        with tarfile.open(fileobj=outer.extractfile(archive)) as inner:
            [program] = [member for member in inner if member.isfile() and member.size > 1_000_000]
            (tools / "probe").write_bytes(inner.extractfile(program).read())
    (tools / "probe").chmod(0o755)


def repomix_parts(tools: pathlib.Path, folder: pathlib.Path):
    out = folder.parent / "repomix.xml"
    subprocess.run(["node", str(tools / "node_modules/repomix/bin/repomix.cjs"), "--quiet", "--style", "xml", "--no-file-summary",
                    "--no-directory-structure", "--no-security-check", "--output", str(out), "."], cwd=folder, check=True,
                   capture_output=True)
    text = out.read_text(errors="replace")
    for found in re.finditer(r'<file path="([^"]+)">\n(.*?)\n</file>', text, re.S):
        lines = found[2].count("\n") + 1
        yield found[1], (1, lines), f"{found[1]}\n{found[2]}\n"


def probe_parts(tools: pathlib.Path, folder: pathlib.Path, query: str):
    words = re.findall(r"[\w.]+", query)
    text = " ".join(words)[:MAX_QUERY]
    done = subprocess.run([str(tools / "probe"), "search", text, ".", "--format", "json", "--max-tokens", "40000"], cwd=folder,
                          capture_output=True, timeout=120)
    try:
        found = json.loads(done.stdout[done.stdout.index(b"{"):])
    except ValueError:
        return
    # It prints them by file; the score says which it would keep in fewer tokens.
    for part in sorted(found.get("results", []), key=lambda part: -(part["score"] or 0)):
        path = part["file"].removeprefix("./")
        path = str(pathlib.PurePath(path).relative_to(folder)) if path.startswith("/") else path
        first, last = part["lines"]
        yield path, (first, last), f"{path}:{first}-{last}\n{part['code']}\n"


def counted(parts) -> list:
    """(path, lines, tokens), as many parts as the largest budget could show."""
    kept, size = [], 0
    for part in parts:
        kept.append(part)
        size += len(part[2])
        if size > 8 * BUDGETS[-1]:
            break
    return [(path, lines, tokens) for (path, lines, _), tokens in zip(kept, count_tokens([text for _, _, text in kept]))]


def shown_at(parts: list, budget: int) -> dict:
    """Parts in their order until the first that does not fit."""
    shown, used = {}, 0
    for path, lines, tokens in parts:
        used += tokens
        if used > budget:
            break
        shown.setdefault(path, []).append(lines)
    return shown


def share_shown(task: dict, shown: dict) -> float:
    changed = {(file, line) for file, ranges in task["gold_lines"].items() for first, last in ranges
               for line in range(first, last + 1)}
    hit = sum(any(a <= line <= b for a, b in shown.get(file, [])) for file, line in changed)
    return hit / len(changed)


def interval(values: list[float]) -> str:
    draw = random.Random(1)
    means = sorted(sum(draw.choices(values, k=len(values))) / len(values) for _ in range(2000))
    return f"{100 * sum(values) / len(values):.1f} [{100 * means[50]:.1f}, {100 * means[1949]:.1f}]"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("tasks")
    parser.add_argument("--repos", type=pathlib.Path, required=True)
    parser.add_argument("--tools", type=pathlib.Path, required=True)
    parser.add_argument("--report", required=True)
    parser.add_argument("--every", type=int, default=8)
    parser.add_argument("--docs")
    arguments = parser.parse_args()
    unpack_probe(arguments.tools)
    ours = {answer["id"]: answer["packet"] for answer in json.load(open(arguments.report))["methods"]["full"]["answers"]}
    tasks = [json.loads(line) for line in open(arguments.tasks)]
    tasks = [task for task in tasks if task["gold_lines"] and f"lines@{BUDGETS[0]}" in ours.get(task["id"], {})][:: arguments.every]
    rows = {name: {budget: [] for budget in BUDGETS} for name in (STOPPED, FILLED, "probe", "repomix")}
    for number, task in enumerate(tasks):
        repository = arguments.repos / task["repo"].replace("/", "+") / "repo"
        with tempfile.TemporaryDirectory() as temporary:
            folder = pathlib.Path(temporary, "tree")
            folder.mkdir()
            try:
                check_out(repository, task["base_commit"], folder)
            except (RuntimeError, tarfile.TarError) as problem:
                print(f"passed over: {task['id']}: {problem}", flush=True)  # a mirror may lack large files
                continue
            parts = {"probe": counted(probe_parts(arguments.tools, folder, task["query"])),
                     "repomix": counted(repomix_parts(arguments.tools, folder))}
        for budget in BUDGETS:
            rows[STOPPED][budget].append(ours[task["id"]][f"lines@{budget}"])
            rows[FILLED][budget].append(ours[task["id"]][f"lines@{budget} filled"])
            for name, found in parts.items():
                rows[name][budget].append(share_shown(task, shown_at(found, budget)))
        print(f"{number + 1} of {len(tasks)}", flush=True)
    table = [f"| changed lines shown, {len(rows['probe'][BUDGETS[0]])} tasks | " + " | ".join(f"{b // 1000}k" for b in BUDGETS) + " |",
             "|---|" + "---:|" * len(BUDGETS)]
    for name, by_budget in rows.items():
        table.append(f"| {name} | " + " | ".join(interval(by_budget[b]) for b in BUDGETS) + " |")
    print("\n".join(table))
    if arguments.docs:
        write_between_marks(pathlib.Path(arguments.docs), "compare packets", "\n".join(table) + "\n")


if __name__ == "__main__":
    main()
