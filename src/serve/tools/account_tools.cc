// The tools that say what was done and what there is: explain_packet and index_status.
#include <fmt/format.h>

#include "core/escape.h"
#include "packet/budget.h"
#include "serve/call.h"
#include "serve/reply_fit.h"
#include "serve/schema.h"
#include "text/unicode/utf8.h"

namespace knapsack::serve {
namespace {

constexpr uint64_t kExplainTokens = 6'000;
constexpr uint64_t kStatusTokens = 2'000;

std::string cleaned(std::string_view text) {
  return replace_invalid_utf8(escape_control(text));
}

std::string_view form_of(const Decision& row) {
  if (!row.included) return "out";
  return row.form.empty() ? "kept" : std::string_view(row.form);
}

std::string decision_line(const Decision& row) {
  std::string line = fmt::format("{} {} {}", row.stage, form_of(row), cleaned(row.candidate_id));
  if (row.tokens > 0) line += fmt::format(" {} tokens", row.tokens);
  if (!row.reason.empty()) line += fmt::format(" ({})", cleaned(row.reason));
  return line + "\n";
}

Result<ToolReply> explain_packet(const Call& call) {
  const std::string expect = call.text("expect");
  KNAPSACK_TRY(const Explanation told, call.engine.explain(call.text("run"), expect));
  const RunRecord& run = told.run.record;
  const std::string heading =
      fmt::format("{} at {}: {}, {} of {} tokens ({})\n", run.command,
                  format_rfc3339(Timestamp::from_seconds(run.started.seconds())), name_of(run.status),
                  run.used, shown_budget(static_cast<uint64_t>(run.budget)), run.tokenizer);
  std::vector<std::string> lines;
  if (expect.empty()) {
    for (const Decision& row : told.decisions) lines.push_back(decision_line(row));
  } else {
    for (const std::string& answer : told.answers) lines.push_back(cleaned(answer) + "\n");
  }
  return fit_rows(call, lines.size(), [&](size_t shown) {
    std::string text = heading;
    for (size_t i = 0; i < shown; ++i) text += lines[i];
    if (shown < lines.size()) text += fmt::format("{} more.\n", lines.size() - shown);
    return make_reply(call, std::move(text),
                      {{"run", run.run_id},
                       {"status", name_of(run.status)},
                       {"left_out", lines.size() - shown},
                       {"warnings", shown_warnings(told.warnings)}},
                      run.run_id);
  });
}

Result<ToolReply> index_status(const Call& call) {
  if (call.flag("refresh")) KNAPSACK_CHECK(call.refresh_index());
  KNAPSACK_TRY(const WorkspaceStatus status, call.engine.status());
  const std::vector<std::string> lines = {
      "code: " + cleaned(status.code) + "\n", "notes: " + cleaned(status.notes) + "\n",
      "memory: " + cleaned(status.memory) + "\n", "graph: " + cleaned(status.graph) + "\n",
      "ledger: " + cleaned(status.ledger) + "\n"};
  return fit_rows(call, lines.size(), [&](size_t shown) {
    std::string text;
    for (size_t i = 0; i < shown; ++i) text += lines[i];
    return make_reply(call, std::move(text),
                      {{"version", Engine::version()}, {"left_out", lines.size() - shown}});
  });
}

}  // namespace

std::vector<ToolEntry> account_tools() {
  using namespace schema;
  return {
      {{"explain_packet", "Explain a packet",
        "Why a packet has what it has; with expect, why one thing is (not) there. Use it when something is "
        "missing, before you pack again.",
        object({{"run", {{"type", "string"}, {"default", "latest"}, {"maxLength", kMaxNameCharacters}}},
                {"expect", text(kMaxNameCharacters, "An id, or a part of an id or title")},
                {"max_tokens", max_tokens(kExplainTokens)}}),
        object({{"workspace!", any_text()},
                {"run!", any_text()},
                {"status", any_text()},
                {"left_out", any_whole()},
                {"warnings", texts()},
                {"text!", any_text()}})},
       explain_packet},
      {{"index_status", "Show what is indexed",
        "Which code, notes, memories and graph there are. Use it when answers look stale; all others refresh "
        "by themselves.",
        object({{"refresh", flag(false)}, {"max_tokens", max_tokens(kStatusTokens)}}),
        object({{"workspace!", any_text()},
                {"version", any_text()},
                {"left_out", any_whole()},
                {"text!", any_text()}})},
       index_status},
  };
}

}  // namespace knapsack::serve
