// RustCrates: the crates of a repository: where their roots are and by which names they know each other.
//
// A crate's modules lie below the folder of its root file. Immutable once built; any thread may read.
// Private to code/imports/.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>

#include "code/imports/repository_files.h"
#include "code/imports/resolver_config.h"

namespace knapsack::code {

class RustCrates {
 public:
  RustCrates(const RepositoryFiles& files, ConfigReader& configs);

  // The root file of the library that `name` means in a file of the repository.
  std::optional<uint32_t> named(std::string_view importer, std::string_view name) const;
  // The root file of the crate that a file belongs to.
  std::optional<uint32_t> root_of(uint32_t file) const;
  bool is_root(uint32_t file) const;

 private:
  void read(uint32_t file, ConfigReader& configs);
  void add_root(std::string_view crate, std::string_view path);
  std::optional<uint32_t> library_in(std::string_view folder) const;

  const RepositoryFiles& files_;
  std::unordered_set<std::string_view> folders_;            // that hold a Cargo.toml
  std::unordered_set<uint32_t> roots_;                      // named by a Cargo.toml
  std::unordered_map<std::string_view, uint32_t> root_in_;  // folder → its root file
  std::unordered_map<std::string, uint32_t> libraries_;     // crate name → root file
  std::unordered_map<std::string, std::string> lib_paths_;  // crate folder → [lib] path
  // Folder of a Cargo.toml → name of a dependency there → folder of that crate.
  std::unordered_map<std::string_view, std::unordered_map<std::string, std::string>> dependencies_;
};

}  // namespace knapsack::code
