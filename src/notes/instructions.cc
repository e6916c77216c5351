#include "notes/instructions.h"

#include <algorithm>
#include <set>

#include "core/paths.h"
#include "notes/relevance.h"

namespace knapsack::notes {
namespace {

constexpr size_t kMaxRelated = 8;

}  // namespace

const std::vector<std::string>& top_instruction_files() {
  static const std::vector<std::string> kNames = {"AGENTS.md",      "CLAUDE.md",
                                                  "GEMINI.md",      ".cursorrules",
                                                  ".windsurfrules", ".github/copilot-instructions.md"};
  return kNames;
}

bool is_instruction_file(std::string_view path) {
  const std::string_view name = base_name(path);
  const auto& names = top_instruction_files();
  return std::any_of(names.begin(), names.end(), [&](const std::string& known) {
    return known.find('/') == std::string::npos ? name == known : path == known;
  });
}

std::vector<Convention> instruction_items(std::string text, const std::string& file) {
  const MarkdownLines lines = read_lines(std::move(text));
  std::vector<Convention> found;
  for (ListItem& item : bullet_items({lines.data(), lines.size()})) {
    if (!item.text.empty()) found.push_back({std::move(item.text), file, item.line});
  }
  return found;
}

std::vector<Convention> related_instructions(std::vector<Convention> items,
                                             const std::vector<std::string>& keywords) {
  const std::set<std::string> wanted(keywords.begin(), keywords.end());
  std::vector<std::pair<size_t, Convention>> scored;
  for (Convention& item : items) {
    size_t shared = 0;
    for (const std::string& word : keywords_of({item.text})) shared += wanted.count(word);
    if (shared > 0) scored.emplace_back(shared, std::move(item));
  }
  std::stable_sort(scored.begin(), scored.end(),
                   [](const auto& a, const auto& b) { return a.first > b.first; });
  std::vector<Convention> related;
  for (auto& [shared, item] : scored) {
    if (related.size() == kMaxRelated) break;
    related.push_back(std::move(item));
  }
  return related;
}

}  // namespace knapsack::notes
