// NodePackages: the packages of a JavaScript repository, as their package.json files describe them.
//
// A package is found by its name (its own, or a workspace neighbour's) or by the folder that a file is in.
// Paths that a package.json gives are tried against the snapshot by the caller. Immutable once built; any
// thread may read.
// Private to code/imports/.
#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "code/imports/repository_files.h"
#include "code/imports/resolver_config.h"

namespace knapsack::code {

struct NodePackage {
  // A key of `exports` or `imports` ("./x/*", "#lib") and the paths it may lead to, most preferred first.
  struct Entry {
    std::string key;
    std::vector<std::string> paths;
  };
  std::string name;
  std::string folder;
  std::vector<std::string> mains;  // of `source`, `module`, `main`, `types`…, in that order
  std::vector<Entry> exports;
  std::vector<Entry> imports;
  bool is_member = false;  // of a workspace of this repository
};

class NodePackages {
 public:
  NodePackages(const RepositoryFiles& files, ConfigReader& configs);

  // By name; of several the one nearest to the importing file.
  const NodePackage* named(uint32_t from, std::string_view name) const;
  const NodePackage* in_folder(std::string_view folder) const;
  // That of the nearest package.json above a file.
  const NodePackage* around(std::string_view path) const;

  // The paths that a key of `exports` or `imports` leads to, with `*` filled in; exact keys come before
  // patterns, longer patterns before shorter ones.
  static std::vector<std::string> matching(const std::vector<NodePackage::Entry>& entries,
                                           std::string_view key);

 private:
  void read(uint32_t file, ConfigReader& configs, std::vector<std::pair<std::string, std::string>>& globs);

  const RepositoryFiles& files_;
  std::vector<NodePackage> packages_;
  std::unordered_map<std::string, std::vector<uint32_t>> by_name_;
  std::unordered_map<std::string, uint32_t> by_folder_;
};

// "@scope/name/rest" → "@scope/name" and "rest"; "name/rest" → "name" and "rest".
std::pair<std::string_view, std::string_view> split_package(std::string_view specifier);

// What a pattern with at most one `*` leaves of a text: the part that the `*` stands for, empty for an exact
// match, nothing where it does not match.
std::optional<std::string_view> match_star(std::string_view pattern, std::string_view text);
std::string fill_star(std::string_view pattern, std::string_view part);

}  // namespace knapsack::code
