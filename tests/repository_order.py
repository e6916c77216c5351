"""What lies where: nothing strays into the root, the build's inputs are what the build reads and no more, and headers that
take seconds to compile are included where they must be and nowhere else."""
import json
import pathlib
import subprocess
import sys

ROOT = {
    ".ci", ".clang-format", ".clang-tidy", ".context", ".gitignore", "ARCHITECTURE.md", "CMakeLists.txt",
    "CMakePresets.json", "CONTRIBUTING.md", "LICENSE", "Makefile", "README.md", "bench", "cmake", "deps", "docs",
    "examples", "fuzz", "scripts", "src", "tests", "tools", "web",
}

# Their structs hold JSON; every other header can do with nlohmann/json_fwd.hpp.
HOLD_JSON = {
    "src/cli/code_command.h", "src/clients/client_list.h", "src/engine/graph_recipe.h", "src/engine/run_record.h",
    "src/model/model_client.h", "src/serve/service.h",
}
HEAVY = {"CLI/": {"src/cli/parser.cc"}, "spdlog/": set()}


def heavy_includes(root: pathlib.Path) -> list[str]:
    wrong = []
    for path in sorted((root / "src").glob("*/*")):
        if path.suffix not in (".h", ".cc"):
            continue
        name, text = path.relative_to(root).as_posix(), path.read_text()
        wrong += [f"{name}: includes <{heavy}…>, which takes seconds" for heavy, allowed in HEAVY.items()
                  if f"#include <{heavy}" in text and name not in allowed]
        if path.suffix == ".h" and "#include <nlohmann/json.hpp>" in text and name not in HOLD_JSON:
            wrong.append(f"{name}: includes nlohmann/json.hpp; json_fwd.hpp will do")
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
    wrong += heavy_includes(root)
    print("\n".join(wrong))
    return 1 if wrong or not names or not wanted else 0


if __name__ == "__main__":
    sys.exit(main(pathlib.Path(sys.argv[1])))
