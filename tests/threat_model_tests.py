"""Every test that docs/threat-model.md names exists, and every guarantee names one."""
import pathlib
import re
import sys


def main(root: pathlib.Path) -> int:
    text = (root / "docs/threat-model.md").read_text(encoding="utf-8")
    sources = "".join(path.read_text(encoding="utf-8") for path in (root / "tests").rglob("*_test.cc"))
    existing = {f"{suite}.{name}" for suite, name in re.findall(r"\bTEST(?:_[FP])?\(\s*(\w+),\s*(\w+)\)", sources)}
    named = set(re.findall(r"`([A-Z]\w+\.[A-Z]\w+)`", text))
    failures = [f"no such test: {name}" for name in sorted(named - existing)]
    rows = re.findall(r"^\| (?!guarantee|untrusted|---)(.+?) \| (.+?) \|$", text.split("## Nothing that is read")[1], re.MULTILINE)
    failures += [f"held by nothing: {guarantee}" for guarantee, tests in rows if not named & set(re.findall(r"`([^`]+)`", tests))]
    if len(named) < 30 or len(rows) < 20:
        failures.append("the page was not understood: too few tests or guarantees found")
    print("\n".join(failures) or f"{len(rows)} guarantees, {len(named)} tests")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main(pathlib.Path(sys.argv[1])))
