#include "engine/engine_state.h"

#include <fmt/format.h>

#include "model/chat/chat_clients.h"
#include "model/endpoint.h"
#include "store/state_folder.h"

namespace knapsack {

SettingsRequest EngineState::settings_request(const Flags& flags) const {
  return {workspace.path, options.folder, options.environment, flags};
}

void EngineState::tell_refused(const Settings& settings) const {
  for (const std::string& line : settings.refused) options.log.write(LogLevel::kWarning, line);
}

Result<notes::FolderRequest> EngineState::folder_request(const Settings& settings,
                                                         const SettingsRequest& request) const {
  notes::FolderRequest folder;
  folder.path = context_folder(settings, request);
  folder.shown_as = relative_to(workspace.path, folder.path);
  folder.priority_order = settings.notes_priority_order;
  // Whoever names a link on the command line means what it points to; a link that a repository brings along
  // stays a link, and is refused when the folder is read.
  if (settings.context_dir_from_flag) {
    folder.shown_as = settings.notes_context_dir;
    if (const auto resolved = files->resolve(folder.path); resolved.ok()) folder.path = *resolved;
  }
  return folder;
}

std::string EngineState::state_folder() const {
  return join_path(workspace.path, ".knapsack");
}

Result<std::shared_ptr<Ledger>> EngineState::ledger() const {
  if (given_ledger) return given_ledger;
  KNAPSACK_TRY(auto opened, open_ledger(state_folder(), *files, *clock));
  return std::shared_ptr<Ledger>(std::move(opened));
}

Result<std::shared_ptr<model::ModelClient>> EngineState::model_client(const Settings& settings,
                                                                      const std::string& model,
                                                                      const std::string& base_url,
                                                                      uint64_t window) const {
  if (given_model) return given_model;
  model::ModelOptions wanted;
  wanted.model = model;
  wanted.base_url = base_url;
  wanted.provider = settings.model_provider;
  wanted.window = window;
  wanted.environment = options.environment;
  KNAPSACK_TRY(auto client, model::make_model_client(wanted));
  return std::shared_ptr<model::ModelClient>(std::move(client));
}

Result<RunKey> EngineState::append(const RunRecord& run, const std::vector<Decision>& decisions,
                                   const std::vector<ModelCall>& calls, std::string_view output) {
  if (!given_ledger) KNAPSACK_CHECK(ensure_state_folder(*files, workspace.path));
  KNAPSACK_TRY(const auto opened, ledger());
  return opened->append_run(run, decisions, calls, output);
}

Result<std::optional<int64_t>> EngineState::record(const RunRecord& run,
                                                   const std::vector<Decision>& decisions,
                                                   const std::vector<ModelCall>& calls,
                                                   std::string_view output,
                                                   std::vector<std::string>& notices) {
  const auto appended = append(run, decisions, calls, output);
  if (appended.ok()) return std::optional(appended->sequence);
  notices.push_back("this run is not in the ledger, and `knapsack explain` will not know it: " +
                    appended.error().line());
  return std::optional<int64_t>();
}

Result<bool> EngineState::cooling_down(const std::string& session_key, Timestamp now,
                                       const Settings& settings) const {
  KNAPSACK_TRY(const auto opened, ledger());
  KNAPSACK_TRY(const auto last, opened->last_delivery(session_key));
  if (!last) return false;
  // A packet from the future means that the clock was set back; it must not silence anybody for long.
  const int64_t since = now.micros - last->micros;
  return since >= 0 && since < settings.notes_cooldown_seconds * 1'000'000;
}

}  // namespace knapsack
