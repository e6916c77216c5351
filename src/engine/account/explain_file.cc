#include "engine/account/explain_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <unordered_set>

#include "code/ask/code_views.h"
#include "code/index/curated_rows.h"
#include "code/rank/file_ranking.h"
#include "engine/sources/code_vectors.h"
#include "stages/scope_seeds.h"
#include "text/json_members.h"
#include "text/parse_json.h"
#include "understand/understand.h"

namespace knapsack {
namespace {

constexpr std::string_view kFilePrefix = "file:";
constexpr size_t kMaxPartLines = 12;

bool is_meant(const std::string& path, const std::string& named) {
  return path == named || path.ends_with("/" + named);
}

// The row of the scope stage for the file that `named` means; the exact path before one that only ends so.
const Decision* find_scope_row(const std::vector<Decision>& rows, const std::string& named) {
  const Decision* found = nullptr;
  for (const Decision& row : rows) {
    if (row.stage != "scope" || !row.candidate_id.starts_with(kFilePrefix) || !is_meant(row.title, named))
      continue;
    if (row.title == named) return &row;
    if (found == nullptr) found = &row;
  }
  return found;
}

bool is_part_of(const std::string& id, const std::string& path) {
  for (const std::string_view kind : {"file:", "whole:", "symbol:", "comment:"}) {
    if (!id.starts_with(kind)) continue;
    const std::string_view rest = std::string_view(id).substr(kind.size());
    return rest == path || (rest.starts_with(path) && rest[path.size()] == '#');
  }
  return false;
}

// Why a file has no parts, as the end of a sentence; empty where it has some or is not known.
std::string why_no_parts(code::CodeIndex* index, const std::string& path) {
  const auto number = index == nullptr ? std::nullopt : index->find_file(path);
  if (!number) return "";
  if (index->file(*number).blob != 0) return ": it ranks below the files whose parts are scored";
  const std::string& file_class = index->file(*number).file_class;
  if (file_class == code::kUnreadableClass)
    return ": it could not be read when it was indexed; check its permissions";
  return fmt::format(": it is listed only ({})", file_class);
}

std::vector<std::string> from_ledger(const Explanation& explanation, const Decision& scope,
                                     code::CodeIndex* index) {
  const std::string& path = scope.title;
  if (!scope.included) {
    return {fmt::format("{} was considered as a {} file and dropped at stage scope: {}", path, scope.section,
                        scope.reason)};
  }
  std::vector<const Decision*> shown, left_out;
  for (const Decision& row : explanation.decisions) {
    if (row.stage != "pack" || !is_part_of(row.candidate_id, path)) continue;
    (row.included ? shown : left_out).push_back(&row);
  }
  std::vector<std::string> lines;
  if (shown.empty() && left_out.empty()) {
    // The rows of a stage come best first.
    for (const Decision& row : explanation.decisions) {
      if (row.stage != "precision" || !is_part_of(row.candidate_id, path)) continue;
      return {fmt::format("{} is in scope as a {} file ({}), but its best part, {}, is {}; fill shows it",
                          path, scope.section, scope.reason, row.title, row.reason)};
    }
  }
  if (shown.empty()) {
    const auto cheapest = std::min_element(
        left_out.begin(), left_out.end(), [](const auto* a, const auto* b) { return a->tokens < b->tokens; });
    return {fmt::format("{} is in scope as a {} file ({}), but {}", path, scope.section, scope.reason,
                        cheapest == left_out.end() ? "nothing of it was offered" + why_no_parts(index, path)
                                                   : (*cheapest)->reason)};
  }
  lines.push_back(fmt::format("{} is there as a {} file ({}): {} of {} parts are shown", path, scope.section,
                              scope.reason, shown.size(), shown.size() + left_out.size()));
  for (const Decision* row : shown) {
    if (lines.size() > kMaxPartLines) break;
    lines.push_back(fmt::format("  {}: {}, {} tokens", row->candidate_id, row->form, row->tokens));
  }
  for (const Decision* row : left_out) {
    if (lines.size() > kMaxPartLines) break;
    lines.push_back(fmt::format("  {}: {}", row->candidate_id, row->reason));
  }
  if (shown.size() + left_out.size() > kMaxPartLines) {
    lines.push_back(fmt::format("  … and {} parts more", shown.size() + left_out.size() - kMaxPartLines));
  }
  return lines;
}

// How a file that was never gathered hangs together with a seed of the run; empty where it does not.
Result<std::string> link_to_seed(code::CodeIndex& index, uint32_t file, const std::vector<Decision>& rows) {
  std::unordered_set<std::string_view> seeds;
  for (const Decision& row : rows) {
    const bool is_seed = row.stage == "scope" && row.tier == static_cast<int>(stages::ScopeTier::kSeed);
    if (is_seed && row.candidate_id.starts_with(kFilePrefix)) seeds.insert(row.title);
  }
  KNAPSACK_TRY(const auto imports, index.imports_of(file));
  for (const code::FileLink& link : imports)
    if (seeds.contains(index.file(link.file).name)) return "it imports " + index.file(link.file).name;
  KNAPSACK_TRY(const auto importers, index.importers_of(file));
  for (const code::FileLink& link : importers)
    if (seeds.contains(index.file(link.file).name))
      return fmt::format("{} imports it", index.file(link.file).name);
  KNAPSACK_TRY(const auto changes, code::co_change_lines(index, file));
  for (const code::CoChangeLine& line : changes)
    if (seeds.contains(line.path)) return fmt::format("it changed {} times with {}", line.count, line.path);
  return std::string();
}

std::string why_not_considered(const code::FileRow& file, std::optional<size_t> rank,
                               const std::string& link) {
  if (file.blob == 0) {
    return fmt::format("{} was never gathered: it is listed only ({}), and the task does not name it",
                       file.name, file.file_class);
  }
  if (!link.empty()) {
    return fmt::format(
        "{} was never gathered: {}, but only the first {} files related to a seed are considered, "
        "and the first {} where the task names the seed; name the file or what it defines",
        file.name, link, stages::kNeighboursOfSeed, stages::kMaxNeighbours);
  }
  if (rank && *rank > stages::kRankedFiles) {
    return fmt::format(
        "{} was never gathered: it ranks {} for the task and the first {} are considered; no seed imports "
        "it, is "
        "imported by it or changed with it",
        file.name, *rank, stages::kRankedFiles);
  }
  if (rank) {
    return fmt::format(
        "{} was never gathered by that run; the index has changed since, and it would rank {} now", file.name,
        *rank);
  }
  return fmt::format(
      "{} was never gathered: nothing of the task points to it. It shares no words with the task, and no "
      "seed "
      "imports it, is imported by it or changed with it",
      file.name);
}

// Of what is there and not in the index.
std::string why_not_indexed(FileKind kind) {
  switch (kind) {
    case FileKind::kSymlink:
      return "it is a symbolic link, and only links to files inside the workspace are indexed";
    case FileKind::kDirectory:
      return "it is a folder; name a file in it";
    case FileKind::kOther:
      return "it is a FIFO, socket or device, and only regular files are indexed";
    case FileKind::kRegular:
      break;
  }
  return "it is not in the index: it is ignored, is in a nested repository, has a secret in its path, "
         "or is "
         "newer than the index; `knapsack index` says what it skipped";
}

Result<std::optional<size_t>> rank_of(const Engine::State& state, code::CodeIndex& index, uint32_t file,
                                      const std::string& task) {
  const TaskQuery query = understand(task);
  KNAPSACK_TRY(const Settings settings, state.settings(Flags()));
  NearCode near;
  if (is_short_question(query)) near = compare_code(state, settings, index, task);
  code::RankingOptions options;
  options.near = near.ranking();
  KNAPSACK_TRY(const auto ranking, code::rank_files(index, query, options));
  for (size_t i = 0; i < ranking.size(); ++i) {
    if (ranking[i].file == file) return std::optional<size_t>(i + 1);
  }
  return std::optional<size_t>();
}

}  // namespace

Result<std::vector<std::string>> explain_file(const Engine::State& state, const Explanation& explanation,
                                              const std::string& expect) {
  const std::string named = expect.starts_with(kFilePrefix) ? expect.substr(kFilePrefix.size()) : expect;
  const auto request = parse_json(explanation.run.record.request_json);
  if (!request.is_object()) return std::vector<std::string>();
  auto index = state.code_index(text_member(request, "revision"));
  if (const Decision* scope = find_scope_row(explanation.decisions, named))
    return from_ledger(explanation, *scope, index.ok() ? index->get() : nullptr);
  if (!index.ok()) return std::vector<std::string>();
  const auto file = state.find_file(**index, named);
  if (file.ok()) {
    KNAPSACK_TRY(const auto rank, rank_of(state, **index, *file, text_member(request, "task")));
    KNAPSACK_TRY(const std::string link, link_to_seed(**index, *file, explanation.decisions));
    return std::vector<std::string>{why_not_considered((*index)->file(*file), rank, link)};
  }
  if (file.error().code == ErrorCode::kUsage) return std::vector<std::string>{file.error().line()};
  const auto there = state.files->info(join_path(state.workspace.path, named));
  if (!there.ok()) return std::vector<std::string>();
  return std::vector<std::string>{
      fmt::format("{} was never gathered: {}", named, why_not_indexed(there->kind))};
}

}  // namespace knapsack
