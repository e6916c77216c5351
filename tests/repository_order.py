"""What lies where: nothing strays into the root, the build's inputs are what the build reads and no more, and headers that
take seconds to compile are included where they must be and nowhere else."""
import json
import pathlib
import re
import subprocess
import sys

ROOT = {
    ".ci", ".clang-format", ".clang-tidy", ".context", ".gitignore", "ARCHITECTURE.md", "CHANGELOG.md", "CMakeLists.txt",
    "CMakePresets.json", "CONTRIBUTING.md", "LICENSE", "Makefile", "README.md", "SECURITY.md", "bench", "cmake", "deps", "docs",
    "examples", "fuzz", "packaging", "scripts", "src", "tests", "tools", "web",
}

# Their structs hold JSON; every other header can do with nlohmann/json_fwd.hpp.
HOLD_JSON = {
    "src/cli/code_command.h", "src/clients/client_list.h", "src/engine/recipes/graph/graph_recipe.h", "src/engine/run_record.h",
    "src/model/model_client.h", "src/serve/service.h",
}
MAX_FILES = 50
HEAVY = {"CLI/": {"src/cli/parser.cc"}, "spdlog/": set()}


def heavy_includes(root: pathlib.Path) -> list[str]:
    wrong = []
    for path in sorted((root / "src").rglob("*")):
        if path.suffix not in (".h", ".cc"):
            continue
        name, text = path.relative_to(root).as_posix(), path.read_text()
        wrong += [f"{name}: includes <{heavy}…>, which takes seconds" for heavy, allowed in HEAVY.items()
                  if f"#include <{heavy}" in text and name not in allowed]
        if path.suffix == ".h" and "#include <nlohmann/json.hpp>" in text and name not in HOLD_JSON:
            wrong.append(f"{name}: includes nlohmann/json.hpp; json_fwd.hpp will do")
    return wrong


# Options of the command line are words of src/cli; a command to run may be spelt out between backticks.
LITERAL = re.compile(r'"(?:[^"\\\\]|\\\\.)*"')
COMMAND = re.compile(r"`[a-z]+ [^`]*`?")
FLAG = re.compile(r"(?<![\w-])--[a-z]{2}")


def flags_below_cli(root: pathlib.Path) -> list[str]:
    wrong = []
    for path in sorted((root / "src").rglob("*.cc")):
        name = path.relative_to(root).as_posix()
        if name.startswith("src/cli/") or name == "src/engine/settings/setting_table.cc":
            continue
        for number, line in enumerate(path.read_text().split("\n"), 1):
            code = line.split("//")[0] if "://" not in line else line
            for literal in LITERAL.findall(code):
                if FLAG.search(COMMAND.sub("", literal)) and "diff --git" not in literal and "--workspace" not in literal:
                    wrong.append(f"{name}:{number}: names an option of the command line; name the field: `max_tokens`")
    return wrong


# A field between backticks that an option of the same name gives is called like that option where people read of it.
FIELD = re.compile(r"`([a-z]+(?:_[a-z]+)*)`")


def fields_without_flag(root: pathlib.Path) -> list[str]:
    known = (root / "src/cli/field_flags.cc").read_text()
    options = {option.replace("-", "_") for path in (root / "src/cli/commands").glob("*.cc")
               for option in re.findall(r'"(?:-\w,)?--([a-z-]+)', path.read_text())}
    wrong = []
    for path in sorted((root / "src").rglob("*.cc")):
        name = path.relative_to(root).as_posix()
        if not name.startswith(("src/cli/", "src/serve/")):
            quoted = (FIELD.findall(literal) for line in path.read_text().split("\n") for literal in LITERAL.findall(line.split("//")[0]))
            wrong += [f"{name}: names `{field}`, an option that src/cli/field_flags.cc does not list"
                      for fields in quoted for field in fields if field in options and f'"{field}"' not in known]
    return wrong


# A text is read once, by understand(); who answers takes part of what it found. The two other readers are for what is not a
# task: a prompt that is only recalled for, and a request for the graph alone.
READERS = {
    "analyze_task(": set(), "analyze_question(": set(),
    "plan_recall(": {"src/engine/recipes/memory/engine_recall.cc", "src/engine/eval/eval_recall_set.cc"},
    "classify_intent(": {"src/engine/recipes/graph/engine_graph_pack.cc"},
}


