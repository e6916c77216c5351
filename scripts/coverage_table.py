#!/usr/bin/env python3
"""The table of `make coverage`: lines and functions that tests run, by folder of src/. With --docs it goes into docs/testing.md."""
import json
import pathlib
import sys

BEGIN, END = "<!-- coverage: begin -->", "<!-- coverage: end -->"


def table(summary: dict) -> str:
    folders: dict[str, list[int]] = {}
    for file in summary["files"]:
        name = file["filename"].split("/")
        row = folders.setdefault("/".join(name[:2]), [0, 0, 0, 0])
        for i, key in enumerate(("line_covered", "line_total", "function_covered", "function_total")):
            row[i] += file[key]
    total = [sum(row[i] for row in folders.values()) for i in range(4)]
    rows = [f"| `{name}/` | {row[1]:,} | {100 * row[0] / max(1, row[1]):.1f} | {100 * row[2] / max(1, row[3]):.1f} |"
            for name, row in sorted(folders.items())]
    rows.append(f"| all | {total[1]:,} | {100 * total[0] / max(1, total[1]):.1f} | {100 * total[2] / max(1, total[3]):.1f} |")
    return "\n".join(["| folder | lines that can run | run by tests, % | functions, % |", "|---|---:|---:|---:|", *rows])


def main() -> int:
    made = table(json.loads(pathlib.Path(sys.argv[1]).read_text()))
    print(made)
    if "--docs" in sys.argv:
        page = pathlib.Path(__file__).parent.parent / "docs/testing.md"
        before, rest = page.read_text().split(BEGIN)
        page.write_text(before + BEGIN + "\n" + made + "\n" + END + rest.split(END)[1])
    return 0


if __name__ == "__main__":
    sys.exit(main())
