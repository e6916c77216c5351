"""Runs every command of README.md and of the pages in docs/. Output that a page shows is compared byte for byte.

    tests/readme_commands.py ROOT PROGRAM            compare
    tests/readme_commands.py ROOT PROGRAM --update   write into the pages what the program prints now
"""
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

MAX_README_LINES = 180
# A longer fence may hold fences.
CONSOLE = re.compile(r"^(`{3,})console\n(.*?)^\1$", re.MULTILINE | re.DOTALL)


def console_steps(block: str):
    """(command, expected output) for each "$ " line."""
    command, shown = None, []
    for line in block.splitlines(keepends=True) + ["$ "]:
        if not line.startswith("$ "):
            shown.append(line)
            continue
        if command is not None:
            yield command, "".join(shown)
        command, shown = line[2:].rstrip("\n"), []


class Page:
    """One page, with a workspace and a home of its own, so that no page depends on another."""

    def __init__(self, root: pathlib.Path, path: pathlib.Path, program: pathlib.Path):
        self.root, self.path, self.program = root, path, program
        self.text = path.read_text(encoding="utf-8")
        self.failures, self.ran = [], 0

    def run(self) -> str:
        """The page with what the program prints."""
        with tempfile.TemporaryDirectory() as folder:
            workspace = pathlib.Path(folder, "workspace")
            shutil.copytree(self.root / "examples" / "workspace", workspace, ignore=shutil.ignore_patterns(".knapsack"))
            environment = {"PATH": f"{self.program.parent}:/usr/bin:/bin", "SESSION_ID": "readme", "HOME": folder,
                           "KNAPSACK_BACKGROUND": "off"}

            def run_block(found: re.Match) -> str:
                lines = [f"{found[1]}console\n"]
                for command, shown in console_steps(found[2]):
                    lines += [f"$ {command}\n", self.step(command, shown, workspace, environment)]
                return "".join(lines) + found[1]

            text = CONSOLE.sub(run_block, self.text)
        self.check_targets()
        return text

    def step(self, command: str, shown: str, workspace: pathlib.Path, environment: dict) -> str:
        self.ran += 1
        name = self.path.relative_to(self.root)
        result = subprocess.run(["bash", "-c", command], cwd=workspace, env=environment, text=True, capture_output=True,
                                timeout=120)
        if result.returncode != 0:
            self.failures.append(f"{name}: $ {command}\nexit {result.returncode}: {result.stderr}")
            return shown
        if shown and result.stdout != shown:
            self.failures.append(f"{name}: $ {command}\nprints\n{result.stdout}\nand the page shows\n{shown}")
        return result.stdout if shown else ""

    def check_targets(self) -> None:
        """A block for the shell holds targets of the Makefile and nothing else."""
        for block in re.findall(r"^```sh\n(.*?)^```$", self.text, re.MULTILINE | re.DOTALL):
            for command in filter(str.strip, block.split("\n")):
                self.ran += 1
                known = command.startswith("make ") and subprocess.run(
                    ["make", "-n", *command.split()[1:]], cwd=self.root, env={"PATH": os.environ["PATH"]},
                    capture_output=True).returncode == 0
                if not known:
                    self.failures.append(f"{self.path.name}: `{command}` names no target of the Makefile and is not run")


def broken_links(root: pathlib.Path, pages: list[pathlib.Path]) -> list[str]:
    wrong = []
    for page in pages:
        for target in re.findall(r"\]\(([^)#]+)", page.read_text(encoding="utf-8")):
            if "://" not in target and not (page.parent / target).exists():
                wrong.append(f"{page.relative_to(root)}: links to {target}, which does not exist")
    index = (root / "docs/README.md").read_text(encoding="utf-8")
    wrong += [f"docs/README.md does not list {page.name}" for page in pages
              if page.parent.name == "docs" and page.name != "README.md" and f"({page.name})" not in index]
    return wrong


def open_fences(root: pathlib.Path, pages: list[pathlib.Path]) -> list[str]:
    """A block that is never closed turns the rest of its page into code, and hides its commands from this check."""
    wrong = []
    for page in pages:
        fence, opened = "", 0
        for number, line in enumerate(page.read_text(encoding="utf-8").splitlines(), 1):
            found = re.match(r"`{3,}", line)
            if not found:
                continue
            if not fence:
                fence, opened = found[0], number
            elif len(found[0]) >= len(fence) and line.strip("` ") == "":
                fence = ""
        if fence:
            wrong.append(f"{page.relative_to(root)}:{opened}: this block is never closed")
    return wrong


def main(root: pathlib.Path, program: pathlib.Path, update: bool) -> int:
    paths = [root / "README.md", *sorted((root / "docs").glob("*.md"))]
    failures, ran = broken_links(root, paths) + open_fences(root, paths), {}
    lines = (root / "README.md").read_text(encoding="utf-8").count("\n")
    if lines > MAX_README_LINES:
        failures.append(f"README.md has {lines} lines; more than {MAX_README_LINES} are not read")
    for path in paths:
        page = Page(root, path, program)
        text = page.run()
        ran[str(path.relative_to(root))] = page.ran
        if update:
            path.write_text(text, encoding="utf-8")
            page.failures = [each for each in page.failures if "\nexit " in each]
        failures += page.failures
    print("\n".join(failures))
    print(f"{sum(ran.values())} commands of {sum(count > 0 for count in ran.values())} pages")
    if ran["README.md"] < 8 or sum(ran.values()) < 30:
        print("so few commands were found that the pages or this reader must have changed")
        return 1
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main(pathlib.Path(sys.argv[1]).resolve(), pathlib.Path(sys.argv[2]).resolve(), "--update" in sys.argv))
