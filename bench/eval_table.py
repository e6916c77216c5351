"""Writes the tables of docs/benchmarks.md from reports of `knapsack eval --out`.

usage: eval_table.py docs/benchmarks.md ranking|packets "name of the set=report.json" …

What stands between the two marks of that table is replaced; the rest stays."""
import json
import pathlib
import sys

from measure import write_between_marks

RANKING = ["acc@5", "acc@10", "hit@1", "hit@5", "mrr"]
LINES = ["lines", "whole", "code", "any", "precision", "f1"]
GROUPED = ["lines", "whole", "any"]
BUDGETS = [1000, 2000, 4000, 8000, 16000]


def cell(figure: dict) -> str:
    return "{:.1f} ({:.1f}–{:.1f})".format(*(100 * figure[part] for part in ("value", "low", "high")))


def table(name: str, report: dict, figures: list[str]) -> str:
    lines = [f"### {name}: {report['tasks'] - report['set_aside']} tasks, knapsack {report['version']}", ""]
    lines += ["| method | " + " | ".join(figures) + " |", "|---|" + "---:|" * len(figures)]
    for method, result in report["methods"].items():
        lines.append(f"| {method} | " + " | ".join(cell(result["overall"][figure]) for figure in figures) + " |")
    micros = next(iter(report["methods"].values()))["micros"]
    lines += ["", "Warm answer p50 {:.1f} ms, p95 {:.1f} ms; {:.0f} s in all, {:.0f} s of them indexing.".format(
        micros["p50"] / 1000, micros["p95"] / 1000, report["seconds"], report["index_seconds"]), ""]
    return "\n".join(lines) + "\n"


def packets(name: str, report: dict) -> str:
    """Changed lines in packets: a row a budget, as packets are by default and with fill."""
    overall = next(iter(report["methods"].values()))["overall"]
    lines = [f"### {name}: {report['tasks'] - report['set_aside']} tasks, knapsack {report['version']}", ""]
    for heading, behind in (("", ""), ("With fill:", " filled")):
        lines += [heading, ""] if heading else []
        lines += ["| budget | lines | whole | code | any | precision | F1 | tokens | files |", "|---:|" + "---:|" * 8]
        for budget in BUDGETS:
            figures = [cell(overall[f"{figure}@{budget}{behind}"]) for figure in LINES]
            figures += [f"{overall[f'{amount}@{budget}{behind}']['value']:.0f}" for amount in ("tokens", "files")]
            lines.append(f"| {budget} | " + " | ".join(figures) + " |")
        lines.append("")
    lines += ["All changed functions among the first 1, 5, 10: " +
              ", ".join(cell(overall[f"function acc@{k}"]) for k in (1, 5, 10)) + ".", ""]
    languages = {language: figures for language, figures in next(iter(report["methods"].values()))["by language"].items()
                 if f"lines@{BUDGETS[0]} filled" in figures}
    if len(languages) > 1:
        lines += ["| with fill: lines / whole / any | tasks | " + " | ".join(str(budget) for budget in BUDGETS) + " |",
                  "|---|---:|" + "---:|" * len(BUDGETS)]
        for language, figures in languages.items():
            cells = [" / ".join(f"{100 * figures[f'{figure}@{budget} filled']['value']:.1f}" for figure in GROUPED) for budget in BUDGETS]
            lines.append(f"| {language} | {figures['tasks']} | " + " | ".join(cells) + " |")
        lines.append("")
    return "\n".join(lines) + "\n"


def main(page: pathlib.Path, kind: str, reports: list[str]) -> int:
    tables = []
    for entry in reports:
        name, _, path = entry.partition("=")
        report = json.loads(pathlib.Path(path).read_text(encoding="utf-8"))
        tables.append(table(name, report, RANKING) if kind == "ranking" else packets(name, report))
    write_between_marks(page, kind, "\n".join(tables))
    return 0


if __name__ == "__main__":
    sys.exit(main(pathlib.Path(sys.argv[1]), sys.argv[2], sys.argv[3:]))
