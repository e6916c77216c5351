#include "engine/linked/code_places.h"

#include "stages/joined_context.h"

namespace knapsack {

void CodePlaces::add(std::string name, code::CodeIndex& index, code::FileTexts& texts) {
  repositories_.push_back({std::move(name), &index, &texts});
}

std::optional<CodePlace> CodePlaces::find(std::string_view shown) const {
  for (uint32_t i = 0; i < repositories_.size(); ++i) {
    const Repository& each = repositories_[i];
    std::string_view path = shown;
    if (!each.name.empty()) {
      if (!path.starts_with(each.name) || path.size() <= each.name.size() || path[each.name.size()] != ':')
        continue;
      path.remove_prefix(each.name.size() + 1);
    }
    if (const auto file = each.index->find_file(path)) return CodePlace{each.index, each.texts, *file, i};
  }
  return std::nullopt;
}

std::string CodePlaces::shown(uint32_t repository, uint32_t file) const {
  const Repository& each = repositories_[repository];
  return stages::shown_path(each.name, each.index->file(file).name);
}

Result<std::vector<std::string>> CodePlaces::imports_of(const CodePlace& place) const {
  std::vector<std::string> paths;
  KNAPSACK_TRY(const auto imports, place.index->imports_of(place.file));
  for (const code::FileLink& link : imports)
    if (link.file != place.file) paths.push_back(shown(place.repository, link.file));
  if (links_ == nullptr) return paths;
  for (const code::CrossEdge& edge : links_->imports_of(place.repository, place.file))
    paths.push_back(shown(edge.to, edge.to_file));
  return paths;
}

}  // namespace knapsack
