// Engine::recall: the memories that a prompt needs.
#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <optional>

#include "engine/recipes/memory/recall_document.h"
#include "engine/recipes/memory/recall_gather.h"
#include "engine/recipes/memory/recall_meaning.h"
#include "engine/recipes/memory/recall_packet.h"
#include "engine/recipes/memory/recall_rerank.h"
#include "engine/run_record.h"
#include "text/secrets/redact.h"

namespace knapsack {
namespace {

constexpr size_t kMaxPromptBytes = 1U << 20U;
constexpr size_t kDateSize = 10;  // "2026-11-15"
constexpr int64_t kMicrosPerDay = int64_t{86'400} * 1'000'000;

Result<RecallPlan> make_plan(const RecallRequest& request, bool planner_enabled) {
  if (request.mode == "auto") {
    if (planner_enabled) return plan_recall(request.prompt);
    return RecallPlan{RecallMode::kFull, false, "planner is off", ""};
  }
  const auto mode = parse_recall_mode(request.mode);
  if (!mode) {
    return Error{ErrorCode::kUsage, fmt::format("unknown mode '{}'", request.mode),
                 "choose auto, no_recall, minimal, full or graph_mode"};
  }
  return RecallPlan{*mode, false, "given", ""};
}

struct AsOf {
  Timestamp at;
  bool past = false;
};
// A bare date means its end: what was written on that day was known on it.
Result<AsOf> read_as_of(const std::string& text, Timestamp now) {
  if (text.empty()) return AsOf{now, false};
  const auto time = parse_rfc3339(text);
  if (!time.ok()) {
    return Error{ErrorCode::kUsage, fmt::format("`as_of` '{}' is not a valid date", text),
                 "give one like 2026-11-15 or 2026-11-15T08:00:00Z"};
  }
  Timestamp at = *time;
  if (text.size() == kDateSize) at.micros += kMicrosPerDay - 1;
  return AsOf{at, at < now};
}

class Recall {
 public:
  Recall(Engine::State& state, const RecallRequest& request)
      : state_(state),
        request_(request),
        embedding_{request.embed_model, request.embed_url, kMeaningTime},
        timer_(reply_.times, state.options.log),
        now_(state.clock->now()) {}

  Result<RecallReply> run() {
    KNAPSACK_CHECK(prepare());
    if (plan_.mode != RecallMode::kNone) {
      KNAPSACK_CHECK(gather());
    } else {
      pack({}, "");
    }
    const RunRecord run = describe();
    finish_output();
    if (!request_.dry_run) {
      record_accesses();
      KNAPSACK_TRY(reply_.run,
                   state_.record(run, decisions_of(made_.packet), calls_, reply_.output, reply_.notices));
      timer_.done("ledger");
    }
    for (const std::string& warning : made_.packet.warnings) reply_.notices.push_back(warning);
    reply_.mode = to_string(plan_.mode);
    reply_.rule = plan_.rule;
    reply_.packet = std::move(made_.packet);
    return std::move(reply_);
  }

 private:
  Status prepare() {
    if (request_.prompt.size() > kMaxPromptBytes) {
      return Error{ErrorCode::kUsage, fmt::format("the prompt has more than {} bytes", kMaxPromptBytes),
                   "give the part that says what is wanted"};
    }
    KNAPSACK_TRY(as_of_, read_as_of(request_.as_of, now_));
    // JSON is about the packet, whose text is then that of Markdown.
    KNAPSACK_TRY(renderer_, find_renderer(request_.format == "json" ? "md" : request_.format));
    KNAPSACK_TRY(MemorySession session, MemorySession::open(state_, request_.settings));
    session_.emplace(std::move(session));
    const RecallSettings& settings = session_->settings.recall;
    if (settings.rerank && settings.search_rerank) {
      return Error{ErrorCode::kConfig,
                   "recall.rerank and recall.search_rerank are both on: the second would undo the first",
                   "switch one of them off"};
    }
    KNAPSACK_TRY(counter_, find_token_counter(settings.tokenizer));
    KNAPSACK_TRY(plan_, make_plan(request_, settings.planner_enabled));
    timer_.done("plan");
    return ok_status();
  }

  Status gather() {
    RecallModels models;
    models.near = [&](memory::RecallSource& source, std::vector<std::string>& warnings) -> Status {
      timer_.done("read");
      KNAPSACK_TRY(NearPrompt near,
                   find_near(state_, session_->settings, embedding_, request_.prompt, source));
      source.near = std::move(near.memories);
      source.similarities = std::move(near.similarities);
      meaning_ = {near.model, near.missing};
      if (near.missing > 0) reply_.notices.push_back(near.missing_line());
      if (!near.problem.empty()) warnings.push_back("recalled by words only: " + near.problem);
      timer_.done("meaning");
      return ok_status();
    };
    models.reorder = [&](memory::Recalled& recalled) {
      timer_.done("search");
      if (!session_->settings.recall.rerank) return ok_status();
      const Status reranked = rerank(recalled);
      timer_.done("rerank");
      return reranked;
    };
    KNAPSACK_TRY(const GatheredMemories gathered,
                 gather_memories(*session_,
                                 {request_.prompt, plan_.mode, as_of_.at, as_of_.past, now_,
                                  request_.history || asks_for_history(request_.prompt)},
                                 models));
    warnings_.insert(warnings_.begin(), gathered.warnings.begin(), gathered.warnings.end());
    pack(gathered.recalled, gathered.profile);
    note_shown(gathered.recalled);
    add_left_out(made_.packet, gathered.recalled);
    add_filtered(made_.packet, gathered.filtered());
    fingerprint_ = gathered.fingerprint();
    timer_.done("pack");
    return ok_status();
  }

  Status rerank(memory::Recalled& recalled) {
    const Settings& settings = session_->settings;
    const std::string& model = request_.model.empty() ? settings.model_name : request_.model;
    const std::string& url = request_.base_url.empty() ? settings.model_url : request_.base_url;
    if (!state_.given_model && (model.empty() || url.empty())) {
      warnings_.emplace_back(kNoRerankModel);
      return ok_status();
    }
    KNAPSACK_TRY(const auto client, state_.model_client(settings, model, url, settings.model_window));
    const RerankMemory remembered{request_.dry_run ? nullptr : state_.files.get(), state_.state_folder()};
    RerankResult result = rerank_memories(recalled.memories, request_.prompt, *client, remembered, now_);
    if (!result.problem.empty()) warnings_.push_back(std::move(result.problem));
    for (const model::CallRecord& call : result.calls) calls_.push_back(ledger_row(call));
    return ok_status();
  }

  void pack(const memory::Recalled& recalled, const std::string& profile) {
    made_ = make_recall_packet({recalled, profile, warnings_, session_->settings.recall.max_tokens, now_,
                                session_->settings.refused, session_->team_line},
                               *renderer_, *counter_);
  }

  // Which memories the reader sees, for the counts of accesses.
  void note_shown(const memory::Recalled& recalled) {
    std::vector<std::string> shown;
    for (const PacketSection& section : made_.packet.sections) {
      for (const PacketItem& item : section.items) {
        if (item.shown) shown.push_back(item.candidate.id);
      }
    }
    for (const auto* list : {&recalled.anchors, &recalled.memories}) {
      for (const memory::RecalledMemory& each : *list) {
        const std::string id = memory_candidate_id(*each.memory);
        if (each.dropped.empty() && std::find(shown.begin(), shown.end(), id) != shown.end())
          accessed_.push_back(each.memory->path);
      }
    }
  }

  // An access that cannot be counted costs a count, not an answer.
  void record_accesses() {
    if (accessed_.empty()) return;
    if (const Status recorded = session_->record_accesses(accessed_); !recorded.ok())
      reply_.notices.push_back("the packet is complete, but its accesses are not counted: " +
                               recorded.error().line());
    timer_.done("accesses");
  }

  // The packet gets its id here.
  RunRecord describe() {
    nlohmann::ordered_json asked = {{"prompt", request_.prompt}, {"mode", to_string(plan_.mode)},
                                    {"rule", plan_.rule},        {"as_of", request_.as_of},
                                    {"format", request_.format}, {"memory_dir", session_->shown_as}};
    const std::string& embed_model =
        request_.embed_model.empty() ? session_->settings.search.embed_model : request_.embed_model;
    if (!embed_model.empty()) asked["embed_model"] = embed_model;
    asked["meaning"] =
        meaning_.model.empty() ? nlohmann::ordered_json() : nlohmann::ordered_json(meaning_.model);
    if (meaning_.missing > 0) asked["memories_without_vector"] = meaning_.missing;
    return describe_run(
        {"recall", std::move(asked), session_->settings, state_.workspace.path, fingerprint_, now_},
        made_.packet, reply_.times);
  }

  void finish_output() {
    if (request_.format == "json") {
      reply_.output = recall_document(made_.packet, plan_, meaning_, format_rfc3339(as_of_.at));
      return;
    }
    reply_.output = std::move(made_.bytes);
    if (request_.explain) reply_.output += recall_account(made_.packet, plan_);
  }

  Engine::State& state_;
  const RecallRequest& request_;
  const EmbeddingRequest embedding_;
  UsedMeaning meaning_;
  RecallReply reply_;
  StepTimer timer_;
  Timestamp now_;
  AsOf as_of_;
  const Renderer* renderer_ = nullptr;
  const TokenCounter* counter_ = nullptr;
  std::optional<MemorySession> session_;
  RecallPlan plan_;
  RecallPacket made_;
  std::vector<std::string> warnings_;
  std::vector<std::string> accessed_;  // paths
  std::vector<ModelCall> calls_;
  std::string fingerprint_;
};

}  // namespace

Result<RecallReply> MemoryRecipes::recall(const RecallRequest& request) {
  const SettingFileCache::Request once(state_->setting_files);
  RecallRequest clean = request;
  redact_secrets(clean.prompt);
  return Recall(*state_, clean).run();
}

}  // namespace knapsack
