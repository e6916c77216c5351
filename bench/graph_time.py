"""Times whole `knapsack graph pack` runs, process start included, on a generated graph of about 1 kB a node.

Cold: no derived index, so every line is read, and the index is written for the next time. Warm: the index is there.
The graph is the same on every machine. Each warm run asks something else.
"""
import argparse
import json
import multiprocessing
import pathlib
import random
import shutil
import statistics
import tempfile
import time

from measure import timed

LAYERS = {"kg": "kg_nodes.jsonl", "rg": "rg_nodes.jsonl", "tg": "tg_nodes.jsonl"}
SYLLABLES = "ba ce di fo gu ha je ki lo mu na pe ri so tu va we xi yo zu bra cle dri flo gru".split()
# From the most frequent to the least: how often a word is met follows Zipf's law.
FUNCTION = "the of to and a in is it for that was on with as be by at this not are from or an but which".split()
COMMON = ("import carrier manifest offset retry batch queue status ledger parcel order customer price report cache "
          "session token invoice worker deadline region limit error backup schema release monitor policy").split()
RUSSIAN = "импорт перевозчик манифест очередь партия заказ отчёт ошибка склад сервер".split()
ALPHABET = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
KINDS = {"entity": "ENT", "fact": "FACT", "definition": "DEF", "constraint": "CON", "source": "SRC",
         "assumption": "ASM", "risk": "RISK"}
STATES = ["backlog"] * 8 + ["ready"] * 4 + ["done"] * 30 + ["cancelled", "in_progress", "blocked", "review", "archived"]


