"""The example workspace, copied, for tests of what commands over several sources print."""
import json
import pathlib
import shutil
import subprocess
import tempfile

NOW = "2026-11-15T08:00:00Z"
TOKEN = "ghp_" + "a1B2" * 9


class Workspace:
    def __init__(self, root: pathlib.Path, program: str):
        self.program = program
        self.holder = tempfile.TemporaryDirectory()
        self.folder = pathlib.Path(self.holder.name, "workspace")
        shutil.copytree(root / "examples/workspace", self.folder, ignore=shutil.ignore_patterns(".knapsack"))

    def __enter__(self) -> "Workspace":
        return self

    def __exit__(self, *_) -> None:
        self.holder.cleanup()

    def call(self, *arguments: str) -> bytes:
        run = subprocess.run([self.program, *arguments], cwd=self.folder, check=True, env={"HOME": self.holder.name, "KNAPSACK_BACKGROUND": "off"},
                             capture_output=True)
        if TOKEN.encode() in run.stdout:
            raise SystemExit(f"a secret stands in what {arguments} prints")
        return run.stdout

    def run(self, *arguments: str) -> dict:
        return json.loads(self.call(*arguments, "--format", "json", "--now", NOW))

    def remove(self, *names: str) -> None:
        for name in names:
            path = self.folder / name
            shutil.rmtree(path) if path.is_dir() else path.unlink()

    def note(self, name: str, text: str) -> None:
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
