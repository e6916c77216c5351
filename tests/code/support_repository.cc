#include "code/support_repository.h"

#include <algorithm>
#include <utility>

#include "code/parser.h"
#include "support/support.h"

namespace knapsack::code {

LittleRepository::LittleRepository(const std::map<std::string, std::string>& files) {
  Parser parser;
  for (const auto& [path, bytes] : files) {
    paths_.push_back(path);
    bytes_.push_back(bytes);
    auto parsed = parser.parse(detect_language(path, bytes), bytes);
    EXPECT_TRUE(parsed.ok()) << path;
    parsed_.push_back(std::move(parsed).value());
    declares_.push_back(declared_names(detect_language(path, bytes), parsed_.back()));
  }
  for (size_t i = 0; i < paths_.size(); ++i) {
    files_.push_back({paths_[i], &detect_language(paths_[i], bytes_[i]), parsed_[i].package, declares_[i]});
  }
  resolver_ = ImportResolver::build(files_, [this](uint32_t file) { return std::optional(bytes_.at(file)); });
}

uint32_t LittleRepository::number(std::string_view path) const {
  const auto found = std::find(paths_.begin(), paths_.end(), path);
  EXPECT_NE(found, paths_.end()) << path;
  return static_cast<uint32_t>(found - paths_.begin());
}

std::vector<std::string> LittleRepository::resolved(std::string_view from) const {
  std::vector<std::string> rows;
  const uint32_t file = number(from);
  for (const Import& import : parsed_.at(file).imports) {
    for (const ImportTarget& target : resolver_->resolve(file, import)) {
      std::string row = import.module;
      if (target.name != kWholeModule)
        row += " [" + import.names.at(static_cast<size_t>(target.name)).name + "]";
      rows.push_back(row + " -> " + paths_.at(target.file));
    }
  }
  return rows;
}

float LittleRepository::confidence(std::string_view from, std::string_view module) const {
  const uint32_t file = number(from);
  for (const Import& import : parsed_.at(file).imports) {
    if (import.module != module) continue;
    const std::vector<ImportTarget> targets = resolver_->resolve(file, import);
    EXPECT_LE(targets.size(), 1U) << module;
    return targets.empty() ? 0 : targets[0].confidence;
  }
  ADD_FAILURE() << "no import of " << module;
  return 0;
}

}  // namespace knapsack::code