def second_readers(root: pathlib.Path) -> list[str]:
    wrong = []
    for path in sorted((root / "src").rglob("*.cc")):
        name, text = path.relative_to(root).as_posix(), path.read_text()
        if not name.startswith("src/understand/"):
            wrong += [f"{name}: reads a text again with {reader[:-1]}; take it from understand()"
                      for reader, allowed in READERS.items() if reader in text and name not in allowed]
    return wrong


# Helpers that exist once: the folder of each, and the names that would be a second one.
ONCE = {
    "src/core/ascii.h": r"(?:bool|char) (?:is_digit|is_upper|is_lower|is_letter|is_space|is_blank|lower|upper|to_lower)\(char ",
    "src/core/blanks.h": r"(?:leading_blanks|leading_space|is_blank_text|is_blank_line|is_all_blank)\(std::string_view ",
    "src/core/dotted_name.h": r"(?:last_part|parent_part|parent_of|last_name|owner_name)\(std::string_view ",
    "src/core/files/descriptor.h": r"class \w*Descriptor ",
    "src/core/paths": r"(?:base_name|folder_of|stem_of|join_path|parent_path|is_below|shared_folders|common_folders)\(std::string_view ",
    "src/core/split": r"(?:comma_list|split_at_commas|split_commas|for_each_part)\(",
    "src/git/newest_paths.h": r"class (?:NewestPaths|NewestNames|FollowedPaths) ",
}


# Threads are started there alone: elsewhere, the process would end where the system has none to give. A plain std::async
# then runs what it was given when that is waited for.
THREADS = "src/core/helper_threads.h"
RAW_THREAD = re.compile(r"std::(?:jthread|thread(?!::id))\b|launch::async\b|\bpthread_create\b|hardware_concurrency")


def raw_threads(root: pathlib.Path) -> list[str]:
    wrong = []
    for path in sorted((root / "src").rglob("*")):
        name = path.relative_to(root).as_posix()
        if path.suffix in (".h", ".cc") and name != THREADS:
            wrong += [f"{name}: {found} by itself; {THREADS} copes where there is none"
                      for found in RAW_THREAD.findall(path.read_text())]
    return wrong


def second_helpers(root: pathlib.Path) -> list[str]:
    wrong = []
    for path in sorted((root / "src").rglob("*")):
        if path.suffix not in (".h", ".cc"):
            continue
        name, text = path.relative_to(root).as_posix(), path.read_text()
        for home, pattern in ONCE.items():
            for found in re.finditer(r"^(?:inline |constexpr |static )*(?:(?:std::[\w:<>]+|bool|size_t|auto) )?" + pattern + r".*\{$", text, re.MULTILINE):
                if not name.startswith(home):
                    wrong.append(f"{name}: {found.group(0)} … is there already, in {home}")
    return wrong


# SourceText reads the first byte of each sequence by a table of its own.
DECODES_UTF8 = {"src/core/utf8.h", "src/code/parse/source_text.cc"}
UTF8_BY_HAND = re.compile(r"0x[cC]0[uU]?\)\s*[!=]=\s*0x80|>= 0x[eE]0[uU]? \?")


def utf8_by_hand(root: pathlib.Path) -> list[str]:
    return [f"{name}: takes UTF-8 apart by itself; core/utf8.h has continues_code_point(), decode_code_point(), utf8_prefix()"
            for path in sorted((root / "src").rglob("*")) if path.suffix in (".h", ".cc")
            if (name := path.relative_to(root).as_posix()) not in DECODES_UTF8 and UTF8_BY_HAND.search(path.read_text())]


def budgets_as_text(root: pathlib.Path) -> list[str]:
    """A budget is a number from where it comes in: no request has one as text."""
    member = re.compile(r"std::string>?\s+(\w*(?:budget|tokens|window)\w*)\b\s*[;=]")
    return [f"{path.relative_to(root)}: {name} is text: requests have budgets as numbers"
            for path in sorted((root / "src/engine/api").glob("*.h"))
            for name in member.findall(path.read_text()) if name != "budget_config"]


def texts_that_steer(root: pathlib.Path) -> list[str]:
    """What a reader is told of a part decides nothing: that is what enums are for."""
    compared = re.compile(r"\.(kind|heading|label|title)\s*(?:==|!=)\s*\"")
    return [f"{path.relative_to(root)}: compares a {name} with a text; make it an enum"
            for folder in ("packet", "stages", "engine")
            for path in sorted((root / "src" / folder).rglob("*.cc"))
            for name in compared.findall(path.read_text())]


