// SourceList: the files of a snapshot, from the work tree or from a commit, and how to read them.
//
// Files come in the order of their paths' bytes. Nothing outside the workspace is read, whatever links or
// renames happen meanwhile. A list is immutable; each thread reads through its own SourceReader.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "code/walk/tree_walk.h"
#include "core/files/folder.h"
#include "git/repository.h"

namespace knapsack::code {

struct SourceFile {
  std::string path;  // raw bytes
  bool is_link = false;
  FileInfo info;     // of the work tree
  std::string hash;  // of a commit's blob, 20 bytes; empty in a work tree until it is read
};

struct SourceList {
  std::vector<SourceFile> files;   // and folders that cannot be opened
  std::string commit_id;           // the commit, or HEAD of the work tree; empty without one
  int64_t walked_nanos = 0;        // when the walk of the work tree began, by the system's clock
  uint64_t ignored = 0;            // files and folders that a rule left out
  uint64_t skipped_count = 0;      // what was met and could not be listed
  std::vector<std::string> notes;  // one line each: what was skipped and why, as far as it is kept
};

// `workspace` is absolute with links resolved; `repository` is null where there is none.
Result<SourceList> list_work_tree(const Folder& root, const std::string& workspace,
                                  const GitRepository* repository);
Result<SourceList> list_commit(const GitRepository& repository, const std::string& commit);

class SourceReader {
 public:
  // Of the work tree.
  explicit SourceReader(const Folder& root) : root_(&root) {}
  // Of commits; the handle becomes this reader's own.
  explicit SourceReader(GitRepository repository) : repository_(std::move(repository)) {}

  // kLimit for more than max_bytes.
  Result<std::string> read(const SourceFile& file, uint64_t max_bytes) const;
  // In bytes; 0 where that cannot be told.
  uint64_t size(const SourceFile& file) const;

 private:
  const Folder* root_ = nullptr;
  std::optional<GitRepository> repository_;
};

// 40 hexadecimal digits from 20 bytes, and back; empty for what is no such id.
std::string hash_to_hex(std::string_view hash);
std::string hash_from_hex(const std::string& hex);

}  // namespace knapsack::code
