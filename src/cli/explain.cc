#include <fmt/format.h>

#include <map>

#include "cli/command.h"
#include "core/escape.h"

namespace knapsack::cli {
namespace {

std::string shorten_title(const std::string& title) {
  constexpr size_t kMax = 60;
  std::string clean = escape_control(title);
  if (clean.size() <= kMax) return clean;
  size_t end = kMax;
  while (end > 0 && (static_cast<unsigned char>(clean[end]) & 0xC0) == 0x80) --end;  // not inside a character
  return clean.substr(0, end) + "…";
}

std::string describe(const Decision& row) {
  std::string line = fmt::format("  {:<6} {:>6}  {}", row.included ? row.form : "out", row.tokens,
                                 escape_control(row.candidate_id));
  line += fmt::format("  {}", shorten_title(row.title));
  if (row.components_json != "{}" && !row.components_json.empty()) {
    line += fmt::format("  score {:.2f} {}", row.score, row.components_json);
  }
  if (!row.reason.empty()) line += fmt::format("  ({})", escape_control(row.reason));
  return line + "\n";
}

std::string account(const Explanation& explanation) {
  const RunRecord& run = explanation.run.record;
  std::string out = bold(fmt::format("Run {} ({}), repeat {}", explanation.run.key.sequence, run.run_id,
                                     explanation.run.key.repeat)) +
                    "\n";
  out += fmt::format("{} at {}: {}, {} of {} tokens ({})\nrequest {}\n", run.command,
                     format_rfc3339(run.started), name_of(run.status), run.used, run.budget, run.tokenizer,
                     run.request_json);
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
    size_t full = 0, reduced = 0, out_count = 0;
    for (const Decision* row : groups[name])
      ++(!row->included ? out_count : row->form == "full" ? full : reduced);
    out +=
        "\n" + bold(name) + fmt::format(": {} in full, {} reduced, {} left out\n", full, reduced, out_count);
    for (const Decision* row : groups[name]) out += describe(*row);
  }
  return out;
}

}  // namespace

void add_explain(CLI::App& program, Shared& shared) {
  struct Options {
    std::string run;
    std::string expect;
  };
  auto options = std::make_shared<Options>();
  CLI::App* command = add_command(
      program, shared, "explain", "Say what a run kept, what it left out and why", [&shared, options] {
        auto engine = open_engine(shared);
        if (!engine.ok()) return fail(engine.error());
        const auto explanation = (*engine)->explain(options->run, options->expect);
        if (!explanation.ok()) return fail(explanation.error());
        std::string out;
        if (options->expect.empty()) {
          out = account(*explanation);
        } else {
          for (const auto& answer : explanation->answers) out += escape_control(answer) + "\n";
        }
        if (shared.stats) print_times(explanation->times);
        const auto printed = print(out);
        return printed.ok() ? 0 : fail(printed.error());
      });
  command->add_option("RUN", options->run, "A run number, an id, the beginning of one, or `latest`")
      ->required()
      ->type_name("");
  command
      ->add_option("--expect", options->expect,
                   "Why is this one (not) there? An id or part of an id or title")
      ->type_name("ID");
  command->footer(
      "Examples:\n"
      "  knapsack explain latest\n"
      "  knapsack explain latest --expect decision:2026-02-03\n"
      "  knapsack explain run-3f9a --expect \"retry policy\"");
}

}  // namespace knapsack::cli
