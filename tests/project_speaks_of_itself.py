"""What is in the repository speaks of the project alone: no path of this machine, no registry, no unfinished marks."""
import pathlib
import re
import subprocess
import sys

UNFINISHED = re.compile(r"//\s*(TODO|FIXME|XXX)\b")


def main(root: pathlib.Path) -> int:
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=root, capture_output=True, check=True).stdout
    wrong, seen = [], 0
    for name in filter(None, listed.decode().split("\0")):
        path = root / name
        if name == "tests/project_speaks_of_itself.py" or name.startswith("tests/fixtures/") or not path.is_file():
            continue
        seen += 1
        text = path.read_text(encoding="utf-8", errors="replace")
        for place in (str(root.resolve()), str(pathlib.Path.home())):
            if len(place) > 1 and place + "/" in text:
                wrong.append(f"{name}: a path of this machine: {place}")
        if name.endswith("package-lock.json") and '"resolved"' in text:
            wrong.append(f"{name}: names the registry that packages came from")
        if name.startswith(("src/", "web/")) and (found := UNFINISHED.search(text)):
            wrong.append(f"{name}: an unfinished mark: {found.group()}")
        if name.endswith((".cc", ".h")) and text.count("\n") > 600:
            wrong.append(f"{name}: {text.count(chr(10))} lines; one idea a file")
    print("\n".join(wrong))
    return 1 if wrong or seen == 0 else 0


if __name__ == "__main__":
    sys.exit(main(pathlib.Path(sys.argv[1])))
