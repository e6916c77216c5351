// TsPaths: the path mappings (`baseUrl`, `paths`) of the tsconfig.json and jsconfig.json files of a
// repository.
//
// Each folder is governed by the nearest configuration above it, with what that inherits by `extends` or
// delegates by `references`. Immutable once built; any thread may read.
// Private to code/imports/.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "code/imports/node_packages.h"
#include "code/imports/repository_files.h"
#include "code/imports/resolver_config.h"

namespace knapsack::code {

// One configuration with all that it inherits.
struct TsConfig {
  struct Mapping {
    std::string pattern;
    std::vector<std::string> targets;  // from the root
  };
  std::optional<std::string> base_url;  // from the root
  std::vector<Mapping> mappings;
  bool has_paths = false;

  bool decides() const { return base_url.has_value() || has_paths; }
};

class TsPaths {
 public:
  TsPaths(const RepositoryFiles& files, const NodePackages& packages, ConfigReader& configs);

  // Where a specifier may be, most preferred first, as paths from the root without a certain ending. Those of
  // `paths` come before `baseUrl`.
  std::vector<std::string> candidates(std::string_view importer, std::string_view specifier) const;

 private:
  std::unordered_map<std::string_view, TsConfig> by_folder_;
};

}  // namespace knapsack::code
