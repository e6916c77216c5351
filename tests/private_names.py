"""Names that are private to a file are unique in its part of src/, and in its folder of tests/: files of one part are
compiled together. The small parts that src/CMakeLists.txt names are one part.

A reader of lines, not a compiler: it looks at what begins in the first column inside `namespace {`. Functions may share a
name when what they take differs; aliases when they mean the same.
"""
import pathlib
import re
import sys

TYPE = re.compile(r"(?:struct|class|enum class|enum|union) (\w+)\b(?! \w+\()")
ALIAS = re.compile(r"using (\w+) = (.*);")
FUNCTION = re.compile(r"[\w:<>,&*\s\[\]]+?[\s&*](\w+)\(")
CONSTANT = re.compile(r"(?:inline |static )?(?:constexpr|const) .*?\b(\w+)(?:\[.*?\])?\s*(?:=|\{|;)")


def parameters(lines: list[str], at: int) -> str:
    """The types between the brackets of the function that begins in a line, without the names."""
    text = " ".join(lines[at:at + 6])
    inner = text[text.index("(") + 1:]
    depth = 1
    for end, char in enumerate(inner):
        depth += (char == "(") - (char == ")")
        if depth == 0:
            inner = inner[:end]
            break
    parts = re.split(r",(?![^<]*>)", re.sub(r"\s+", " ", inner))
    return ",".join(re.sub(r"[\s&*]*\b\w+$", "", part.split("=")[0].strip()) for part in parts)


def private_names(text: str) -> dict[str, str]:
    """What an unnamed namespace declares: the name, with what sets it apart from another of that name."""
    lines, found, inside, template = text.split("\n"), {}, False, False
    for at, line in enumerate(lines):
        if line.startswith("namespace {"):
            inside = True
        elif line.rstrip() == "}  // namespace":
            inside = False
        if not inside or not line or line[0] in " }/#)n":
            continue
        if line.startswith("template"):
            template = True
            continue
        if match := TYPE.match(line):
            found[match.group(1)] = "type"
            # Those of an enum that is no class are names of their own.
            if line.startswith("enum ") and not line.startswith("enum class"):
                body = " ".join(lines[at:at + 30]).partition("{")[2].partition("}")[0]
                found.update((name, "constant") for name in re.findall(r"\b(k[A-Z]\w*)", body))
        elif match := ALIAS.match(line):
            found[match.group(1)] = "alias of " + match.group(2)
        elif match := CONSTANT.match(line):
            found[match.group(1)] = "constant"
        elif match := FUNCTION.match(line):
            found[f"{match.group(1)}({parameters(lines, at)})"] = "template" if template else "function"
        template = False
    return found


def headers(folder: pathlib.Path):
    """Each header below a folder that has a namespace: its path, that namespace and its text."""
    for path in sorted(folder.rglob("*.h")):
        text = path.read_text()
        if space := re.search(r"^namespace ([\w:]+) \{", text, re.M):
            yield path, space.group(1), text


def header_types(root: pathlib.Path, wrong: list[str]) -> dict[str, str]:
    """Types that headers declare, with their namespace, and where: a private one of that name would be ambiguous, and two
    of one name are one to the linker."""
    found = {}
    for path, space, text in headers(root / "src"):
        here = path.relative_to(root).as_posix()
        for name in re.findall(r"^(?:struct|class|enum class|using) (\w+)\b(?!;|::)", text, re.M):
            before = found.setdefault(f"{space}::{name}", here) if name != "namespace" else here
            if before != here:
                wrong.append(f"{here}: {name} is a type of {before} too: rename one")
    return found


def header_constants(folder: pathlib.Path) -> dict[str, str]:
    """Constants that the headers of a part declare, with their namespace: a private one of that name would be ambiguous."""
    return {f"{space}::{match.group(1)}": path.name for path, space, text in headers(folder)
            for line in text.split("\n") if (match := CONSTANT.match(line))}


def header_functions(folder: pathlib.Path) -> dict[str, str]:
    """Free functions that the headers of a part declare, with their namespace: a private one of that name hides them."""
    function = r"(?!class|struct|using|namespace|template|return)[A-Za-z][\w:<>,&*\s\[\]]*[\s&*](\w+)\("
    return {f"{space}::{match.group(1)}": path.name for path, space, text in headers(folder)
            for line in text.split("\n") if (match := re.match(function, line))}


def main(root: pathlib.Path) -> int:
    wrong, seen = [], 0
    declared = header_types(root, wrong)
    small = re.search(r"set\(small_parts ([\w ]+)\)", (root / "src" / "CMakeLists.txt").read_text()).group(1).split()
    together: dict[tuple[str, str], tuple[str, str]] = {}
    parts = [path for top in ("src", "tests") for path in sorted((root / top).iterdir())]
    for folder in (path for path in parts if path.is_dir() and path.name != "fixtures"):
        known = together if folder.parent.name == "src" and folder.name in small else {}
        functions = header_functions(folder)
        constants = header_constants(folder)
        for path in sorted(folder.rglob("*.cc")):
            text = path.read_text()
            space = re.search(r"^namespace ([\w:]+) \{", text, re.M)
            for name, what in private_names(text).items():
                seen += 1
                # Few tests see a header of which they say nothing; there the compiler tells.
                if space and what == "type" and path.is_relative_to(root / "src") and (header := declared.get(f"{space.group(1)}::{name}")):
                    wrong.append(f"{path.relative_to(root)}: {name} is the name of a type in {header}: rename it")
                shared = functions.get(f"{space.group(1) if space else ''}::{name.split('(')[0]}")
                if shared and what in ("function", "template"):
                    wrong.append(f"{path.relative_to(root)}: {name} is called as a function in {shared} is: rename it")
                if what == "constant" and (shared := constants.get(f"{space.group(1) if space else ''}::{name}")):
                    wrong.append(f"{path.relative_to(root)}: {name} is a constant of {shared} too: share it or rename it")
                key = (space.group(1) if space else "", name)
                here = path.relative_to(root).as_posix()
                before = known.setdefault(key, (here, what))
                if before[0] != here and not (what == before[1] and what.startswith("alias")):
                    wrong.append(f"{here}: {name} is private to {before[0]} too: share it or rename it")
    print("\n".join(wrong))
    return 1 if wrong or seen < 1000 else 0


if __name__ == "__main__":
    sys.exit(main(pathlib.Path(sys.argv[1])))
