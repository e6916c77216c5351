#include "cli/retrieval_command.h"
#include "packet/budget.h"

namespace knapsack::cli {
namespace {

struct RetrieveOptions {
  RetrieveRequest request;
  std::string repository, tokenizer, budget;
  std::optional<std::string> window, reserved, task_id;
  RetrievalFlags flags;
};

// One number instead of a window and what is reserved of it; all stages, and no model where none is named.
Status take_budget(RetrieveOptions& options) {
  RetrieveRequest& request = options.request;
  if (options.window) {
    KNAPSACK_TRY(request.context_window, parse_budget(*options.window, "--context-window"));
  }
  if (options.reserved) {
    KNAPSACK_TRY(request.reserved_tokens, parse_budget(*options.reserved, "--reserved-tokens"));
  }
  if (options.budget.empty()) return ok_status();
  if (request.context_window || request.reserved_tokens || request.budget_config) {
    return Error{ErrorCode::kUsage, "--budget stands for --context-window and --reserved-tokens",
                 "give one or the other"};
  }
  KNAPSACK_TRY(request.context_window, parse_budget(options.budget, "--budget"));
  if (*request.context_window == 0)
    return Error{ErrorCode::kUsage, "--budget must be above 0",
                 "give the number of tokens that the packet may have"};
  request.reserved_tokens = 0;
  if (request.stages.empty()) request.stages = "scope,precision";
  if (request.model.empty() && request.base_url.empty()) request.no_model = true;
  return ok_status();
}

int run_retrieve(Shared& shared, RetrieveOptions& options) {
  if (!options.repository.empty()) {
    if (!shared.workspace.empty()) {
      return fail({ErrorCode::kUsage, "--repo and --workspace mean the same", "give one of them"});
    }
    shared.workspace = options.repository;
  }
  if (const Status read = read_task(options.request.task); !read.ok()) return fail(read.error());
  if (const Status taken = take_budget(options); !taken.ok()) return fail(taken.error());
  if (options.task_id) {
    // A script whose variable is unset would otherwise never find its session again.
    if (options.task_id->empty()) {
      return fail({ErrorCode::kUsage, "--task-id is empty", "name the task, or leave it out"});
    }
    options.request.task_id = *options.task_id;
  }
  if (!options.tokenizer.empty()) options.request.settings["code.tokenizer"] = options.tokenizer;
  return run_retrieval(shared, options.request, options.flags, &Engine::retrieve);
}

}  // namespace

void add_retrieve(Command program, Shared& shared) {
  auto options = std::make_shared<RetrieveOptions>();
  RetrieveRequest& request = options->request;
  Command command =
      add_command(program, shared, "retrieve", "Print the code that a task needs, within a budget",
                  [&shared, options] { return run_retrieve(shared, *options); });
  command.add_text("task", request.task, "The task, in words; - reads standard input")
      .required()
      .type_name("TASK");
  command
      .add_option(
          "--budget", options->budget,
          "Token budget of the packet (default: as for pack); all stages run, and no model is asked unless "
          "one is named")
      .type_name("N");
  command.add_option("--stages", request.stages, "The stages to run, in order: scope,precision")
      .type_name("LIST");
  command.add_option("--context-window", options->window, "The model's context window in tokens")
      .type_name("N");
  command.add_option("--reserved-tokens", options->reserved, "Tokens of the window reserved for other uses")
      .type_name("N");
  command
      .add_option("--budget-config", request.budget_config, "A file with context_window and reserved_tokens")
      .type_name("FILE");
  command.add_option("--model", request.model, "The model that judges candidates").type_name("NAME");
  command
      .add_option("--base-url", request.base_url,
                  "The address of its server (Ollama, or an OpenAI-compatible one ending in /v1)")
      .type_name("URL");
  add_model_deadline(command, options->flags);
  command.add_flag("--no-llm", request.no_model, "Use no model, only rules");
  command.add_option("--repo", options->repository, "The repository (default: the workspace)")
      .type_name("DIR");
  add_also(command, shared);
  add_repository(command, shared);
  command.add_option("--rev", request.revision, "A commit that was indexed with `index --rev`")
      .type_name("COMMIT");
  command
      .add_option("--task-id", options->task_id,
                  "Name the task, to resume it later or continue it with `refine`")
      .type_name("ID");
  command.add_flag("--fill", request.fill,
                   "Fill the budget instead of stopping where code is no longer close to the task");
  add_retrieval_options(command, request.format, options->flags);
  command.add_option("--tokenizer", options->tokenizer, "chars4, bytes4, cl100k or o200k (default chars4)")
      .type_name("NAME");
  command.footer(
      "The budget is the window minus the reserved tokens; the packet never exceeds it. Files that the\n"
      "task names are always included, at least by their path. The index is updated first.\n\n"
      "Examples:\n"
      "  knapsack retrieve fix the login validation\n"
      "  knapsack retrieve fix the login validation --budget 4000\n"
      "  knapsack retrieve \"fix the login validation\" --stages scope,precision \\\n"
      "      --context-window 32768 --reserved-tokens 4096 --no-llm\n"
      "  knapsack retrieve - --stages scope,precision --budget-config budget.toml < issue.txt \\\n"
      "      --model qwen3 --base-url http://localhost:11434 --format prompt -v\n"
      "  knapsack explain latest --expect src/login.py      why a file is in the packet or not\n\n"
      "Exit codes: 0 answered, 1 failed, 2 bad usage or configuration.");
}

}  // namespace knapsack::cli
