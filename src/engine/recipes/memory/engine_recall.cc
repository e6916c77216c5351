// Engine::recall: the memories that a prompt needs.
#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <optional>

#include "engine/gathering.h"
#include "engine/recipes/memory/recall_document.h"
#include "engine/recipes/memory/recall_gather.h"
#include "engine/recipes/memory/recall_meaning.h"
#include "engine/recipes/memory/recall_packet.h"
#include "engine/recipes/memory/recall_rerank.h"
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

class Recall : public GatheringRun<RecallRequest, RecallReply> {
 public:
  using GatheringRun::GatheringRun;

  // Finds what the prompt needs.
  Status read() {
    const SettingFileCache::Request once(state_.setting_files);
    redact_secrets(request_.prompt);
    KNAPSACK_CHECK(prepare());
    return plan_.mode == RecallMode::kNone ? ok_status() : gather();
  }

  Result<RecallReply> assemble(const Budget& budget) override {
    RecallReply reply = begun();
    StepTimer timer(reply.times, state_.options.log);
    RecallPacket made = pack(budget);
    timer.done("pack");
    reply.packet = std::move(made.packet);
    describe(reply);  // gives the packet the id of its run
    reply.output = shown(reply.packet, std::move(made.bytes));
    tell_warnings(reply);
    if (made.least_budget > 0) {
      reply.notices.push_back(fmt::format("nothing fits a budget of {}; something does from {} on",
                                          budget.tokens, made.least_budget));
    }
    reply.mode = to_string(plan_.mode);
    reply.rule = plan_.rule;
    return reply;
  }

  Status keep(RecallReply& reply) override {
    if (request_.dry_run) return ok_status();
    StepTimer timer(reply.times, state_.options.log);
    record_accesses(reply);
    timer.done("accesses");
    const RunRecord run = describe(reply);
    KNAPSACK_TRY(reply.run,
                 state_.record(run, decisions_of(reply.packet), calls_, reply.output, reply.notices));
    timer.done("ledger");
    return ok_status();
  }

  Budget own_budget() const { return {session_->settings.recall.max_tokens, counter_}; }

 private:
  Status prepare() {
    if (request_.prompt.size() > kMaxPromptBytes) {
      return Error{ErrorCode::kUsage, fmt::format("the prompt has more than {} bytes", kMaxPromptBytes),
                   "give only the part with the actual question"};
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
    const EmbeddingRequest embedding{request_.embed_model, request_.embed_url, kMeaningTime};
    RecallModels models;
    models.near = [&](memory::RecallSource& source, std::vector<std::string>& warnings) -> Status {
      timer_.done("read");
      KNAPSACK_TRY(NearPrompt near,
                   find_near(state_, session_->settings, embedding, request_.prompt, source));
      source.near = std::move(near.memories);
      source.similarities = std::move(near.similarities);
      meaning_ = {near.model, near.missing};
      if (near.missing > 0) notices_.push_back(near.missing_line());
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
    KNAPSACK_TRY(GatheredMemories gathered,
                 gather_memories(*session_,
                                 {request_.prompt, plan_.mode, as_of_.at, as_of_.past, now_,
                                  request_.history || asks_for_history(request_.prompt)},
                                 models));
    warnings_.insert(warnings_.begin(), gathered.warnings.begin(), gathered.warnings.end());
    fingerprint_ = gathered.fingerprint();
    found_.emplace(std::move(gathered));
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

  RecallPacket pack(const Budget& budget) const {
    const memory::Recalled nothing;
    RecallPacket made =
        make_recall_packet({found_ ? found_->recalled : nothing, found_ ? found_->profile : "", warnings_,
                            budget.tokens, now_, session_->settings.refused, session_->team_line},
                           *renderer_, *budget.counter);
    if (!found_) return made;
    add_left_out(made.packet, found_->recalled);
    add_filtered(made.packet, found_->filtered());
    return made;
  }

  // The paths of the memories that the reader sees.
  std::vector<std::string> shown_memories(const Packet& packet) const {
    std::vector<std::string> paths;
    if (!found_) return paths;
    std::vector<std::string> shown;
    for (const PacketSection& section : packet.sections) {
      for (const PacketItem& item : section.items) {
        if (item.shown) shown.push_back(item.candidate.id);
      }
    }
    for (const auto* list : {&found_->recalled.anchors, &found_->recalled.memories}) {
      for (const memory::RecalledMemory& each : *list) {
        const std::string id = memory_candidate_id(*each.memory);
        if (each.dropped.empty() && std::find(shown.begin(), shown.end(), id) != shown.end())
          paths.push_back(each.memory->path);
      }
    }
    return paths;
  }

  // An access that cannot be counted costs a count, not an answer.
  void record_accesses(RecallReply& reply) {
    const std::vector<std::string> accessed = shown_memories(reply.packet);
    if (accessed.empty()) return;
    if (const Status recorded = session_->record_accesses(accessed); !recorded.ok())
      reply.notices.push_back("the packet is complete, but its accesses are not counted: " +
                              recorded.error().line());
  }

  RunRecord describe(RecallReply& reply) const {
    nlohmann::ordered_json asked = {{"prompt", request_.prompt}, {"mode", to_string(plan_.mode)},
                                    {"rule", plan_.rule},        {"as_of", request_.as_of},
                                    {"format", request_.format}, {"memory_dir", session_->shown_as}};
    const Settings& settings = session_->settings;
    const std::string& embed_model =
        request_.embed_model.empty() ? settings.search.embed_model : request_.embed_model;
    if (!embed_model.empty()) asked["embed_model"] = embed_model;
    asked["meaning"] =
        meaning_.model.empty() ? nlohmann::ordered_json() : nlohmann::ordered_json(meaning_.model);
    if (meaning_.missing > 0) asked["memories_without_vector"] = meaning_.missing;
    return describe_run({"recall", std::move(asked), settings, state_.workspace.path, fingerprint_, now_},
                        reply.packet, reply.times);
  }

  std::string shown(const Packet& packet, std::string bytes) const {
    if (request_.format == "json") return recall_document(packet, plan_, meaning_, format_rfc3339(as_of_.at));
    if (request_.explain) bytes += recall_account(packet, plan_);
    return bytes;
  }

  UsedMeaning meaning_;
  AsOf as_of_;
  std::optional<MemorySession> session_;
  RecallPlan plan_;
  std::optional<GatheredMemories> found_;  // nothing where nothing is to be recalled
  std::vector<std::string> warnings_;
  std::vector<ModelCall> calls_;
  std::string fingerprint_;
};

}  // namespace

Result<RecallReply> MemoryRecipes::recall(const RecallRequest& request) {
  return run_whole<Recall>(*state_, request);
}

Result<std::unique_ptr<GatheredRecall>> MemoryRecipes::gather_recall(const RecallRequest& request) {
  return run_gathering<Recall>(*state_, request);
}

}  // namespace knapsack
