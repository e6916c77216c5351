#include "support/support.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <stdexcept>

namespace knapsack::testing {
namespace {

std::string slurp(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) throw std::runtime_error("cannot read " + path);
  std::ostringstream bytes;
  bytes << file.rdbuf();
  return bytes.str();
}

}  // namespace

TemporaryFolder::TemporaryFolder() {
  std::string pattern = std::filesystem::temp_directory_path() / "knapsack-test-XXXXXX";
  if (::mkdtemp(pattern.data()) == nullptr) throw std::runtime_error("mkdtemp failed");
  path_ = std::filesystem::canonical(pattern);
}

TemporaryFolder::~TemporaryFolder() {
  std::error_code ignored;
  std::filesystem::remove_all(path_, ignored);
}

void TemporaryFolder::write(const std::string& name, const std::string& bytes) const {
  const std::filesystem::path target = file(name);
  std::filesystem::create_directories(target.parent_path());
  std::ofstream(target, std::ios::binary) << bytes;
}

std::string TemporaryFolder::read(const std::string& name) const {
  return slurp(file(name));
}

bool TemporaryFolder::exists(const std::string& name) const {
  return std::filesystem::exists(std::filesystem::symlink_status(file(name)));
}

ProgramResult run_command(const std::vector<std::string>& words, const std::string& folder,
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
      {"PATH", "/usr/bin:/bin"}, {"HOME", folder}, {"LC_ALL", "C.UTF-8"}, {"KNAPSACK_BACKGROUND", "off"}};
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
  ProgramResult result;
  pollfd streams[2] = {{out[0], POLLIN, 0}, {err[0], POLLIN, 0}};
  const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(60);
  for (int open = 2; open > 0;) {
    if (std::chrono::steady_clock::now() > deadline) ::kill(child, SIGKILL);
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

ProgramResult run_program(const std::vector<std::string>& arguments, const std::string& folder,
                          const std::map<std::string, std::string>& environment, const std::string& input) {
  std::vector<std::string> words = {KNAPSACK_PROGRAM};
  words.insert(words.end(), arguments.begin(), arguments.end());
  return run_command(words, folder, environment, input);
}

int cases_divisor() {
  const char* text = std::getenv("KNAPSACK_TEST_CASES_DIVISOR");
  return text == nullptr ? 1 : std::max(1, std::atoi(text));
}

std::string read_source_file(const std::string& name) {
  return slurp(std::string(KNAPSACK_SOURCE_DIR) + "/" + name);
}

}  // namespace knapsack::testing
