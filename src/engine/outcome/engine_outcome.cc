// Engine::outcome: what came of a packet. Which of the files and lines that it showed were then changed, and what was
// changed that it had left out.
#include <fmt/format.h>

#include <algorithm>

#include "engine/clients/hook_keys.h"
#include "engine/engine_state.h"
#include "engine/outcome/outcome_changes.h"
#include "engine/outcome/outcome_record.h"
#include "text/secrets/redact.h"
#include "text/unicode/utf8.h"

namespace knapsack {
namespace {

constexpr size_t kMaxMissingBytes = size_t{64} << 10U;

Status check_outcome(const OutcomeRequest& request) {
  if (!request.commit.empty() && !request.files.empty()) {
    return Error{ErrorCode::kUsage, "`commit` and `files` cannot be used together",
                 "choose one of them to say what was changed"};
  }
  if (request.missing.size() > kMaxMissingBytes) {
    return Error{ErrorCode::kUsage, fmt::format("`missing` has more than {} bytes", kMaxMissingBytes),
                 "say it in a few words"};
  }
  return ok_status();
}

// Only something was said, and nothing asks for a look at what was changed.
bool is_word_alone(const OutcomeRequest& request) {
  return request.commit.empty() && request.files.empty() && request.session.empty() &&
         (request.useful || !request.missing.empty());
}

// Where the account of the run lost a file.
std::string why_left_out(const std::vector<Decision>& decisions, const std::string& path) {
  const Decision* last = nullptr;
  for (const Decision& row : decisions) {
    const bool meant = row.source == "code" &&
                       (row.title == path || row.candidate_id == "file:" + path || row.candidate_id == path);
    if (meant) last = &row;
  }
  if (last == nullptr) return "never considered";
  if (last->included) return fmt::format("kept at stage {}, then out of the budget", last->stage);
  return fmt::format("dropped at stage {}: {}", last->stage, last->reason);
}

}  // namespace

Result<OutcomeReply> AccountRecipes::outcome(const OutcomeRequest& request) {
  KNAPSACK_CHECK(check_outcome(request));
  KNAPSACK_TRY(const auto ledger, state_->ledger());
  OutcomeReply reply;
  if (request.session.empty()) {
    KNAPSACK_TRY(StoredRun run, ledger->find_run(request.run));
    reply.runs.push_back(std::move(run));
  } else {
    KNAPSACK_TRY(const auto given,
                 ledger->runs_delivered_to(hook_delivery_key(kGivenToSession, request.session)));
    for (const int64_t sequence : given) {
      KNAPSACK_TRY(StoredRun run, ledger->find_run(std::to_string(sequence)));
      reply.runs.push_back(std::move(run));
    }
  }
  std::string missing = replace_invalid_utf8(request.missing);
  redact_secrets(missing);
  OutcomeRequest wanted = request;
  for (const StoredRun& run : reply.runs) {
    RunOutcome& outcome = reply.outcome;
    outcome = RunOutcome{};
    outcome.run = run.key.sequence;
    outcome.at = state_->clock->now();
    outcome.told_by = "word";
    outcome.missing = missing;
    if (request.useful) outcome.verdict = *request.useful ? "useful" : "not useful";
    outcome.changes_json = "{}";
    outcome.program_version = Engine::version();
    if (!is_word_alone(request)) {
      KNAPSACK_TRY(const auto changes, OutcomeChanges::find(*state_, wanted, run.record.started));
      wanted.refresh = false;  // once is enough
      const ShownContent shown = parse_shown(run.record.shown_json);
      KNAPSACK_TRY(reply.files, changes.seen_from(shown));
      KNAPSACK_TRY(const auto decisions, ledger->decisions_of(run.key.sequence));
      for (OutcomeFile& file : reply.files)
        if (!file.packed && file.change != FileChangeKind::kAdded)
          file.why = why_left_out(decisions, file.path);
      const auto used = std::count_if(reply.files.begin(), reply.files.end(),
                                      [](const OutcomeFile& file) { return file.packed; });
      reply.packed_unused = shown.files.size() - static_cast<size_t>(used);
      reply.knows_changes = true;
      outcome.told_by = changes.told_by();
      outcome.base = changes.base();
      outcome.commit = changes.commit();
      outcome.changes_json = changes_json(reply.files);
    }
    // A session that changed nothing says nothing about what it was given.
    if (!request.session.empty() && reply.files.empty()) continue;
    KNAPSACK_CHECK(ledger->append_outcome(outcome));
  }
  return reply;
}

}  // namespace knapsack
