#include <cmath>

#include "cli/command.h"
#include "cli/progress_line.h"

namespace knapsack::cli {
namespace {

constexpr size_t kMaxTaskBytes = 16 << 20;

struct PackOptions {
  PackRequest request;
  std::string budget, tokenizer;
  double index_seconds = static_cast<double>(kPackIndexDeadline.count());
  bool no_index = false;
  bool verbose = false;
};

int run_pack(const Shared& shared, PackOptions& options) {
  PackRequest& request = options.request;
  if (request.task == "-") {
    auto text = read_input("the task", kMaxTaskBytes);
    if (!text.ok()) return fail(text.error());
    request.task = *std::move(text);
  }
  if (!options.budget.empty()) request.settings["pack.budget"] = options.budget;
  if (!options.tokenizer.empty()) request.settings["pack.tokenizer"] = options.tokenizer;
  request.refresh = !options.no_index;
  request.index_deadline = std::chrono::milliseconds(std::llround(options.index_seconds * 1000));
  auto engine = open_engine(shared);
  if (!engine.ok()) return fail(engine.error());
  ProgressLine line;
  request.progress = [&](const code::IndexProgress& progress) { show_index_progress(line, progress); };
  const auto reply = (*engine)->pack(request);
  line.clear();
  if (!reply.ok()) return fail(reply.error());
  if (options.verbose) {
    for (const auto& detail : reply->details) note(detail);
  }
  for (const auto& notice : reply->notices) say(shared, LogLevel::kWarning, notice);
  if (const auto printed = print(reply->output); !printed.ok()) return fail(printed.error());
  if (shared.stats) print_times(reply->times);
  return shared.strict && reply->packet.status == RunStatus::kDegraded ? 1 : 0;
}

}  // namespace

void add_pack(CLI::App& program, Shared& shared) {
  auto options = std::make_shared<PackOptions>();
  PackRequest& request = options->request;
  CLI::App* command =
      add_command(program, shared, "pack", "Print what a task needs of code, notes, memories and graph",
                  [&shared, options] { return run_pack(shared, *options); });
  command->add_option("task", request.task, "What is to be done, in words; - reads it from standard input")
      ->required()
      ->type_name("TASK");
  command->add_option("--budget", options->budget, "Tokens the packet may have (default 8000)")
      ->type_name("N");
  command->add_option("--format", request.format, "md, prompt or json (default md)")->type_name("FORMAT");
  command
      ->add_option("--sources", request.sources,
                   "Pack from these only: code,notes,memory,graph (default: all that are there)")
      ->type_name("LIST");
  command->add_flag("--no-index", options->no_index, "Take the code index as it is");
  command
      ->add_option("--index-deadline", options->index_seconds,
                   "Read files for at most this long, then go on with what is there (default 60)")
      ->check(CLI::Range(0.0, 86'400.0))
      ->type_name("SECONDS");
  command->add_flag("--judge", request.judge, "Let a model judge what of the code the task needs");
  command->add_option("--model", request.model, "That model")->envname("KNAPSACK_MODEL")->type_name("NAME");
  command->add_option("--base-url", request.base_url, "Where it answers")
      ->envname("KNAPSACK_BASE_URL")
      ->type_name("URL");
  command->add_flag("-v,--verbose", options->verbose, "Say on standard error what each source gave");
  command->add_option("--tokenizer", options->tokenizer, "chars4, bytes4, cl100k or o200k (default o200k)")
      ->type_name("NAME");
  command->footer(
      "Needs no set-up: the sources that exist are found, and the code index is brought up to date. Each\n"
      "source has a share of the budget by what the task wants; what it does not use goes to the others.\n\n"
      "Examples:\n"
      "  knapsack pack \"the importer loses rows after a crash\"\n"
      "  knapsack pack - --budget 20000 --format prompt < issue.txt\n"
      "  knapsack pack \"plan the next release\" --sources notes,graph -v\n"
      "  knapsack pack \"why is login slow\" --judge --model qwen3 --base-url http://localhost:11434\n"
      "  knapsack explain latest            why everything is in the packet or not\n\n"
      "Exit codes: 0 answered, 1 failed, 2 bad usage or configuration.");
}

}  // namespace knapsack::cli
