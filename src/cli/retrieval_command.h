// What `pack`, `retrieve` and `refine` share: their common options, and running one.
#pragma once

#include "cli/command.h"
#include "cli/progress_line.h"
#include "cli/which_repository.h"

namespace knapsack::cli {

struct RetrievalFlags {
  std::string model_deadline;  // empty: as the settings say
  bool verbose = false;
  bool no_index = false;
};

inline void add_retrieval_options(Command command, std::string& format, RetrievalFlags& flags) {
  command.add_option("--format", format, "md, prompt or json (default md)").type_name("FORMAT");
  command.add_flag("--no-index", flags.no_index, "Use the index as it is, without updating it");
  command.add_flag("-v,--verbose", flags.verbose, "Print what each step did to standard error");
}

// Where a model may be asked.
inline void add_model_deadline(Command command, RetrievalFlags& flags) {
  command
      .add_option("--model-deadline", flags.model_deadline,
                  "Time limit for all questions to the model together, such as 30s (default 60s)")
      .type_name("TIME");
}

// Reads the task from standard input where it is "-".
inline Status read_task(std::string& task) {
  constexpr size_t kMaxTaskBytes = 16 << 20;
  if (task != "-") return ok_status();
  KNAPSACK_TRY(task, read_input("the task", kMaxTaskBytes));
  return ok_status();
}

// Asks the engine with `ask` and gives what it answers to `put`.
template <class Request, class Reply, class Recipes>
int run_retrieval(const Shared& shared, Request& request, const RetrievalFlags& flags,
                  Result<Reply> (Recipes::*ask)(const Request&), Status (*put)(std::string_view) = &print) {
  request.refresh = !flags.no_index;
  if (!flags.model_deadline.empty()) request.settings["model.deadline"] = flags.model_deadline;
  auto engine = open_engine_for_code(shared);
  if (!engine.ok()) return fail(engine.error());
  ProgressLine line;
  request.progress = [&](const code::IndexProgress& progress) { show_index_progress(line, progress); };
  const Result<Reply> reply = ((**engine).*ask)(request);
  line.clear();
  if (!reply.ok()) return fail(reply.error());
  if (flags.verbose) {
    for (const auto& detail : reply->details) note(detail);
  }
  for (const auto& notice : reply->notices) say(shared, LogLevel::kWarning, notice);
  if (const auto printed = put(reply->output); !printed.ok()) return fail(printed.error());
  if (shared.stats) print_times(reply->times);
  return fails_strict(shared, reply->packet) ? 1 : 0;
}

}  // namespace knapsack::cli
