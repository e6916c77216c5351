#include "cli/which_repository.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "cli/ask.h"
#include "core/escape.h"
#include "engine/settings/workspace.h"

namespace knapsack::cli {
namespace {

constexpr size_t kMaxNamed = 6;

// Names of the folders in it that are repositories.
std::vector<std::string> repositories_in(const FileSystem& files, const std::string& folder) {
  std::vector<std::string> names;
  const auto entries = files.list(folder);
  if (!entries.ok()) return names;
  for (const DirectoryEntry& entry : *entries) {
    const bool is_repository = entry.kind == FileKind::kDirectory &&
                               files.info(join_path(join_path(folder, entry.name), ".git")).ok();
    if (is_repository) names.push_back(entry.name);
  }
  std::sort(names.begin(), names.end());
  return names;
}

Error several(const std::vector<std::string>& names) {
  std::string list;
  for (size_t i = 0; i < std::min(names.size(), kMaxNamed); ++i)
    list += (i == 0 ? "" : ", ") + escape_control(names[i]);
  if (names.size() > kMaxNamed) list += fmt::format(" and {} more", names.size() - kMaxNamed);
  return {ErrorCode::kUsage,
          fmt::format("this folder is not a repository but contains {}: {}", names.size(), list),
          fmt::format("name one: --workspace {}", escape_control(names.front()))};
}

Result<std::string> choose(const std::vector<std::string>& names) {
  if (!can_ask()) return several(names);
  std::string question = "This folder contains several repositories:\n";
  for (size_t i = 0; i < names.size(); ++i)
    question += fmt::format("  {}  {}\n", i + 1, escape_control(names[i]));
  question += fmt::format("Which one? [1-{}] ", names.size());
  const auto answer = ask(question);
  for (size_t i = 0; answer && i < names.size(); ++i) {
    if (*answer == names[i] || *answer == std::to_string(i + 1)) return names[i];
  }
  return several(names);
}

}  // namespace

Result<std::unique_ptr<Engine>> open_engine_for_code(const Shared& shared, const std::string& folder) {
  KNAPSACK_TRY(auto options, engine_options(shared, folder));
  const auto files = make_disk_file_system();
  KNAPSACK_TRY(const Workspace workspace, find_workspace(*files, options.folder, options.workspace));
  if (workspace.found_by == "the current folder") {
    const auto names = repositories_in(*files, workspace.path);
    if (names.size() > 1) {
      KNAPSACK_TRY(options.workspace, choose(names));
    }
  }
  return Engine::open(std::move(options));
}

}  // namespace knapsack::cli
