// Engine::hook: what a client's hook puts before its model.
//
// At the start of a session: the notes packet. With a prompt: nothing for an acknowledgement; a pack for a
// task of the code where there is an index; memories otherwise. docs/clients.md has the rule in words. The
// index is taken as it is: bringing it up to date can take longer than anybody waits for a prompt.
#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <nlohmann/json.hpp>

#include "code/index/curated.h"
#include "core/ids.h"
#include "core/utf8.h"
#include "engine/clients/hook_keys.h"
#include "engine/engine_state.h"
#include "engine/run_record.h"
#include "text/secrets/redact.h"
#include "text/tokens/token_counter.h"
#include "understand/recall_planner.h"
#include "understand/understand.h"

namespace knapsack {
namespace {

// A packet that is over a limit is asked for again with a smaller budget; each time it comes down to what
// fits, so that more than a few tries mean that nothing does.
constexpr int kMaxTries = 6;
// Where a budget allows fewer characters than this a token, its own tokens are what is scarce.
constexpr uint64_t kCharactersPerToken = 4;
// Of what the next smaller budget should hold: forms and headings do not shrink evenly.
constexpr double kAim = 0.97;

// One answer, whatever gave it. The ledger hears of it by keep().
struct Asked {
  std::string output;
  Packet packet;
  std::vector<StepTime> times;
  std::function<Result<std::optional<int64_t>>()> keep;
};

// One recipe, its budget and what that is counted in.
struct Recipe {
  std::string name;
  uint64_t budget = 0;
  std::string tokenizer;
  std::function<Result<Asked>(const Budget&)> ask;
};

// Reads at the first try, which is the largest one; every try makes its packet of that.
template <class Reply>
Recipe recipe_of(std::string name, uint64_t budget, std::string tokenizer,
                 std::function<Result<std::unique_ptr<Gathered<Reply>>>(const Budget&)> gather) {
  return {std::move(name), budget, std::move(tokenizer),
          [gather = std::move(gather),
           gathered = std::shared_ptr<Gathered<Reply>>()](const Budget& tried) mutable -> Result<Asked> {
            if (!gathered) {
              KNAPSACK_TRY(gathered, gather(tried));
            }
            KNAPSACK_TRY(Reply reply, gathered->assemble(tried));
            Asked answer{reply.output, reply.packet, reply.times, {}};
            answer.keep = [gathered, reply = std::move(reply)]() mutable -> Result<std::optional<int64_t>> {
              KNAPSACK_CHECK(gathered->keep(reply));
              return reply.run;
            };
            return answer;
          }};
}

Flags flags_for(const Budget& budget, const char* budget_key, const char* tokenizer_key) {
  return {{budget_key, std::to_string(budget.tokens)}, {tokenizer_key, std::string(budget.counter->name())}};
}

// Which entries a packet shows, in which form: the same for the same content, whatever its heading says.
std::string shown_key(const Packet& packet) {
  std::vector<std::string> shown;
  for (const PacketSection& section : packet.sections) {
    for (const PacketItem& item : section.items) {
      if (item.shown) shown.push_back(fmt::format("{}#{}", item.candidate.id, *item.shown));
    }
  }
  return hash_parts({shown.begin(), shown.end()});
}

bool names_code(const TaskQuery& task) {
  return !task.paths.empty() || !task.symbols.empty() || !task.frames.empty() || !task.errors.empty();
}

// A client's hook runs in every folder that its user opens: it leaves nothing behind in those that never asked for this
// program and have nothing to say.
bool is_known_folder(const Engine::State& state) {
  return state.given_ledger || state.files->info(state.state_folder()).ok();
}

class Hook {
 public:
  Hook(Engine& engine, Engine::State& state, const HookRequest& request)
      : engine_(engine), state_(state), request_(request) {}

  Result<HookReply> run() {
    KNAPSACK_TRY(settings_, state_.settings(Flags()));
    return request_.event == HookEvent::kSessionStart ? session_start() : prompt();
  }

 private:
  std::string key(std::string_view kind, std::string_view what = "") const {
    return hook_delivery_key(kind, request_.session, what);
  }

  // After these two the model no longer has what it was given before.
  bool context_is_lost() const { return request_.source == "clear" || request_.source == "compact"; }

  // Given to this session lately, and not lost since. Where the ledger cannot tell, given twice is better than never.
  bool has(const std::string& what) const {
    const auto known = find_delivery(what);
    if (!known.ok()) state_.options.log.write(LogLevel::kWarning, known.error().line());
    return known.ok() && *known;
  }

