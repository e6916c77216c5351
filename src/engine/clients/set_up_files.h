// Where the files of clients are, safely: reading and writing below one root, through no link that leads out.
//
// Internal to engine/. One object serves one request.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/files/file_system.h"
#include "core/result.h"

namespace knapsack {

// A configuration file is written by people; more is something else.
inline constexpr uint64_t kMaxClientFileBytes = uint64_t{4} << 20U;

struct LocatedFile {
  std::string path;                          // on disk, links resolved
  std::optional<std::string> text;           // nothing where there is no file
  std::vector<std::string> missing_folders;  // from the root, outermost first
};

// Whether `program` is a path to a file, or the name of one in a folder of `search_path` (PATH).
bool can_be_started(const FileSystem& files, const std::string& program, const std::string& search_path);

class SetUpFiles {
 public:
  // `root`: the workspace, or the home folder.
  static Result<SetUpFiles> open(FileSystem& files, const std::string& root);

  // `name`: from the root, with '/'. kConfig for what is not a file, or leads out of the root.
  Result<LocatedFile> locate(const std::string& name) const;
  bool exists(const std::string& name) const;

  // Refuses when the file is no longer what `before` says. A file that holds a secret can be read by its owner
  // only afterwards; others keep their mode.
  enum class Content { kPlain, kSecret };
  Status write(const std::string& name, const std::optional<std::string>& before, const std::string& after,
               Content content = Content::kPlain) const;
  Status remove(const std::string& name, const std::string& before) const;
  // A folder that is empty; anything else stays.
  void remove_folder(const std::string& name) const;

 private:
  // Removes what a killed run left beside a file that it was about to replace.
  void sweep_beside(const std::string& path) const;
  SetUpFiles(FileSystem& files, std::string root) : files_(&files), root_(std::move(root)) {}
  bool is_inside(const std::string& path) const;
  Status check_unchanged(const std::string& name, const std::optional<std::string>& before,
                         LocatedFile& located) const;

  FileSystem* files_;
  std::string root_;  // resolved
};

}  // namespace knapsack
