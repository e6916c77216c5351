// Socket: one TCP connection that never blocks for longer than it is told, and StopSignal: the word to end.
//
// A socket belongs to one thread. A StopSignal is raised once, from any thread or a signal handler, and wakes
// everybody who waits with it.
// Private to serve/http/.
#pragma once

#include <chrono>
#include <string>
#include <string_view>

#include "core/files/descriptor.h"
#include "core/result.h"

namespace knapsack::serve {

using TimePoint = std::chrono::steady_clock::time_point;

class StopSignal {
 public:
  StopSignal();

  void raise() const;  // async-signal-safe
  bool raised() const;
  int descriptor() const { return event_.number(); }  // readable from then on

 private:
  Descriptor event_;
};

enum class IoEnd { kDone, kClosed, kTimeout, kStopped };

class Socket {
 public:
  explicit Socket(Descriptor connection) : connection_(std::move(connection)) {}

  int descriptor() const { return connection_.number(); }
  // Appends what has come, as soon as something has. Ends early when `stop` is raised, if there is one.
  IoEnd read_some(std::string& bytes, TimePoint deadline, const StopSignal* stop = nullptr) const;
  IoEnd write_all(std::string_view bytes, TimePoint deadline) const;
  // Says goodbye and takes what the peer still sends, so that it reads our last words instead of a reset.
  void linger(TimePoint deadline, size_t max_bytes) const;
  // "127.0.0.1", "::1": where the peer reached us.
  std::string local_address() const;

 private:
  Descriptor connection_;
};

struct Listener {
  Descriptor descriptor;
  std::string address;  // as it is bound
  uint16_t port = 0;
};

// `address` is an IPv4 or IPv6 address, or "localhost"; port 0 is any free one.
Result<Listener> listen_on(const std::string& address, uint16_t port);
// Whether only this machine reaches it; kUsage for what is no address.
Result<bool> is_loopback(const std::string& address);

}  // namespace knapsack::serve
