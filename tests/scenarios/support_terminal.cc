#include "scenarios/support_terminal.h"

#include <poll.h>
#include <pty.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <stdexcept>

namespace knapsack::testing {

TerminalResult run_on_terminal(const std::vector<std::string>& arguments, const std::string& folder,
                               const std::string& typed, const std::string& kind) {
  std::vector<std::string> words = arguments;
  words.insert(words.begin(), KNAPSACK_PROGRAM);
  std::vector<std::string> variables = {"PATH=/usr/bin:/bin", "HOME=" + folder, "LC_ALL=C.UTF-8",
                                        "NO_COLOR=1"};
  if (!kind.empty()) variables.push_back("TERM=" + kind);
  std::vector<char*> argv, envp;
  for (auto& word : words) argv.push_back(word.data());
  for (auto& variable : variables) envp.push_back(variable.data());
  argv.push_back(nullptr);
  envp.push_back(nullptr);
  int terminal = -1;
  const pid_t child = ::forkpty(&terminal, nullptr, nullptr, nullptr);
  if (child < 0) throw std::runtime_error("forkpty failed");
  if (child == 0) {
    if (::chdir(folder.c_str()) != 0) ::_exit(127);
    ::execve(argv[0], argv.data(), envp.data());
    ::_exit(127);
  }
  if (::write(terminal, typed.data(), typed.size()) != static_cast<ssize_t>(typed.size()))
    throw std::runtime_error("cannot type");
  TerminalResult result;
  const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(60);
  while (true) {
    pollfd stream{terminal, POLLIN, 0};
    ::poll(&stream, 1, 1000);
    char buffer[4096];
    if ((stream.revents & POLLIN) != 0) {
      const ssize_t got = ::read(terminal, buffer, sizeof buffer);
      if (got <= 0) break;
      result.shown.append(buffer, static_cast<size_t>(got));
    } else if ((stream.revents & (POLLHUP | POLLERR)) != 0) {
      break;
    }
    if (std::chrono::steady_clock::now() > deadline) ::kill(child, SIGKILL);
  }
  ::close(terminal);
  int status = 0;
  ::waitpid(child, &status, 0);
  result.exit_code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  return result;
}

}  // namespace knapsack::testing
