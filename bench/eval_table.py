"""Writes the table of docs/benchmarks.md from reports of `knapsack eval --out`.

usage: eval_table.py docs/benchmarks.md "name of the set=report.json" …

What stands between the two marks of the page is replaced; the rest stays."""
import json
import pathlib
import sys

BEGIN, END = "<!-- eval: begin -->\n", "<!-- eval: end -->\n"
FIGURES = ["acc@5", "acc@10", "hit@1", "hit@5", "mrr"]


def cell(figure: dict) -> str:
    return "{:.1f} ({:.1f}–{:.1f})".format(*(100 * figure[part] for part in ("value", "low", "high")))


def table(name: str, report: dict) -> str:
    lines = [f"### {name}: {report['tasks'] - report['set_aside']} tasks, knapsack {report['version']}", ""]
    lines += ["| method | " + " | ".join(FIGURES) + " |", "|---|" + "---:|" * len(FIGURES)]
    for method, result in report["methods"].items():
        lines.append(f"| {method} | " + " | ".join(cell(result["overall"][figure]) for figure in FIGURES) + " |")
    micros = next(iter(report["methods"].values()))["micros"]
    lines += ["", "Warm answer p50 {:.1f} ms, p95 {:.1f} ms; {:.0f} s in all, {:.0f} s of them indexing.".format(
        micros["p50"] / 1000, micros["p95"] / 1000, report["seconds"], report["index_seconds"]), ""]
    return "\n".join(lines) + "\n"


def main(page: pathlib.Path, reports: list[str]) -> int:
    text = page.read_text(encoding="utf-8")
    before, found, rest = text.partition(BEGIN)
    _, ended, after = rest.partition(END)
    if not found or not ended:
        print(f"{page} has no place for the table: {BEGIN.strip()} … {END.strip()}")
        return 1
    tables = []
    for entry in reports:
        name, _, path = entry.partition("=")
        tables.append(table(name, json.loads(pathlib.Path(path).read_text(encoding="utf-8"))))
    page.write_text(before + BEGIN + "\n".join(tables) + END + after, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main(pathlib.Path(sys.argv[1]), sys.argv[2:]))