class Generator:
    """Nodes as a team of people and agents writes them over a year."""

    def __init__(self, seed: int):
        self.random = random.Random(seed)
        rare = sorted({"".join(self.random.choices(SYLLABLES, k=3)) for _ in range(20_000)})
        self.random.shuffle(rare)
        self.words = FUNCTION + COMMON + RUSSIAN + rare
        total, self.weights = 0.0, []
        for rank in range(len(self.words)):
            total += 1.0 / (rank + 3)
            self.weights.append(total)
        self.ids: dict[str, list[str]] = {"kg": [], "rg": [], "tg": []}

    def text(self, words: int) -> str:
        chosen = self.random.choices(self.words, cum_weights=self.weights, k=words)
        return " ".join(chosen).capitalize() + "."

    def some(self, layer: str, most: int) -> list[str]:
        """Ids of earlier nodes, the near ones more often."""
        known = self.ids[layer]
        count = min(len(known), self.random.randrange(most + 1))
        return sorted({known[-1 - int(self.random.random() ** 3 * len(known))] for _ in range(count)})

    def node(self, number: int, count: int) -> tuple[str, dict]:
        layer = self.random.choices(("kg", "rg", "tg"), weights=(5, 1, 4))[0]
        kind = {"kg": self.random.choice(list(KINDS)), "rg": "decision", "tg": "task"}[layer]
        name = {"decision": "DEC", "task": "TASK"}.get(kind) or KINDS[kind]
        node_id = f"{layer.upper()}-{name}-{''.join(self.random.choices(ALPHABET, k=26))}"
        at = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(1_730_000_000 + number * 31_000_000 // count))
        node = {"id": node_id, "type": kind, "title": self.text(7), "created_at": at, "updated_at": at, "rev": 1,
                "tags": self.random.sample(COMMON, 2), "links": self.some("kg", 1)}
        if layer == "kg":
            node |= {"summary": self.text(60), "status": "active",
                     "attributes": {"owner": self.text(2), "where": self.text(12)},
                     "relationships": [{"rel": "relates_to", "target_id": to} for to in self.some("kg", 2)],
                     "evidence": [{"source_id": to, "confidence": 0.8, "excerpt": self.text(15)}
                                  for to in self.some("kg", 1)]}
        elif layer == "rg":
            node |= {"context": self.text(30), "decision": self.text(25), "rationale": [self.text(12), self.text(12)],
                     "alternatives": [self.text(8)], "assumptions": [], "risks": [self.text(8)], "validation": [],
                     "outcome": {"status": self.random.choice(("accepted", "accepted", "proposed", "rejected")),
                                 "supersedes": self.some("rg", 1) if number % 9 == 0 else [], "notes": ""},
                     "refs": {"kg_refs": self.some("kg", 3), "tg_refs": self.some("tg", 1), "artifacts": []}}
        else:
            node |= {"description": self.text(65), "status": self.random.choice(STATES), "priority": "medium",
                     "owner_role": "engineer", "dependencies": self.some("tg", 2), "blocks": self.some("tg", 1),
                     "acceptance_criteria": [self.text(10), self.text(10)],
                     "inputs": {"kg_refs": self.some("kg", 2), "rg_refs": self.some("rg", 1)}, "outputs": {},
                     "log": [{"at": at, "text": self.text(10)}]}
        self.ids[layer].append(node_id)
        return layer, node

    def write(self, folder: pathlib.Path, count: int) -> int:
        folder.mkdir(parents=True)
        (folder / "post_response_commits.jsonl").write_bytes(b"")
        files = {layer: (folder / name).open("wb") for layer, name in LAYERS.items()}

        def line(node: dict) -> bytes:
            return json.dumps(node, ensure_ascii=False, sort_keys=True, separators=(",", ":")).encode() + b"\n"

        for number in range(count):
            layer, node = self.node(number, count)
            files[layer].write(line(node))
            if number % 20 == 0:  # one of twenty was revised
                files[layer].write(line(node | {"rev": 2, "title": self.text(7)}))
        size = sum(file.tell() for file in files.values())
        for file in files.values():
            file.close()
        return size


def generate(folder: pathlib.Path, count: int, requests: int) -> tuple[int, list[str]]:
    """The size of the graph in bytes, and requests about it."""
    generator = Generator(7)
    size = generator.write(folder, count)
    tasks = generator.ids["tg"]
    return size, [f"continue {tasks[run * 7919 % len(tasks)]}: the {COMMON[run % 20]} of {generator.text(2)}"
                  for run in range(requests)]


def summary(nodes: int, megabytes: float, state: str, runs: list[dict]) -> dict:
    row = {"nodes": nodes, "mb": megabytes, "state": state, "runs": len(runs),
           "wall_s": statistics.median(run["wall_s"] for run in runs), "worst_s": max(run["wall_s"] for run in runs),
           "processor_s": statistics.median(run["processor_s"] for run in runs),
           "memory_mb": max(run["memory_mb"] for run in runs)}
    print(f"{nodes:>8,} nodes {megabytes:6.1f} MB  {state:5} median {row['wall_s'] * 1000:7.1f} ms  worst"
          f" {row['worst_s'] * 1000:7.1f} ms  processor {row['processor_s'] * 1000:7.1f} ms  memory"
          f" {row['memory_mb']:5.0f} MB", flush=True)
    return row


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("program")
    parser.add_argument("--sizes", default="1000,10000,100000", help="numbers of nodes")
    parser.add_argument("--cold", type=int, default=5, help="runs without the index")
    parser.add_argument("--warm", type=int, default=15, help="runs with it")
    parser.add_argument("--max-cold", type=float, help="fail when the median of the largest takes more seconds")
    parser.add_argument("--max-warm", type=float, help="the same with the index")
    parser.add_argument("--max-memory", type=float, help="fail when any run has more megabytes")
    parser.add_argument("--keep", help="generate there, and keep it")
    parser.add_argument("--json", help="write the rows there as well")
    arguments = parser.parse_args()
    program = str(pathlib.Path(arguments.program).resolve())
    rows = []
    with tempfile.TemporaryDirectory() as scratch:
        for count in [int(text) for text in arguments.sizes.split(",")]:
            folder = pathlib.Path(arguments.keep or scratch) / f"graph-{count}"
            # In a process of its own: a child's peak of memory is at least what its parent has when it starts it.
            with multiprocessing.Pool(1) as pool:
                size, requests = pool.apply(generate, (folder / "graphs", count, max(arguments.cold, arguments.warm)))

            def ask(run: int, folder: pathlib.Path = folder, requests: list[str] = requests) -> dict:
                wall, kilobytes, processor = timed(
                    [program, "graph", "pack", "--request-text", requests[run], "--format", "json"], str(folder))
                return {"wall_s": wall, "processor_s": processor, "memory_mb": kilobytes / 1000}

            cold = []
            for run in range(arguments.cold):
                shutil.rmtree(folder / ".knapsack", ignore_errors=True)
                cold.append(ask(run))
            rows.append(summary(count, size / 1e6, "cold", cold))
            rows.append(summary(count, size / 1e6, "warm", [ask(run) for run in range(arguments.warm)]))
    if arguments.json:
        pathlib.Path(arguments.json).write_text(json.dumps(rows, indent=1) + "\n", encoding="utf-8")
    slow = [f"{row['state']} took {row['wall_s']:.3f} s" for row, most in zip(rows[-2:], (arguments.max_cold, arguments.max_warm))
            if most is not None and row["wall_s"] > most]
    if arguments.max_memory is not None:
        slow += [f"{row['nodes']} nodes took {row['memory_mb']:.0f} MB" for row in rows if row["memory_mb"] > arguments.max_memory]
    if slow:
        raise SystemExit("; ".join(slow))


if __name__ == "__main__":
    main()
