"""Runs every command of README.md. Output that the README shows is compared byte for byte."""
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile


def console_steps(text: str):
    """(command, expected output) for each "$ " line of the console blocks; a longer fence may hold fences."""
    for _, block in re.findall(r"^(`{3,})console\n(.*?)^\1$", text, re.MULTILINE | re.DOTALL):
        command, shown = None, []
        for line in block.splitlines(keepends=True) + ["$ "]:
            if not line.startswith("$ "):
                shown.append(line)
                continue
            if command is not None:
                yield command, "".join(shown)
            command, shown = line[2:].rstrip("\n"), []


def main(root: pathlib.Path, program: pathlib.Path) -> int:
    text = (root / "README.md").read_text(encoding="utf-8")
    failures, ran = [], 0
    with tempfile.TemporaryDirectory() as folder:
        workspace = pathlib.Path(folder, "workspace")
        shutil.copytree(root / "examples" / "workspace", workspace, ignore=shutil.ignore_patterns(".knapsack"))
        environment = {"PATH": f"{program.parent}:/usr/bin:/bin", "SESSION_ID": "readme", "HOME": folder}
        for command, shown in console_steps(text):
            ran += 1
            result = subprocess.run(["bash", "-c", command], cwd=workspace, env=environment, text=True,
                                    capture_output=True, timeout=120)
            if result.returncode != 0:
                failures.append(f"$ {command}\nexit {result.returncode}: {result.stderr}")
            elif shown and result.stdout != shown:
                failures.append(f"$ {command}\nprints\n{result.stdout}\nREADME shows\n{shown}")
    for block in re.findall(r"^```sh\n(.*?)^```$", text, re.MULTILINE | re.DOTALL):
        for command in block.split("\n"):
            if not command.strip():
                continue
            ran += 1
            if not command.startswith("make "):
                failures.append(f"README: `{command}` in a sh block is not a make target and is not run")
            elif subprocess.run(["make", "-n", *command.split()[1:]], cwd=root, env={"PATH": os.environ["PATH"]},
                                capture_output=True).returncode != 0:
                failures.append(f"README: `{command}` names no target of the Makefile")
    print("\n".join(failures))
    if ran < 8:
        print(f"only {ran} commands found: the README or this reader changed")
        return 1
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main(pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2])))
