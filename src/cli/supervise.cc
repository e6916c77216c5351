#include "cli/supervise.h"

#include <fmt/format.h>
#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <charconv>
#include <csignal>
#include <cstdint>
#include <cstring>
#include <nlohmann/json.hpp>
#include <string_view>

#ifdef __linux__
#include <sys/prctl.h>
#endif

namespace knapsack::cli {
namespace {

using Clock = std::chrono::steady_clock;

void write_all(int descriptor, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t written = ::write(descriptor, bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) return;  // nobody listens any more
    bytes.remove_prefix(static_cast<size_t>(written));
  }
}

[[noreturn]] void run_child(int descriptor, const std::function<void(const Report&)>& work) {
#ifdef __linux__
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);  // a client that kills the caller means all of it
#endif
  work(Report(descriptor));
  ::_exit(0);
}

// Lines of ["key","value"], as they arrive.
class Listener {
 public:
  Listener(Clock::time_point begin, std::chrono::milliseconds deadline, Supervised& result,
           const std::function<void(const std::string&, const std::string&)>& heard)
      : begin_(begin), deadline_(deadline), result_(result), heard_(heard) {}

  std::chrono::milliseconds deadline() const { return deadline_; }
  // False when the deadline came first.
  bool listen(int descriptor) {
    std::array<char, 65536> buffer;
    while (true) {
      const auto left =
          std::chrono::duration_cast<std::chrono::milliseconds>(begin_ + deadline_ - Clock::now());
      if (left.count() <= 0) return false;
      pollfd waiting{descriptor, POLLIN, 0};
      const int ready = ::poll(&waiting, 1, static_cast<int>(left.count()));
      if (ready < 0 && errno == EINTR) continue;
      if (ready <= 0) return false;
      const ssize_t got = ::read(descriptor, buffer.data(), buffer.size());
      if (got < 0 && errno == EINTR) continue;
      if (got <= 0) return true;
      pending_.append(buffer.data(), static_cast<size_t>(got));
      take_lines();
    }
  }

 private:
  void take_lines() {
    for (size_t end = 0; (end = pending_.find('\n')) != std::string::npos; pending_.erase(0, end + 1)) {
      const auto line = nlohmann::json::parse(pending_.begin(),
                                              pending_.begin() + static_cast<ptrdiff_t>(end), nullptr, false);
      if (!line.is_array() || line.size() != 2) continue;
      const std::string key = line[0].get<std::string>();
      const std::string value = line[1].get<std::string>();
      if (key == "deadline_ms") move_deadline(value);
      result_.said[key] = value;
      heard_(key, value);
    }
  }

  void move_deadline(const std::string& value) {
    int64_t millis = 0;
    const auto [end, problem] = std::from_chars(value.data(), value.data() + value.size(), millis);
    if (problem == std::errc()) deadline_ = std::chrono::milliseconds(millis);
  }

  Clock::time_point begin_;
  std::chrono::milliseconds deadline_;
  Supervised& result_;
  const std::function<void(const std::string&, const std::string&)>& heard_;
  std::string pending_;
};

}  // namespace

void Report::say(const std::string& key, const std::string& value) const {
  const nlohmann::json line = {key, value};
  write_all(descriptor_, line.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace) + "\n");
}

Supervised supervise(std::chrono::milliseconds deadline, const std::function<void(const Report&)>& work,
                     const std::function<void(const std::string&, const std::string&)>& heard) {
  const auto begin = Clock::now();
  Supervised result;
  std::array<int, 2> ends{};
  if (::pipe(ends.data()) != 0) {
    result.problem = fmt::format("no pipe: {}", std::strerror(errno));
    return result;
  }
  const pid_t child = ::fork();
  if (child == 0) {
    ::close(ends[0]);
    run_child(ends[1], work);
  }
  ::close(ends[1]);
  if (child < 0) {
    result.problem = fmt::format("no process: {}", std::strerror(errno));
    ::close(ends[0]);
    return result;
  }
  Listener listener(begin, deadline, result, heard);
  const bool in_time = listener.listen(ends[0]);
  if (!in_time) ::kill(child, SIGKILL);
  ::close(ends[0]);
  int status = 0;
  while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  if (!in_time) {
    result.problem =
        fmt::format("not done by the deadline of {} ms (hook.deadline_ms)", listener.deadline().count());
  } else if (WIFSIGNALED(status)) {
    result.problem = fmt::format("ended by signal {}", WTERMSIG(status));
  }
  return result;
}

}  // namespace knapsack::cli
