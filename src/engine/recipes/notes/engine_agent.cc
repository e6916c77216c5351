#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "core/counted.h"
#include "core/ids.h"
#include "engine/gathering.h"
#include "engine/recipes/notes/notes_recipe.h"
#include "text/secrets/redact.h"
#include "text/unicode/utf8.h"

namespace knapsack {
namespace {

constexpr uint64_t kMaxNotesFileBytes = 16U << 20U;

std::string session_key(const std::string& session) {
  return hash_parts({"session", session});
}

class NotesRun : public GatheringRun<AgentRequest, AgentReply> {
 public:
  using GatheringRun::GatheringRun;

  // Reads the notes, unless the session was given them a moment ago.
  Status read() {
    const SettingFileCache::Request once(state_.setting_files);
    const SettingsRequest wanted = state_.settings_request(request_.settings);
    KNAPSACK_TRY(settings_, state_.settings(wanted));
    KNAPSACK_TRY(renderer_, find_renderer(request_.format));
    KNAPSACK_TRY(counter_, find_token_counter(settings_.notes_tokenizer));
    timer_.done("settings");
    if (!request_.session.empty() && settings_.notes_cooldown_seconds > 0) {
      look_at_cooldown();
      timer_.done("cooldown");
      if (cooling_down_) return ok_status();
    }
    KNAPSACK_TRY(const notes::FolderRequest folder, state_.folder_request(settings_, wanted));
    KNAPSACK_TRY(notes_, notes::read_folder(*state_.files, folder));
    shown_as_ = folder.shown_as;
    timer_.done("read");
    tell_what_was_read();
    redact_secrets(request_.task);
    secrets_ = redact(notes_);
    return ok_status();
  }

  Result<AgentReply> assemble(const Budget& budget) override {
    AgentReply reply = begun();
    reply.cooling_down = cooling_down_;
    if (cooling_down_) return reply;
    StepTimer timer(reply.times, state_.options.log);
    Settings settings = settings_;
    settings.notes_budget = budget.tokens;
    NotesPacket made =
        make_notes_packet(notes_, {settings, *budget.counter, *renderer_, request_.task, now_});
    if (secrets_ > 0) {
      made.packet.warnings.push_back(redacted_line(secrets_, "the notes"));
    }
    timer.done("pack");
    describe(made.packet, reply.times);  // gives the packet the id of its run
    reply.output =
        request_.explain ? with_explanation(made, request_.format == "json") : std::move(made.bytes);
    reply.packet = std::move(made.packet);
    tell_warnings(reply);
    return reply;
  }

  Status keep(AgentReply& reply) override {
    if (cooling_down_) return ok_status();
    tell_what_is_in(reply.packet);
    if (request_.dry_run) return ok_status();
    StepTimer timer(reply.times, state_.options.log);
    const RunRecord run = describe(reply.packet, reply.times);
    KNAPSACK_TRY(reply.run, state_.record(run, decisions_of(reply.packet), {}, reply.output, reply.notices));
    timer.done("ledger");
    if (reply.run) {
      state_.options.log.write(LogLevel::kInfo,
                               fmt::format("recorded as {}, number {}", run.run_id, *reply.run));
    }
    return ok_status();
  }

  Budget own_budget() const { return {settings_.notes_budget, counter_}; }

 private:
  // Where nobody can tell, notes twice are better than none.
  void look_at_cooldown() {
    const auto cooling = state_.cooling_down(session_key(request_.session), now_, settings_);
    cooling_down_ = cooling.ok() && *cooling;
    if (!cooling.ok())
      notices_.push_back("whether the session has these notes is not known: " + cooling.error().line());
  }

  void tell_what_was_read() const {
    const Log& log = state_.options.log;
    if (!log.wants(LogLevel::kInfo)) return;
    log.write(LogLevel::kInfo, fmt::format("{} holds {}, {}, {}, {} and {}", shown_as_,
                                           counted(notes_.constitution.size(), "rule"),
                                           counted(notes_.tasks.size(), "open task"),
                                           counted(notes_.conventions.size(), "convention"),
                                           counted(notes_.decisions.size(), "decision"),
                                           counted(notes_.learnings.size(), "learning")));
  }

  void tell_what_is_in(const Packet& packet) const {
    const Log& log = state_.options.log;
    if (!log.wants(LogLevel::kInfo)) return;
    log.write(LogLevel::kInfo,
              fmt::format("the packet has {} of {} tokens by {}; {} entries are reduced and {} left out",
                          packet.used, packet.budget, packet.tokenizer, packet.reduced_count(),
                          packet.omitted_count()));
  }

  RunRecord describe(Packet& packet, const std::vector<StepTime>& times) const {
    const nlohmann::ordered_json asked = {{"format", request_.format},
                                          {"task", request_.task},
                                          {"budget", packet.budget},
                                          {"context_dir", shown_as_}};
    return describe_run({"agent", asked, settings_, state_.workspace.path, notes_.fingerprint, now_}, packet,
                        times);
  }

  Settings settings_;
  bool cooling_down_ = false;
  notes::NotesFolder notes_;
  std::string shown_as_;  // the folder, as messages name it
  uint64_t secrets_ = 0;
};

}  // namespace

Result<AgentReply> NotesRecipes::agent(const AgentRequest& request) {
  return run_whole<NotesRun>(*state_, request);
}

Result<std::unique_ptr<GatheredNotes>> NotesRecipes::gather_notes(const AgentRequest& request) {
  return run_gathering<NotesRun>(*state_, request);
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
