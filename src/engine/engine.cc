#include "engine/engine.h"

#include <fmt/format.h>

#include <chrono>
#include <nlohmann/json.hpp>

#include "core/ids.h"
#include "engine/engine_state.h"
#include "engine/notes_recipe.h"
#include "render/redact.h"
#include "store/state_folder.h"

namespace knapsack {
namespace {

class StepTimer {
 public:
  StepTimer(std::vector<StepTime>& times, const Log& log) : times_(times), log_(log) {}
  void done(std::string step) {
    const auto now = std::chrono::steady_clock::now();
    const int64_t micros = std::chrono::duration_cast<std::chrono::microseconds>(now - last_).count();
    if (log_.wants(LogLevel::kDebug))
      log_.write(LogLevel::kDebug, fmt::format("{} took {} µs", step, micros));
    times_.push_back({std::move(step), micros});
    last_ = now;
  }

 private:
  std::vector<StepTime>& times_;
  const Log& log_;
  std::chrono::steady_clock::time_point last_ = std::chrono::steady_clock::now();
};

std::string session_key(const std::string& session) {
  return hash_parts({"session", session});
}

std::string json_text(const nlohmann::ordered_json& json) {
  return json.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace);
}

std::vector<Decision> decisions_of(const Packet& packet) {
  std::vector<Decision> rows;
  for (const auto& section : packet.sections) {
    for (const auto& item : section.items) {
      Decision row;
      row.stage = item.candidate.dropped.empty() || item.shown ? "pack" : "rank";
      row.source = to_string(item.candidate.source);
      row.candidate_id = item.candidate.id;
      row.title = item.candidate.title;
      row.tier = section.tier;
      row.section = section.key;
      row.included = item.shown.has_value();
      if (item.shown) row.form = to_string(item.candidate.forms[*item.shown].kind);
      row.tokens = static_cast<int64_t>(item.tokens);
      row.full_tokens = static_cast<int64_t>(item.full_tokens);
      row.score = item.candidate.score.total;
      nlohmann::ordered_json components = nlohmann::ordered_json::object();
      for (const auto& component : item.candidate.score.components)
        components[component.name] = component.value;
      row.components_json = json_text(components);
      row.reason = item.reason;
      rows.push_back(std::move(row));
    }
  }
  return rows;
}

}  // namespace

Engine::Engine(std::unique_ptr<State> state) : state_(std::move(state)) {}
Engine::~Engine() = default;

Result<std::unique_ptr<Engine>> Engine::open(EngineOptions options, EngineParts parts) {
  auto state = std::make_unique<State>();
  state->files = parts.files ? std::move(parts.files) : std::shared_ptr<FileSystem>(make_disk_file_system());
  state->clock = std::move(parts.clock);
  if (options.now) state->clock = std::make_shared<FixedClock>(*options.now);
  if (!state->clock) state->clock = std::make_shared<SystemClock>();
  state->given_ledger = std::move(parts.ledger);
  state->given_model = std::move(parts.model);
  KNAPSACK_TRY(state->workspace, find_workspace(*state->files, options.folder, options.workspace));
  state->options = std::move(options);
  state->options.log.write(LogLevel::kInfo, fmt::format("the workspace is {} ({})", state->workspace.path,
                                                        state->workspace.found_by));
  return std::unique_ptr<Engine>(new Engine(std::move(state)));
}

const std::string& Engine::workspace() const {
  return state_->workspace.path;
}
std::string Engine::version() {
  return KNAPSACK_VERSION;
}

Result<AgentReply> Engine::agent(const AgentRequest& request) {
  AgentReply reply;
  const Log& log = state_->options.log;
  StepTimer timer(reply.times, log);
  const Timestamp now = state_->clock->now();
  const SettingsRequest wanted = state_->settings_request(request.settings);
  KNAPSACK_TRY(const Settings settings, load_settings(*state_->files, wanted));
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

  nlohmann::ordered_json asked = {{"format", request.format},
                                  {"task", task},
                                  {"budget", settings.notes_budget},
                                  {"context_dir", folder_request.shown_as}};
  RunRecord run;
  run.command = "agent";
  run.request_json = json_text(asked);
  nlohmann::ordered_json effective = nlohmann::ordered_json::object();
  for (const auto& row : settings.rows) effective[row.key] = {{"value", row.value}, {"from", row.origin}};
  run.config_json = json_text(effective);
  run.run_id = "run-" + hash_parts({run.command, run.request_json, run.config_json, folder.fingerprint,
                                    format_rfc3339(now), version()})
                            .substr(0, 12);
  made.packet.run_id = run.run_id;
  run.workspace = state_->workspace.path;
  run.tokenizer = made.packet.tokenizer;
  run.budget = static_cast<int64_t>(made.packet.budget);
  run.used = static_cast<int64_t>(made.packet.used);
  run.status = made.packet.status;
  run.warnings_json = json_text(made.packet.warnings);
  run.program_version = version();
  run.started = now;
  run.fingerprint = folder.fingerprint;
  nlohmann::ordered_json times = nlohmann::ordered_json::object();
  for (const auto& step : reply.times) times[step.step] = step.micros;
  run.timings_json = json_text(times);
  const auto decisions = decisions_of(made.packet);
  const auto appended = state_->append(run, decisions);
  timer.done("ledger");
  if (appended.ok()) {
    reply.run = appended->sequence;
    log.write(LogLevel::kInfo, fmt::format("recorded as {}, number {}", run.run_id, appended->sequence));
  } else if (appended.error().code == ErrorCode::kCorrupt) {
    return appended.error();
  } else {
    reply.notices.push_back(fmt::format("the packet is complete, but `knapsack explain` will not know it: {}",
                                        appended.error().line()));
  }
  for (const auto& warning : made.packet.warnings) reply.notices.push_back(warning);
  reply.output = request.explain ? with_explanation(made, request.format == "json") : std::move(made.bytes);
  reply.packet = std::move(made.packet);
  return reply;
}

Status Engine::delivered(const AgentReply& reply, const std::string& session) {
  if (session.empty() || !reply.run) return ok_status();
  KNAPSACK_TRY(auto ledger, state_->ledger());
  return ledger->append_delivery(session_key(session), *reply.run, state_->clock->now());
}

}  // namespace knapsack
