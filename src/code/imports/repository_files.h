// RepositoryFiles: the files of a snapshot, to be found by path, folder, ending or declared name.
//
// The ground that every rule of import resolution stands on: a rule makes up a path or a name and asks here
// whether it exists. Owns copies of all text. Immutable once built; any thread may read.
// Private to code/imports/.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "code/imports/import_resolver.h"
#include "code/imports/name_index.h"

namespace knapsack::code {

class RepositoryFiles {
 public:
  explicit RepositoryFiles(std::span<const ResolverFile> files);
  RepositoryFiles(const RepositoryFiles&) = delete;
  RepositoryFiles& operator=(const RepositoryFiles&) = delete;

  uint32_t size() const { return static_cast<uint32_t>(files_.size()); }
  std::string_view path(uint32_t file) const { return files_[file].path; }
  std::string_view package(uint32_t file) const { return files_[file].package; }
  std::string_view language(uint32_t file) const { return files_[file].language; }

  std::optional<uint32_t> find(std::string_view path) const;
  // A folder that holds a file, at any depth.
  bool has_folder(std::string_view folder) const;
  // The files directly in a folder.
  std::span<const uint32_t> in_folder(std::string_view folder) const { return in_folder_.find(folder); }
  // Files whose path is `ending` or ends with "/" + ending, of those that can be imported so: files of a
  // language with symbols, templates of them (".in") and files without any ending.
  std::span<const uint32_t> ending_with(std::string_view ending) const { return endings_.find(ending); }
  // Files that say they belong to a package, and files that declare a name, both with dots.
  std::span<const uint32_t> in_package(std::string_view package) const { return packages_.find(package); }
  std::span<const uint32_t> declaring(std::string_view name) const { return declares_.find(name); }

  // The candidate that shares the most leading folders with `from`; of several the least deep, then the
  // first. Candidates are in ascending order and not empty.
  uint32_t nearest(uint32_t from, std::span<const uint32_t> candidates) const;
  // At most `limit` candidates, those around `from` in the order of paths first.
  std::vector<uint32_t> nearest_several(uint32_t from, std::span<const uint32_t> candidates,
                                        size_t limit) const;

 private:
  struct File {
    std::string_view path, package, language;
  };
  std::string text_;  // all that the views point to
  std::vector<File> files_;
  std::unordered_map<std::string_view, uint32_t> by_path_;
  NameIndex in_folder_, endings_, packages_, declares_;
};

}  // namespace knapsack::code
