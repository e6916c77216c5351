// The rows of curated.db as plain data: what is learnt of blobs, which files a snapshot has, and how they
// hang together.
//
// Numbers named after a table (blob, path, file, commit, snapshot, segment) are its keys; they mean nothing
// outside one database. Values only; no thread rule.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "code/parse/parsed_file.h"
#include "git/commit.h"

namespace knapsack::code {

struct TokenCounts {
  uint32_t cl100k = 0;
  uint32_t o200k = 0;
  bool operator==(const TokenCounts&) const = default;
};

// Everything that is stored of one blob in one language.
struct BlobFacts {
  std::string hash;  // git's id, 20 bytes
  std::string language;
  uint64_t bytes = 0;
  uint64_t characters = 0;
  TokenCounts tokens;
  std::string declares;  // the full names by which others import what is here, separated by spaces
  code::ParsedFile parsed;
  std::vector<TokenCounts> symbol_tokens;  // one a symbol
  std::vector<TokenCounts> chunk_tokens;   // one a chunk
};

// The part of it that is one row.
struct BlobRow {
  int64_t blob = 0;
  std::string hash;
  std::string language;
  uint64_t bytes = 0;
  uint64_t characters = 0;
  uint32_t lines = 0;
  TokenCounts tokens;
  code::ParseStatus status = code::ParseStatus::kDocument;
  code::FallbackReason fallback = code::FallbackReason::kNone;
  uint32_t error_nodes = 0;
  std::string package;
  std::string declares;
};

struct SymbolRow {
  int64_t blob = 0;
  uint32_t position = 0;  // among the symbols of its blob
  code::Symbol symbol;
  TokenCounts tokens;
};

// A symbol without what is said of it.
struct DefinitionRow {
  int64_t blob = 0;
  uint32_t position = 0;
  code::SymbolKind kind = code::SymbolKind::kFunction;
  std::string qualified_name;
  bool is_exported = false;
  bool is_declaration = false;
};

struct ChunkRow {
  code::Chunk chunk;
  TokenCounts tokens;
};

// One path with one content. Snapshots share those that are the same.
struct FileRow {
  int64_t file = 0;
  int64_t path = 0;
  std::string name;  // the path itself, raw bytes
  std::string hash;  // empty for content that was not read
  uint64_t size = 0;
  std::string file_class;  // "source", or why it was listed only
  std::string language;
  int64_t blob = 0;  // 0 where it was listed only
};

// The class of a file that the disk would not give, and of one too large to be read.
inline constexpr const char* kUnreadableClass = "unreadable";
inline constexpr const char* kLargeClass = "large";

// How a file of the work tree looked when its content was read.
struct WorkFileRow {
  int64_t path = 0;
  int64_t file = 0;
  uint64_t size = 0;
  int64_t mtime_nanos = 0;
  uint64_t inode = 0;
};

struct SnapshotRow {
  int64_t snapshot = 0;
  std::string name;          // kWorkTree, or the commit's id
  std::string commit_id;     // the commit, or HEAD when the work tree was looked at; may be empty
  int64_t taken_micros = 0;  // by the clock of the run
  int64_t walked_nanos = 0;  // by the clock of the files, before the first was looked at
  uint32_t history_limit = 0;
  std::string fingerprint;  // of all paths and contents
  std::string files;        // which rows of `files`, as a packed set
  std::string commits;      // which rows of `commits`, newest first, packed
  std::string report_json;
};

inline constexpr const char* kWorkTree = "work tree";

struct SegmentRow {
  int64_t segment = 0;
  std::string collection;
  std::string name;
};

struct LiveSetRow {
  int64_t segment = 0;
  std::string packed;
};

// What a model said of a content, checked and promoted from the ledger.
struct FileMetadata {
  std::string hash;  // git's id of the content, 20 bytes
  std::string model;
  int64_t at_micros = 0;  // when it said so
  std::string purpose;
  std::string module;
  std::string domain;
  std::vector<std::string> concepts;
  std::vector<std::string> public_api;
  std::string complexity_notes;

  bool operator==(const FileMetadata&) const = default;
};

struct CommitRow {
  int64_t number = 0;
  Commit commit;
};

// A commit without its words: which paths it changed, by their numbers.
struct ChangeRow {
  int64_t path = 0;
  int64_t old_path = 0;  // 0 for none
  FileChangeKind kind = FileChangeKind::kModified;
};
struct ChangedCommitRow {
  int64_t number = 0;
  std::string id;
  bool is_merge = false;
  std::vector<ChangeRow> changes;
};

}  // namespace knapsack::code
