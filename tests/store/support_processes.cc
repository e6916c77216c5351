#include "support_processes.h"

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstdio>
#include <stdexcept>

namespace knapsack::testing {

ChildProcess::ChildProcess(const std::function<bool(const Report&)>& work) {
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0) throw std::runtime_error("pipe failed");
  std::fflush(nullptr);  // what is buffered belongs to the parent
  process_ = ::fork();
  if (process_ < 0) throw std::runtime_error("fork failed");
  if (process_ == 0) {
    ::close(ends[0]);
    const bool good = work([&](const std::string& line) {
      const std::string text = line + "\n";
      if (::write(ends[1], text.data(), text.size()) < 0) ::_exit(2);
    });
    ::_exit(good ? 0 : 1);
  }
  ::close(ends[1]);
  pipe_ = ends[0];
}

ChildProcess::~ChildProcess() {
  kill_now();
  if (process_ > 0) finish();
}

bool ChildProcess::read_some() {
  char buffer[4096];
  const ssize_t got = ::read(pipe_, buffer, sizeof buffer);
  if (got <= 0) return false;
  said_.append(buffer, static_cast<size_t>(got));
  return true;
}

bool ChildProcess::wait_for_line() {
  const auto lines = std::count(said_.begin(), said_.end(), '\n');
  while (std::count(said_.begin(), said_.end(), '\n') == lines) {
    if (!read_some()) return false;
  }
  return true;
}

void ChildProcess::kill_now() {
  if (process_ > 0) ::kill(process_, SIGKILL);
}

std::vector<std::string> ChildProcess::finish() {
  while (read_some()) {
  }
  ::close(pipe_);
  int status = 0;
  ::waitpid(process_, &status, 0);
  process_ = -1;
  succeeded_ = WIFEXITED(status) && WEXITSTATUS(status) == 0;
  std::vector<std::string> lines;
  for (size_t start = 0, end = 0; (end = said_.find('\n', start)) != std::string::npos; start = end + 1) {
    lines.push_back(said_.substr(start, end - start));
  }
  return lines;
}

}  // namespace knapsack::testing
