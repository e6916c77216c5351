#include <fmt/format.h>

#include <csignal>

#include "cli/memory_command.h"
#include "cli/numbers.h"
#include "cli/progress_line.h"

namespace knapsack::cli {
namespace {

volatile std::sig_atomic_t stop_asked = 0;

void ask_to_stop(int) {
  stop_asked = 1;
}

int run_embed(const Shared& shared, const MemoryOptions& memory) {
  std::signal(SIGTERM, ask_to_stop);
  std::signal(SIGINT, ask_to_stop);
  auto engine = open_engine(shared);
  if (!engine.ok()) return fail(engine.error());
  ProgressLine line;
  EmbedRequest request;
  request.settings = memory.settings();
  request.stop = [] { return stop_asked != 0; };
  request.progress = [&](size_t done, size_t total) {
    if (line.due()) line.show(fmt::format("{} of {} memories", grouped(done), grouped(total)));
  };
  const auto reply = (*engine)->embed(request);
  line.clear();
  if (!reply.ok()) return fail(reply.error());
  std::string text;
  if (reply->model.empty()) {
    text = "Meaning is off: memories are found by words\n";
  } else if (reply->total == 0) {
    text = "There are no memories to embed\n";
  } else {
    text = fmt::format("{} of {} memories have a vector by {}\n", grouped(reply->memories),
                       grouped(reply->total), reply->model);
    if (reply->busy) text += "Another process makes the rest\n";
  }
  const auto printed = print(text);
  return printed.ok() ? 0 : fail(printed.error());
}

}  // namespace

void add_embed(Command program, Shared& shared) {
  auto memory = std::make_shared<MemoryOptions>();
  Command command = add_command(program, shared, "embed", "Make the vectors that are missing",
                                [&shared, memory] { return run_embed(shared, *memory); });
  add_memory_options(command, *memory);
  command.footer(
      "What is near a prompt in meaning is found by vectors that an encoder inside the program makes. New "
      "memories\n"
      "get theirs with the next recall, many at once in the background: this command does all of them now. "
      "It can be\n"
      "stopped at any time and goes on where it stopped.\n\n"
      "Examples:\n"
      "  knapsack embed\n\n"
      "Exit codes: 0 done or nothing to do, 1 failed, 2 bad usage or configuration.");
}

}  // namespace knapsack::cli
