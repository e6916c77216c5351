#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <nlohmann/json.hpp>

#include "cli/command.h"
#include "cli/numbers.h"
#include "cli/progress_line.h"
#include "cli/which_repository.h"
#include "core/escape.h"

namespace knapsack::cli {
namespace {

using std::chrono::steady_clock;

std::string as_text(const code::IndexReport& report, double seconds, bool all_notes) {
  const std::string what = report.snapshot == report.commit_id
                               ? fmt::format("commit {}", report.commit_id.substr(0, 12))
                               : std::string("the work tree");
  std::string out;
  if (!report.changed) {
    out = fmt::format("Nothing has changed in {}: {}, {} of source; looked in {:.2f} s\n", what,
                      counted(report.files, "file"), bytes_in_words(report.source_bytes), seconds);
  } else {
    out = fmt::format("Indexed {} in {:.2f} s: {}, {} of source, {} lines\n", what, seconds,
                      counted(report.files, "file"), bytes_in_words(report.source_bytes),
                      grouped(report.lines));
    out += fmt::format("  read        {} ({} parsed, the rest was known)\n", counted(report.examined, "file"),
                       grouped(report.parsed));
    if (report.removed > 0) out += fmt::format("  gone        {}\n", counted(report.removed, "file"));
    std::string languages;
    std::vector<std::pair<uint64_t, std::string>> ranked;
    for (const auto& [name, count] : report.languages) ranked.emplace_back(count, name);
    std::sort(ranked.begin(), ranked.end(), [](const auto& a, const auto& b) {
      return a.first != b.first ? a.first > b.first : a.second < b.second;
    });
    for (const auto& [count, name] : ranked) {
      languages += fmt::format("{}{} {}", languages.empty() ? "" : ", ", name, grouped(count));
    }
    out += fmt::format("  searchable  {}{}{}\n", counted(report.sources, "file"),
                       languages.empty() ? "" : ": ", languages);
    std::string listed;
    for (const auto& [why, count] : report.listed) {
      listed += fmt::format("{}{} {}", listed.empty() ? "" : ", ", why, grouped(count));
    }
    if (!listed.empty()) out += fmt::format("  only listed {}\n", listed);
    out += fmt::format("  imports     {} between these files\n", counted(report.import_edges, "edge"));
    if (!report.commit_id.empty()) {
      out += fmt::format("  history     {} ({} new){}\n", counted(report.commits, "commit"),
                         grouped(report.new_commits),
                         report.older_commits ? "; there are older ones (--history N)" : "");
    }
  }
  constexpr size_t kShownNotes = 8;
  for (size_t i = 0; i < report.notes.size() && (all_notes || i < kShownNotes); ++i) {
    out += fmt::format("  note        {}\n", escape_control(report.notes[i]));
  }
  if (!all_notes && report.notes.size() > kShownNotes) {
    out += fmt::format("  note        … and {} more (-v shows them all)\n",
                       grouped(report.notes.size() - kShownNotes));
  }
  return out;
}

std::string as_json(const code::IndexReport& report) {
  nlohmann::ordered_json json = {{"snapshot", report.snapshot},
                                 {"commit", report.commit_id},
                                 {"changed", report.changed},
                                 {"files", report.files},
                                 {"sources", report.sources},
                                 {"source_bytes", report.source_bytes},
                                 {"lines", report.lines},
                                 {"read", report.examined},
                                 {"parsed", report.parsed},
                                 {"gone", report.removed},
                                 {"ignored", report.ignored},
                                 {"skipped", report.skipped},
                                 {"import_edges", report.import_edges},
                                 {"commits", report.commits},
                                 {"new_commits", report.new_commits},
                                 {"older_commits", report.older_commits},
                                 {"languages", report.languages},
                                 {"listed", report.listed},
                                 {"notes", report.notes}};
  return json.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n";
}

struct IndexArguments {
  std::string folder;
  IndexOptions options;
  std::string format = "md";
  double wait_seconds = 30;
  bool verbose = false;
};

int run_index(Shared& shared, IndexArguments& arguments) {
  auto engine = open_engine_for_code(shared, arguments.folder);
  if (!engine.ok()) return fail(engine.error());
  arguments.options.wait = std::chrono::milliseconds(std::llround(arguments.wait_seconds * 1000));
  const auto began = steady_clock::now();
  auto report = [&] {
    ProgressLine line;
    arguments.options.progress = [&](const code::IndexProgress& progress) {
      show_index_progress(line, progress);
    };
    return (*engine)->index(arguments.options);
  }();
  if (!report.ok()) return fail(report.error());
  const double seconds = std::chrono::duration<double>(steady_clock::now() - began).count();
  const auto printed =
      print(arguments.format == "json" ? as_json(*report) : as_text(*report, seconds, arguments.verbose));
  if (!printed.ok()) return fail(printed.error());
  if (shared.stats) {
    std::vector<StepTime> times;
    for (const auto& [step, micros] : report->times) times.push_back({step, micros});
    print_times(times);
  }
  return 0;
}

}  // namespace

void add_index(Command program, Shared& shared) {
  auto arguments = std::make_shared<IndexArguments>();
  Command command =
      add_command(program, shared, "index", "Read the repository's code and history into the index",
                  [&shared, arguments] { return run_index(shared, *arguments); });
  command.add_option("DIR", arguments->folder, "The repository (default: the workspace)").type_name("");
  command
      .add_option("--rev", arguments->options.revision,
                  "Index a commit straight from the repository, without a checkout")
      .type_name("COMMIT");
  command.add_option("--jobs,-j", arguments->options.jobs, "Threads (default: one per core)")
      .between(1, 256)
      .type_name("N");
  command.add_option("--history", arguments->options.history, "Commits of history to read (default 5000)")
      .between(0, 1'000'000)
      .type_name("N");
  command
      .add_option("--wait", arguments->wait_seconds,
                  "How long to wait for another `knapsack index` of the same workspace (default 30)")
      .between(0.0, 86'400.0)
      .type_name("SECONDS");
  command.add_flag("--full", arguments->options.full, "Check the index and rebuild it completely");
  command.add_flag("--shared-objects", arguments->options.read_outside_alternates,
                   "Read the objects that a shared clone borrows from another repository");
  command.add_option("--format", arguments->format, "md or json (default md)")
      .one_of({"md", "json"})
      .type_name("FORMAT");
  command.add_flag("--verbose,-v", arguments->verbose, "Show every note");
  command.footer(
      "Examples:\n"
      "  knapsack index                 the current files; only changes are read\n"
      "  knapsack index --rev v1.2.0    also index a release\n"
      "  knapsack index --full          start over");
}

}  // namespace knapsack::cli
