#include "text/words/lexicon.h"

#include <algorithm>

#include "text/markdown/markdown_lines.h"
#include "text/words/stem.h"

namespace knapsack {

Lexicon::Lexicon(std::string_view table) {
  while (!table.empty()) {
    std::string_view row = table.substr(0, table.find('\n'));
    table.remove_prefix(std::min(row.size() + 1, table.size()));
    const size_t colon = row.find(':');
    if (colon == std::string_view::npos) continue;
    const std::string name(trim(row.substr(0, colon)));
    size_t index = static_cast<size_t>(std::find(names_.begin(), names_.end(), name) - names_.begin());
    if (index == names_.size()) names_.push_back(name);
    row = trim(row.substr(colon + 1));
    while (!row.empty()) {
      std::string_view word = row.substr(0, row.find(' '));
      row = trim(row.substr(word.size()));
      if (word.ends_with('*')) {
        word.remove_suffix(1);
        prefixes_[std::string(word)].push_back(index);
        prefix_sizes_.push_back(word.size());
      } else {
        stems_[std::string(stem(Stemming::kByScript, word))].push_back(index);
      }
    }
  }
  std::sort(prefix_sizes_.begin(), prefix_sizes_.end());
  prefix_sizes_.erase(std::unique(prefix_sizes_.begin(), prefix_sizes_.end()), prefix_sizes_.end());
}

std::vector<size_t> Lexicon::find(std::string_view word) const {
  std::vector<size_t> rows;
  const auto take = [&rows](const auto& map, std::string_view key) {
    const auto found = map.find(std::string(key));
    if (found != map.end()) rows.insert(rows.end(), found->second.begin(), found->second.end());
  };
  take(stems_, stem(Stemming::kByScript, word));
  for (const size_t size : prefix_sizes_)
    if (size <= word.size()) take(prefixes_, word.substr(0, size));
  std::sort(rows.begin(), rows.end());
  rows.erase(std::unique(rows.begin(), rows.end()), rows.end());
  return rows;
}

bool Lexicon::holds(std::string_view word, std::string_view name) const {
  const std::vector<size_t> rows = find(word);
  return std::any_of(rows.begin(), rows.end(), [&](size_t row) { return names_[row] == name; });
}

}  // namespace knapsack
