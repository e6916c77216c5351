"""What the packages are made of: deps/licences.txt, with the versions and hashes that the lists of deps/ pin."""
import dataclasses
import json
import pathlib

PORTABLE_FIELDS = ("folder", "release", "registry", "package", "version", "sha256")


@dataclasses.dataclass(frozen=True)
class Part:
    kind: str
    name: str
    licence: str
    purpose: str
    version: str
    purl: str  # where it comes from, as a package URL
    sha256: str = ""


def portable_sources(root):
    lines = (pathlib.Path(root) / "deps/portable.txt").read_text().splitlines()
    rows = [dict(zip(PORTABLE_FIELDS, line.split(), strict=True)) for line in lines if line and not line.startswith("#")]
    return {row["folder"]: row for row in rows}


def _purl(source):
    kind = {"crate": "cargo", "pypi": "pypi", "debian-source": "deb/debian", "debian-package": "deb/debian"}[source["registry"]]
    tail = "?arch=source" if source["registry"] == "debian-source" else ""
    return f"pkg:{kind}/{source['package']}@{source['version'].replace('+', '%2B')}{tail}"


def all_parts(root):
    root = pathlib.Path(root)
    sources = portable_sources(root)
    grammars = json.loads((root / "deps/package.json").read_text())["dependencies"]
    page = json.loads((root / "web/package-lock.json").read_text())["packages"]
    model = next(line.split() for line in (root / "deps/maven.txt").read_text().splitlines() if "e5-small-v2" in line)
    group, artifact, model_version = model[0].split(":")
    parts = []
    for line in (root / "deps/licences.txt").read_text().splitlines():
        if not line or line.startswith("#"):
            continue
        kind, name, licence, purpose = line.split(" | ")
        sha256 = ""
        if kind in ("library", "compiler"):
            source = sources["ziglang" if kind == "compiler" else name]
            version, purl, sha256 = source["release"], _purl(source), source["sha256"]
        elif kind in ("grammar", "data", "page"):
            version = page[f"node_modules/{name}"]["version"] if kind == "page" else grammars[name]
            purl = f"pkg:npm/{name.replace('@', '%40')}@{version}"
        else:
            version, purl, sha256 = model_version, f"pkg:maven/{group}/{artifact}@{model_version}", model[1]
        parts.append(Part(kind, name, licence, purpose, version, purl, sha256))
    return parts
