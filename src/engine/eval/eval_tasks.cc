#include "engine/eval/eval_tasks.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <unordered_map>

#include "core/blanks.h"
#include "core/ids.h"

namespace knapsack {
namespace {

using TaskJson = nlohmann::json;

// Where a row is, for messages.
struct TaskPlace {
  const std::string& file;
  size_t line;

  Error error(const std::string& what) const {
    return {ErrorCode::kUsage, fmt::format("{} line {}: {}", file, line, what),
            "a task is one JSON object a line with id, repo, base_commit, query and gold_files"};
  }
};

Result<std::string> text_field(const TaskJson& row, const char* name, const TaskPlace& place) {
  const auto found = row.find(name);
  if (found == row.end()) return place.error(fmt::format("\"{}\" is missing", name));
  if (!found->is_string()) return place.error(fmt::format("\"{}\" must be a string", name));
  auto text = found->get<std::string>();
  if (text.empty()) return place.error(fmt::format("\"{}\" is empty", name));
  return text;
}

Result<std::vector<std::string>> list_field(const TaskJson& row, const char* name, bool required,
                                            const TaskPlace& place) {
  std::vector<std::string> texts;
  const auto found = row.find(name);
  if (found == row.end()) {
    if (required) return place.error(fmt::format("\"{}\" is missing", name));
    return texts;
  }
  if (!found->is_array()) return place.error(fmt::format("\"{}\" must be a list of strings", name));
  for (const TaskJson& entry : *found) {
    if (!entry.is_string()) return place.error(fmt::format("\"{}\" must be a list of strings", name));
    texts.push_back(entry.get<std::string>());
  }
  if (required && texts.empty()) return place.error(fmt::format("\"{}\" is empty", name));
  return texts;
}

// {"file": [[first, last], …]}
Result<std::map<std::string, std::vector<LineRange>>> lines_field(const TaskJson& row,
                                                                  const TaskPlace& place) {
  std::map<std::string, std::vector<LineRange>> lines;
  const auto found = row.find("gold_lines");
  if (found == row.end()) return lines;
  const auto wrong = [&] { return place.error("\"gold_lines\" must be {\"file\": [[first, last], …]}"); };
  if (!found->is_object()) return wrong();
  for (const auto& [file, ranges] : found->items()) {
    if (!ranges.is_array()) return wrong();
    for (const TaskJson& range : ranges) {
      if (!range.is_array() || range.size() != 2 || !range[0].is_number_unsigned() ||
          !range[1].is_number_unsigned())
        return wrong();
      lines[file].push_back({range[0].get<uint32_t>(), range[1].get<uint32_t>()});
    }
  }
  return lines;
}

Result<EvalTask> parse_task(std::string_view line, const TaskPlace& place) {
  const TaskJson row = TaskJson::parse(line, nullptr, false);
  if (row.is_discarded()) return place.error("not valid JSON");
  if (!row.is_object()) return place.error("not a JSON object");
  EvalTask task;
  KNAPSACK_TRY(task.id, text_field(row, "id", place));
  KNAPSACK_TRY(task.repository, text_field(row, "repo", place));
  KNAPSACK_TRY(task.base_commit, text_field(row, "base_commit", place));
  KNAPSACK_TRY(task.query, text_field(row, "query", place));
  KNAPSACK_TRY(task.gold_files, list_field(row, "gold_files", true, place));
  KNAPSACK_TRY(task.gold_lines, lines_field(row, place));
  KNAPSACK_TRY(task.gold_symbols, list_field(row, "gold_symbols", false, place));
  return task;
}

}  // namespace

Result<std::vector<EvalTask>> parse_eval_tasks(std::string_view jsonl, const std::string& shown_as) {
  std::vector<EvalTask> tasks;
  std::unordered_map<std::string, size_t> lines;  // by id
  for (size_t number = 1; !jsonl.empty(); ++number) {
    const size_t end = jsonl.find('\n');
    const std::string_view line = jsonl.substr(0, end);
    jsonl.remove_prefix(end == std::string_view::npos ? jsonl.size() : end + 1);
    if (is_blank_text(line)) continue;
    const TaskPlace place{shown_as, number};
    KNAPSACK_TRY(EvalTask task, parse_task(line, place));
    const auto [before, added] = lines.emplace(task.id, number);
    if (!added) {
      return place.error(fmt::format("the id \"{}\" is that of line {} as well", task.id, before->second));
    }
    tasks.push_back(std::move(task));
  }
  if (tasks.empty()) {
    return Error{ErrorCode::kUsage, fmt::format("{} contains no tasks", shown_as),
                 "write one JSON object a line with id, repo, base_commit, query and gold_files"};
  }
  return tasks;
}

std::string fingerprint(const EvalTask& task) {
  std::vector<std::string_view> parts = {task.id, task.repository, task.base_commit, task.query};
  parts.insert(parts.end(), task.gold_files.begin(), task.gold_files.end());
  parts.emplace_back("\n");
  parts.insert(parts.end(), task.gold_symbols.begin(), task.gold_symbols.end());
  std::string lines;
  for (const auto& [file, ranges] : task.gold_lines) {
    lines += file;
    for (const LineRange range : ranges) lines += fmt::format(" {}-{}", range.first, range.last);
  }
  parts.push_back(lines);
  return hash_parts(parts);
}

}  // namespace knapsack
