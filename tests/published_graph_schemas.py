"""Holds what `knapsack graph` prints and stores against its schemas, and broken documents too: these must be refused."""
import json
import pathlib
import subprocess
import tempfile

from published_schema_check import Broken, failures, not_reached

NOW = "2026-11-15T08:00:00Z"
TOKEN = "ghp_" + "a1B2" * 9
NODES = [
    {"id": "KG-CON-1", "type": "constraint", "title": "An import finishes within an hour", "summary": "Or the carrier cuts it off. " * 20},
    {"id": "KG-FACT-2", "type": "fact", "title": f"Carriers retry {TOKEN}", "attributes": {"limit": 3, "vendor": "Zephyrine"},
     "relationships": [{"rel": "explains", "target_id": "KG-CON-1"}],
     "evidence": [{"source_id": "manual", "confidence": 0.9, "excerpt": "three times"}], "x_own": {"kept": [1, None]}},
    {"type": "risk", "title": "\"quotes\" \\ \u2028 </script> \ud83c\udf92\n## heading"},
    {"id": "RG-DEC-1", "title": "Poll the carriers", "decision": "We poll.", "outcome": {"status": "superseded"}},
    {"id": "RG-DEC-2", "title": "Subscribe to carriers", "decision": "We subscribe.", "rationale": ["fewer calls"],
     "outcome": {"status": "accepted", "supersedes": ["RG-DEC-1"]}, "refs": {"kg_refs": ["KG-FACT-2"], "tg_refs": []}},
    {"id": "TG-TASK-1", "title": "Resume an import", "status": "in_progress", "dependencies": ["TG-TASK-2"],
     "description": "Skip what was committed. " * 40, "inputs": {"kg_refs": ["KG-CON-1"], "rg_refs": ["RG-DEC-2"]}},
    {"id": "TG-TASK-2", "title": "Store the offset", "status": "done", "blocks": ["TG-TASK-1"], "acceptance_criteria": ["a test"]},
]
REQUESTS = ["continue TG-TASK-1", "why does the import fail?", "implement the zeppelin", "explain RG-DEC-1 and TG-TASK-404",
            "Сравни перевозчиков", "hello"]


def check(root: pathlib.Path, program: str, modules: pathlib.Path) -> list[str]:
    documents = collect(program)
    found = []
    for kind, good in documents.items():
        found += failures(root, modules, kind, good, BREAK[kind](good))
    return found + not_reached("graph pack", documents["graph-request-pack"], KINDS)


def collect(program: str) -> dict:
    documents = {kind: {} for kind in ("graph-node", "graph-commit", "graph-context-pack", "graph-request-pack")}
    with tempfile.TemporaryDirectory() as folder:
        def run(*arguments: str, text: str = "") -> str:
            return subprocess.run([program, "graph", *arguments, "--now", NOW], cwd=folder, check=True, input=text,
                                  capture_output=True, encoding="utf-8").stdout
        run("init")
        packs = documents["graph-request-pack"]
        packs["of nothing"] = json.loads(run("pack", "--request-text", "hello", "--format", "json"))
        run("put", "-", text=json.dumps(NODES))
        run("put", "-", text=json.dumps({**NODES[5], "status": "review"}))
        for request in REQUESTS:
            for budget in (None, "0", "60", "200", "500", "5000"):
                for apply in ("false", "true"):
                    flags = ["--budget", budget] if budget else []
                    packs[f"{request} {budget} {apply}"] = json.loads(
                        run("pack", "--request-text", request, "--format", "json", "--apply-clarify-task", apply, *flags))
        graphs = pathlib.Path(folder, "graphs")
        packs["latest"] = json.loads((graphs / "request_context.latest.json").read_text(encoding="utf-8"))
        for file in ("kg", "rg", "tg"):
            for number, line in enumerate((graphs / f"{file}_nodes.jsonl").read_text(encoding="utf-8").split("\n")[:-1]):
                documents["graph-node"][f"{file} {number}"] = json.loads(line)
        for number, line in enumerate((graphs / "post_response_commits.jsonl").read_text(encoding="utf-8").split("\n")[:-1]):
            documents["graph-commit"][str(number)] = json.loads(line)
        for path in [graphs / "context_pack.latest.json", *sorted((graphs / "context_packs").iterdir())]:
            documents["graph-context-pack"][path.name] = json.loads(path.read_text(encoding="utf-8"))
            assert TOKEN not in path.read_text(encoding="utf-8"), path
        (graphs / "kg_nodes.jsonl").open("a", encoding="utf-8").write("broken\n")
        packs["degraded"] = json.loads(run("pack", "--request-text", "hello", "--format", "json"))
        assert TOKEN not in json.dumps(packs)
    return documents


