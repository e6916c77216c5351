// `knapsack outcome`: what came of a packet.
#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "cli/command.h"
#include "cli/graph_command.h"
#include "cli/numbers.h"
#include "core/escape.h"

namespace knapsack::cli {
namespace {

struct OutcomeOptions {
  OutcomeRequest request;
  bool useful = false, not_useful = false;
  std::string format = "md";
};

std::string outcome_json(const OutcomeReply& reply) {
  const auto changes = nlohmann::ordered_json::parse(reply.outcome.changes_json, nullptr, false);
  const nlohmann::ordered_json json = {{"run", reply.runs.back().record.run_id},
                                       {"told_by", reply.outcome.told_by},
                                       {"base", reply.outcome.base},
                                       {"commit", reply.outcome.commit},
                                       {"verdict", reply.outcome.verdict},
                                       {"missing", reply.outcome.missing},
                                       {"files", changes.value("files", nlohmann::ordered_json::array())},
                                       {"packed_unused", reply.packed_unused}};
  return json.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n";
}

// "  src/a.cc: 3 of 4 changed lines shown"
std::string packed_line(const OutcomeFile& file) {
  std::string line = "  " + escape_control(file.path);
  if (!file.compared) return line + ": its lines cannot be compared, the text that was packed is gone\n";
  return line +
         fmt::format(": {} of {} shown\n", file.shown_lines, counted(file.changed_lines, "changed line"));
}

std::string outcome_lines(const OutcomeReply& reply) {
  const StoredRun& run = reply.runs.back();
  std::string packed, left_out;
  size_t found = 0, all = 0, added = 0;
  for (const OutcomeFile& file : reply.files) {
    if (file.change == FileChangeKind::kAdded) {
      ++added;
      continue;
    }
    ++all;
    found += file.packed ? 1 : 0;
    if (file.packed) {
      packed += packed_line(file);
    } else {
      left_out += fmt::format(
          "  {}: {}{}\n", escape_control(file.path), escape_control(file.why),
          file.named_by.empty() ? "" : fmt::format("; named by {}", fmt::join(file.named_by, ", ")));
    }
  }
  std::string out = fmt::format("run {} ({})", run.key.sequence, run.record.run_id);
  if (!reply.outcome.verdict.empty()) out += ": " + reply.outcome.verdict;
  if (!reply.outcome.missing.empty())
    out += fmt::format("; missing: {}", escape_control(reply.outcome.missing));
  out += "\n";
  if (!reply.knows_changes) return out;
  out += fmt::format("{} of {} in the packet; {} new; {} packed and not changed\n", found,
                     counted(all, "changed file"), counted(added, "file"), grouped(reply.packed_unused));
  if (!packed.empty()) out += "packed and changed:\n" + packed;
  if (!left_out.empty()) out += "changed and left out:\n" + left_out;
  return out;
}

int run_outcome(const Shared& shared, OutcomeOptions& options) {
  if (options.useful && options.not_useful) {
    return fail(
        {ErrorCode::kUsage, "--useful and --not-useful cannot be used together", "choose one of them"});
  }
  if (options.useful || options.not_useful) options.request.useful = options.useful;
  auto engine = open_engine(shared);
  if (!engine.ok()) return fail(engine.error());
  const auto reply = (*engine)->outcome(options.request);
  if (!reply.ok()) return fail(reply.error());
  const auto printed = print(options.format == "json" ? outcome_json(*reply) : outcome_lines(*reply));
  return printed.ok() ? 0 : fail(printed.error());
}

}  // namespace

void add_outcome(Command program, Shared& shared) {
  auto options = std::make_shared<OutcomeOptions>();
  Command command = add_command(program, shared, "outcome", "Record what was changed after a packet",
                                [&shared, options] { return run_outcome(shared, *options); });
  command.add_option("RUN", options->request.run, "A run number, an id or its beginning, or `latest`")
      .required()
      .type_name("");
  command
      .add_option("--commit", options->request.commit, "The commit that contains the change, or a range A..B")
      .type_name("REV");
  command.add_option("--files", options->request.files, "The files that were changed")
      .delimiter(',')
      .type_name("FILE,…");
  command.add_flag("--useful", options->useful, "The packet helped");
  command.add_flag("--not-useful", options->not_useful, "It did not");
  command.add_option("--missing", options->request.missing, "What it lacked, in words").type_name("TEXT");
  add_format(command, options->format, {"md", "json"});
  command.footer(
      "Without options, changes in the work tree since the run are used. Lines are compared with the\n"
      "packed text. Claude Code's SessionEnd hook and the MCP tool `outcome` do the same.\n\n"
      "Examples:\n"
      "  knapsack outcome latest --commit HEAD\n"
      "  knapsack outcome latest --useful --missing \"the retry policy\"\n"
      "  knapsack report                                  how often packets held what was changed");
}

}  // namespace knapsack::cli
