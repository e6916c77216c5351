"""Every test that docs/seeds.md names exists, and every row names a test, a command or a reason."""
import pathlib
import re
import sys

# How many behaviours each design was taken apart into; the table may not lose one unnoticed.
PARTS = {"G": 67, "N": 62, "M": 61, "C": 90}
# Rows of the code part that wait for their tests.
LEAST = {"G": 67, "N": 62, "M": 61, "C": 90}


def main(root: pathlib.Path) -> int:
    text = (root / "docs/seeds.md").read_text(encoding="utf-8")
    sources = "".join(path.read_text(encoding="utf-8") for path in (root / "tests").rglob("*_test.cc"))
    existing = {f"{suite}.{name}" for suite, name in re.findall(r"\bTEST(?:_[FP])?\(\s*(\w+),\s*(\w+)\)", sources)}
    rows = re.findall(r"^\| ([GNMC])(\d+) \| (.+?) \| (.+?) \|$", text, re.MULTILINE)
    failures = []
    for part, most in PARTS.items():
        numbers = [int(number) for letter, number, _, _ in rows if letter == part]
        if numbers != sorted(set(numbers)) or not all(1 <= number <= most for number in numbers):
            failures.append(f"the rows of {part} are not numbered in order from 1 to {most}")
        if len(numbers) < LEAST[part]:
            failures.append(f"{part} has {len(numbers)} rows; it had {LEAST[part]}")
    for part, number, behaviour, shown in rows:
        tests = re.findall(r"`([A-Z]\w+\.[A-Z]\w+)`", shown)
        failures += [f"{part}{number}: no such test: {name}" for name in tests if name not in existing]
        if not tests and "differs: " not in shown and "`knapsack " not in shown:
            failures.append(f"{part}{number}: nothing shows: {behaviour}")
    print("\n".join(failures) or f"{len(rows)} behaviours")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main(pathlib.Path(sys.argv[1])))