def broken_documents(good: dict, optional: tuple) -> Broken:
    broken = Broken(good)
    for field in set(good) - set(optional):
        broken.breaks(f"without {field}", lambda document: document.pop(field))
        broken.breaks(f"{field} is null", lambda document: document.update({field: None}))
    broken.breaks("an unknown field", lambda document: document.update(extra=1))
    return broken


def broken_nodes(nodes: dict) -> dict:
    broken = Broken(nodes["tg 0"])
    for field in ("id", "type", "title", "created_at", "updated_at", "links", "tags", "rev"):
        broken.breaks(f"without {field}", lambda node: node.pop(field))
        broken.breaks(f"{field} is null", lambda node: node.update({field: None}))
    broken.breaks("an unknown status", lambda node: node.update(status="nearly"))
    broken.breaks("a task with a decision's id", lambda node: node.update(id="RG-DEC-9"))
    return broken.documents


def broken_packs(packs: dict) -> dict:
    broken = broken_documents(packs["continue TG-TASK-1 200 false"],
                              ("clarify_suggestion", "clarify_applied_task_id", "commit_id", "budget"))
    whole = Broken(packs["continue TG-TASK-1 None false"])
    task = lambda pack: pack["task_snapshot"][0]
    whole.breaks("a score that no rule gives", lambda pack: task(pack)["components"].update(entity=4))
    whole.breaks("a node in full without it", lambda pack: task(pack).pop("node"))
    whole.breaks("a node in full with a reason", lambda pack: task(pack).update(reason="why"))
    whole.breaks("no reason to be there", lambda pack: task(pack).update(why=[]))
    whole.breaks("missing without a reason", lambda pack: pack.update(critical_info_missing=True, critical_reasons=[]))
    return broken.documents | whole.documents


def last(documents: dict) -> dict:
    return list(documents.values())[-1]


BREAK = {
    "graph-node": broken_nodes,
    "graph-commit": lambda good: broken_documents(last(good), ("request_id", "request_seq")).documents,
    "graph-context-pack": lambda good: broken_documents(last(good), ("request_id", "request_seq")).documents,
    "graph-request-pack": broken_packs,
}


def nodes_of(pack: dict) -> list[dict]:
    return pack["task_snapshot"] + pack["knowledge_snapshot"] + pack["decision_snapshot"]


KINDS = {
    "status ok": lambda pack: pack["status"] == "ok",
    "status empty": lambda pack: pack["status"] == "empty",
    "status degraded": lambda pack: pack["status"] == "degraded",
    "a suggestion": lambda pack: "clarify_suggestion" in pack,
    "a clarify task": lambda pack: "clarify_applied_task_id" in pack,
    "unknown ids": lambda pack: pack["unknown_ids"],
    "an entity by words": lambda pack: any(e["match"] == "words" for e in pack["entities"]),
    "a node in full": lambda pack: any(n["form"] == "full" for n in nodes_of(pack)),
    "a summary": lambda pack: any(n["form"] == "reduced" for n in nodes_of(pack)),
    "a title": lambda pack: any(n["form"] == "title" for n in nodes_of(pack)),
    "one left out": lambda pack: pack["omitted"],
    "changes": lambda pack: pack["recent_deltas"],
}
