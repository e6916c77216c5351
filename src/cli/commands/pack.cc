#include <cmath>

#include "cli/clipboard.h"
#include "cli/retrieval_command.h"

namespace knapsack::cli {
namespace {

struct PackOptions {
  PackRequest request;
  std::string budget, tokenizer;
  double index_seconds = static_cast<double>(kPackIndexDeadline.count());
  RetrievalFlags flags;
  bool copy = false;
  Command command;
};

int run_pack(const Shared& shared, PackOptions& options) {
  PackRequest& request = options.request;
  if (const Status read = read_task(request.task); !read.ok()) return fail(read.error());
  if (options.command.count("--diff") > 0 && !request.diff) request.diff = "";
  if (!options.budget.empty()) request.settings["pack.budget"] = options.budget;
  if (!options.tokenizer.empty()) request.settings["pack.tokenizer"] = options.tokenizer;
  request.index_deadline = std::chrono::milliseconds(std::llround(options.index_seconds * 1000));
  if (!options.copy) return run_retrieval(shared, request, options.flags, &Engine::pack, &print);
  if (const Status there = find_clipboard(); !there.ok()) return fail(there.error());
  return run_retrieval(shared, request, options.flags, &Engine::pack, &copy_to_clipboard);
}

}  // namespace

void add_pack(Command program, Shared& shared) {
  auto options = std::make_shared<PackOptions>();
  PackRequest& request = options->request;
  Command command =
      add_command(program, shared, "pack", "Pack what a task needs from code, notes, memories and graph",
                  [&shared, options] { return run_pack(shared, *options); });
  options->command = command;
  command
      .add_text("task", request.task,
                "The task, in words; - reads standard input; optional with --diff and --staged")
      .type_name("TASK");
  command
      .add_optional("--diff", request.diff,
                    "Pack for a reviewer: definitions changed since this commit (default HEAD), their uses "
                    "and their tests")
      .type_name("COMMIT");
  command.add_flag("--staged", request.staged, "The same for staged changes");
  command.add_option("--budget", options->budget, "Token budget of the packet (default 8000)").type_name("N");
  command.add_flag("--fill", request.fill,
                   "Fill the budget instead of stopping where code is no longer close to the task");
  command
      .add_option("--sources,--source", request.sources,
                  "Pack from these only: code,notes,memory,graph (default: all that exist)")
      .type_name("LIST");
  command
      .add_option("--path", request.paths.only,
                  "Only code from matching files (patterns as in .gitignore); repeatable")
      .type_name("GLOB");
  command.add_option("--exclude", request.paths.without, "No code from matching files; repeatable")
      .type_name("GLOB");
  command.add_flag("--no-tests", request.paths.no_tests, "No code from tests");
  command.add_option("--full", request.full, "Show this file whole, before everything else; repeatable")
      .type_name("FILE");
  command.add_option("--rev", request.revision, "Pack the code as it was in this commit").type_name("COMMIT");
  add_also(command, shared);
  add_repository(command, shared);
  command.add_flag("--copy", options->copy,
                   "Copy the packet to the terminal's clipboard (OSC 52) instead of printing it");
  add_retrieval_options(command, request.format, options->flags);
  command
      .add_option("--index-deadline", options->index_seconds,
                  "Update the index for at most this long, then answer from what is indexed (default 60)")
      .between(0.0, 86'400.0)
      .type_name("SECONDS");
  command.add_flag("--judge", request.judge, "Let a model judge which code the task needs");
  command.add_option("--model", request.model, "The name of the model")
      .envname("KNAPSACK_MODEL")
      .type_name("NAME");
  command.add_option("--base-url", request.base_url, "The address of the model's server")
      .envname("KNAPSACK_BASE_URL")
      .type_name("URL");
  add_model_deadline(command, options->flags);
  command.add_option("--tokenizer", options->tokenizer, "chars4, bytes4, cl100k or o200k (default o200k)")
      .type_name("NAME");
  command.footer(
      "Needs no set-up: it finds the available sources and updates the code index. Each source gets a\n"
      "share of the budget that depends on the kind of task; what it does not use goes to the others.\n\n"
      "Examples:\n"
      "  knapsack pack the importer loses rows after a crash\n"
      "  knapsack pack -- \"--max-count is wrong\"\n"
      "  knapsack pack --diff                     what a reviewer of your uncommitted change needs\n"
      "  knapsack pack --diff=main why is it slow  everything changed since main, for a question\n"
      "  knapsack pack \"why is login slow\" --path 'server/**' --exclude '*.sql' --no-tests\n"
      "  knapsack pack \"why is login slow\" --full server/login.py --copy\n"
      "  knapsack pack - --budget 20000 --format prompt < issue.txt\n"
      "  knapsack pack \"plan the next release\" --sources notes,graph -v\n"
      "  knapsack pack \"why is login slow\" --judge --model qwen3 --base-url http://localhost:11434\n"
      "  knapsack explain                   why each entry is in the packet or not\n\n"
      "Exit codes: 0 answered, 1 failed, 2 bad usage or configuration.");
}

}  // namespace knapsack::cli
