#include "clients/toml_edit.h"

#include <fmt/format.h>
#include <toml++/toml.h>

#include "text/toml_depth.h"

namespace knapsack::clients {
namespace {

Result<toml::table> parse(std::string_view text, std::string_view name) {
  if (const std::string why = toml_refusal(text, kMaxTomlDepth); !why.empty())
    return Error{ErrorCode::kConfig, fmt::format("{}: {}", name, why), "correct it first"};
  try {
    return toml::table(toml::parse(text));
  } catch (const toml::parse_error& error) {
    return Error{ErrorCode::kConfig,
                 fmt::format("{}:{}: {}", name, error.source().begin.line, error.description()),
                 "correct it first"};
  }
}

const toml::node* find(const toml::table& root, const std::vector<std::string>& path) {
  const toml::node* node = &root;
  for (const std::string& key : path) {
    const toml::table* table = node->as_table();
    node = table == nullptr ? nullptr : table->get(key);
    if (node == nullptr) return nullptr;
  }
  return node;
}

}  // namespace

std::string table_text(const TomlTable& table, std::string_view line_break) {
  std::string text = fmt::format("[{}]{}", fmt::join(table.path, "."), line_break);
  for (const std::string& line : table.lines) text.append(line).append(line_break);
  return text;
}

Result<TomlState> find_table(std::string_view text, std::string_view name, const TomlTable& table) {
  KNAPSACK_TRY(const toml::table root, parse(text, name));
  const toml::node* found = find(root, table.path);
  if (found == nullptr) return TomlState::kMissing;
  KNAPSACK_TRY(const toml::table ours, parse(table_text(table, "\n"), "the entry"));
  const toml::table* there = found->as_table();
  return there != nullptr && *there == *find(ours, table.path)->as_table() ? TomlState::kSame
                                                                           : TomlState::kDifferent;
}

Result<std::vector<Insertion>> add_table(std::string_view text, std::string_view name,
                                         const TomlTable& table) {
  const std::string line_break(line_break_of(text));
  std::string added;
  if (!text.empty() && text.back() != '\n') added += line_break;
  if (!text.empty()) added += line_break;
  added += table_text(table, line_break);
  const std::vector<Insertion> insertions = {{text.size(), added}};
  const Error refused{
      ErrorCode::kConfig,
      fmt::format("{}: no table [{}] can be added at its end", name, fmt::join(table.path, ".")),
      "add it by hand: " + table_text(table, " ")};
  const auto before = parse(text, name);
  auto after = parse(with_insertions(text, insertions), name);
  if (!before.ok() || !after.ok()) return refused;
  // Without the new table everything must be as it was.
  toml::table* parent = &*after;
  for (size_t i = 0; i + 1 < table.path.size() && parent != nullptr; ++i) {
    // Where `[[mcp_servers]]` makes a list of it, the new table became a part of the list's last element.
    toml::node* const below = parent->get(table.path[i]);
    parent = below == nullptr ? nullptr : below->as_table();
  }
  if (parent == nullptr) return refused;
  parent->erase(table.path.back());
  if (find(*before, {table.path.front()}) == nullptr) after->erase(table.path.front());
  if (*after != *before) return refused;
  return insertions;
}

}  // namespace knapsack::clients
