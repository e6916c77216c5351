// Views: the questions people and agents ask of the code index, each answered as plain data.
//
// Lists are complete and sorted; whoever shows them cuts them and says so. Paths are raw bytes.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "code/code_index.h"
#include "code/code_references.h"

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
Result<SymbolsView> view_symbols(CodeIndex& index, const std::string& name);

struct OutlineView {
  std::string path;
  std::string language;
  std::string file_class;
  uint64_t bytes = 0;
  uint32_t lines = 0;
  TokenCounts tokens;
  std::string fallback;  // why it has no symbols though its language has
  std::vector<SymbolRow> symbols;
  std::vector<Comment> remarks;  // rationale, to-do, note and issue comments
};
Result<OutlineView> view_outline(CodeIndex& index, uint32_t file);

struct UseLine {
  std::string path;
  ReferenceUse use;
  std::string target_path;
  std::string target_name;
};
struct RefsView {
  std::string name;
  std::vector<SymbolLine> definitions;
  std::vector<UseLine> uses;
  std::string similar;
};
Result<RefsView> view_refs(CodeIndex& index, const std::string& name);

struct LinkLine {
  std::string path;
  float confidence = 0;
  uint32_t distance = 1;
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
  std::vector<LinkLine> farther;   // beyond the direct ones, up to the depth that was asked for
  std::vector<LinkLine> tests;     // of this file
  std::vector<LinkLine> subjects;  // of this test
  std::vector<CoChangeLine> co_changes;
};
Result<DepsView> view_deps(CodeIndex& index, uint32_t file, uint32_t depth);

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
// Files that changed together with this one at least twice: what happened once is chance.
Result<std::vector<CoChangeLine>> co_change_lines(CodeIndex& index, uint32_t file);
Result<HistoryView> view_history(CodeIndex& index, uint32_t file);

struct LanguageLine {
  std::string language;
  uint64_t files = 0, lines = 0, bytes = 0, tokens = 0;
};
struct FolderLine {
  std::string path;
  uint64_t files = 0, lines = 0;
};
struct RankedFile {
  std::string path;
  uint64_t count = 0;
};
struct OverviewView {
  SnapshotRow snapshot;
  uint64_t files = 0, sources = 0, test_files = 0;
  std::vector<LanguageLine> languages;     // most lines first
  std::vector<FolderLine> folders;         // first level, most lines first
  std::vector<RankedFile> most_imported;   // by how many files
  std::vector<RankedFile> most_changed;    // by commits of the snapshot's history
  std::vector<CommitLine> recent;
  std::map<std::string, uint64_t> listed;  // files that are listed only, by why
};
Result<OverviewView> view_overview(CodeIndex& index);

}  // namespace knapsack::code
