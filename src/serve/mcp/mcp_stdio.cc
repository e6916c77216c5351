#include "serve/mcp/mcp_stdio.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <climits>
#include <condition_variable>
#include <cstring>
#include <deque>
#include <memory>
#include <mutex>
#include <thread>

#include "core/helper_threads.h"
#include "serve/mcp/line_reader.h"

namespace knapsack::serve {
namespace {

constexpr size_t kStdioReadBytes = size_t{64} << 10U;
// For a client that reads slowly when it is time to end. Clients kill what has not ended after two seconds.
constexpr int kLastWaitMillis = 1000;

// A pipe whose one end wakes whoever polls the other.
class Alarm {
 public:
  Alarm() {
    if (::pipe2(ends_, O_CLOEXEC | O_NONBLOCK) != 0) ends_[0] = ends_[1] = -1;
  }
  Alarm(const Alarm&) = delete;
  Alarm& operator=(const Alarm&) = delete;
  ~Alarm() {
    for (const int end : ends_) {
      if (end >= 0) ::close(end);
    }
  }
  int descriptor() const { return ends_[0]; }
  void ring() const {
    const char byte = 1;
    [[maybe_unused]] const ssize_t written = ::write(ends_[1], &byte, 1);  // full: it rings already
  }

 private:
  int ends_[2] = {-1, -1};
};

class StdioServer {
 public:
  StdioServer(Mcp& mcp, const StdioOptions& options)
      : mcp_(mcp),
        options_(options),
        lines_(
            kMaxMessageBytes, [this](std::string_view line) { take(line); },
            [this] {
              write(rpc::failure_text(
                  nullptr,
                  {rpc::kInvalidRequest, fmt::format("a message has at most {} bytes", kMaxMessageBytes)}));
            }) {}

  Status run() {
    // Fewer threads than were wanted answer more slowly; without any there is no server.
    for (unsigned i = 0; i < options_.threads; ++i) {
      if (threads_.start([this] { work(); })) continue;
      if (i == 0) return Error{ErrorCode::kIo, "cannot start a thread", "let this user have more processes"};
      break;
    }
    return read_all();
  }

  // However run() ended, out of memory too: nobody waits for messages that do not come.
  ~StdioServer() {
    {
      const std::lock_guard lock(queue_mutex_);
      closed_ = true;
    }
    queue_changed_.notify_all();
    threads_.join();  // each ends when nothing waits
  }
  StdioServer(const StdioServer&) = delete;
  StdioServer& operator=(const StdioServer&) = delete;

 private:
  Status read_all() {
    const auto buffer = std::make_unique<char[]>(kStdioReadBytes);
    pollfd watched[] = {
        {options_.input, POLLIN, 0}, {options_.stop, POLLIN, 0}, {deaf_.descriptor(), POLLIN, 0}};
    while (true) {
      if (::poll(watched, std::size(watched), -1) < 0) {
        if (errno == EINTR) continue;
        return system_error();
      }
      if (watched[1].revents != 0 || watched[2].revents != 0) return ok_status();
      const ssize_t got = ::read(options_.input, buffer.get(), kStdioReadBytes);
      if (got < 0 && (errno == EINTR || errno == EAGAIN)) continue;
      if (got < 0) return system_error();
      if (got == 0) {
        lines_.finish();
        return ok_status();
      }
      lines_.feed({buffer.get(), static_cast<size_t>(got)});
    }
  }

  static Error system_error() {
    return {ErrorCode::kIo, fmt::format("cannot read messages: {}", std::strerror(errno)), ""};
  }

  void take(std::string_view line) {
    if (line.find_first_not_of(" \t") == std::string_view::npos) return;
    Mcp::Received received = mcp_.receive(line, session_);
    if (!received.slow) {
      answer(received);
    } else if (!enqueue(received, line.size())) {
      refuse(received);
    }
  }

  bool enqueue(Mcp::Received& received, size_t bytes) {
    {
      const std::lock_guard lock(queue_mutex_);
      if (queue_.size() >= kMaxWaitingRequests || waiting_bytes_ + bytes > kMaxWaitingBytes) return false;
      queue_.push_back({std::move(received), bytes});
      waiting_bytes_ += bytes;
    }
    queue_changed_.notify_one();
    return true;
  }

  void refuse(const Mcp::Received& received) {
    for (const rpc::Message& message : received.messages) {
      const auto* const request = std::get_if<rpc::Request>(&message);
      if (request == nullptr) continue;
      session_.end(request->id);
      write(rpc::failure_text(request->id,
                              {rpc::kInternalError, "too much waits to be answered; ask again later"}));
    }
  }

  void work() {
    while (true) {
      Mcp::Received received;
      {
        std::unique_lock lock(queue_mutex_);
        queue_changed_.wait(lock, [this] { return closed_ || !queue_.empty(); });
        if (queue_.empty()) return;
        received = std::move(queue_.front().received);
        waiting_bytes_ -= queue_.front().bytes;
        queue_.pop_front();
      }
      answer(received);
    }
  }

  void answer(const Mcp::Received& received) {
    const Exchange exchange{[this](const std::string& message) { write(message); }, gone_.get_token()};
    if (const auto text = mcp_.answer(received, session_, exchange)) write(*text);
  }

  void write(const std::string& message) {
    const std::lock_guard lock(output_mutex_);
    if (gone_.stop_requested()) return;
    const std::string line = message + "\n";
    std::string_view left = line;
    while (!left.empty()) {
      const ssize_t written = write_some(left);
      if (written < 0) {
        // Nobody reads any more: nothing that is under way is wanted.
        gone_.request_stop();
        deaf_.ring();
        return;
      }
      left.remove_prefix(static_cast<size_t>(written));
    }
  }

  // How many bytes were taken; negative where nobody reads.
  ssize_t write_some(std::string_view text) const {
    while (wait_for_reader()) {
      // Where a pipe has room at all it has room for so much: no write waits, and so the end is always heard of.
      const ssize_t written = ::write(options_.output, text.data(), std::min<size_t>(text.size(), PIPE_BUF));
      if (written >= 0 || (errno != EINTR && errno != EAGAIN)) return written;
    }
    return -1;
  }

  // False when it is time to end and nobody reads.
  bool wait_for_reader() const {
    pollfd watched[] = {{options_.output, POLLOUT, 0}, {options_.stop, POLLIN, 0}};
    bool ends = false;
    while (watched[0].revents == 0) {
      const int ready = ::poll(watched, ends ? 1 : 2, ends ? kLastWaitMillis : -1);
      if (ready < 0 && errno == EINTR) continue;
      if (ready <= 0) return false;
      ends = true;
    }
    return true;
  }

  Mcp& mcp_;
  const StdioOptions options_;
  McpSession session_;
  LineReader lines_;

  std::mutex queue_mutex_;
  std::condition_variable queue_changed_;
  struct Waiting {
    Mcp::Received received;
    size_t bytes = 0;
  };
  std::deque<Waiting> queue_;
  size_t waiting_bytes_ = 0;
  bool closed_ = false;

  std::mutex output_mutex_;
  std::stop_source gone_;
  Alarm deaf_;
  HelperThreads threads_;
};

}  // namespace

Status serve_stdio(Mcp& mcp, const StdioOptions& options) {
  return StdioServer(mcp, options).run();
}

}  // namespace knapsack::serve
