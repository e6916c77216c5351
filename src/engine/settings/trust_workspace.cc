#include "engine/settings/trust_workspace.h"

#include <fmt/format.h>

#include "engine/settings/settings.h"
#include "engine/settings/trust.h"
#include "engine/settings/workspace.h"

namespace knapsack {
namespace {

constexpr uint64_t kMaxBytes = uint64_t{1} << 20U;

}  // namespace

Result<TrustReply> trust_workspace(FileSystem& files, const EngineOptions& options, TrustAction action) {
  KNAPSACK_TRY(const Workspace workspace, find_workspace(files, options.folder, options.workspace));
  TrustQuestion question{workspace.path, options.environment, ""};
  const SettingsRequest wanted{workspace.path, options.folder, options.environment, {}};
  TrustReply reply;
  if (action == TrustAction::kList) {
    KNAPSACK_TRY(const auto trusted, list_trusted(files, question));
    for (const TrustedWorkspace& each : trusted) {
      reply.workspaces.push_back(each.versions == 1
                                     ? each.path
                                     : fmt::format("{} ({} versions of its file)", each.path, each.versions));
    }
    return reply;
  }
  if (action == TrustAction::kRevoke) {
    KNAPSACK_TRY(reply.revoked, revoke_trust(files, question));
    return reply;
  }
  const std::string path = join_path(workspace.path, "knapsack.toml");
  auto content = files.read(path, kMaxBytes);
  if (!content.ok()) {
    if (content.error().code != ErrorCode::kNotFound) return content.error();
    return Error{ErrorCode::kNotFound, "there is no knapsack.toml here", "there is nothing to trust"};
  }
  question.content = *std::move(content);
  KNAPSACK_TRY(const Settings before, load_settings(files, wanted));
  if (before.refused.empty()) return reply;
  KNAPSACK_CHECK(trust(files, question));
  KNAPSACK_TRY(const Settings after, load_settings(files, wanted));
  if (!after.refused.empty()) {
    return Error{ErrorCode::kBusy, "knapsack.toml changed while it was read", "look at it and try again"};
  }
  for (const SettingRow& row : after.rows) {
    if (row.origin != "knapsack.toml") continue;
    for (const SettingRow& refused : before.rows) {
      if (refused.key == row.key && refused.origin.ends_with(", refused"))
        reply.allowed.push_back(fmt::format("{} = '{}', which {}", row.key, row.value, refused.description));
    }
  }
  return reply;
}

}  // namespace knapsack
