#!/usr/bin/env python3
"""Makes every package of what `make dist` built: archives, .deb, wheels, npm packages, SBOM, formula, checksums. The same
commit gives the same bytes: every list is sorted, every time is the commit's, every owner is root.
Usage: make_packages.py OUTPUT-FOLDER TARGET=BUILD-FOLDER… (SOURCE_DATE_EPOCH and KNAPSACK_COMMIT are set)"""
import hashlib
import os
import pathlib
import re
import shutil
import subprocess
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
import archives  # noqa: E402
import formats  # noqa: E402
import licence_texts  # noqa: E402
import sbom  # noqa: E402

ROOT = pathlib.Path(__file__).resolve().parent.parent
MODEL = "e5-small-v2.model"


def version():
    return re.search(r"project\(knapsack VERSION ([0-9.]+)", (ROOT / "CMakeLists.txt").read_text()).group(1)


def ask(program, *words):
    return subprocess.run([str(program), *words], check=True, capture_output=True).stdout


def pages_and_completions(program):
    """What the program itself says about its use. It is the same for every processor, so one that runs here is asked."""
    files = {}
    for page in ask(program, "man", "--list").decode().split():
        files[f"share/man/man1/{page}.1"] = ask(program, "man", page)
    files["share/bash-completion/completions/knapsack"] = ask(program, "completions", "bash")
    files["share/fish/vendor_completions.d/knapsack.fish"] = ask(program, "completions", "fish")
    return files


def documents(epoch, commit):
    return {"LICENSE": (ROOT / "LICENSE").read_bytes(), "CHANGELOG.md": (ROOT / "CHANGELOG.md").read_bytes(),
            "THIRD-PARTY.txt": licence_texts.all_texts(ROOT).encode(),
            "knapsack.spdx.json": sbom.document(ROOT, version(), commit, epoch).encode()}


def main(output, targets):
    epoch = int(os.environ["SOURCE_DATE_EPOCH"])
    commit = os.environ["KNAPSACK_COMMIT"]
    if os.uname().machine not in targets:
        sys.exit(f"make_packages: TARGETS must include {os.uname().machine}: its program writes the manual pages and completions")
    shutil.rmtree(output, ignore_errors=True)
    output.mkdir(parents=True)
    runs_here = targets[os.uname().machine]
    usage = pages_and_completions(runs_here / "knapsack")
    texts = documents(epoch, commit)
    for target, build in sorted(targets.items()):
        program = archives.File((build / "knapsack").read_bytes(), 0o755)
        model = archives.File((build / "share/knapsack" / MODEL).read_bytes())
        tree = {"bin/knapsack": program, f"share/knapsack/{MODEL}": model}
        tree.update({name: archives.File(text) for name, text in usage.items()})
        made = [formats.tarball(tree, texts, version(), target, epoch), formats.deb(tree, texts, version(), target, epoch),
                formats.wheel(tree, texts, version(), target, epoch),
                formats.npm_platform(program, model, texts, version(), target, epoch)]
        for name, data in made:
            (output / name).write_bytes(data)
    name, data = formats.npm_launcher(ROOT, texts, version(), sorted(targets), epoch)
    (output / name).write_bytes(data)
    (output / "knapsack.spdx.json").write_bytes(texts["knapsack.spdx.json"])
    (output / "Containerfile").write_text(formats.filled(ROOT / "packaging/Containerfile.in", VERSION=version()))
    hashes = {target: hashlib.sha256((output / f"knapsack-{version()}-linux-{target}.tar.gz").read_bytes()).hexdigest()
              for target in targets}
    (output / "knapsack.rb").write_text(formats.filled(
        ROOT / "packaging/knapsack.rb.in", VERSION=version(), SHA256_X86_64=hashes.get("x86_64", "0" * 64),
        SHA256_AARCH64=hashes.get("aarch64", "0" * 64)))
    sums = "".join(f"{hashlib.sha256(file.read_bytes()).hexdigest()}  {file.name}\n" for file in sorted(output.iterdir()))
    (output / "SHA256SUMS").write_text(sums)
    print(sums, end="")


if __name__ == "__main__":
    main(pathlib.Path(sys.argv[1]), {name: pathlib.Path(folder) for name, folder in (word.split("=", 1) for word in sys.argv[2:])})
