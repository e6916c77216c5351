#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "cli/graph_command.h"
#include "packet/budget.h"

namespace knapsack::cli {
namespace {

constexpr uint64_t kMaxInputBytes = 256U << 20U;

struct GraphPackOptions {
  GraphPackRequest request;
  std::string folder, file, commit, budget, tokenizer, max_tasks, max_kg, max_rg, max_deltas;
  Command command;  // knows which options were given
};

int run_graph_pack(const Shared& shared, GraphPackOptions& options) {
  const bool has_text = options.command.count("--request-text") > 0;
  if (has_text == !options.file.empty()) {
    return fail({ErrorCode::kUsage, "a pack answers one request", "give --request-text or --request-file"});
  }
  if (!options.file.empty()) {
    auto text = read_input(options.file);
    if (!text.ok()) return fail(text.error());
    options.request.request = std::move(*text);
  }
  const std::pair<const char*, const std::string*> given[] = {
      {"graph.dir", &options.folder},          {"graph.tokenizer", &options.tokenizer},
      {"graph.max_tasks", &options.max_tasks}, {"graph.max_kg", &options.max_kg},
      {"graph.max_rg", &options.max_rg},       {"graph.max_deltas", &options.max_deltas}};
  for (const auto& [key, value] : given) {
    if (!value->empty()) options.request.settings[key] = *value;
  }
  if (!options.commit.empty()) options.request.commit_id = options.commit;
  if (!options.budget.empty()) {
    const auto budget = parse_budget(options.budget, "--budget");
    if (!budget.ok()) return fail(budget.error());
    options.request.budget = *budget;
  }
  auto engine = open_engine(shared);
  if (!engine.ok()) return fail(engine.error());
  return print_packet(shared, (*engine)->graph_pack(options.request));
}

}  // namespace

Result<std::string> read_input(const std::string& name) {
  if (name != "-") {
    auto bytes = make_disk_file_system()->read(name, kMaxInputBytes);
    if (bytes.ok()) return bytes;
    // What the disk advises is about files of a workspace.
    return Error{bytes.error().code, bytes.error().what, "name a file, or - for standard input"};
  }
  std::string bytes;
  char buffer[65536];
  while (bytes.size() <= kMaxInputBytes) {
    const ssize_t got = ::read(STDIN_FILENO, buffer, sizeof buffer);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0)
      return Error{ErrorCode::kIo, std::string("cannot read standard input: ") + std::strerror(errno), ""};
    if (got == 0) return bytes;
    bytes.append(buffer, static_cast<size_t>(got));
  }
  return Error{ErrorCode::kLimit, "standard input holds more than 256 MB", "split it"};
}

void add_graph_pack(Command graph, Shared& shared) {
  auto options = std::make_shared<GraphPackOptions>();
  Command command = add_command(graph, shared, "pack", "Print the nodes that a request needs",
                                [&shared, options] { return run_graph_pack(shared, *options); });
  options->command = command;
  command
      .add_option("--request-text", options->request.request,
                  "The request, in words; ids may be upper or lower case")
      .type_name("TEXT");
  command.add_option("--request-file", options->file, "The same from a file, or - for standard input")
      .type_name("FILE");
  command
      .add_option("--intent", options->request.intent,
                  "auto (by the words, English or Russian), plan, execute, explain, debug or research")
      .type_name("INTENT");
  command.add_option("--budget", options->budget, "Token budget of the packet (default: no limit)")
      .type_name("N");
  add_format(command, options->request.format, {"md", "prompt", "json"});
  command
      .add_option("--max-tasks", options->max_tasks,
                  "Maximum number of tasks, including those they wait for (default 15)")
      .type_name("N");
  command.add_option("--max-kg", options->max_kg, "Knowledge nodes (default 30)").type_name("N");
  command.add_option("--max-rg", options->max_rg, "Decisions (default 10)").type_name("N");
  command.add_option("--max-deltas", options->max_deltas, "Recent changes (default 20)").type_name("N");
  command.add_option("--commit-id", options->commit, "Show changes from this commit on").type_name("COMMIT");
  command
      .add_option("--suggest-clarify", options->request.suggest_clarify,
                  "Suggest questions for missing information (default true)")
      .type_name("BOOL");
  command
      .add_option("--apply-clarify-task", options->request.apply_clarify_task,
                  "Write those questions as a task, once per request (default false)")
      .type_name("BOOL");
  command.add_flag("--dry-run", options->request.dry_run, "Write nothing at all, not even to the ledger");
  command.add_option("--tokenizer", options->tokenizer, "chars4, bytes4, cl100k or o200k (default o200k)")
      .type_name("NAME");
  add_graphs_dir(command, options->folder);
  command.footer(
      "A node scores 5 if the request is about it, 4 if a selected task references it, 3 if an accepted\n"
      "decision does, 2 as a constraint or risk, and 2 or 1 if it changed within a day or a week. Tasks\n"
      "come with the tasks they wait for. Each answer is also saved as request_context.latest.json in the\n"
      "graph folder.\n\n"
      "Examples:\n"
      "  knapsack graph pack --request-text \"continue TG-TASK-7\"\n"
      "  knapsack graph pack --request-text \"why does the import fail?\" --budget 2000 --format prompt\n"
      "  knapsack graph pack --request-file request.txt --intent plan --format json --dry-run\n"
      "  knapsack explain latest --expect KG-FACT-3     why a node is in the packet or not\n\n"
      "Exit codes: 0 answered, 1 failed, 2 bad usage or configuration.");
}

}  // namespace knapsack::cli
