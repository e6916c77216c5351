#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "core/ids.h"
#include "engine/engine_state.h"
#include "engine/recipes/notes/notes_recipe.h"
#include "engine/run_record.h"
#include "text/secrets/redact.h"
#include "text/unicode/utf8.h"

namespace knapsack {
namespace {

constexpr uint64_t kMaxNotesFileBytes = 16U << 20U;

std::string session_key(const std::string& session) {
  return hash_parts({"session", session});
}

}  // namespace

Result<AgentReply> NotesRecipes::agent(const AgentRequest& request) {
  const SettingFileCache::Request once(state_->setting_files);
  AgentReply reply;
  const Log& log = state_->options.log;
  StepTimer timer(reply.times, log);
  const Timestamp now = state_->clock->now();
  const SettingsRequest wanted = state_->settings_request(request.settings);
  KNAPSACK_TRY(const Settings settings, state_->settings(wanted));
  KNAPSACK_TRY(const Renderer* renderer, find_renderer(request.format));
  KNAPSACK_TRY(const TokenCounter* counter, find_token_counter(settings.notes_tokenizer));
  timer.done("settings");

  if (!request.session.empty() && settings.notes_cooldown_seconds > 0) {
    KNAPSACK_TRY(reply.cooling_down, state_->cooling_down(session_key(request.session), now, settings));
    timer.done("cooldown");
    if (reply.cooling_down) return reply;
  }

  notes::FolderRequest folder_request;
  KNAPSACK_TRY(folder_request, state_->folder_request(settings, wanted));
  KNAPSACK_TRY(notes::NotesFolder folder, notes::read_folder(*state_->files, folder_request));
  timer.done("read");
  if (log.wants(LogLevel::kInfo)) {
    log.write(LogLevel::kInfo,
              fmt::format("{} holds {} rules, {} open tasks, {} conventions, {} decisions and {} learnings",
                          folder_request.shown_as, folder.constitution.size(), folder.tasks.size(),
                          folder.conventions.size(), folder.decisions.size(), folder.learnings.size()));
  }
  std::string task = request.task;
  redact_secrets(task);
  const uint64_t secrets = redact(folder);
  NotesPacket made = make_notes_packet(folder, {settings, *counter, *renderer, task, now});
  if (secrets > 0) {
    made.packet.warnings.push_back(
        fmt::format("{} secrets in the notes were replaced by [redacted]", secrets));
  }
  timer.done("pack");
  if (log.wants(LogLevel::kInfo)) {
    log.write(LogLevel::kInfo,
              fmt::format("the packet has {} of {} tokens by {}; {} entries are reduced and {} left out",
                          made.packet.used, made.packet.budget, made.packet.tokenizer,
                          made.packet.reduced_count(), made.packet.omitted_count()));
  }

  const nlohmann::ordered_json asked = {{"format", request.format},
                                        {"task", task},
                                        {"budget", settings.notes_budget},
                                        {"context_dir", folder_request.shown_as}};
  const RunRecord run = describe_run(
      {"agent", asked, settings, state_->workspace.path, folder.fingerprint, now}, made.packet, reply.times);
  reply.output = request.explain ? with_explanation(made, request.format == "json") : std::move(made.bytes);
  if (!request.dry_run) {
    KNAPSACK_TRY(reply.run, state_->record(run, decisions_of(made.packet), {}, reply.output, reply.notices));
    timer.done("ledger");
  }
  if (reply.run) log.write(LogLevel::kInfo, fmt::format("recorded as {}, number {}", run.run_id, *reply.run));
  for (const auto& warning : made.packet.warnings) reply.notices.push_back(warning);
  reply.packet = std::move(made.packet);
  return reply;
}

Result<std::vector<NotesFile>> NotesRecipes::notes_files() {
  const SettingsRequest wanted = state_->settings_request({});
  KNAPSACK_TRY(const Settings settings, state_->settings(wanted));
  KNAPSACK_TRY(const notes::FolderRequest request, state_->folder_request(settings, wanted));
  if (const auto there = state_->files->info(request.path);
      !there.ok() && there.error().code == ErrorCode::kNotFound)
    return std::vector<NotesFile>();
  // Only what reads as notes: no links, nothing that is not a file.
  KNAPSACK_TRY(const notes::NotesFolder folder, notes::read_folder(*state_->files, request));
  std::vector<NotesFile> found;
  for (const std::string& path : folder.read_order) {
    NotesFile& file = found.emplace_back();
    file.name = relative_to(request.shown_as, path);
    KNAPSACK_TRY(std::string bytes,
                 state_->files->read(join_path(request.path, file.name), kMaxNotesFileBytes));
    file.text = sanitize_utf8(std::move(bytes));
    redact_secrets(file.text);
  }
  return found;
}

Status NotesRecipes::delivered(const AgentReply& reply, const std::string& session) {
  if (session.empty() || !reply.run) return ok_status();
  KNAPSACK_TRY(auto ledger, state_->ledger());
  return ledger->append_delivery(session_key(session), *reply.run, state_->clock->now());
}

}  // namespace knapsack
