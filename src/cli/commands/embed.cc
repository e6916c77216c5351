#include <fmt/format.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>

#include "cli/memory_command.h"
#include "cli/numbers.h"
#include "cli/progress_line.h"
#include "core/helper_threads.h"

namespace knapsack::cli {
namespace {

volatile std::sig_atomic_t stop_asked = 0;

// What is at hand is finished and kept where that takes no longer than a person notices; where it does, the process
// ends all the same: nothing that lies on the disk minds.
void ask_to_stop(int) {
  constexpr suseconds_t kLongestMicros = 80'000;
  stop_asked = 1;
  const itimerval soon{{0, 0}, {0, kLongestMicros}};
  ::setitimer(ITIMER_REAL, &soon, nullptr);
}

std::string count_line(size_t done, size_t total, const char* what) {
  return fmt::format("{} of {} {}", grouped(done), grouped(total), what);
}

// All cores for whoever waits for it; one where it runs behind everything else (start_embedding).
size_t threads_to_use() {
  const bool in_background = ::getpriority(PRIO_PROCESS, 0) > 0;
  return in_background ? 1 : core_count();
}

void end_at_once(int) {
  ::_exit(0);
}

int run_embed(const Shared& shared, const MemoryOptions& memory) {
  std::signal(SIGTERM, ask_to_stop);
  std::signal(SIGINT, ask_to_stop);
  std::signal(SIGALRM, end_at_once);
  auto engine = open_engine(shared);
  if (!engine.ok()) return fail(engine.error());
  ProgressLine line;
  EmbedRequest request;
  request.settings = memory.settings();
  request.threads = threads_to_use();
  request.stop = [] { return stop_asked != 0; };
  request.progress = [&](Source source, size_t done, size_t total) {
    if (line.due()) line.show(count_line(done, total, source == Source::kCode ? "files" : "memories"));
  };
  const auto reply = (*engine)->embed(request);
  line.clear();
  if (!reply.ok()) return fail(reply.error());
  std::string text;
  if (reply->model.empty()) {
    text = "Meaning is off: everything is found by words\n";
  } else if (reply->total == 0 && reply->total_files == 0) {
    text = "There are no memories and no indexed code to embed\n";
  } else {
    if (reply->total > 0)
      text += fmt::format("{} have a vector by {}\n", count_line(reply->memories, reply->total, "memories"),
                          reply->model);
    if (reply->total_files > 0)
      text += fmt::format("{} have vectors by {}\n",
                          count_line(reply->files, reply->total_files, "files of code"), reply->model);
    if (reply->busy) text += "Another process makes the rest\n";
  }
  const auto printed = print(text);
  return printed.ok() ? 0 : fail(printed.error());
}

}  // namespace

void add_embed(Command program, Shared& shared) {
  auto memory = std::make_shared<MemoryOptions>();
  Command command = add_command(program, shared, "embed", "Compute missing vectors",
                                [&shared, memory] { return run_embed(shared, *memory); });
  add_memory_options(command, *memory);
  command.footer(
      "A built-in encoder makes vectors that find memories and code close in meaning to a prompt or a\n"
      "short question. A few new memories get theirs with the next recall; many memories, and the code,\n"
      "get theirs in the background. This command makes all of them now. It can be stopped at any time\n"
      "and resumes where it stopped.\n\n"
      "Examples:\n"
      "  knapsack embed\n\n"
      "Exit codes: 0 done or nothing to do, 1 failed, 2 bad usage or configuration.");
}

}  // namespace knapsack::cli
