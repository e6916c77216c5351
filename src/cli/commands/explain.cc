#include <fmt/format.h>

#include <cmath>
#include <map>
#include <nlohmann/json.hpp>

#include "cli/command.h"
#include "core/escape.h"
#include "core/utf8.h"
#include "packet/budget.h"

namespace knapsack::cli {
namespace {

std::string shorten_title(const std::string& title) {
  constexpr size_t kMax = 60;
  std::string clean = escape_control(title);
  if (clean.size() <= kMax) return clean;
  return std::string(utf8_prefix(clean, kMax)) + "…";
}

// " = lexical 0.71 + file name 0.20 - length 0.35"
std::string components(const std::string& json) {
  const auto parsed = nlohmann::ordered_json::parse(json, nullptr, false);
  std::string text;
  if (!parsed.is_object()) return text;
  for (const auto& [name, value] : parsed.items()) {
    if (!value.is_number()) continue;
    const auto worth = value.get<double>();
    const std::string_view sign = worth < 0 ? "-" : "+";
    text += text.empty() ? fmt::format(" = {} {:.2f}", name, worth)
                         : fmt::format(" {} {} {:.2f}", sign, name, std::abs(worth));
  }
  return text;
}

// Stages before packing keep or drop; only packing chooses forms and counts tokens.
std::string_view form_of(const Decision& row) {
  return !row.included ? "out" : row.form.empty() ? "kept" : std::string_view(row.form);
}

std::string describe(const Decision& row) {
  std::string line = fmt::format("  {:<9} ", form_of(row));
  if (row.stage == "pack" || row.tokens > 0) line += fmt::format("{:>6}  ", row.tokens);
  line += escape_control(row.candidate_id);
  if (row.candidate_id.find(row.title) == std::string::npos)
    line += fmt::format("  {}", shorten_title(row.title));
  const std::string parts = components(row.components_json);
  if (!parts.empty()) line += fmt::format("  score {:.2f}{}", row.score, parts);
  if (!row.reason.empty()) line += fmt::format("  ({})", escape_control(row.reason));
  return line + "\n";
}

std::string account(const Explanation& explanation) {
  const RunRecord& run = explanation.run.record;
  std::string out = bold(fmt::format("Run {} ({}), repeat {}", explanation.run.key.sequence, run.run_id,
                                     explanation.run.key.repeat)) +
                    "\n";
  out += fmt::format("{} at {}: {}", run.command, format_rfc3339(run.started), name_of(run.status));
  // A search has no budget.
  if (!run.tokenizer.empty())
    out += fmt::format(", {} tokens of a budget of {} ({})", run.used,
                       shown_budget(static_cast<uint64_t>(run.budget)), run.tokenizer);
  out += fmt::format("\nrequest {}\n", run.request_json);
  for (const auto& warning : explanation.warnings)
    out += fmt::format("warning: {}\n", escape_control(warning));
  // Stage, then section, in the order of the ledger.
  std::vector<std::string> order;
  std::map<std::string, std::vector<const Decision*>> groups;
  for (const auto& row : explanation.decisions) {
    const std::string name = fmt::format("stage {}, {} (tier {})", row.stage, row.section, row.tier);
    if (groups[name].empty()) order.push_back(name);
    groups[name].push_back(&row);
  }
  for (const auto& name : order) {
    size_t full = 0, reduced = 0, kept = 0, out_count = 0;
    for (const Decision* row : groups[name]) {
      ++(!row->included ? out_count : row->form.empty() ? kept : row->form == "full" ? full : reduced);
    }
    out += "\n" + bold(name);
    out += kept > 0 || full + reduced == 0
               ? fmt::format(": {} kept, {} left out\n", kept, out_count)
               : fmt::format(": {} in full, {} reduced, {} left out\n", full, reduced, out_count);
    for (const Decision* row : groups[name]) out += describe(*row);
  }
  return out;
}

}  // namespace

void add_explain(Command program, Shared& shared) {
  struct Options {
    std::string run = "latest";
    std::string expect;
  };
  auto options = std::make_shared<Options>();
  Command command = add_command(program, shared, "explain",
                                "Explain what a run kept, what it left out, and why", [&shared, options] {
                                  auto engine = open_engine(shared);
                                  if (!engine.ok()) return fail(engine.error());
                                  const auto explanation = (*engine)->explain(options->run, options->expect);
                                  if (!explanation.ok()) return fail(explanation.error());
                                  std::string out;
                                  if (options->expect.empty()) {
                                    out = account(*explanation);
                                  } else {
                                    for (const auto& answer : explanation->answers)
                                      out += escape_control(answer) + "\n";
                                  }
                                  if (shared.stats) print_times(explanation->times);
                                  const auto printed = print(out);
                                  return printed.ok() ? 0 : fail(printed.error());
                                });
  command
      .add_option("RUN", options->run, "A run number, an id or its beginning, or `latest` (default: latest)")
      .type_name("");
  command
      .add_option("--expect", options->expect,
                  "Explain why this entry is in the packet or not: an id, or part of an id or title")
      .type_name("ID");
  command.footer(
      "Examples:\n"
      "  knapsack explain\n"
      "  knapsack explain --expect decision:2026-02-03\n"
      "  knapsack explain run-3f9a --expect \"retry policy\"");
}

}  // namespace knapsack::cli