  Result<bool> find_delivery(const std::string& what) const {
    if (request_.session.empty()) return false;
    KNAPSACK_TRY(const auto ledger, state_.ledger());
    KNAPSACK_TRY(const auto given, ledger->last_delivery(what));
    if (!given) return false;
    // One from the future means that the clock was set back; it must not silence anybody for long.
    const int64_t since = state_.clock->now().micros - given->micros;
    if (since < 0 || since >= settings_.notes_cooldown_seconds * 1'000'000) return false;
    KNAPSACK_TRY(const auto lost, ledger->last_delivery(key("lost")));
    return !lost || *lost <= *given;
  }

  HookReply nothing(std::string reason) const {
    HookReply reply;
    reply.reason = std::move(reason);
    return reply;
  }

  Result<HookReply> session_start() {
    if (!context_is_lost() && has(key("notes")))
      return nothing("the session was given the notes a moment ago");
    auto reply = fit(notes(), "the start of a session");
    if (!reply.ok() && reply.error().code == ErrorCode::kNotFound) return nothing("there are no notes here");
    if (reply.ok() && reply->context.empty()) {
      // The rules of the constitution alone are longer than the client shows. A pack of the notes keeps to
      // its budget whatever happens, and says how many rules it left out.
      reply = fit(pack("the rules and open tasks of this project", "notes"), "the rules alone are too long");
    }
    if (reply.ok()) {
      // What is given now comes after what was lost.
      reply->delivery_keys.clear();
      if (context_is_lost()) reply->delivery_keys.push_back(key("lost"));
      reply->delivery_keys.push_back(key("notes"));
    }
    return reply;
  }

  Result<HookReply> prompt() {
    RecallPlan plan{RecallMode::kFull, false, "planner is off", ""};
    const TaskQuery task = understand(request_.prompt);
    if (settings_.recall.planner_enabled) plan = task.recall;
    if (plan.mode == RecallMode::kNone) return nothing("nothing to recall: " + plan.rule);

    const bool for_code = is_for_code(plan, task) && has_index();
    Result<HookReply> reply = for_code ? fit(pack(request_.prompt, ""), "a task for the code")
                                       : fit(recall(), "recalled by the rule: " + plan.rule);
    if (!reply.ok() || reply->context.empty()) return reply;
    if (has(reply->delivery_keys.front())) {
      reply->context.clear();
      reply->reason = "the session was given the same entries a moment ago";
    }
    return reply;
  }

  // A question of what was, or was agreed, is one for the memories. An order is for the code where it asks
  // for a change or names a part of it; "run the tests" does neither.
  static bool is_for_code(const RecallPlan& plan, const TaskQuery& task) {
    if (plan.asks_memory) return false;
    if (names_code(task)) return true;
    if (plan.mode == RecallMode::kMinimal) {
      return task.type == TaskType::kBugFix || task.type == TaskType::kFeature ||
             task.type == TaskType::kRefactor || task.type == TaskType::kPerformance;
    }
    return task.type != TaskType::kGeneral;
  }

  // Whether there is one; opening it whole is left to the pack.
  bool has_index() const {
    auto rows = code::Curated::open(*state_.files, state_.state_folder());
    if (!rows.ok()) return false;
    const auto snapshot = rows->find_snapshot(code::kWorkTree);
    return snapshot.ok() && snapshot->has_value();
  }

  Recipe notes() {
    return recipe_of<AgentReply>("agent", settings_.notes_budget, settings_.notes_tokenizer,
                                 [this](const Budget& budget) {
                                   AgentRequest wanted;
                                   wanted.settings = flags_for(budget, "notes.budget", "notes.tokenizer");
                                   return engine_.gather_notes(wanted);
                                 });
  }

  Recipe recall() {
    return recipe_of<RecallReply>(
        "recall", settings_.recall.max_tokens, settings_.recall.tokenizer, [this](const Budget& budget) {
          RecallRequest wanted;
          wanted.settings = flags_for(budget, "recall.max_tokens", "recall.tokenizer");
          wanted.prompt = request_.prompt;
          wanted.format = "prompt";
          return engine_.gather_recall(wanted);
        });
  }

  Recipe pack(std::string task, std::string sources) {
    PackRequest request;
    // What an estimate may be off by is no matter here: the limit is in characters.
    request.settings["code.safety_margin"] = "0";
    request.task = std::move(task);
    request.sources = std::move(sources);
    request.format = "prompt";
    request.refresh = false;
    return recipe_of<PackReply>("pack", settings_.pack_budget, settings_.pack_tokenizer,
                                [this, request = std::move(request)](const Budget& budget) mutable {
                                  request.settings.merge(flags_for(budget, "pack.budget", "pack.tokenizer"));
                                  return engine_.gather_pack(request);
                                });
  }

