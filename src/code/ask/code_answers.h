// The answers to the questions people and agents ask of the code index, as plain data.
//
// Lists are complete and sorted; whoever shows them cuts them and says so. Paths are raw bytes.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "code/index/curated_rows.h"
#include "code/parse/parsed_file.h"

namespace knapsack::code {

struct SymbolLine {
  std::string path;
  SymbolRow row;
};

struct SymbolsView {
  std::string name;
  std::vector<SymbolLine> symbols;
  std::string similar;  // what may have been meant, when there are none
};

struct OutlineView {
  std::string path;
  std::string language;
  std::string file_class;
  uint64_t bytes = 0;
  uint32_t lines = 0;
  TokenCounts tokens;
  std::string fallback;  // why it has no symbols though its language has
  std::vector<SymbolRow> symbols;
  std::vector<Comment> remarks;           // rationale, to-do, note and issue comments
  std::optional<FileMetadata> described;  // what a model said of it, where that was promoted
};

struct UseLine {
  std::string path;
  uint32_t line = 0;  // of the first
  uint32_t count = 1;
  ReferenceKind kind = ReferenceKind::kCall;
  std::string qualifier;
  std::string enclosing;  // the qualified name of the symbol around it; empty at the top of a file
  // What it most likely means, where anything is known of that.
  float confidence = 0;
  std::string reason;
  std::string target_path;
  std::string target_name;
};
struct RefsView {
  std::string name;
  std::vector<SymbolLine> definitions;
  std::vector<UseLine> uses;
  std::string similar;
};

// A definition as an agent wants to see it: where, what, and its source.
struct CardDefinition {
  SymbolLine symbol;
  std::string source;  // its lines, secrets replaced; empty where they cannot be shown
};
struct CardUse {
  std::string path;
  uint32_t line = 0;
  std::string name;  // of the caller, callee or test; empty at the top of a file
  uint32_t count = 1;
  float confidence = 0;
};
struct SymbolCard {
  std::string name;
  std::vector<CardDefinition> definitions;
  std::vector<CardUse> callers;  // outside of tests
  std::vector<CardUse> callees;  // of all definitions; only what the repository defines
  std::vector<CardUse> tests;    // that use it; where none does, the test files of its file
  std::string similar;           // what may have been meant, when nothing is called so
};

struct LinkLine {
  std::string path;
  float confidence = 0;
  uint32_t distance = 1;
};
struct ImpactLine {
  std::string path;
  uint32_t line = 0;      // of the first use
  std::string name;       // what uses it; empty at the top of a file
  std::string of;         // what it uses
  uint32_t distance = 1;  // uses away from what was asked about
  float confidence = 0;   // of all steps to it
  bool is_test = false;
};
struct ImpactView {
  std::string name;
  std::vector<SymbolLine> definitions;
  std::vector<ImpactLine> users;    // by distance, then by confidence
  std::vector<LinkLine> importers;  // files that import its file and name nothing of it
  bool is_cut = false;              // too many to follow all of them
  std::string similar;
};

struct CoChangeLine {
  std::string path;
  uint32_t count = 0;
  double weight = 0;  // commits, the older the less
};
struct DepsView {
  std::string path;
  std::vector<LinkLine> imports;
  std::vector<LinkLine> importers;
  std::vector<LinkLine> uses;      // files that it needs by names alone: autoloading, the same package
  std::vector<LinkLine> used_by;   // … that need it so
  bool finds_by_name = false;      // its language needs no imports for what is in the repository
  std::vector<LinkLine> farther;   // beyond the direct ones, up to the depth that was asked for
  std::vector<LinkLine> tests;     // of this file
  std::vector<LinkLine> subjects;  // of this test
  std::vector<CoChangeLine> co_changes;
};

struct CommitLine {
  std::string id;
  int64_t time = 0;
  std::string author;
  std::string subject;
  std::string path;  // what the file was called then, where that differs
};
struct HistoryView {
  std::string path;
  size_t searched = 0;  // commits of the snapshot's history
  std::vector<CommitLine> commits;
  std::vector<CoChangeLine> co_changes;
};

struct LanguageLine {
  std::string language;
  uint64_t files = 0, lines = 0, bytes = 0, tokens = 0;
};
struct FolderLine {
  std::string path;
  uint64_t files = 0, lines = 0;
};
struct CountedFile {
  std::string path;
  uint64_t count = 0;
};
// What a model said of a file, in brief.
struct DescribedFile {
  std::string path;
  std::string purpose;
  std::string domain;
  std::vector<std::string> public_api;
};
struct OverviewView {
  SnapshotRow snapshot;
  uint64_t files = 0, sources = 0, test_files = 0;
  std::vector<LanguageLine> languages;     // most lines first
  std::vector<FolderLine> folders;         // first level, most lines first
  std::vector<CountedFile> most_imported;  // by how many files
  std::vector<CountedFile> most_changed;   // by commits of the snapshot's history
  std::vector<CommitLine> recent;
  std::map<std::string, uint64_t> listed;  // files that are listed only, by why
  // Of files that a model described (`enrich --promote`).
  uint64_t described_files = 0;
  std::vector<std::pair<std::string, uint64_t>> domains;  // most files first
  std::vector<DescribedFile> described;                   // most imported first, a few
};

}  // namespace knapsack::code
