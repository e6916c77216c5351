// `knapsack report` and `knapsack export`: what the outcomes of packets say together, and all of them for other programs.
#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "cli/command.h"
#include "cli/graph_command.h"
#include "cli/numbers.h"
#include "core/escape.h"

namespace knapsack::cli {
namespace {

struct ReportOptions {
  ReportRequest request;
  std::string after;
  std::string format = "md";
  std::string out;
};

Status read_after(ReportOptions& options) {
  if (options.after.empty()) return ok_status();
  KNAPSACK_TRY(options.request.after, parse_rfc3339(options.after));
  return ok_status();
}

// "63 %", "–" of nothing
std::string percent(uint64_t part, uint64_t whole) {
  if (whole == 0) return "–";
  return fmt::format("{:.0f} %", 100.0 * static_cast<double>(part) / static_cast<double>(whole));
}

std::string report_json(const ReportReply& reply) {
  nlohmann::ordered_json rows = nlohmann::ordered_json::array();
  for (const ReportRow& row : reply.rows) {
    rows.push_back({{"period", row.period},
                    {"source", row.source},
                    {"runs", row.runs},
                    {"hits", row.hits},
                    {"changed_files", row.changed_files},
                    {"found_files", row.found_files},
                    {"changed_lines", row.changed_lines},
                    {"shown_lines", row.shown_lines},
                    {"tokens", row.tokens},
                    {"useful", row.useful},
                    {"not_useful", row.not_useful}});
  }
  const nlohmann::ordered_json json = {{"runs", reply.runs},
                                       {"with_outcome", reply.with_outcome},
                                       {"rows", std::move(rows)},
                                       {"missing", reply.missing}};
  return json.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n";
}

std::string report_lines(const ReportReply& reply) {
  std::string out = fmt::format("{} of {} an outcome\n", grouped(reply.with_outcome),
                                counted(reply.runs, "run has", "runs have"));
  if (reply.rows.empty()) return out;
  out +=
      "\n| period | source | runs | hit | files | lines | tokens | useful "
      "|\n|---|---|---:|---:|---:|---:|---:|---:|\n";
  for (const ReportRow& row : reply.rows) {
    out += fmt::format(
        "| {} | {} | {} | {} | {} | {} | {} | {} |\n", row.period, row.source, row.runs,
        percent(row.hits, row.runs), percent(row.found_files, row.changed_files),
        row.source == "code" ? percent(row.shown_lines, row.changed_lines) : "–", grouped(row.tokens),
        row.useful + row.not_useful == 0 ? "–"
                                         : fmt::format("{} of {}", row.useful, row.useful + row.not_useful));
  }
  if (!reply.missing.empty()) out += "\nMissing, as it was said:\n";
  for (const std::string& text : reply.missing) out += "- " + escape_control(text) + "\n";
  return out;
}

int run_report(const Shared& shared, ReportOptions& options) {
  if (const Status read = read_after(options); !read.ok()) return fail(read.error());
  auto engine = open_engine(shared);
  if (!engine.ok()) return fail(engine.error());
  const auto reply = (*engine)->report(options.request);
  if (!reply.ok()) return fail(reply.error());
  if (reply->with_outcome == 0)
    note("no run has an outcome yet; try `knapsack outcome latest --commit HEAD`");
  const auto printed = print(options.format == "json" ? report_json(*reply) : report_lines(*reply));
  return printed.ok() ? 0 : fail(printed.error());
}

int run_export(const Shared& shared, ReportOptions& options) {
  if (const Status read = read_after(options); !read.ok()) return fail(read.error());
  auto engine = open_engine(shared);
  if (!engine.ok()) return fail(engine.error());
  const auto reply = (*engine)->export_runs(options.request);
  if (!reply.ok()) return fail(reply.error());
  if (reply->runs == 0) note("no run has an outcome yet; try `knapsack outcome latest --commit HEAD`");
  if (options.out.empty()) {
    const auto printed = print(reply->jsonl);
    return printed.ok() ? 0 : fail(printed.error());
  }
  const auto files = make_disk_file_system();
  const Status written = files->replace(options.out, reply->jsonl);
  if (!written.ok()) return fail(written.error());
  const auto printed = print(fmt::format("{} in {}\n", counted(reply->runs, "run"), options.out));
  return printed.ok() ? 0 : fail(printed.error());
}

}  // namespace

void add_report(Command program, Shared& shared) {
  auto options = std::make_shared<ReportOptions>();
  Command command =
      add_command(program, shared, "report", "Show how often packets contained what was later changed",
                  [&shared, options] { return run_report(shared, *options); });
  command.add_option("--by", options->request.by, "day, week (default) or month")
      .one_of({"day", "week", "month"})
      .type_name("P");
  command.add_option("--after", options->after, "Only runs since this date").type_name("DATE");
  add_format(command, options->format, {"md", "json"});
  command.footer(
      "Covers runs with an outcome (`knapsack outcome`). hit: runs that showed a file which was then\n"
      "changed, or for notes, memories and graph an entry that names one; files, lines: the share of the\n"
      "changes that was shown; new files do not count.\n\n"
      "Example:\n  knapsack report --by month");
}

void add_export(Command program, Shared& shared) {
  auto options = std::make_shared<ReportOptions>();
  Command command =
      add_command(program, shared, "export", "Print runs with their outcomes, one JSON object per line",
                  [&shared, options] { return run_export(shared, *options); });
  command.add_option("--after", options->after, "Only runs since this date").type_name("DATE");
  command.add_option("--out", options->out, "Write to this file instead of standard output")
      .type_name("FILE");
  command.footer(
      "Each line has the question, the commit before the change, the files and lines that were changed, what "
      "the packet\n"
      "showed, and every decision with its score. docs/outcomes.md has the fields.\n\n"
      "Example:\n  knapsack export --out runs.jsonl");
}

}  // namespace knapsack::cli
