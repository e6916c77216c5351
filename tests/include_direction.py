"""Dependencies point one way (ARCHITECTURE.md), between subfolders too. Fails for an include that the tables below do not
list, for a listed one that nobody uses any more, for a circle, for a file in another namespace than its folder's, and for a
header that is used outside of the folder that it says it is private to, or that its folder alone uses and does not say so."""
import pathlib
import re
import sys

# What a folder of src/ may use of the others.
ORDER = {
    "core": "",
    "text": "core",
    "understand": "core text",
    "packet": "core text",
    "store": "core",
    "search": "core text store",
    "meaning": "core text",
    "git": "core text",
    "code": "core text understand store search git",
    "notes": "core text packet",
    "memory": "core text understand store search",
    "team": "core text store memory",
    "graph": "core text understand packet",
    "model": "core text",
    "stages": "core text understand packet store search code model",
    "clients": "core text",
    "engine": "core text understand packet store search meaning git code notes memory team graph model stages clients",
    "serve": "core text packet engine",
    "cli": "core packet engine serve",
}
# What a subfolder may use inside its own folder; "." is the folder itself.
INSIDE = {
    "core": {"files": "."},
    "text": {".": "unicode", "tokens": "unicode", "words": "unicode markdown"},
    "understand": {".": "traces"},
    "packet": {"render": ".", "assembly": ". render"},
    "store": {"ledger": ". sqlite"},
    "search": {"query": "segments"},
    "meaning": {".": "kernels"},
    "code": {
        "sandbox": "parse",
        "walk": "parse",
        "imports": "parse walk",
        "references": "parse walk imports",
        "index": "parse sandbox walk imports",
        "ask": "parse walk imports references index",
        "rank": "parse walk index ask",
        "units": "parse walk index ask rank",
    },
    "memory": {"recall": "tree", "capture": "tree recall"},
    "graph": {"select": "store"},
    "model": {"chat": ".", "embeddings": "."},
    "engine": {
        "settings": "api",
        ".": "api settings",
        "sources": ".",
        "linked": ". settings",
        "recipes/notes": ". api settings",
        "recipes/code": ". sources linked",
        "recipes/graph": ".",
        "recipes/memory": ". settings sources",
        "recipes/search": ". api settings sources linked recipes/notes recipes/graph recipes/memory",
        "clients": ". api sources recipes/memory",
        "published": ". api recipes/memory",
        "recipes/pack": ". api sources linked clients recipes/notes recipes/code recipes/graph recipes/memory",
        "account": ". sources recipes/graph recipes/memory",
        "outcome": ". api clients",
        "eval": ". account outcome sources recipes/code recipes/memory",
    },
    "serve": {"tools": ".", "views": ".", "mcp": ".", "http": ". mcp views"},
    "cli": {"commands": "."},
}
# The innermost layers share one namespace; every other folder has its own.
PLAIN_NAMESPACE = {"core", "text", "understand", "packet", "store", "git", "engine"}
INNER = {"core": "knapsack::ascii", "store": "knapsack::sqlite knapsack::ledger_rows"}
# Folders whose headers are there for others, who include them by way of one.
FOR_ALL = {"engine/api"}
INCLUDE = re.compile(r'^\s*#\s*include\s*"([a-z_]+(?:/[a-z_]+)*)/[^/"]+"', re.MULTILINE)
# "Private to code/units/." in the comment that a header begins with.
PRIVATE = re.compile(r"\b(?:Private|Internal) to(?:\n//)? ([a-z_]+(?:/[a-z_]+)*)/")
NAMESPACE = re.compile(r"^namespace (knapsack[a-z_:]*) \{", re.MULTILINE)


def split(place: str) -> tuple[str, str]:
    folder, _, inside = place.partition("/")
    return folder, inside or "."


