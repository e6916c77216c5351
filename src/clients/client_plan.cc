#include "clients/client_plan.h"

#include <fmt/format.h>

#include <algorithm>

#include "clients/jsonc_edit.h"

namespace knapsack::clients {
namespace {

using nlohmann::ordered_json;

const JsonNode* find_path(const JsonNode& root, const std::vector<std::string>& path, size_t length) {
  const JsonNode* node = &root;
  for (size_t i = 0; i < length && node != nullptr; ++i) node = node->find(path[i]);
  return node;
}

// Numbers that are written differently and the order of names do not make a value another one.
bool is_same(const ordered_json& a, const ordered_json& b) {
  return nlohmann::json(a) == nlohmann::json(b);
}

bool mentions(const ordered_json& value, const std::string& mark) {
  if (value.is_string()) return value.get<std::string>().find(mark) != std::string::npos;
  return value.is_structured() &&
         std::any_of(value.begin(), value.end(), [&](const auto& each) { return mentions(each, mark); });
}

// Where an entry of ours is, if it is.
struct Found {
  const JsonNode* container = nullptr;
  size_t index = 0;
  bool is_same = false;
};

Found find_entry(std::string_view text, const JsonNode& root, const JsonEntry& entry) {
  Found found;
  const size_t above = entry.is_element ? entry.path.size() : entry.path.size() - 1;
  const JsonNode* container = find_path(root, entry.path, above);
  if (container == nullptr) return found;
  if (!entry.is_element) {
    for (size_t i = 0; i < container->members.size(); ++i) {
      if (container->members[i].key == entry.path.back()) {
        found = {container, i, is_same(to_json(text, container->members[i].value), entry.value)};
      }
    }
    return found;
  }
  for (size_t i = 0; i < container->elements.size(); ++i) {
    const ordered_json element = to_json(text, container->elements[i]);
    if (mentions(element, entry.mark) && !found.is_same)
      found = {container, i, is_same(element, entry.value)};
  }
  return found;
}

std::string entry_name(const std::vector<std::string>& path) {
  return fmt::format("{}", fmt::join(path, "."));
}

Status add_json(const JsonEntry& wanted, std::string_view name, FilePlan& plan) {
  KNAPSACK_TRY(const JsonDocument document, scan_jsonc(plan.after, name));
  JsonEntry entry = wanted;
  if (!document.is_blank) {
    entry = adapted(wanted, name, to_json(plan.after, document.root));
    const Found found = find_entry(plan.after, document.root, entry);
    if (found.container != nullptr) {
      if (!found.is_same) plan.left_alone.push_back(entry_name(entry.path));
      return ok_status();
    }
  }
  const auto add = entry.is_element ? add_element : add_member;
  KNAPSACK_TRY(EditStep step, add(plan.after, name, entry.path, entry.value));
  std::string after = with_insertions(plan.after, step);
  // What was made must be what was meant: a file is never left worse than it was found.
  const auto again = scan_jsonc(after, name);
  if (!again.ok() || !find_entry(after, again->root, entry).is_same)
    return Error{ErrorCode::kInternal, fmt::format("{}: the entry cannot be placed", name), "add it by hand"};
  plan.after = std::move(after);
  plan.steps.push_back(std::move(step));
  return ok_status();
}

Status add_toml(const TomlTable& table, std::string_view name, FilePlan& plan) {
  KNAPSACK_TRY(const TomlState state, find_table(plan.after, name, table));
  if (state == TomlState::kDifferent) plan.left_alone.push_back(entry_name(table.path));
  if (state != TomlState::kMissing) return ok_status();
  KNAPSACK_TRY(EditStep step, add_table(plan.after, name, table));
  plan.after = with_insertions(plan.after, step);
  plan.steps.push_back(std::move(step));
  return ok_status();
}

Status remove_json(const JsonEntry& wanted, std::string_view name, FileRemoval& removal) {
  KNAPSACK_TRY(const JsonDocument document, scan_jsonc(removal.after, name));
  if (document.is_blank) return ok_status();
  const JsonEntry entry = adapted(wanted, name, to_json(removal.after, document.root));
  const Found found = find_entry(removal.after, document.root, entry);
  if (found.container == nullptr) return ok_status();
  if (!found.is_same) {
    removal.left_alone.push_back(entry_name(entry.path));
    return ok_status();
  }
  removal.after = entry.is_element ? without_element(removal.after, *found.container, found.index)
                                   : without_member(removal.after, *found.container, found.index);
  return ok_status();
}

Status remove_toml(const TomlTable& table, std::string_view name, FileRemoval& removal) {
  KNAPSACK_TRY(const TomlState state, find_table(removal.after, name, table));
  if (state == TomlState::kMissing) return ok_status();
  std::string without = removal.after;
  const std::string text = table_text(table, line_break_of(removal.after));
  const size_t at = removal.after.find(text);
  if (at != std::string::npos) without.erase(at, text.size());
  const auto left = find_table(without, name, table);
  if (!left.ok() || *left != TomlState::kMissing) {
    removal.left_alone.push_back(entry_name(table.path));
    return ok_status();
  }
  removal.after = std::move(without);
  return ok_status();
}

}  // namespace

Result<FilePlan> plan_additions(const ClientFile& file, std::string_view name, const std::string& text) {
  FilePlan plan;
  plan.after = text;
  for (const JsonEntry& entry : file.json) KNAPSACK_CHECK(add_json(entry, name, plan));
  for (const TomlTable& table : file.toml) KNAPSACK_CHECK(add_toml(table, name, plan));
  return plan;
}

bool without_steps(const std::string& after, const std::vector<EditStep>& steps, std::string& before) {
  std::string text = after;
  for (size_t i = steps.size(); i-- > 0;) {
    std::string earlier;
    if (!without_insertions(text, steps[i], earlier)) return false;
    text = std::move(earlier);
  }
  before = std::move(text);
  return true;
}

Result<FileRemoval> plan_removal(const ClientFile& file, std::string_view name, const std::string& text) {
  FileRemoval removal;
  removal.after = text;
  for (const JsonEntry& entry : file.json) KNAPSACK_CHECK(remove_json(entry, name, removal));
  for (const TomlTable& table : file.toml) KNAPSACK_CHECK(remove_toml(table, name, removal));
  return removal;
}

}  // namespace knapsack::clients
