// A little repository in memory: its files are parsed and its imports resolved as an index would.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "code/imports/import_resolver.h"
#include "code/parse/parsed_file.h"
#include "code/references/reference_resolver.h"

namespace knapsack::code {

class LittleRepository {
 public:
  explicit LittleRepository(const std::map<std::string, std::string>& files);
  LittleRepository(const LittleRepository&) = delete;
  LittleRepository& operator=(const LittleRepository&) = delete;

  uint32_t number(std::string_view path) const;
  const std::string& path(uint32_t file) const { return paths_.at(file); }
  const ParsedFile& parsed(uint32_t file) const { return parsed_.at(file); }
  std::span<const ResolverFile> files() const { return files_; }
  const ImportResolver& resolver() const { return *resolver_; }

  // One row a resolved target of the imports of a file, in the order of the imports: "module -> path" or
  // "module [name] -> path" where the name itself is the file. Imports without target have no row.
  std::vector<std::string> resolved(std::string_view from) const;
  // The confidence of the only target of the import of `module`; 0 where there is none.
  float confidence(std::string_view from, std::string_view module) const;

  // What the first reference to a name means, `within` an enclosing symbol if given: "path qualified.name,
  // reason", best first. "qualifier|name" as dumps write it.
  std::vector<std::string> meanings(std::string_view from, std::string_view reference,
                                    std::string_view within = "") const;
  std::vector<Meaning> all_meanings(std::string_view from, std::string_view reference,
                                    std::string_view within = "") const;
  std::vector<std::vector<ImportTarget>> targets(uint32_t file) const;

 private:
  std::vector<std::string> paths_, bytes_, declares_;
  std::vector<ParsedFile> parsed_;
  std::vector<ResolverFile> files_;
  std::optional<ImportResolver> resolver_;
  std::map<std::string_view, std::vector<Definition>> definitions_;
};

}  // namespace knapsack::code
