#include "notes/instructions.h"

#include <algorithm>
#include <set>

#include "core/paths.h"
#include "notes/list_items.h"
#include "notes/relevance.h"

namespace knapsack::notes {
namespace {

constexpr size_t kMaxRelated = 8;
constexpr size_t kLeadCharacters = 120;
constexpr size_t kFewWords = 3;

// "`a.json`: `version`" says nothing without what its list is about.
bool says_little(std::string_view text) {
  std::string words;
  bool is_code = false;
  for (const char c : text) {
    if (c == '`') is_code = !is_code;
    words += is_code || c == '`' ? ' ' : c;
  }
  return keywords_of({words}).size() < kFewWords;
}

// The last line above that says something; null for none.
const Line* line_above(const MarkdownLines& lines, size_t number) {
  const Line* line = std::partition_point(lines.begin(), lines.end(),
                                          [&](const Line& each) { return each.number < number; });
  while (line != lines.begin()) {
    --line;
    if (!line->blank()) return line;
  }
  return nullptr;
}

// "These change together:", above a list; empty for none.
std::string lead_of(const Line& line) {
  const bool leads = line.trimmed().ends_with(':') && heading_of(line).level == 0 && !line.fenced;
  return leads ? shorten(line.trimmed(), kLeadCharacters) : std::string();
}

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
  std::string lead;
  size_t last = 0;  // line of the item before
  for (ListItem& item : bullet_items({lines.data(), lines.size()})) {
    const Line* above = line_above(lines, item.line);
    if (above == nullptr || above->number > last) lead = above == nullptr ? "" : lead_of(*above);
    last = item.last;
    if (item.text.empty()) continue;
    if (!lead.empty() && says_little(item.text)) item.text = lead + " " + item.text;
    found.push_back({std::move(item.text), file, item.line});
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