  // Asks until the answer keeps both the recipe's own budget and the client's limit of characters. Whole
  // entries only: it is the recipe that decides what a smaller budget leaves out.
  Result<HookReply> fit(const Recipe& recipe, std::string reason) {
    HookReply reply;
    reply.answered_by = recipe.name;
    reply.reason = std::move(reason);
    KNAPSACK_TRY(const TokenCounter* own, find_token_counter(recipe.tokenizer));
    KNAPSACK_TRY(const TokenCounter* characters, find_token_counter("chars4"));
    const TokenCounter* counter = own;
    uint64_t budget = recipe.budget;
    const uint64_t most = request_.max_characters / characters->units_per_token();
    if (recipe.budget >= request_.max_characters / kCharactersPerToken) {
      counter = characters;
      budget = most;
    }
    std::function<Result<std::optional<int64_t>>()> last;  // keeps the answer that came last
    for (int tries = 0; tries < kMaxTries && (budget > 0 || tries == 0); ++tries) {
      KNAPSACK_TRY(Asked answer, recipe.ask({budget, counter}));
      reply.times = std::move(answer.times);
      last = std::move(answer.keep);
      const size_t length = utf16_length(answer.output);
      const bool is_empty = answer.packet.status == RunStatus::kEmpty && !has_rules(answer.packet);
      const bool over_own = counter != own && own->count(answer.output) > recipe.budget;
      const bool is_last = is_empty || (length <= request_.max_characters && !over_own);
      if (is_last && (!is_empty || is_known_folder(state_))) {
        KNAPSACK_TRY(reply.run, last());
      }
      if (is_empty || length == 0) {
        reply.reason += "; there is nothing to say to it";
        return reply;
      }
      if (length > request_.max_characters) {
        if (answer.packet.over_budget) break;  // what must be shown in full does not get shorter
        const double share =
            kAim * static_cast<double>(request_.max_characters) / static_cast<double>(length);
        budget = std::min(budget - 1, static_cast<uint64_t>(static_cast<double>(answer.packet.used) * share));
      } else if (over_own) {
        counter = own;
        budget = recipe.budget;
      } else {
        reply.context = std::move(answer.output);
        reply.delivery_keys.push_back(key("shown", shown_key(answer.packet)));
        reply.delivery_keys.push_back(key(kGivenToSession));
        return reply;
      }
    }
    reply.reason += fmt::format("; nothing that fits {} characters", request_.max_characters);
    // The ledger says what there would have been.
    if (last && is_known_folder(state_)) {
      KNAPSACK_TRY(reply.run, last());
    }
    return reply;
  }

  static bool has_rules(const Packet& packet) {
    return std::any_of(packet.preambles.begin(), packet.preambles.end(), [](const PacketPreamble& preamble) {
      return preamble.kind == PreambleKind::kConstitution && !preamble.lines.empty();
    });
  }

  Engine& engine_;
  Engine::State& state_;
  const HookRequest& request_;
  Settings settings_;
};

std::string_view name_of(HookEvent event) {
  return event == HookEvent::kSessionStart ? "session start" : "prompt";
}

}  // namespace

size_t utf16_length(std::string_view text) {
  size_t length = 0;
  for (const char c : text) {
    // Four bytes of UTF-8 are beyond the first plane, and two code units.
    length += continues_code_point(c) ? 0 : static_cast<unsigned char>(c) >= 0xF0U ? 2 : 1;
  }
  return length;
}

Result<HookReply> Engine::hook(const HookRequest& request) {
  const SettingFileCache::Request once(state_->setting_files);
  return Hook(*this, *state_, request).run();
}

Status Engine::delivered(const HookReply& reply) {
  if (reply.context.empty() || !reply.run) return ok_status();
  KNAPSACK_TRY(const auto ledger, state_->ledger());
  for (const std::string& key : reply.delivery_keys) {
    KNAPSACK_CHECK(ledger->append_delivery(key, *reply.run, state_->clock->now()));
  }
  return ok_status();
}

Status Engine::record_hook_failure(const HookRequest& request, const Error& error) {
  if (!is_known_folder(*state_)) return ok_status();
  std::string prompt = request.prompt;
  redact_secrets(prompt);
  Packet packet;
  packet.status = RunStatus::kDegraded;
  packet.warnings.push_back(error.line());
  const Settings unknown;
  const RunRecord run =
      describe_run({"hook",
                    nlohmann::ordered_json{
                        {"client", request.client}, {"event", name_of(request.event)}, {"prompt", prompt}},
                    unknown, state_->workspace.path, "", state_->clock->now()},
                   packet, {});
  const auto appended = state_->append(run, {}, {}, "");
  return appended.ok() ? ok_status() : Status(appended.error());
}

}  // namespace knapsack