def circle(uses: dict[str, set[str]]) -> list[str]:
    """The places of one circle, or nothing."""
    state: dict[str, int] = {}

    def visit(place: str, path: list[str]) -> list[str]:
        if state.get(place) == 2:
            return []
        if state.get(place) == 1:
            return path[path.index(place):] + [place]
        state[place] = 1
        for target in sorted(uses.get(place, ())):
            if found := visit(target, path + [place]):
                return found
        state[place] = 2
        return []

    for place in sorted(uses):
        if found := visit(place, []):
            return found
    return []


def wrong_privacy(sources: dict[str, str]) -> list[str]:
    """What is said of headers and does not hold; `sources` are files below src/ by their names."""
    wrong = []
    users: dict[str, set[str]] = {}
    for name, text in sources.items():
        for target in re.findall(r'^\s*#\s*include\s*"([^"]+)"', text, re.MULTILINE):
            users.setdefault(target, set()).add(name.rpartition("/")[0])
    for name, text in sources.items():
        if not name.endswith(".h") or "#pragma once" not in text:
            continue
        folder = name.rpartition("/")[0]
        said = PRIVATE.search(text[:text.index("#pragma once")])
        if said and not (folder + "/").startswith(said[1] + "/"):
            wrong.append(f"src/{name} says that it is private to {said[1]}/, where it does not lie")
        elif said:
            wrong += [f"src/{name} is private to {said[1]}/ and used in {user}/" for user in sorted(users.get(name, ()))
                      if not (user + "/").startswith(said[1] + "/")]
        elif users.get(name, {folder}) <= {folder} and folder not in FOR_ALL:
            wrong.append(f"src/{name} is used in its folder alone: say 'Private to {folder}/.' in its comment")
    return wrong


def main(root: pathlib.Path) -> int:
    wrong, seen = [], 0
    uses: dict[str, set[str]] = {}
    unused = {(folder, target) for folder, targets in ORDER.items() for target in targets.split()}
    unused |= {(f"{folder}/{place}", target) for folder, places in INSIDE.items()
               for place, targets in places.items() for target in targets.split()}
    for path in sorted((root / "src").rglob("*")):
        if path.suffix not in {".h", ".cc"}:
            continue
        seen += 1
        text, name = path.read_text(encoding="utf-8"), path.relative_to(root).as_posix()
        place = path.parent.relative_to(root / "src").as_posix()
        folder, inside = split(place)
        if folder not in ORDER:
            wrong.append(f"{name}: folder '{folder}' has no place in the order")
            continue
        expected = "knapsack" if folder in PLAIN_NAMESPACE else f"knapsack::{folder}"
        for found in NAMESPACE.findall(text):
            inner = found in INNER.get(folder, "").split() or (expected != "knapsack" and found.startswith(expected + "::"))
            if found != expected and not inner:
                wrong.append(f"{name}: opens {found}, not {expected}")
        for target in INCLUDE.findall(text):
            other, other_inside = split(target)
            if target == place or other not in ORDER:
                continue
            uses.setdefault(place, set()).add(target)
            if other != folder:
                unused.discard((folder, other))
                if other not in ORDER[folder].split():
                    wrong.append(f"{name} includes {target}/: {folder} may use {ORDER[folder] or 'nothing'}")
            else:
                unused.discard((f"{folder}/{inside}", other_inside))
                if other_inside not in INSIDE.get(folder, {}).get(inside, "").split():
                    wrong.append(f"{name} includes {target}/: not listed for {place}")
    wrong += wrong_privacy({path.relative_to(root / "src").as_posix(): path.read_text(encoding="utf-8")
                            for path in sorted((root / "src").rglob("*")) if path.suffix in {".h", ".cc"}})
    wrong += [f"tests/include_direction.py lets {user} use {target}, and nothing does" for user, target in sorted(unused)]
    if found := circle(uses):
        wrong.append("a circle: " + " -> ".join(found))
    for line in wrong:
        print(line)
    if seen == 0:
        print("no source files found: the check looked in the wrong place")
        return 1
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(pathlib.Path(sys.argv[1])))
