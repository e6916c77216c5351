#include "code/index/curated_schema.h"

namespace knapsack::code {
namespace {

constexpr int32_t kApplicationId = 0x4b4e5043;  // "KNPC"

constexpr const char* kVersion1 = R"sql(
CREATE TABLE meta (
  key TEXT PRIMARY KEY,
  value TEXT NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE blobs (
  blob INTEGER PRIMARY KEY,
  hash BLOB NOT NULL,
  language TEXT NOT NULL,
  bytes INTEGER NOT NULL,
  characters INTEGER NOT NULL,
  lines INTEGER NOT NULL,
  cl100k INTEGER NOT NULL,
  o200k INTEGER NOT NULL,
  status INTEGER NOT NULL,
  fallback INTEGER NOT NULL,
  error_nodes INTEGER NOT NULL,
  package TEXT NOT NULL,
  declares TEXT NOT NULL,
  UNIQUE (hash, language)
) STRICT;

CREATE TABLE symbols (
  symbol INTEGER PRIMARY KEY,
  kind INTEGER NOT NULL,
  name TEXT NOT NULL,
  qualified_name TEXT NOT NULL,
  native_name TEXT NOT NULL,
  start_line INTEGER NOT NULL,
  end_line INTEGER NOT NULL,
  start_byte INTEGER NOT NULL,
  end_byte INTEGER NOT NULL,
  name_line INTEGER NOT NULL,
  parent INTEGER NOT NULL,
  flags INTEGER NOT NULL,
  doc_start_line INTEGER NOT NULL,
  doc_end_line INTEGER NOT NULL,
  cl100k INTEGER NOT NULL,
  o200k INTEGER NOT NULL,
  signature TEXT NOT NULL,
  docstring TEXT NOT NULL
) STRICT;
CREATE INDEX symbols_by_name ON symbols (name);

CREATE TABLE chunks (
  chunk INTEGER PRIMARY KEY,
  start_line INTEGER NOT NULL,
  end_line INTEGER NOT NULL,
  start_byte INTEGER NOT NULL,
  end_byte INTEGER NOT NULL,
  enclosing INTEGER NOT NULL,
  cl100k INTEGER NOT NULL,
  o200k INTEGER NOT NULL,
  header TEXT NOT NULL
) STRICT;

CREATE TABLE imports (
  import INTEGER PRIMARY KEY,
  kind INTEGER NOT NULL,
  module TEXT NOT NULL,
  alias TEXT NOT NULL,
  line INTEGER NOT NULL,
  relative INTEGER NOT NULL,
  wildcard INTEGER NOT NULL,
  names BLOB NOT NULL
) STRICT;

CREATE TABLE "references" (
  blob INTEGER PRIMARY KEY,
  packed BLOB NOT NULL
) STRICT;

CREATE TABLE comments (
  comment INTEGER PRIMARY KEY,
  kind INTEGER NOT NULL,
  start_line INTEGER NOT NULL,
  end_line INTEGER NOT NULL,
  enclosing INTEGER NOT NULL,
  issues BLOB NOT NULL,
  text TEXT NOT NULL
) STRICT;

CREATE TABLE tests (
  test INTEGER PRIMARY KEY,
  symbol INTEGER NOT NULL,
  assertions BLOB NOT NULL
) STRICT;

CREATE TABLE paths (
  path INTEGER PRIMARY KEY,
  name BLOB NOT NULL UNIQUE
) STRICT;

CREATE TABLE files (
  file INTEGER PRIMARY KEY,
  path INTEGER NOT NULL,
  hash BLOB NOT NULL,
  size INTEGER NOT NULL,
  class TEXT NOT NULL,
  language TEXT NOT NULL,
  blob INTEGER NOT NULL,
  UNIQUE (path, hash, size, class)
) STRICT;

CREATE TABLE work_files (
  path INTEGER PRIMARY KEY,
  file INTEGER NOT NULL,
  size INTEGER NOT NULL,
  mtime INTEGER NOT NULL,
  inode INTEGER NOT NULL
) STRICT;

CREATE TABLE snapshots (
  snapshot INTEGER PRIMARY KEY AUTOINCREMENT,
  name TEXT NOT NULL UNIQUE,
  commit_id TEXT NOT NULL,
  taken INTEGER NOT NULL,
  walked INTEGER NOT NULL,
  history_limit INTEGER NOT NULL,
  fingerprint TEXT NOT NULL,
  files BLOB NOT NULL,
  commits BLOB NOT NULL,
  report_json TEXT NOT NULL
) STRICT;

CREATE TABLE edges (
  snapshot INTEGER PRIMARY KEY,
  packed BLOB NOT NULL
) STRICT;

CREATE TABLE co_changes (
  snapshot INTEGER PRIMARY KEY,
  packed BLOB NOT NULL
) STRICT;

CREATE TABLE commits (
  "commit" INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  author_time INTEGER NOT NULL,
  commit_time INTEGER NOT NULL,
  flags INTEGER NOT NULL,
  author TEXT NOT NULL,
  message TEXT NOT NULL,
  parents BLOB NOT NULL,
  side_commits BLOB NOT NULL
) STRICT;

CREATE TABLE file_commits (
  change INTEGER PRIMARY KEY,
  path INTEGER NOT NULL,
  old_path INTEGER NOT NULL,
  kind INTEGER NOT NULL
) STRICT;

CREATE TABLE segments (
  segment INTEGER PRIMARY KEY,
  collection TEXT NOT NULL,
  name TEXT NOT NULL UNIQUE
) STRICT;

CREATE TABLE live_sets (
  snapshot INTEGER NOT NULL,
  segment INTEGER NOT NULL,
  packed BLOB NOT NULL,
  PRIMARY KEY (snapshot, segment)
) STRICT, WITHOUT ROWID;
)sql";

// By content alone: what a model said of a text stays true when the text is parsed anew.
constexpr const char* kVersion2 = R"sql(
CREATE TABLE file_metadata (
  hash BLOB PRIMARY KEY,
  model TEXT NOT NULL,
  at INTEGER NOT NULL,
  purpose TEXT NOT NULL,
  module TEXT NOT NULL,
  domain TEXT NOT NULL,
  concepts BLOB NOT NULL,
  public_api BLOB NOT NULL,
  complexity_notes TEXT NOT NULL
) STRICT, WITHOUT ROWID;
)sql";

// The tables are the same. What was stored before this version may hold secrets, so such a database is begun
// anew (curated_writer.cc).
constexpr const char* kVersion3 = "SELECT 1;";

constexpr const char* kVersions[] = {kVersion1, kVersion2, kVersion3};

}  // namespace

const sqlite::Schema& curated_schema() {
  static const sqlite::Schema schema = {"code index", kApplicationId, kVersions};
  return schema;
}

}  // namespace knapsack::code
