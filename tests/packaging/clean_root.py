"""Each package in a clean root: install, pack the example workspace, set up a client, uninstall, and nothing is left.
The root is a minimal Debian 12 with pip, and the Node.js of this machine for the npm packages; it knows nothing of this
repository. Usage: clean_root.py DIST-FOLDER EXAMPLE-WORKSPACE ROOT-FOLDER (as root)"""
import os
import pathlib
import shutil
import subprocess
import sys

# What installers keep of their own work, whatever they install.
KEPT = ("/var/log/", "/var/lib/dpkg/", "/var/cache/", "/tmp/", "/srv/person/.cache/", "/srv/person/.npm/", "/proc/", "/dev/", "/sys/", "/run/")


class CleanRoot:
    def __init__(self, folder: pathlib.Path):
        self.folder = folder

    def make(self):
        if not (self.folder / ".made").exists():
            shutil.rmtree(self.folder, ignore_errors=True)
            subprocess.run(["debootstrap", "--variant=minbase", "--include=python3-pip,python3-venv", "bookworm", str(self.folder)],
                           check=True, stdout=subprocess.DEVNULL)
            node = pathlib.Path(shutil.which("node")).resolve()
            shutil.copy2(node, self.folder / "usr/local/bin/node")
            modules = pathlib.Path(subprocess.run(["npm", "root", "--global"], check=True, capture_output=True, text=True).stdout.strip())
            shutil.copytree(modules / "npm", self.folder / "usr/local/lib/node_modules/npm", symlinks=True)
            for name in ("npm", "npx"):
                (self.folder / "usr/local/bin" / name).symlink_to(f"../lib/node_modules/npm/bin/{name}-cli.js")
            (self.folder / ".made").touch()

    def run(self, command, user_folder="/srv/person", check=True):
        result = subprocess.run(["unshare", "--net", "--mount", "bash", "-euc", 'mount -t proc proc "$0/proc"; exec chroot "$0" "$@"',
                                 str(self.folder), "/usr/bin/env", "-i", "HOME=/srv/person", "LANG=C.UTF-8", "KNAPSACK_BACKGROUND=off",
                                 "PATH=/usr/local/bin:/usr/local/sbin:/usr/sbin:/usr/bin:/sbin:/bin", "bash", "-euc",
                                 f"cd {user_folder}; {command}"], capture_output=True, text=True)
        if check and result.returncode != 0:
            raise SystemExit(f"in the clean root: {command}\n{result.stdout}{result.stderr}")
        return result

    def names(self):
        found = set()
        for folder, folders, files in os.walk(self.folder):
            inside = "/" + os.path.relpath(folder, self.folder).removeprefix(".")
            for name in folders + files:
                path = inside.rstrip("/") + "/" + name
                if not (path + "/").startswith(KEPT) and "__pycache__" not in path:
                    found.add(path)
        return found


def use(root, program, environment=""):
    """The main job and a client, as a newcomer would."""
    shown = root.run(f"{environment} {program} --version").stdout
    assert shown.startswith("knapsack 0."), shown
    assert "portable" in shown, shown
    packet = root.run(f"{environment} {program} pack 'resume an import after a crash' --budget 1500", "/srv/person/workspace").stdout
    assert "carriers.py" in packet or "importer.py" in packet, packet
    status = root.run(f"{environment} {program} status", "/srv/person/workspace").stdout
    assert "e5-small-v2" in status, status
    root.run(f"{environment} {program} init --client codex", "/srv/person/workspace")
    assert "knapsack" in (root.folder / "srv/person/workspace/.codex/config.toml").read_text()
    root.run(f"{environment} {program} init --undo", "/srv/person/workspace")
    listed = root.run(f"{environment} {program} licenses").stdout
    assert "sqlite" in listed and "e5-small-v2" in listed, listed


def main(dist, example, folder):
    root = CleanRoot(folder)
    root.make()
    (folder / "srv/person").mkdir(exist_ok=True)
    files = {pattern: next(iter(sorted(dist.glob(pattern)))).name for pattern in (
        "knapsack-*-linux-x86_64.tar.gz", "knapsack-context_*_amd64.deb", "knapsack_context-*_x86_64.whl", "knapsack-context-linux-x64-*.tgz",
        "knapsack-context-[0-9]*.tgz")}
    tarball, deb, wheel, npm_program, npm = files.values()
    ways = {
        "tar.gz": (f"tar -xzf /tmp/dist/{tarball} -C /usr/local --strip-components=1", "knapsack",
                   f"tar -tzf /tmp/dist/{tarball} | grep -v '/$' | sed 's|^[^/]*|/usr/local|' | xargs rm"
                   " && rmdir /usr/local/share/knapsack /usr/local/share/doc/knapsack"),
        "deb": (f"dpkg -i /tmp/dist/{deb}", "knapsack", "dpkg --purge knapsack-context"),
        "wheel": (f"python3 -m pip install --quiet --no-index --break-system-packages /tmp/dist/{wheel}", "knapsack",
                  "python3 -m pip uninstall --quiet --yes --break-system-packages knapsack-context"),
        "npm": (f"npm install --silent --global --offline --prefix /usr/local /tmp/dist/{npm_program} /tmp/dist/{npm}", "knapsack",
                "npm uninstall --silent --global --prefix /usr/local knapsack-context knapsack-context-linux-x64"),
    }
    inside = folder / "tmp/dist"
    shutil.rmtree(inside, ignore_errors=True)
    shutil.copytree(dist, inside)
    # Folders that stay when the last file in them goes are the machine's own: they exist before.
    for name in ("share/man/man1", "share/bash-completion/completions", "share/fish/vendor_completions.d", "share/doc", "bin"):
        (folder / "usr/local" / name).mkdir(parents=True, exist_ok=True)
    passed = 0
    (folder / ".made").unlink()  # a root that a failed run leaves is made again
    for name, (install, program, uninstall) in ways.items():
        shutil.rmtree(folder / "srv/person/workspace", ignore_errors=True)
        before = root.names()
        assert root.run(f"command -v {program}", check=False).returncode != 0, "the root is not clean"
        root.run(install)
        assert root.names() - before, f"{name}: nothing was installed"
        shutil.copytree(example, folder / "srv/person/workspace", ignore=shutil.ignore_patterns(".knapsack"))
        use(root, program)
        if name == "npm":
            assert "portable" in root.run("npx --offline knapsack-context --version").stdout
        shutil.rmtree(folder / "srv/person/workspace")
        root.run(uninstall)
        left = root.names() - before
        if left:
            raise SystemExit(f"{name}: left behind {sorted(left)[:20]}")
        print(f"{name}: installed, used and removed; nothing is left")
        passed += 1
    shutil.rmtree(inside)
    (folder / ".made").touch()
    print(f"{passed} passed, 0 failed")


if __name__ == "__main__":
    main(*(pathlib.Path(word).resolve() for word in sys.argv[1:4]))
