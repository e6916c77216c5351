#include "support/repository_git.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <stdexcept>

namespace knapsack::testing {

CommandResult run_command(const std::vector<std::string>& words, const std::string& folder,
                          const std::map<std::string, std::string>& environment, const std::string& input) {
  // Input through a file: no deadlock between two full pipes.
  char input_name[] = "/tmp/knapsack-input-XXXXXX";
  const int in = ::mkostemp(input_name, O_CLOEXEC);
  if (in < 0) throw std::runtime_error("mkostemp failed");
  ::unlink(input_name);
  for (size_t sent = 0; sent < input.size();) {
    const ssize_t wrote = ::write(in, input.data() + sent, input.size() - sent);
    if (wrote < 0) throw std::runtime_error("cannot write the input");
    sent += static_cast<size_t>(wrote);
  }
  ::lseek(in, 0, SEEK_SET);
  int out[2], err[2];
  if (::pipe2(out, O_CLOEXEC) != 0 || ::pipe2(err, O_CLOEXEC) != 0) throw std::runtime_error("pipe failed");

  std::vector<std::string> arguments = words;
  std::vector<std::string> variables;
  std::map<std::string, std::string> all = {
      {"PATH", "/usr/bin:/bin"}, {"HOME", folder}, {"LC_ALL", "C.UTF-8"}};
  for (const auto& [name, value] : environment) all[name] = value;
  for (const auto& [name, value] : all) variables.push_back(name + "=" + value);
  std::vector<char*> argv, envp;
  for (auto& word : arguments) argv.push_back(word.data());
  for (auto& variable : variables) envp.push_back(variable.data());
  argv.push_back(nullptr);
  envp.push_back(nullptr);

  const pid_t child = ::fork();
  if (child == 0) {
    ::dup2(in, 0);
    ::dup2(out[1], 1);
    ::dup2(err[1], 2);
    if (::chdir(folder.c_str()) != 0) ::_exit(127);
    ::execvpe(argv[0], argv.data(), envp.data());
    ::_exit(127);
  }
  ::close(in);
  ::close(out[1]);
  ::close(err[1]);
  CommandResult result;
  pollfd streams[2] = {{out[0], POLLIN, 0}, {err[0], POLLIN, 0}};
  const double deadline = now_seconds() + 60;
  for (int open = 2; open > 0;) {
    if (now_seconds() > deadline) ::kill(child, SIGKILL);
    ::poll(streams, 2, 1000);
    for (int i = 0; i < 2; ++i) {
      if ((streams[i].revents & (POLLIN | POLLHUP | POLLERR)) == 0) continue;
      char buffer[65536];
      const ssize_t got = ::read(streams[i].fd, buffer, sizeof buffer);
      if (got > 0) {
        (i == 0 ? result.out : result.err).append(buffer, static_cast<size_t>(got));
      } else {
        streams[i].fd = -1;
        streams[i].revents = 0;
        --open;
      }
    }
  }
  ::close(out[0]);
  ::close(err[0]);
  int status = 0;
  ::waitpid(child, &status, 0);
  result.exit_code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  return result;
}

TestRepository::TestRepository(std::vector<std::string> init_options) {
  std::vector<std::string> words = {"init", "-q", "-b", "main"};
  words.insert(words.end(), init_options.begin(), init_options.end());
  git(words);
}

std::map<std::string, std::string> TestRepository::environment() const {
  const std::string date = std::to_string(clock) + " +0000";
  return {{"GIT_CONFIG_GLOBAL", "/dev/null"},
          {"GIT_CONFIG_SYSTEM", "/dev/null"},
          {"GIT_CONFIG_NOSYSTEM", "1"},
          {"GIT_AUTHOR_NAME", "Ada"},
          {"GIT_AUTHOR_EMAIL", "ada@example.org"},
          {"GIT_COMMITTER_NAME", "Grace"},
          {"GIT_COMMITTER_EMAIL", "grace@example.org"},
          {"GIT_AUTHOR_DATE", date},
          {"GIT_COMMITTER_DATE", date},
          {"GIT_TERMINAL_PROMPT", "0"}};
}

CommandResult TestRepository::try_git(const std::vector<std::string>& arguments,
                                      const std::string& input) const {
  std::vector<std::string> words = {
      "git", "-c", "protocol.file.allow=always", "-c", "gc.auto=0", "-c", "core.fsync=none"};
  words.insert(words.end(), arguments.begin(), arguments.end());
  return run_command(words, path(), environment(), input);
}

std::string TestRepository::git_in(const std::string& where, const std::vector<std::string>& arguments,
                                   const std::string& input) const {
  std::vector<std::string> words = {
      "git", "-c", "protocol.file.allow=always", "-c", "gc.auto=0", "-c", "core.fsync=none"};
  words.insert(words.end(), arguments.begin(), arguments.end());
  const auto result = run_command(words, where, environment(), input);
  std::string shown;
  for (const auto& word : arguments) shown += " " + word;
  EXPECT_EQ(result.exit_code, 0) << "git" << shown << "\n" << result.err;
  return result.out;
}

std::string TestRepository::git(const std::vector<std::string>& arguments, const std::string& input) const {
  return git_in(path(), arguments, input);
}

std::string TestRepository::commit(const std::string& message) const {
  git({"add", "-A"});
  git({"commit", "-q", "--allow-empty", "-m", message});
  clock += 3600;
  return id("HEAD");
}

std::string TestRepository::id(const std::string& revision) const {
  const std::string out = git({"rev-parse", "--verify", revision});
  return out.substr(0, out.find('\n'));
}

std::vector<std::string> split_nul(const std::string& text) {
  std::vector<std::string> pieces;
  for (size_t at = 0; at < text.size();) {
    const size_t end = std::min(text.find('\0', at), text.size());
    pieces.push_back(text.substr(at, end - at));
    at = end + 1;
  }
  return pieces;
}

double now_seconds() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

}  // namespace knapsack::testing
