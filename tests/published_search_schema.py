"""Holds what `knapsack search --format json` prints against its schema, and broken results too: these must be refused."""
import pathlib

from published_schema_check import Broken, failures, not_reached
from published_workspace import TOKEN, Workspace

QUERIES = ("import", "offset rows", "carrier -manifest", "\"every change\"", "zeppelin", "\x1b[31m \u2028 </script> \U0001f392 import")


def check(root: pathlib.Path, program: str, modules: pathlib.Path) -> list[str]:
    printed = results(root, program)
    broken = Broken(printed["import 10"])
    broken.lacks_each()
    broken.nulls_each()
    broken.lacks_each("result ", lambda answer: answer["results"][0], optional=("path", "line"))
    broken.lacks_each("source ", lambda answer: answer["sources"][0], optional=("problem",))
    broken.breaks("an unknown field", lambda answer: answer.update(extra=1))
    broken.breaks("an unknown field of a result", lambda answer: answer["results"][0].update(extra=1))
    broken.breaks("an unknown source", lambda answer: answer["results"][0].update(source="wiki"))
    broken.breaks("an unknown mode", lambda answer: answer.update(mode="fuzzy"))
    broken.breaks("a rank 0", lambda answer: answer["results"][0].update(rank=0))
    broken.breaks("a line 0", lambda answer: answer["results"][0].update(line=0))
    broken.breaks("a negative count", lambda answer: answer.update(found=-1))
    broken.breaks("degraded without a warning", lambda answer: answer.update(status="degraded", warnings=[]))
    broken.breaks("empty with results", lambda answer: answer.update(status="empty"))
    broken.breaks("ok without results", lambda answer: answer.update(results=[]))
    wanted = {
        "status ok": lambda answer: answer["status"] == "ok",
        "status empty": lambda answer: answer["status"] == "empty",
        "status degraded": lambda answer: answer["status"] == "degraded",
        "more than it shows": lambda answer: answer["found"] > len(answer["results"]),
        "a line": lambda answer: any("line" in result for result in answer["results"]),
        "a broken source": lambda answer: any("problem" in source for source in answer["sources"]),
    }
    for source in ("code", "notes", "memory", "graph"):
        wanted[f"a result of {source}"] = lambda answer, source=source: any(r["source"] == source for r in answer["results"])
    return failures(root, modules, "search-results", printed, broken.documents) + not_reached("search", printed, wanted)


def results(root: pathlib.Path, program: str) -> dict:
    printed = {}
    with Workspace(root, program) as workspace:
        workspace.note("memory/facts/2026-11-14/key.md", f"The import key is {TOKEN} \u2028 \"quoted\".\n")
        printed["before an index"] = workspace.run("search", "import")
        workspace.call("index")
        for query in QUERIES:
            for limit in (1, 10, 1000):
                printed[f"{query} {limit}"] = workspace.run("search", query, "--limit", str(limit))
        printed["all stages"] = workspace.run("search", "import", "--rerank", "--mmr", "--fusion", "rrf")
        # Nobody answers there.
        printed["nobody embeds"] = workspace.run("search", "import", "--embed-model", "m", "--embed-url", "http://127.0.0.1:9")
        workspace.remove("graphs")
        workspace.note("graphs", "a file in the place of the folder")
        printed["a broken graph"] = workspace.run("search", "import")
    return printed
