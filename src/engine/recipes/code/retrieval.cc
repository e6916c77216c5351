#include "engine/recipes/code/retrieval.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "core/ids.h"
#include "engine/recipes/code/retrieval_session.h"
#include "engine/sources/code_vectors.h"
#include "engine/sources/common_words.h"
#include "packet/render/group_view.h"
#include "packet/render/packet_json.h"
#include "store/state_folder.h"
#include "text/markdown/markdown_lines.h"
#include "text/parse_json.h"
#include "text/secrets/redact.h"
#include "text/unicode/utf8.h"
#include "understand/task_analysis.h"
#include "understand/understand.h"

namespace knapsack {
namespace {

using Json = nlohmann::ordered_json;

// False for anything that understand() has not written.
bool read_understanding(const std::string& text, TaskQuery& task) {
  try {
    const Json json = parse_ordered_json(text);
    const auto list = [&](const char* key) { return json.at(key).get<std::vector<std::string>>(); };
    TaskQuery read = task;
    read.intent = json.at("intent").get<std::string>();
    read.guessed_paths = list("paths");
    read.guessed_symbols = list("symbols");
    read.concepts = list("concepts");
    task = std::move(read);
    return true;
  } catch (const Json::exception&) {
    return false;
  }
}

}  // namespace

Retrieval::Retrieval(Engine::State& state, RetrieveRequest request, std::string command)
    : state_(state), request_(std::move(request)), command_(std::move(command)) {
  timer_.emplace(reply_.times, state_.options.log);
  now_ = state_.clock->now();
}

Status Retrieval::check() {
  KNAPSACK_CHECK(check_task(request_.task));
  // The session keeps the task as JSON, which holds no other bytes.
  request_.task = replace_invalid_utf8(request_.task);
  redact_secrets(request_.task);
  KNAPSACK_TRY(settings_, state_.settings(Flags(request_.settings)));
  warnings_.insert(warnings_.end(), settings_.refused.begin(), settings_.refused.end());
  take_what_pack_takes();
  if (request_.stages.empty()) {
    return Error{ErrorCode::kUsage, "there are no stages", "give `stages` scope,precision"};
  }
  KNAPSACK_TRY(stages_, stages::parse_stages(request_.stages));
  KNAPSACK_TRY(budget_, read_budget(*state_.files, state_.options.folder, request_));
  KNAPSACK_CHECK(check_model(request_));
  if (!request_.task_id.empty()) KNAPSACK_CHECK(check_task_id(request_.task_id));
  KNAPSACK_TRY(counter_, find_token_counter(settings_.code_tokenizer));
  // The full JSON is about the content: its budget is that of the content as md prints it.
  KNAPSACK_TRY(renderer_, find_renderer(request_.format == "json" ? "md" : request_.format));
  timer_->done("settings");
  return make_judge();
}

// A task and no word of stages or of a budget: all stages, no model that is not named, and the budget of `pack`.
void Retrieval::take_what_pack_takes() {
  if (!request_.stages.empty() || request_.budget_config || request_.context_window ||
      request_.reserved_tokens)
    return;
  request_.stages = "scope,precision";
  request_.context_window = settings_.pack_budget;
  request_.reserved_tokens = 0;
  request_.no_model = request_.no_model || (request_.model.empty() && request_.base_url.empty());
}

Status Retrieval::make_judge() {
  if (request_.no_model) return ok_status();
  KNAPSACK_TRY(client_,
               state_.model_client(settings_, request_.model, request_.base_url, budget_.context_window));
  return ok_status();
}

IndexOptions Retrieval::index_options() const {
  IndexOptions options;
  options.progress = request_.progress;
  options.stop = request_.stop;
  return options;
}

Status Retrieval::refresh_index() {
  if (!request_.refresh || !request_.revision.empty()) return ok_status();
  KNAPSACK_TRY(auto refreshed, state_.refresh_index(index_options()));
  if (refreshed.problem.empty()) return ok_status();
  warnings_.push_back(std::move(refreshed.problem));
  degraded_ = true;
  return ok_status();
}

Status Retrieval::open() {
  linked_.emplace(state_, request_.refresh, index_options(), request_.also);
  KNAPSACK_CHECK(refresh_index());
  timer_->done("index");
  KNAPSACK_TRY(index_, state_.code_index(request_.revision));
  if (std::string lacking = index_->incomplete(); !lacking.empty()) {
    warnings_.push_back(std::move(lacking));
    degraded_ = true;
  }
  KNAPSACK_TRY(const std::string workspace, state_.files->resolve(state_.workspace.path));
  KNAPSACK_TRY(auto texts, code::SnapshotTexts::open(*state_.files, workspace, index_->snapshot()));
  texts_.emplace(*index_, std::move(texts));
  linked_->open();
  warnings_.insert(warnings_.end(), linked_->warnings().begin(), linked_->warnings().end());
  degraded_ = degraded_ || !linked_->warnings().empty();
  timer_->done("open");
  task_ = knapsack::understand(request_.task);
  timer_->done("understand");
  return open_session();
}

Status Retrieval::open_session() {
  kept_request_ = request_to_json(request_, budget_, linked_->folders());
  KNAPSACK_TRY(const std::string descriptions, descriptions_mark(*index_));
  const std::string fingerprint =
      linked_->fingerprint(index_->snapshot().fingerprint) + " " + Engine::version() + descriptions;
  task_id_ =
      request_.task_id.empty() ? "task-" + hash_parts({kept_request_}).substr(0, 12) : request_.task_id;
  if (request_.dry_run) return ok_status();
  const auto opened = [&]() -> Result<Session> {
    KNAPSACK_TRY(const std::string folder, ensure_sessions_folder(*state_.files, state_.workspace.path));
    return Session::open(folder, task_id_);
  };
  auto session = opened();
  if (!session.ok()) {
    if (!request_.task_id.empty() || session.error().code == ErrorCode::kCorrupt) return session.error();
    // Nobody asked for a session by name: a packet from a disk that cannot be written to, or beside the same
    // question asked twice at once, is worth more than one that could be resumed.
    reply_.notices.push_back(fmt::format("the task cannot be refined: {}", session.error().line()));
    return ok_status();
  }
  session_.emplace(*std::move(session));
  KNAPSACK_TRY(const auto before, session_->get(kSessionRequest));
  KNAPSACK_TRY(const auto snapshot, session_->get(kSnapshot));
  if (before) {
    KNAPSACK_TRY(const RetrieveRequest earlier, request_from_json(*before));
    if (earlier.task != request_.task) {
      return Error{
          ErrorCode::kUsage,
          fmt::format("`task_id` {} belongs to another task: \"{}\"", task_id_, task_title(earlier.task)),
          "choose another id, or leave it out"};
    }
  }
  // What an interrupted run left holds for the same request and the same files, and for nothing else.
  if (!before || *before != kept_request_ || !snapshot || *snapshot != fingerprint) {
    std::map<std::string, std::string> values = {{kSessionRequest, kept_request_},
                                                 {kSnapshot, fingerprint},
                                                 {kStageProgress, "[]"},
                                                 {kUnderstanding, ""}};
    // A plain retrieval forgets what refinements asked for, all of it.
    if (command_ == "retrieve") values[kErrorHints] = "";
    return session_->put(values);
  }
  return ok_status();
}

Status Retrieval::start_refinement(const std::string& request_json, const std::string& hints) {
  if (request_.dry_run) return ok_status();
  return session_->put({{kRefinementRequest, request_json},
                        {kErrorHints, hints},
                        {kSnapshot, linked_->fingerprint(index_->snapshot().fingerprint) + " refined"},
                        {kStageProgress, "[]"}});
}

void Retrieval::add_hints(const std::string& text) {
  const TaskQuery more = knapsack::understand(text);
  task_.frames.insert(task_.frames.end(), more.frames.begin(), more.frames.end());
  task_.symbols.insert(task_.symbols.end(), more.symbols.begin(), more.symbols.end());
  task_.paths.insert(task_.paths.end(), more.paths.begin(), more.paths.end());
  task_.errors.insert(task_.errors.end(), more.errors.begin(), more.errors.end());
  task_.segments.insert(task_.segments.end(), more.segments.begin(), more.segments.end());
}

// The model's reading of the task is asked for once and kept.
Status Retrieval::understand() {
  if (!client_) return ok_status();
  judge_.emplace(*client_, settings_.model_deadline);
  if (session_) {
    KNAPSACK_TRY(const auto kept, session_->get(kUnderstanding));
    if (kept && read_understanding(*kept, task_)) return ok_status();
  }
  if (const auto problem = judge_->read_intent(task_)) {
    start_.problems.push_back(*problem);
    return ok_status();
  }
  if (!session_) return ok_status();
  const Json json = {{"intent", task_.intent},
                     {"paths", task_.guessed_paths},
                     {"symbols", task_.guessed_symbols},
                     {"concepts", task_.concepts}};
  return session_->put({{kUnderstanding, json_line(json)}});
}

Packet Retrieval::make_packet(const Budget& budget) const {
  Packet packet = packet_for_task(request_.task, budget, now_);
  packet.task_id = task_id_;
  if (!budget.counter->is_exact()) {
    packet.margin = static_cast<uint64_t>(static_cast<double>(packet.budget) * settings_.code_safety_margin);
  }
  return packet;
}

RunStatus Retrieval::status_of(const Packet& packet, bool degraded) const {
  if (degraded || !result_.context.problems.empty()) return RunStatus::kDegraded;
  const auto shown = shown_groups(packet);
  return std::find(shown.begin(), shown.end(), true) == shown.end() ? RunStatus::kEmpty : RunStatus::kOk;
}

void Retrieval::tell(RetrieveReply& reply) const {
  auto& details = reply.details;
  const Packet& packet = reply.packet;
  details.push_back(
      fmt::format("task {} ({}), snapshot {}", task_id_, to_string(task_.type), index_->snapshot().name));
  for (const std::string& stage : result_.resumed)
    details.push_back(fmt::format("stage {}: kept from before", stage));
  std::map<std::string_view, std::pair<size_t, size_t>> tiers;
  for (const auto& file : result_.context.files) {
    auto& [kept, all] = tiers[to_string(file.tier)];
    ++all;
    kept += file.kept ? 1 : 0;
  }
  for (const auto& [tier, counts] : tiers) {
    details.push_back(fmt::format("scope: {} of {} {} files kept", counts.first, counts.second, tier));
  }
  std::map<std::string_view, size_t> symbols;
  for (const auto& symbol : result_.context.symbols) ++symbols[to_string(symbol.tier)];
  for (const auto& [tier, count] : symbols) details.push_back(fmt::format("precision: {} {}", count, tier));
  for (const std::string& info : result_.context.infos) details.push_back(info);
  details.push_back(fmt::format("packet: {} of {} tokens by {}, {} parts reduced, {} left out", packet.used,
                                packet.budget, packet.tokenizer, packet.reduced_count(),
                                packet.omitted_count()));
}

// What a refinement asked for and is not there whole.
std::vector<std::string> Retrieval::asked_in_vain(const Packet& packet) {
  std::vector<std::string> lines;
  for (const PacketSection& section : packet.sections) {
    for (const PacketItem& item : section.items) {
      const bool is_asked = item.candidate.pinned && item.candidate.role == CandidateRole::kSymbol;
      if (!is_asked || (item.shown && item.candidate.forms[*item.shown].kind == FormKind::kFull)) continue;
      lines.push_back(
          item.shown ? fmt::format("{} does not fit: it is there as its {}, and all of it needs {} tokens",
                                   item.candidate.title, to_string(item.candidate.forms[*item.shown].kind),
                                   item.full_tokens)
                     : fmt::format("{} does not fit a budget of {} tokens: it needs {}, and its signature {}",
                                   item.candidate.title, packet.budget, item.full_tokens, item.tokens));
    }
  }
  return lines;
}

Status Retrieval::gather() {
  KNAPSACK_CHECK(understand());
  NearCode near;
  if (is_short_question(task_)) near = compare_code(state_, settings_, *index_, task_.text);
  if (!near.problem.empty()) start_.problems.push_back("code is found by words only: " + near.problem);
  if (!near.model.empty()) reply_.details.push_back("compared in meaning by " + near.model);
  if (std::string missing = near.missing_line(); !missing.empty())
    reply_.details.push_back(std::move(missing));
  timer_->done("meaning");
  if (session_) KNAPSACK_CHECK(forget_other_meaning(*session_, near));
  const stages::StageInput input{*index_,       task_, *texts_, judge_ ? &*judge_ : nullptr,
                                 nullptr,       {},    nullptr, budget_.retrieval(),
                                 near.ranking()};
  KNAPSACK_TRY(result_, linked_->run(stages_, input, start_, session_ ? &*session_ : nullptr,
                                     [&](std::string_view stage) { timer_->done(std::string(stage)); }));
  return ok_status();
}

Result<RetrieveReply> Retrieval::assemble(const Budget& budget) {
  KNAPSACK_TRY(CodePacketParts parts,
               make_code_sections(linked_->places(*index_, *texts_), result_.context,
                                  {budget.tokens, request_.fill, budget.counter->name()}));
  timer_->done("read");
  RetrieveReply reply = reply_;
  Packet& packet = reply.packet;
  packet = make_packet(budget);
  std::string bytes = pack_code(packet, parts, *renderer_, *budget.counter);
  timer_->done("pack");

  packet.warnings = warnings_;
  packet.warnings.insert(packet.warnings.end(), parts.warnings.begin(), parts.warnings.end());
  packet.warnings.insert(packet.warnings.end(), result_.context.problems.begin(),
                         result_.context.problems.end());
  if (parts.secrets > 0) {
    packet.warnings.push_back(redacted_line(parts.secrets, "the code"));
  }
  for (std::string& line : asked_in_vain(packet)) packet.warnings.push_back(std::move(line));
  if (std::string line = no_common_word(result_.context.files, index_->files().size()); !line.empty())
    packet.warnings.push_back(std::move(line));
  packet.status = status_of(packet, degraded_ || !parts.warnings.empty());
  if (packet.status == RunStatus::kEmpty && !packet.groups.empty()) {
    packet.warnings.push_back(fmt::format("none of {} files fits a budget of {} tokens: give more",
                                          packet.groups.size(), packet.budget));
  }
  describe(packet);  // gives the packet the id of its run
  reply.output = request_.format == "json" ? packet_json(packet) : std::move(bytes);
  reply.notices.insert(reply.notices.end(), packet.warnings.begin(), packet.warnings.end());
  tell(reply);
  reply.times = reply_.times;
  return reply;
}

RunRecord Retrieval::describe(Packet& packet) const {
  Json asked = parse_ordered_json(kept_request_);
  asked["format"] = request_.format;
  return describe_run({command_, asked, settings_, state_.workspace.path,
                       linked_->fingerprint(index_->snapshot().fingerprint), now_},
                      packet, reply_.times);
}

Status Retrieval::keep(RetrieveReply& reply) {
  const RunRecord run = describe(reply.packet);
  std::vector<ModelCall> calls;
  if (judge_) {
    for (const model::CallRecord& call : judge_->calls()) calls.push_back(ledger_row(call));
  }
  std::vector<Decision> rows = {task_decision(task_)};
  for (Decision& row : stage_decisions(result_.context)) rows.push_back(std::move(row));
  for (Decision& row : decisions_of(reply.packet)) rows.push_back(std::move(row));
  KNAPSACK_TRY(reply.run, state_.record(run, rows, calls, reply.output, reply.notices));
  timer_->done("ledger");
  reply.times = reply_.times;
  return ok_status();
}

Result<RetrieveReply> Retrieval::run() {
  KNAPSACK_CHECK(gather());
  KNAPSACK_TRY(RetrieveReply reply, assemble({budget_.retrieval(), counter_}));
  if (!request_.dry_run) KNAPSACK_CHECK(keep(reply));
  return reply;
}

}  // namespace knapsack
