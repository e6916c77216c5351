#!/usr/bin/env python3
"""Our lexical index beside SQLite's FTS5 and Xapian, over the same chunks of one folder: time to build, size on disk, and
time of a query of twelve words for the best 50.

  bench/lexical_engines.py PROGRAM FOLDER      /usr/bin/python3, with Debian's python3-xapian

The others get plain lower-case words, already split, and nothing else to do; ours parses every file for its definitions and
imports in the same time, which `knapsack index` cannot leave out. Its queries are timed by bench/search_bench, with as many
chunks (KNAPSACK_BENCH_CHUNKS).
"""
import os
import pathlib
import random
import re
import shutil
import sqlite3
import statistics
import subprocess
import sys
import tempfile
import time

import xapian

CHUNK_LINES = 60
QUERIES = 40
WORD = re.compile(r"[a-z0-9_]+")


def chunks(folder: pathlib.Path):
    listed = subprocess.run(["git", "-C", folder, "ls-files", "-z"], capture_output=True, check=True).stdout
    for name in listed.decode().split("\0"):
        path = folder / name
        if not name or not path.is_file() or path.stat().st_size > 1 << 20:
            continue
        text = path.read_bytes()
        if b"\0" in text[:8000]:
            continue
        lines = text.decode("utf-8", "replace").lower().split("\n")
        for at in range(0, len(lines), CHUNK_LINES):
            yield " ".join(WORD.findall("\n".join(lines[at:at + CHUNK_LINES])))


def timed(work):
    began = time.perf_counter()
    result = work()
    return time.perf_counter() - began, result


def size_of(path: pathlib.Path) -> float:
    files = [path] if path.is_file() else [p for p in path.rglob("*") if p.is_file()]
    return sum(p.stat().st_size for p in files) / 1e6


def fts5(texts, queries, place):
    def build():
        database = sqlite3.connect(place / "fts5.db")
        database.execute("PRAGMA journal_mode=OFF")
        database.execute("CREATE VIRTUAL TABLE t USING fts5(body, content='', tokenize='unicode61')")
        database.executemany("INSERT INTO t(rowid, body) VALUES (?, ?)", enumerate(texts, 1))
        database.execute("INSERT INTO t(t) VALUES ('optimize')")
        database.commit()
        return database
    built, database = timed(build)
    ask = "SELECT rowid, bm25(t) FROM t WHERE t MATCH ? ORDER BY bm25(t) LIMIT 50"
    times = [timed(lambda: database.execute(ask, (" OR ".join(f'"{w}"' for w in words),)).fetchall())[0] for words in queries]
    return built, size_of(place / "fts5.db"), statistics.median(times)


def xapian_engine(texts, queries, place):
    def build():
        database = xapian.WritableDatabase(str(place / "xapian"), xapian.DB_CREATE)
        for text in texts:
            document = xapian.Document()
            for word in text.split():
                document.add_term(word[:60])
            database.add_document(document)
        database.commit()
        return xapian.Database(str(place / "xapian"))
    built, database = timed(build)

    def ask(words):
        enquire = xapian.Enquire(database)
        enquire.set_query(xapian.Query(xapian.Query.OP_OR, words))
        enquire.set_weighting_scheme(xapian.BM25Weight(2, 0, 1, 0.75, 0.5))
        return [match.docid for match in enquire.get_mset(0, 50)]
    return built, size_of(place / "xapian"), statistics.median([timed(lambda: ask(words))[0] for words in queries])


def ours(program, folder):
    state = folder / ".knapsack"
    shutil.rmtree(state, ignore_errors=True)
    environment = {**os.environ, "KNAPSACK_BACKGROUND": "off"}
    built, _ = timed(lambda: subprocess.run([program, "index", "--workspace", folder], check=True, capture_output=True, env=environment))
    return built, sum(size_of(path) for path in state.rglob("*.segment")), None


def main() -> None:
    program, folder = sys.argv[1], pathlib.Path(sys.argv[2]).resolve()
    texts = list(chunks(folder))
    source = random.Random(1)
    queries = []
    while len(queries) < QUERIES:
        words = [word for word in dict.fromkeys(source.choice(texts).split()) if len(word) > 2]
        if len(words) >= 12:
            queries.append(source.sample(words, 12))
    print(f"{len(texts):,} chunks of {folder.name}, {sum(map(len, texts)) / 1e6:.0f} MB of words")
    print("| engine | build | on disk | query |\n|---|---:|---:|---:|")
    with tempfile.TemporaryDirectory() as place:
        rows = [("FTS5", fts5(texts, queries, pathlib.Path(place))), ("Xapian", xapian_engine(texts, queries, pathlib.Path(place)))]
    rows.append(("knapsack, with parsing", ours(program, folder)))
    for name, (built, size, query) in rows:
        asked = f"{query * 1000:.1f} ms" if query is not None else "search_bench"
        print(f"| {name} | {built:.1f} s | {size:.0f} MB | {asked} |")


if __name__ == "__main__":
    main()
