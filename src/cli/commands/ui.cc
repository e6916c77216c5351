#include <fcntl.h>
#include <fmt/format.h>
#include <spawn.h>
#include <unistd.h>

#include <array>
#include <csignal>
#include <cstdlib>

#include "cli/serving.h"
#include "serve/http/token.h"

namespace knapsack::cli {
namespace {

struct UiOptions {
  uint16_t port = 0;
  bool no_browser = false;
};

bool has_display() {
  const auto is_set = [](const char* name) {
    const char* value = std::getenv(name);
    return value != nullptr && *value != '\0';
  };
  return is_set("DISPLAY") || is_set("WAYLAND_DISPLAY");
}

// Starts the desktop's opener with the address as one argument, and does not wait for it. Nothing of it may
// mix with what we print.
bool open_browser(const std::string& address) {
  std::signal(SIGCHLD, SIG_IGN);  // nobody asks how it ended
  posix_spawn_file_actions_t quiet;
  if (::posix_spawn_file_actions_init(&quiet) != 0) return false;
  for (const int stream : {0, 1, 2})
    ::posix_spawn_file_actions_addopen(&quiet, stream, "/dev/null", stream == 0 ? O_RDONLY : O_WRONLY, 0);
  std::string program = "xdg-open", argument = address;
  std::array<char*, 3> arguments = {program.data(), argument.data(), nullptr};
  pid_t child = 0;
  const int problem = ::posix_spawnp(&child, program.c_str(), &quiet, nullptr, arguments.data(), environ);
  ::posix_spawn_file_actions_destroy(&quiet);
  return problem == 0;
}

Result<int> show_inspector(const Shared& shared, const UiOptions& options) {
  ServeOptions wanted;
  wanted.address.port = options.port;
  KNAPSACK_TRY(wanted.page_key, serve::random_token());
  wanted.listening = [&](const std::string& url) {
    // Behind the #, so that no server and no log ever sees it.
    const std::string address = fmt::format("{}/#key={}", url, wanted.page_key);
    if (const Status printed = print(address + "\n"); !printed.ok()) fail(printed.error());
    const bool opened = !options.no_browser && has_display() && open_browser(address);
    note(fmt::format("{}; the address is good for one page; Ctrl-C ends it",
                     opened ? "the inspector opens in your browser" : "open this in a browser"));
  };
  return serve_workspace(shared, wanted);
}

}  // namespace

void add_ui(Command program, Shared& shared) {
  auto options = std::make_shared<UiOptions>();
  Command command =
      add_command(program, shared, "ui", "Open the inspector in a browser: what agents were given, and why",
                  [&shared, options] {
                    const auto code = show_inspector(shared, *options);
                    return code.ok() ? *code : fail(code.error());
                  });
  command.add_option("--port", options->port, "The port (default: a free one)").type_name("N");
  command.add_flag("--no-browser", options->no_browser, "Print the address without opening a browser");
  command.footer(
      "Starts `knapsack serve` for this machine only, on a free port, prints the address with a key that\n"
      "admits one page, and opens it. The page shows where a packet's tokens went and what was left out,\n"
      "past runs, memories, the code, the graph, the notes, and how good the ranking is.\n\n"
      "  knapsack ui\n"
      "  knapsack ui --no-browser --port 7078\n\n"
      "Exit codes: 0 stopped, 1 failed, 2 bad usage or configuration.");
}

}  // namespace knapsack::cli
