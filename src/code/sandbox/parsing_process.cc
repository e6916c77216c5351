#include "code/sandbox/parsing_process.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <spawn.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <utility>

#include "code/parse/parsed_file_bytes.h"
#include "code/sandbox/parsing_wire.h"

namespace knapsack::code {
namespace {

// Of the process, for each million bytes begun. Parser's own deadline is a second; this ends what never looks at it.
constexpr int64_t kMaxFileMicros = 5'000'000;
constexpr size_t kShareOfFile = 1'000'000;
// One that waits for something that never comes uses no processor time.
constexpr int64_t kMaxFileWaitMillis = 120'000;
constexpr int kPollMillis = 250;
// Well below what core/sandbox.cc lets it have in its life, with one more file on top.
constexpr int64_t kWornMicros = 60'000'000;

int64_t process_micros(pid_t process) {
  clockid_t clock = 0;
  timespec now = {};
  if (::clock_getcpuclockid(process, &clock) != 0 || ::clock_gettime(clock, &now) != 0) return 0;
  return int64_t{now.tv_sec} * 1'000'000 + now.tv_nsec / 1'000;
}

}  // namespace

Result<ParsingProcess> ParsingProcess::start(const std::string& program) {
  std::array<int, 2> ends = {-1, -1};
  if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends.data()) != 0) {
    return Error{ErrorCode::kIo, fmt::format("cannot make a socket: {}", std::strerror(errno)), ""};
  }
  // Most files and answers fit at once, so that neither side waits for the other to go on.
  constexpr int kBufferBytes = 1 << 20;
  for (const int end : ends) ::setsockopt(end, SOL_SOCKET, SO_SNDBUF, &kBufferBytes, sizeof kBufferBytes);
  posix_spawn_file_actions_t actions;
  posix_spawnattr_t attributes;
  ::posix_spawn_file_actions_init(&actions);
  ::posix_spawnattr_init(&attributes);
  ::posix_spawn_file_actions_adddup2(&actions, ends[1], STDIN_FILENO);
  sigset_t none, usual;
  sigemptyset(&none);
  sigfillset(&usual);
  ::posix_spawnattr_setsigmask(&attributes, &none);
  ::posix_spawnattr_setsigdefault(&attributes, &usual);
  ::posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
  std::string name = "knapsack";
  std::string argument = kParsingArgument;
  const std::array<char*, 3> arguments = {name.data(), argument.data(), nullptr};
  const std::array<char*, 1> environment = {nullptr};
  pid_t process = -1;
  const int problem =
      ::posix_spawn(&process, program.c_str(), &actions, &attributes, arguments.data(), environment.data());
  ::posix_spawnattr_destroy(&attributes);
  ::posix_spawn_file_actions_destroy(&actions);
  ::close(ends[1]);
  if (problem != 0) {
    ::close(ends[0]);
    return Error{ErrorCode::kIo, fmt::format("cannot start {}: {}", program, std::strerror(problem)), ""};
  }
  return ParsingProcess(process, ends[0]);
}

ParsingProcess::ParsingProcess(ParsingProcess&& other) noexcept {
  *this = std::move(other);
}

ParsingProcess& ParsingProcess::operator=(ParsingProcess&& other) noexcept {
  std::swap(process_, other.process_);
  std::swap(socket_, other.socket_);
  std::swap(greeted_, other.greeted_);
  std::swap(too_slow_, other.too_slow_);
  std::swap(sandbox_, other.sandbox_);
  std::swap(files_, other.files_);
  std::swap(began_, other.began_);
  std::swap(allowed_micros_, other.allowed_micros_);
  std::swap(waited_millis_, other.waited_millis_);
  return *this;
}

ParsingProcess::~ParsingProcess() {
  end();
}

void ParsingProcess::end() {
  if (socket_ >= 0) ::close(std::exchange(socket_, -1));
  if (process_ <= 0) return;
  ::kill(process_, SIGKILL);
  while (::waitpid(process_, nullptr, 0) < 0 && errno == EINTR) {
  }
  process_ = -1;
}

bool ParsingProcess::is_worn() const {
  return process_micros(process_) > kWornMicros;
}

// False when the process is gone or took too long.
bool ParsingProcess::wait_until(short event) {
  while (true) {
    pollfd waiting{socket_, event, 0};
    const int ready = ::poll(&waiting, 1, kPollMillis);
    if (ready > 0) return true;
    if (ready < 0 && errno != EINTR) return false;
    waited_millis_ += kPollMillis;
    if (process_micros(process_) - began_ > allowed_micros_ || waited_millis_ > kMaxFileWaitMillis) {
      too_slow_ = true;
      return false;
    }
  }
}

bool ParsingProcess::send(std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t sent = ::send(socket_, bytes.data(), bytes.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
    if (sent > 0) {
      bytes.remove_prefix(static_cast<size_t>(sent));
      continue;
    }
    if (sent < 0 && errno == EINTR) continue;
    if (sent < 0 && errno != EAGAIN) return false;
    if (!wait_until(POLLOUT)) return false;
  }
  return true;
}

bool ParsingProcess::receive(char* bytes, size_t size) {
  while (size > 0) {
    const ssize_t got = ::recv(socket_, bytes, size, MSG_DONTWAIT);
    if (got < 0 && errno == EAGAIN && wait_until(POLLIN)) continue;
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return false;
    bytes += got;
    size -= static_cast<size_t>(got);
  }
  return true;
}

bool ParsingProcess::hear_greeting() {
  if (greeted_) return true;
  std::array<char, kGreetingBytes> greeting = {};
  if (!receive(greeting.data(), greeting.size())) return false;
  greeted_ = read_greeting({greeting.data(), greeting.size()}, sandbox_);
  return greeted_;
}

Result<Sandbox> ParsingProcess::sandbox() {
  if (hear_greeting()) return sandbox_;
  end();
  return Error{ErrorCode::kIo, "the process ended before it was ready", ""};
}

ParsingProcess::Answer ParsingProcess::read_syntax(const Language& language, std::string_view bytes) {
  Answer answer;
  too_slow_ = false;
  waited_millis_ = 0;
  began_ = process_micros(process_);
  allowed_micros_ = kMaxFileMicros * static_cast<int64_t>(bytes.size() / kShareOfFile + 1);
  const std::string head = request_head(language.name, bytes.size());
  const bool sent = send(head) && send(bytes);
  std::array<char, kAnswerHeadBytes> announced = {};
  std::string body;
  bool whole = false;
  if (hear_greeting() && sent && receive(announced.data(), announced.size())) {
    const AnswerHead said = read_answer_head({announced.data(), announced.size()});
    if (said.size <= max_parsed_bytes(bytes.size())) {
      body.resize(said.size);
      whole = receive(body.data(), body.size());
    }
    if (whole && said.is_problem) {
      answer.outcome = Outcome::kMistaken;
      answer.problem = std::move(body);
      return answer;
    }
  }
  if (whole) {
    auto decoded = decode_parsed_file(body, bytes);
    whole = decoded.ok();
    if (whole) answer.file = *std::move(decoded);
  }
  answer.outcome = whole       ? Outcome::kAnswered
                   : too_slow_ ? Outcome::kTooSlow
                   : !greeted_ ? Outcome::kNeverBegan
                               : Outcome::kDied;
  if (whole) {
    ++files_;
  } else {
    end();
  }
  return answer;
}

}  // namespace knapsack::code
