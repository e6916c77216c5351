#include "cli/command.h"
#include "cli/progress_line.h"
#include "cli/which_repository.h"

namespace knapsack::cli {
namespace {

struct MapOptions {
  MapRequest request;
  size_t budget = 2000;
  bool no_index = false;
};

int run_map(const Shared& shared, MapOptions& options) {
  MapRequest& request = options.request;
  request.budget = options.budget;
  request.refresh = !options.no_index && request.revision.empty();
  auto engine = open_engine_for_code(shared);
  if (!engine.ok()) return fail(engine.error());
  ProgressLine line;
  request.progress = [&](const code::IndexProgress& progress) { show_index_progress(line, progress); };
  const auto reply = (*engine)->map(request);
  line.clear();
  if (!reply.ok()) return fail(reply.error());
  const auto printed = print(reply->text);
  return printed.ok() ? 0 : fail(printed.error());
}

}  // namespace

void add_map(Command program, Shared& shared) {
  auto options = std::make_shared<MapOptions>();
  Command command = add_command(program, shared, "map",
                                "Print the most central files and what they define, within a budget",
                                [&shared, options] { return run_map(shared, *options); });
  command.add_option("--budget", options->budget, "Token budget of the map (default 2000)")
      .between<size_t>(1, 10'000'000)
      .type_name("N");
  command.add_option("--rev", options->request.revision, "Map a commit that was indexed with `index --rev`")
      .type_name("COMMIT");
  command
      .add_option("--tokenizer", options->request.tokenizer,
                  "chars4, bytes4, cl100k or o200k (default o200k)")
      .type_name("NAME");
  command.add_flag("--no-index", options->no_index, "Use the index as it is, without updating it");
  command.footer(
      "Files are ordered by how much of the repository depends on them through imports; tests and\n"
      "examples come last.\n\n"
      "Examples:\n"
      "  knapsack map\n"
      "  knapsack map --budget 8000 > MAP.txt");
}

}  // namespace knapsack::cli
