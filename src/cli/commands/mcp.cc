#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <csignal>

#include "cli/command.h"
#include "core/helper_threads.h"
#include "serve/mcp/mcp_stdio.h"

namespace knapsack::cli {
namespace {

constexpr unsigned kMaxThreads = 64;

// A signal may come at any instruction: all it does is to make a descriptor readable.
std::array<int, 2> signal_pipe = {-1, -1};

void on_signal(int) {
  const int before = errno;
  const char byte = 1;
  [[maybe_unused]] const ssize_t written = ::write(signal_pipe[1], &byte, 1);
  errno = before;
}

// The descriptor that tells of SIGTERM and SIGINT. The second signal ends the program at once.
int watch_signals() {
  if (::pipe2(signal_pipe.data(), O_CLOEXEC | O_NONBLOCK) != 0) return -1;
  struct sigaction action = {};
  action.sa_handler = on_signal;
  action.sa_flags = static_cast<int>(SA_RESETHAND);
  for (const int signal : {SIGTERM, SIGINT}) ::sigaction(signal, &action, nullptr);
  return signal_pipe[0];
}

int run_mcp(const Shared& shared, unsigned jobs) {
  auto options = engine_options(shared);
  if (!options.ok()) return fail(options.error());
  serve::ServiceOptions wanted;
  wanted.engine = *std::move(options);
  wanted.max_running = jobs > 0 ? jobs : core_count();
  auto service = serve::Service::open(wanted);
  if (!service.ok()) return fail(service.error());
  if (::isatty(STDIN_FILENO) == 1)
    note(
        "serving MCP on standard input for a client to start; `knapsack mcp --help` says how, Ctrl-D ends "
        "it");
  serve::Mcp mcp(**service);
  serve::StdioOptions stdio;
  stdio.input = STDIN_FILENO;
  stdio.output = STDOUT_FILENO;
  stdio.stop = watch_signals();
  stdio.threads = wanted.max_running;
  const Status served = serve::serve_stdio(mcp, stdio);
  return served.ok() ? 0 : fail(served.error());
}

}  // namespace

void add_mcp(Command program, Shared& shared) {
  auto jobs = std::make_shared<unsigned>(0);
  Command command =
      add_command(program, shared, "mcp",
                  "Serve this workspace to an agent: the Model Context Protocol on stdin and stdout",
                  [&shared, jobs] { return run_mcp(shared, *jobs); });
  add_also(command, shared);
  command.add_option("--jobs", *jobs, "Calls to answer concurrently (default: one per core)")
      .between(1U, kMaxThreads)
      .type_name("N");
  command.footer(
      "Started by an MCP client; not meant for interactive use. Register it once, for example:\n"
      "  claude mcp add knapsack -- knapsack mcp\n"
      "  {\"mcpServers\": {\"knapsack\": {\"command\": \"knapsack\", \"args\": [\"mcp\"]}}}\n"
      "The workspace is found from the folder it is started in, or set with --workspace DIR.\n\n"
      "Speaks 2026-07-28 and, after `initialize`, 2025-11-25, 2025-06-18 and 2025-03-26. Standard output\n"
      "carries only the protocol; messages for people go to standard error (--log-level debug shows more).\n"
      "At the end of the input, or on SIGTERM, running requests are finished.\n\n"
      "To try it by hand:\n"
      "  echo '{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/list\",\"params\":{\"_meta\":{\n"
      "    \"io.modelcontextprotocol/protocolVersion\":\"2026-07-28\",\n"
      "    \"io.modelcontextprotocol/clientCapabilities\":{}}}}' | tr -d '\\n' | knapsack mcp\n\n"
      "Exit codes: 0 served to the end, 1 failed, 2 bad usage or configuration. docs/mcp.md lists the "
      "tools.");
}

}  // namespace knapsack::cli
