// CodeIndex: the one read-only way to ask what is known of a repository, in one snapshot of it.
//
// Files are numbered by their position in path order. Everything it answers is of the snapshot alone: other
// snapshots in the same database neither show nor count. It sees the index as it was when it was opened. One
// thread at a time.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "code/ask/snapshot_files.h"
#include "code/imports/import_resolver.h"
#include "code/index/curated.h"
#include "code/index/history_table.h"
#include "code/index/import_edges.h"
#include "code/references/reference_resolver.h"
#include "git/co_change.h"
#include "search/segments/index.h"

namespace knapsack::code {

struct IndexedSymbol {
  uint32_t file = 0;
  SymbolRow row;
};

// One file that another one imports, or is imported by.
struct FileLink {
  uint32_t file = 0;
  float confidence = 0;
};

class CodeIndex : public SnapshotFiles {
 public:
  // kNotFound, with what to do, when there is no such snapshot. `snapshot` is kWorkTree or a commit's id.
  static Result<std::unique_ptr<CodeIndex>> open(const FileSystem& files, const std::string& state_folder,
                                                 const std::string& snapshot);
  CodeIndex(const CodeIndex&) = delete;
  CodeIndex& operator=(const CodeIndex&) = delete;
  ~CodeIndex();

  Curated& rows() { return *rows_; }

  // Null for a file that is listed only.
  Result<const BlobRow*> blob(uint32_t file);

  // What a model said of the file (`knapsack enrich --promote`); null when nothing was promoted for it.
  Result<const FileMetadata*> file_metadata(uint32_t file);
  // How many files of the snapshot have some.
  Result<size_t> files_with_metadata();

  Result<std::vector<SymbolRow>> symbols(uint32_t file);
  Result<std::vector<ChunkRow>> chunks(uint32_t file);
  Result<std::vector<Comment>> comments(uint32_t file);
  Result<std::vector<TestCase>> tests(uint32_t file);
  // Symbols, imports, names and references of a file together.
  Result<ParsedFile> facts(uint32_t file);

  // By file, then by position. A plain name, or one with its parents: "Cart.total", "shop::Cart::total".
  // Where nothing is called exactly so, what is with a '!' or a '?' behind it.
  Result<std::vector<IndexedSymbol>> find_symbols(std::string_view name);

  // Each file once, likeliest first, then by path.
  Result<std::vector<FileLink>> imports_of(uint32_t file);
  Result<std::vector<FileLink>> importers_of(uint32_t file);
  // What each import of a file resolved to, in the order of its imports.
  Result<std::vector<std::vector<ImportTarget>>> import_targets(uint32_t file, size_t imports);

  Result<const CoChangeTable*> co_changes();
  // The commits of the snapshot with the files that each one changed.
  Result<const HistoryTable*> history_table();

  // The documents of this snapshot (code/index/code_documents.h).
  Result<const search::Index*> collection(const std::string& name);
  // The file numbers of a document of `code`.
  std::span<const uint32_t> files_of_key(std::string_view key);

  // For resolving references of many files.
  Result<const ReferenceWorld*> reference_world();
  // Whether all definitions that a resolver asked for could be read; to be asked when it is done.
  Status check_lookups() const;

 private:
  explicit CodeIndex(Curated rows);
  Status load(const std::string& snapshot);
  Result<bool> open_segments();
  Status load_metadata();
  Status load_edges();
  Result<std::vector<IndexedSymbol>> symbols_called(std::string_view dotted);
  Result<search::Index> open_collection(const std::string& name);
  std::vector<std::string> keys_of(const std::string& collection);

  std::unique_ptr<Curated> rows_;
  const FileSystem* disk_ = nullptr;
  std::string state_folder_;

  struct Lazy;  // what only some questions need
  std::unique_ptr<Lazy> lazy_;
};

// The name that is spelt most like this one; empty when there are none at all.
Result<std::string> similar_name(CodeIndex& index, std::string_view name);

// Newest first; all of the snapshot's history.
Result<std::vector<int64_t>> commit_numbers(const CodeIndex& index);

struct ReachedFile {
  uint32_t file = 0;
  uint32_t distance = 0;
};
// The files that can be reached over imports in either direction, with their distance, up to `depth` steps
// and `limit` files; the nearest first, then by path.
Result<std::vector<ReachedFile>> neighbourhood(CodeIndex& index, std::span<const uint32_t> seeds,
                                               uint32_t depth, size_t limit);

}  // namespace knapsack::code
