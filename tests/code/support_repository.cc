#include "code/support_repository.h"

#include <algorithm>
#include <utility>

#include "code/parse/parser.h"
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
  for (uint32_t file = 0; file < paths_.size(); ++file) {
    for (uint32_t symbol = 0; symbol < parsed_[file].symbols.size(); ++symbol) {
      const Symbol& one = parsed_[file].symbols[symbol];
      definitions_[one.name].push_back(
          {file, symbol, one.qualified_name, one.kind, one.is_exported, one.is_declaration});
    }
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

std::vector<std::vector<ImportTarget>> LittleRepository::targets(uint32_t file) const {
  std::vector<std::vector<ImportTarget>> all;
  for (const Import& import : parsed_.at(file).imports) all.push_back(resolver_->resolve(file, import));
  return all;
}

std::vector<Meaning> LittleRepository::all_meanings(std::string_view from, std::string_view reference,
                                                    std::string_view within) const {
  const ReferenceWorld world(files_, [this](std::string_view name) -> std::span<const Definition> {
    const auto found = definitions_.find(name);
    return found == definitions_.end() ? std::span<const Definition>() : found->second;
  });
  const uint32_t file = number(from);
  const ParsedFile& parsed = parsed_.at(file);
  const std::vector<std::vector<ImportTarget>> imported = targets(file);
  const FileReferences references(world, file, parsed, imported);
  const size_t bar = reference.find('|');
  const std::string_view qualifier = bar == std::string_view::npos ? "" : reference.substr(0, bar);
  const std::string_view name = bar == std::string_view::npos ? reference : reference.substr(bar + 1);
  for (const Reference& one : parsed.references) {
    if (parsed.names.at(one.name) != name || parsed.names.at(one.qualifier) != qualifier) continue;
    const bool is_inside = one.enclosing != kNoSymbol;
    const std::string enclosing =
        is_inside ? parsed.symbols.at(static_cast<size_t>(one.enclosing)).qualified_name : "";
    if (!within.empty() && enclosing != within) continue;
    return references.resolve(one);
  }
  ADD_FAILURE() << "no reference to " << reference << " in " << from;
  return {};
}

std::vector<std::string> LittleRepository::meanings(std::string_view from, std::string_view reference,
                                                    std::string_view within) const {
  std::vector<std::string> rows;
  for (const Meaning& meaning : all_meanings(from, reference, within)) {
    rows.push_back(paths_.at(meaning.definition.file) + " " + std::string(meaning.definition.qualified_name) +
                   ", " + std::string(to_string(meaning.reason)));
  }
  return rows;
}

}  // namespace knapsack::code
