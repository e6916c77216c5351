"""Dependencies point one way (ARCHITECTURE.md): fails for an include that points against the order."""
import pathlib
import re
import sys

ALLOWED = {
    "core": set(),
    "text": {"core"},
    "store": {"core"},
    "search": {"core", "text", "store"},
    "meaning": {"core", "text"},
    "code": {"core", "text", "store", "search"},
    "notes": {"core", "text", "store", "search"},
    "memory": {"core", "text", "store", "search"},
    "graph": {"core", "text", "store", "search"},
    "model": {"core", "text"},
    "stages": {"core", "text", "store", "search", "code", "notes", "memory", "graph", "model"},
    "clients": {"core", "text"},
    "pack": {"core", "text"},
    "render": {"core", "text", "pack"},
    "engine": {"core", "text", "store", "search", "meaning", "code", "notes", "memory", "graph", "model", "stages", "clients", "pack", "render"},
    "serve": {"core", "text", "model", "engine"},
    "cli": {"core", "engine", "serve"},
}
INCLUDE = re.compile(r'^\s*#\s*include\s*"([a-z_]+)/', re.MULTILINE)


def main(root: pathlib.Path) -> int:
    wrong, seen = [], 0
    for path in sorted((root / "src").rglob("*")):
        if path.suffix not in {".h", ".cc"}:
            continue
        folder = path.relative_to(root / "src").parts[0]
        if folder not in ALLOWED:
            wrong.append(f"{path.relative_to(root)}: folder '{folder}' has no place in the order")
            continue
        seen += 1
        for target in INCLUDE.findall(path.read_text(encoding="utf-8")):
            if target != folder and target in ALLOWED and target not in ALLOWED[folder]:
                wrong.append(f"{path.relative_to(root)} includes {target}/: {folder} may use {sorted(ALLOWED[folder])}")
    for line in wrong:
        print(line)
    if seen == 0:
        print("no source files found: the check looked in the wrong place")
        return 1
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(pathlib.Path(sys.argv[1])))
