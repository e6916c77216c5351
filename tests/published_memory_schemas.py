"""Holds what `knapsack memories show` prints against its schema, and broken documents too: these must be refused."""
import json
import pathlib
import subprocess
import tempfile

from published_schema_check import Broken, failures, not_reached

FILES = {
    "facts/2026-11-15/full.md":
        "---\nid: full\ncategory: decision\ncreated: 2026-11-15T08:00:00.123Z\nupdated: 2026-11-16\nsource: Anna\nconfidence: 0.9\n"
        "tags: [a, b]\nentityRef: person-anna\nsupersedes: [x]\nsupersededBy: y\nstatus: superseded\nexpiresAt: 2027-01-01\n"
        "valid_at: 2026-01-01\ninvalid_at: 2026-12-31\naccessCount: 3\nlastAccessed: 2026-11-15\nimportanceScore: 0.7\n"
        "links: [{targetId: t, linkType: causes, strength: 0.5}, u]\nintentGoal: debug\nintentActionType: fix\n"
        "intentEntityTypes: [person]\nartifactType: decision\nsourceMemoryId: s\nmemoryKind: episode\nboxId: b\n---\nText\n",
    "facts/2026-11-15/plain.md": "Just text\n",
    "facts/2026-11-15/empty.md": "",
    "facts/2026-11-15/broken.md": "---\nid: [\n---\nText\n",
    "facts/2026-11-15/hostile.md": "---\ncategory: \"\\e[31m\"\nstatus: odd\n---\n\"quotes\" \\ \x01 \u2028 </script>\n",
    "namespaces/shared/entities/person-anna.md": "# Anna\n",
    "artifacts/2026-11-15/copy.md": "---\nsourceMemoryId: full\n---\nText\n",
    "corrections/c.md": "Corrected\n",
}


def check(root: pathlib.Path, program: str, modules: pathlib.Path) -> list[str]:
    good = collect(program)
    broken = Broken(good["full"])
    broken.sets({"status": "lost", "kind": "page", "confidence": 2, "accessCount": -1, "created": "yesterday", "extra": 1,
                 "namespace": "../x", "tags": "a", "links": [{"targetId": "x"}]})
    for key in ("id", "path", "text", "status"):
        broken.breaks(f"without {key}", lambda document: document.pop(key))
    schema = json.loads((root / "docs/schemas/memory.schema.json").read_text(encoding="utf-8"))
    return (failures(root, modules, "memory", good, broken.documents)
            + not_reached("memory", good, {key: lambda document, key=key: key in document for key in schema["properties"]}))


def collect(program: str) -> dict:
    documents = {}
    with tempfile.TemporaryDirectory() as folder:
        for path, text in FILES.items():
            file = pathlib.Path(folder, "memory", path)
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(text, encoding="utf-8")
            shown = subprocess.run([program, "memories", "show", path, "--memory-dir", "memory", "--format", "json"], cwd=folder,
                                   env={"HOME": folder, "KNAPSACK_BACKGROUND": "off"}, check=True, capture_output=True, text=True)
            documents[file.stem] = json.loads(shown.stdout)
    return documents
