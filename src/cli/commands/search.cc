#include <fmt/format.h>

#include "cli/memory_command.h"
#include "cli/numbers.h"
#include "cli/progress_line.h"
#include "cli/which_repository.h"

namespace knapsack::cli {
namespace {

struct SearchOptions {
  SearchRequest request;
  MemoryOptions memory;
  std::string fusion, graphs_dir, context_dir;
  bool rerank = false, mmr = false;
  Command command;  // knows which options were given
};

int run_search(const Shared& shared, SearchOptions& options) {
  SearchRequest& request = options.request;
  if (request.query == "-") {
    auto text = read_input("the query", kMaxQueryBytes);
    if (!text.ok()) return fail(text.error());
    request.query = *std::move(text);
  }
  request.settings = options.memory.settings();
  const std::pair<const char*, const std::string*> given[] = {{"search.fusion", &options.fusion},
                                                              {"graph.dir", &options.graphs_dir},
                                                              {"notes.context_dir", &options.context_dir}};
  for (const auto& [key, value] : given) {
    if (!value->empty()) request.settings[key] = *value;
  }
  if (options.command.count("--rerank") > 0)
    request.settings["search.rerank"] = options.rerank ? "true" : "false";
  if (options.command.count("--mmr") > 0) request.settings["search.mmr"] = options.mmr ? "true" : "false";
  auto engine = open_engine_for_code(shared);
  if (!engine.ok()) return fail(engine.error());
  ProgressLine line;
  request.index_progress = [&line](const code::IndexProgress& progress) {
    if (line.due()) show_index_progress(line, progress);
  };
  request.progress = [&line](const SearchProgress& progress) {
    if (line.due())
      line.show(fmt::format("embedding {}: {} of {}", to_string(progress.source), grouped(progress.embedded),
                            grouped(progress.total)));
  };
  const auto reply = (*engine)->search(request);
  line.clear();
  if (!reply.ok()) return fail(reply.error());
  for (const auto& notice : reply->notices) say(shared, LogLevel::kWarning, notice);
  if (const auto printed = print(reply->output); !printed.ok()) return fail(printed.error());
  if (shared.stats) print_times(reply->times);
  return shared.strict && reply->status == RunStatus::kDegraded ? 1 : 0;
}

}  // namespace

void add_search(Command program, Shared& shared) {
  auto options = std::make_shared<SearchOptions>();
  SearchRequest& request = options->request;
  Command command =
      add_command(program, shared, "search", "Find what matches a query in code, notes, memories and graph",
                  [&shared, options] { return run_search(shared, *options); });
  options->command = command;
  command
      .add_text("query", request.query,
                "Words, \"phrases\" and -excluded words; - reads them from standard input")
      .required()
      .type_name("QUERY");
  command
      .add_option("--source,--sources", request.sources,
                  "code, notes, memory or graph; repeatable (default: all available)")
      .delimiter(',')
      .type_name("NAME");
  command
      .add_option("--mode", request.mode,
                  "hybrid (default), lex (by words) or vec (by the embedding model alone)")
      .type_name("MODE");
  command.add_option("--limit", request.limit, "Results to show (default 10)")
      .between(size_t{1}, kMaxSearchResults)
      .type_name("N");
  command
      .add_option("--fusion", options->fusion,
                  "How scores by words and by meaning are combined: sum (default) or rrf")
      .type_name("HOW");
  command.add_flag("--rerank,!--no-rerank", options->rerank,
                   "Prefer results with all words, close together or in the title");
  command.add_flag("--mmr,!--no-mmr", options->mmr, "Move down results that repeat a better one");
  add_also(command, shared);
  add_repository(command, shared);
  add_format(command, request.format, {"text", "json"});
  command.add_flag("--explain", request.explain, "Also show the parts of every score and the active stages");
  command.add_flag("!--no-refresh", request.refresh, "Search the code as last indexed, without updating it");
  command.add_flag("--dry-run", request.dry_run, "Write nothing to the ledger");
  add_embedding_options(command, request.embed_model, request.embed_url);
  add_memory_options(command, options->memory);
  add_graphs_dir(command, options->graphs_dir);
  command.add_option("--context-dir", options->context_dir, "The notes folder (default .context)")
      .type_name("DIR");
  command.footer(
      "Memories and code are also matched by meaning, with the built-in encoder (docs/meaning.md). An\n"
      "embedding model that you name replaces it, for all sources, and --mode vec needs one: texts are\n"
      "embedded the first time they are searched; if its server is down, the answer is by words and says\n"
      "so.\n\n"
      "Examples:\n"
      "  knapsack search \"token budget\"\n"
      "  knapsack search '\"hard budget\" packer -test' --source code --limit 5\n"
      "  knapsack search \"why sqlite\" --source notes,memory --explain\n"
      "  knapsack search \"retry policy\" --embed-model nomic-embed-text --embed-url "
      "http://localhost:11434\n\n"
      "Exit codes: 0 answered, 1 failed (or degraded with --strict), 2 bad usage or configuration.");
}

}  // namespace knapsack::cli
