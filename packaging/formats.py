"""The forms in which the program is handed out. Each takes what the program needs (bin/, share/) and gives a file's name and
bytes. docs/install.md says how each is installed."""
import base64
import hashlib
import json

from archives import File, ar, gz, tar_gz, tar_xz, zipped

NAME = "knapsack-context"
SUMMARY = "Packs the context an AI agent needs into the tokens it has"
# What this processor is called elsewhere.
DEBIAN = {"x86_64": "amd64", "aarch64": "arm64"}
NODE = {"x86_64": "x64", "aarch64": "arm64"}


def filled(template, **words):
    text = template.read_text()
    for key, value in words.items():
        text = text.replace(f"@{key}@", value)
    return text


def tarball(tree, texts, version, target, epoch):
    root = f"knapsack-{version}-linux-{target}"
    files = {f"{root}/{name}": file for name, file in tree.items()}
    files.update({f"{root}/share/doc/knapsack/{name}": File(text) for name, text in texts.items()})
    return f"{root}.tar.gz", tar_gz(files, epoch)


def deb(tree, texts, version, target, epoch):
    files = {}
    for name, file in tree.items():
        manual = name.startswith("share/man/")
        files[f"./usr/{name}{'.gz' if manual else ''}"] = File(gz(file.data)) if manual else file
    documents = f"./usr/share/doc/{NAME}"
    files[f"{documents}/copyright"] = File(texts["LICENSE"] + b"\n" + texts["THIRD-PARTY.txt"])
    files[f"{documents}/changelog.gz"] = File(gz(texts["CHANGELOG.md"]))
    files[f"{documents}/knapsack.spdx.json"] = File(texts["knapsack.spdx.json"])
    size = sum((len(file.data) + 1023) // 1024 for file in files.values())
    control = (f"Package: {NAME}\nVersion: {version}\nArchitecture: {DEBIAN[target]}\nMaintainer: The Knapsack developers\n"
               f"Installed-Size: {size}\nDepends: libc6 (>= 2.28)\nSection: devel\nPriority: optional\n"
               f"Description: {SUMMARY}\n Reads code, notes, memories and a graph of knowledge, works out what a task needs,\n"
               " and prints one packet within a token budget. Needs no network and no model.\n")
    sums = "".join(f"{hashlib.md5(files[name].data).hexdigest()}  {name[2:]}\n" for name in sorted(files))
    parts = [("debian-binary", b"2.0\n"),
             ("control.tar.xz", tar_xz({"./control": File(control.encode()), "./md5sums": File(sums.encode())}, epoch)),
             ("data.tar.xz", tar_xz(files, epoch))]
    return f"{NAME}_{version}_{DEBIAN[target]}.deb", ar(parts, epoch)


def wheel(tree, texts, version, target, epoch):
    package = NAME.replace("-", "_")
    tag = f"py3-none-manylinux_2_28_{target}"
    info, data = f"{package}-{version}.dist-info", f"{package}-{version}.data"
    files = {f"{data}/scripts/knapsack": tree["bin/knapsack"]}
    files.update({f"{data}/data/{name}": file for name, file in sorted(tree.items()) if name.startswith("share/")})
    for name in ("LICENSE", "THIRD-PARTY.txt"):
        files[f"{info}/licenses/{name}"] = File(texts[name])
    files[f"{info}/sboms/knapsack.spdx.json"] = File(texts["knapsack.spdx.json"])
    files[f"{info}/METADATA"] = File(
        f"Metadata-Version: 2.4\nName: {NAME}\nVersion: {version}\nSummary: {SUMMARY}\nLicense-Expression: Apache-2.0\n"
        "License-File: LICENSE\nLicense-File: THIRD-PARTY.txt\nRequires-Python: >=3.7\n"
        "Classifier: Operating System :: POSIX :: Linux\nClassifier: Topic :: Software Development\n"
        "Description-Content-Type: text/markdown\n\n"
        f"{SUMMARY}. This wheel installs one native program, `knapsack`; it has no Python modules.\n".encode())
    files[f"{info}/WHEEL"] = File(f"Wheel-Version: 1.0\nGenerator: knapsack\nRoot-Is-Purelib: false\nTag: {tag}\n".encode())
    record = ""
    for name, file in files.items():
        digest = base64.urlsafe_b64encode(hashlib.sha256(file.data).digest()).rstrip(b"=").decode()
        record += f"{name},sha256={digest},{len(file.data)}\n"
    files[f"{info}/RECORD"] = File(f"{record}{info}/RECORD,,\n".encode())
    return f"{package}-{version}-{tag}.whl", zipped(files, epoch)


def _npm(description, files, epoch):
    text = json.dumps({"version": description.pop("version"), "license": "Apache-2.0", **description}, indent=2) + "\n"
    tree = {f"package/{name}": file for name, file in files.items()}
    tree["package/package.json"] = File(text.encode())
    return tar_gz(tree, epoch, folders=False)


def npm_platform(program, model, texts, version, target, epoch):
    """The program for one processor; npm installs the one that fits, beside the launcher."""
    name = f"{NAME}-linux-{NODE[target]}"
    files = {"bin/knapsack": program, "share/knapsack/e5-small-v2.model": model, "LICENSE": File(texts["LICENSE"]),
             "THIRD-PARTY.txt": File(texts["THIRD-PARTY.txt"])}
    description = {"name": name, "version": version, "description": f"The program of {NAME} for Linux on {target}",
                   "os": ["linux"], "cpu": [NODE[target]], "libc": ["glibc"]}
    return f"{name}-{version}.tgz", _npm(description, files, epoch)


def npm_launcher(root, texts, version, targets, epoch):
    files = {"bin/knapsack.js": File((root / "packaging/npm_launcher.js").read_bytes(), 0o755),
             "LICENSE": File(texts["LICENSE"]), "README.md": File((root / "packaging/npm_readme.md").read_bytes())}
    description = {"name": NAME, "version": version, "description": SUMMARY, "bin": {"knapsack": "bin/knapsack.js", NAME: "bin/knapsack.js"},
                   "engines": {"node": ">=18"}, "os": ["linux"],
                   "optionalDependencies": {f"{NAME}-linux-{NODE[target]}": version for target in targets}}
    return f"{NAME}-{version}.tgz", _npm(description, files, epoch)
