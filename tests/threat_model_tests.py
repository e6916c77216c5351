"""Every test that docs/threat-model.md names exists, every guarantee names one, and every reader of untrusted bytes has its
fuzz target with seeds."""
import pathlib
import re
import sys


def check_readers(root: pathlib.Path, text: str) -> list[str]:
    """Each row names a header, and a target that includes it and has seeds; no target is without a row."""
    rows = re.findall(r"^\| (.+?) \| `([\w/]+\.h)` \| `(\w+_fuzz)` \|$", text.split("## Who reads untrusted bytes")[1], re.MULTILINE)
    failures = []
    for reader, header, target in rows:
        source, seeds = root / "fuzz" / f"{target}.cc", root / "fuzz/seeds" / target
        if not (root / "src" / header).exists():
            failures.append(f"no such header: {header}")
        if not source.exists() or f'#include "{header}"' not in source.read_text(encoding="utf-8"):
            failures.append(f"{target} does not read what {header} reads ({reader})")
        if not seeds.is_dir() or not any(seed.stat().st_size for seed in seeds.iterdir()):
            failures.append(f"{target} has no seeds")
    listed = {target for _, _, target in rows}
    failures += [f"{path.stem} is in no row of readers" for path in sorted((root / "fuzz").glob("*_fuzz.cc")) if path.stem not in listed]
    failures += [f"seeds of nothing: {path.name}" for path in sorted((root / "fuzz/seeds").iterdir()) if path.name not in listed]
    return failures if len(rows) >= 20 else failures + ["the table of readers was not understood"]


def main(root: pathlib.Path) -> int:
    text = (root / "docs/threat-model.md").read_text(encoding="utf-8")
    sources = "".join(path.read_text(encoding="utf-8") for path in (root / "tests").rglob("*_test.cc"))
    existing = {f"{suite}.{name}" for suite, name in re.findall(r"\bTEST(?:_[FP])?\(\s*(\w+),\s*(\w+)\)", sources)}
    named = set(re.findall(r"`([A-Z]\w+\.[A-Z]\w+)`", text))
    failures = [f"no such test: {name}" for name in sorted(named - existing)]
    guarantees = text.split("## Nothing that is read")[1].split("## Who reads untrusted bytes")[0]
    rows = re.findall(r"^\| (?!guarantee|untrusted|---)(.+?) \| (.+?) \|$", guarantees, re.MULTILINE)
    failures += check_readers(root, text)
    failures += [f"held by nothing: {guarantee}" for guarantee, tests in rows if not named & set(re.findall(r"`([^`]+)`", tests))]
    if len(named) < 30 or len(rows) < 20:
        failures.append("the page was not understood: too few tests or guarantees found")
    print("\n".join(failures) or f"{len(rows)} guarantees, {len(named)} tests")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main(pathlib.Path(sys.argv[1])))
