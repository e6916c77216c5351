#include "engine/published/own_files.h"

#include <algorithm>

#include "core/files/tree.h"
#include "engine/published/content_cache.h"
#include "notes/instructions.h"
#include "text/secrets/redact.h"

namespace knapsack {
namespace {

constexpr const char* kSettingsFile = "knapsack.toml";
constexpr uint64_t kMaxOwnBytes = uint64_t{4} << 20U;
constexpr size_t kMaxOwnFiles = 20'000;

struct Named {
  std::string path, id;
};

// Both are told from the workspace. A folder outside it, or the whole of it, has nothing.
bool is_in_own_folder(std::string_view path, std::string_view folder) {
  const bool is_own =
      !folder.empty() && folder != "." && !folder.starts_with('/') && !folder.starts_with("..");
  return is_own && is_below(path, folder);
}

}  // namespace

bool is_own_path(std::string_view path) {
  if (path.starts_with('/') || path.find('\0') != std::string_view::npos) return false;
  for (size_t at = 0; at <= path.size();) {
    const size_t end = std::min(path.find('/', at), path.size());
    const std::string_view part = path.substr(at, end - at);
    if (part.empty() || part == "." || part == ".." || part == ".git" || part == ".knapsack") return false;
    at = end + 1;
  }
  return path != kUsedMark;
}

Result<std::map<std::string, std::string>> check_out_own_files(const Engine::State& state,
                                                               const GitRepository& repository,
                                                               const std::string& commit,
                                                               const std::string& workspace) {
  std::vector<Named> all;
  KNAPSACK_TRY([[maybe_unused]] const auto listing, repository.list_tree(commit, [&](const TreeItem& item) {
    if (item.kind == TreeItemKind::kFile || item.kind == TreeItemKind::kExecutable)
      all.push_back({std::string(item.path), item.id});
    return true;
  }));
  std::map<std::string, std::string> own;
  const auto take = [&](const Named& file) -> Status {
    if (own.size() >= kMaxOwnFiles || own.contains(file.path) || !is_own_path(file.path)) return ok_status();
    auto bytes = repository.read_blob(file.id, kMaxOwnBytes);
    // One that is too large, or that the mirror has not, is not there for its reader.
    if (!bytes.ok()) return ok_status();
    redact_secrets(*bytes);
    const std::string place = join_path(workspace, file.path);
    KNAPSACK_CHECK(make_directories(*state.files, parent_path(place)));
    KNAPSACK_CHECK(state.files->replace(place, *bytes));
    own.emplace(file.path, *std::move(bytes));
    return ok_status();
  };
  for (const Named& file : all) {
    if (file.path == kSettingsFile || notes::is_instruction_file(file.path)) KNAPSACK_CHECK(take(file));
  }
  SettingsRequest request = state.settings_request(Flags());
  request.workspace = request.started_in = workspace;
  KNAPSACK_TRY(const Settings settings, load_settings(*state.files, request));
  std::vector<std::string> folders = {relative_to(workspace, context_folder(settings, request)),
                                      relative_to(workspace, graph_folder(settings, request))};
  if (const auto memories = memory_folder(*state.files, settings, request); memories.ok())
    folders.push_back(relative_to(workspace, *memories));
  for (const Named& file : all) {
    const bool wanted = std::any_of(folders.begin(), folders.end(), [&](const std::string& folder) {
      return is_in_own_folder(file.path, folder);
    });
    if (wanted) KNAPSACK_CHECK(take(file));
  }
  return own;
}

}  // namespace knapsack
