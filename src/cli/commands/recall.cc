#include <fmt/format.h>

#include "cli/memory_command.h"

namespace knapsack::cli {
namespace {

constexpr size_t kMaxPromptBytes = 1U << 20U;

struct RecallOptions {
  RecallRequest request;
  MemoryOptions memory;
  std::string max_tokens, max_results, tokenizer;
  bool rerank = false;
};

int run_recall(const Shared& shared, RecallOptions& options) {
  RecallRequest& request = options.request;
  if (request.prompt == "-") {
    auto text = read_input("the prompt", kMaxPromptBytes);
    if (!text.ok()) return fail(text.error());
    request.prompt = *std::move(text);
  }
  request.settings = options.memory.settings();
  const std::pair<const char*, const std::string*> given[] = {{"recall.max_tokens", &options.max_tokens},
                                                              {"recall.max_results", &options.max_results},
                                                              {"recall.tokenizer", &options.tokenizer}};
  for (const auto& [key, value] : given) {
    if (!value->empty()) request.settings[key] = *value;
  }
  if (options.rerank) request.settings["recall.rerank"] = "true";
  auto engine = open_engine(shared);
  if (!engine.ok()) return fail(engine.error());
  return print_packet(shared, (*engine)->recall(request));
}

}  // namespace

void add_recall(Command program, Shared& shared) {
  auto options = std::make_shared<RecallOptions>();
  RecallRequest& request = options->request;
  Command command = add_command(program, shared, "recall", "Print the memories that a prompt needs",
                                [&shared, options] { return run_recall(shared, *options); });
  command.add_text("prompt", request.prompt, "The prompt, in words; - reads standard input")
      .required()
      .type_name("PROMPT");
  command
      .add_option("--mode", request.mode,
                  "auto (by the words, English or Russian), no_recall, minimal, full or graph_mode")
      .type_name("MODE");
  command.add_option("--max-tokens", options->max_tokens, "Token budget of the packet (default 2000)")
      .type_name("N");
  command.add_option("--max-results", options->max_results, "Maximum number of memories (default 8)")
      .type_name("N");
  command
      .add_option("--as-of", request.as_of,
                  "Recall what was valid at this time; a date means the end of that day")
      .type_name("DATE");
  command.add_flag("--history", request.history,
                   "Include superseded memories, marked as such; also implied by words such as \"history "
                   "of\" or \"used to be\"");
  add_format(command, request.format, {"md", "prompt", "json"});
  command.add_flag("--explain", request.explain,
                   "Also show what became of every memory, and every part of its score");
  command.add_flag("--rerank", options->rerank, "Let a model reorder the best memories");
  command.add_option("--model", request.model, "The name of the model").type_name("NAME");
  command
      .add_option("--base-url", request.base_url,
                  "The address of its server (Ollama, or an OpenAI-compatible one ending in /v1)")
      .type_name("URL");
  add_embedding_options(command, request.embed_model, request.embed_url);
  command.add_option("--tokenizer", options->tokenizer, "chars4, bytes4, cl100k or o200k (default o200k)")
      .type_name("NAME");
  add_memory_options(command, options->memory);
  command.add_flag("--dry-run", request.dry_run, "Do not count accesses or write to the ledger");
  command.footer(
      "An acknowledgement (\"thanks\") recalls nothing, and a short command a few memories. A question\n"
      "about how something came about follows links between memories and shows them in order of time.\n\n"
      "Examples:\n"
      "  knapsack recall \"which database did we decide on?\"\n"
      "  knapsack recall \"what led to the rollback?\" --max-tokens 4000 --format prompt\n"
      "  knapsack recall \"deploy rules\" --as-of 2026-03-01 --explain\n\n"
      "Exit codes: 0 answered, 1 failed, 2 bad usage or configuration.");
}

}  // namespace knapsack::cli