def crowded_folders(root: pathlib.Path) -> list[str]:
    counts: dict[str, int] = {}
    for path in (root / "src").rglob("*"):
        if path.is_file():
            place = path.parent.relative_to(root).as_posix()
            counts[place] = counts.get(place, 0) + 1
    return [f"{place}: {count} files, more than {MAX_FILES}" for place, count in sorted(counts.items()) if count > MAX_FILES]


MAX_METHODS = 20


def is_method(declaration: str, owner: str) -> bool:
    declaration = declaration.strip()
    if "(" not in declaration or re.match(r"(using|friend|typedef|struct|class|enum|static)\b", declaration):
        return False
    if re.search(r"~|\boperator\b|\(\*", declaration) or re.match(rf"(explicit\s+)?{owner}\s*\(", declaration):
        return False
    return not re.match(r"[^()]*=", declaration)


def public_methods(text: str):
    """Each class of a header with the names of its public methods; overloads are one, constructors and factories none."""
    text = re.sub(r'"(?:\\.|[^"\\\n])*"', '""', re.sub(r"//[^\n]*", "", text))
    for found in re.finditer(r"\b(class|struct)\s+(\w+)(?:\s+final)?\s*(?::[^{;]*)?\{", text):
        is_public, depth, at, declaration, names = found.group(1) == "struct", 1, found.end(), "", set()
        while depth and at < len(text):
            letter = text[at]
            depth += (letter == "{") - (letter == "}")
            if depth == 1 and letter in "};":
                name = re.search(r"(\w+)\s*\(", declaration)
                if is_public and name and is_method(declaration, found.group(2)):
                    names.add(name.group(1))
                declaration = ""
            elif depth == 1 and letter == ":" and declaration.strip() in ("public", "private", "protected"):
                is_public, declaration = declaration.strip() == "public", ""
            elif depth == 1 and letter != "{":
                declaration += letter
            at += 1
        yield found.group(2), names


def crowded_classes(root: pathlib.Path) -> list[str]:
    wrong, seen = [], 0
    for path in sorted((root / "src").rglob("*.h")):
        for owner, names in public_methods(path.read_text()):
            seen += len(names)
            if len(names) > MAX_METHODS:
                wrong.append(f"{path.relative_to(root)}: {owner} has {len(names)} public methods, more than {MAX_METHODS}")
    return wrong if seen > 100 else wrong + ["no public method was found at all: the check is broken"]


def missing_in_architecture(root: pathlib.Path) -> list[str]:
    """Files that ARCHITECTURE.md names are there: by their path below src/, or alone by their name."""
    names = {path.name for path in (root / "src").rglob("*")}
    wrong = []
    for named in re.findall(r"`([a-z_/]+\.(?:h|cc))`", (root / "ARCHITECTURE.md").read_text()):
        there = (root / "src" / named).exists() or (root / named).exists()
        if not there and ("/" in named or named not in names):
            wrong.append(f"ARCHITECTURE.md names {named}, which is not there")
    return wrong


def main(root: pathlib.Path) -> int:
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=root, capture_output=True, check=True).stdout
    names = sorted({name.split("/")[0] for name in listed.decode().split("\0") if name})
    wrong = [f"{name}: strays in the root; list it in tests/repository_order.py if it belongs there"
             for name in names if name not in ROOT]
    cmake = "".join(path.read_text() for path in sorted((root / "cmake").glob("*.cmake")))
    wanted = json.loads((root / "deps/package.json").read_text())["dependencies"]
    wrong += [f"deps/package.json: {name} is no input of the build; what only tests need is in deps/test"
              for name in wanted if f"{name}/" not in cmake]
    wrong += heavy_includes(root) + flags_below_cli(root) + fields_without_flag(root) + second_readers(root) + second_helpers(root) + raw_threads(root) + utf8_by_hand(root) + budgets_as_text(root) + texts_that_steer(root) + crowded_folders(root) + crowded_classes(root) + missing_in_architecture(root)
    print("\n".join(wrong))
    return 1 if wrong or not names or not wanted else 0


if __name__ == "__main__":
    sys.exit(main(pathlib.Path(sys.argv[1])))
