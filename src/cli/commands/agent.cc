#include "cli/command.h"

namespace knapsack::cli {
namespace {

struct AgentOptions {
  std::string budget, tokenizer, cooldown, context_dir;
  AgentRequest request;
};

int run_agent(const Shared& shared, AgentOptions& options) {
  const std::pair<const char*, const std::string*> given[] = {{"notes.budget", &options.budget},
                                                              {"notes.tokenizer", &options.tokenizer},
                                                              {"notes.cooldown", &options.cooldown},
                                                              {"notes.context_dir", &options.context_dir}};
  for (const auto& [key, value] : given) {
    if (!value->empty()) options.request.settings[key] = *value;
  }
  auto engine = open_engine(shared);
  if (!engine.ok()) return fail(engine.error());
  const auto reply = (*engine)->agent(options.request);
  if (!reply.ok()) return fail(reply.error());
  for (const auto& notice : reply->notices) say(shared, LogLevel::kWarning, notice);
  if (!reply->cooling_down) {
    if (const auto printed = print(reply->output); !printed.ok()) return fail(printed.error());
    // The packet has reached its reader; a cooldown that cannot be remembered is worth a line, not a failure.
    if (const auto kept = (*engine)->delivered(*reply, options.request.session); !kept.ok())
      note(kept.error().line());
  }
  if (shared.stats) print_times(reply->times);
  return fails_strict(shared, reply->packet) ? 1 : 0;
}

}  // namespace

void add_agent(Command program, Shared& shared) {
  auto options = std::make_shared<AgentOptions>();
  Command command = add_command(program, shared, "agent", "Print the project notes that fit a token budget",
                                [&shared, options] { return run_agent(shared, *options); });
  command.add_option("--budget", options->budget, "Token budget of the packet (default 8000)").type_name("N");
  command.add_option("--format", options->request.format, "md, prompt or json (default md)")
      .type_name("FORMAT");
  command
      .add_option("--task", options->request.task,
                  "The agent's next task; decides which entries are relevant")
      .type_name("TEXT");
  command
      .add_option("--session", options->request.session,
                  "Print nothing if this session was answered within the cooldown")
      .type_name("ID");
  command.add_option("--cooldown", options->cooldown, "Length of the cooldown (default 10m; 0 turns it off)")
      .type_name("TIME");
  command.add_option("--context-dir", options->context_dir, "The notes folder (default .context)")
      .type_name("DIR");
  command.add_option("--tokenizer", options->tokenizer, "chars4, bytes4, cl100k or o200k (default bytes4)")
      .type_name("NAME");
  command.add_flag("--explain", options->request.explain,
                   "Add the score and form of every entry (not counted)");
  command.footer(
      "The packet contains the constitution in full, then as many open tasks, conventions, decisions and\n"
      "learnings as fit. Entries that do not fit in full are named; the rest are counted.\n\n"
      "Examples:\n"
      "  knapsack agent\n"
      "  knapsack agent --budget 2000 --task \"make the importer resume after a crash\"\n"
      "  knapsack agent --format json --tokenizer o200k --explain\n"
      "  knapsack explain                   why each entry is in the packet or not\n\n"
      "Exit codes: 0 answered, 1 failed, 2 bad usage or configuration.");
}

}  // namespace knapsack::cli
