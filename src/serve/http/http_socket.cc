#include "serve/http/http_socket.h"

#include <arpa/inet.h>
#include <fmt/format.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <utility>

namespace knapsack::serve {
namespace {

constexpr size_t kReadBytes = size_t{16} * 1024;
// Connections that the kernel keeps until we accept them; a burst of clients must not wait for a retry.
constexpr int kBacklog = 512;

int millis_until(TimePoint deadline) {
  using std::chrono::milliseconds;
  const auto left = std::chrono::ceil<milliseconds>(deadline - std::chrono::steady_clock::now());
  return static_cast<int>(std::clamp<int64_t>(left.count(), 0, 3'600'000));
}

// Waits for one event on `descriptor`.
IoEnd wait_for(int descriptor, short event, TimePoint deadline, const StopSignal* stop) {
  std::array<pollfd, 2> waited = {
      {{descriptor, event, 0}, {stop == nullptr ? -1 : stop->descriptor(), POLLIN, 0}}};
  for (;;) {
    const int ready = ::poll(waited.data(), waited.size(), millis_until(deadline));
    if (ready < 0 && errno != EINTR) return IoEnd::kClosed;
    if (ready > 0) return waited[0].revents != 0 ? IoEnd::kDone : IoEnd::kStopped;
    if (ready == 0) return IoEnd::kTimeout;
  }
}

bool try_again(int error) {
  return error == EAGAIN || error == EWOULDBLOCK || error == EINTR;
}

struct Address {
  sockaddr_storage storage{};
  socklen_t size = 0;
};

bool parse_address(const std::string& text, uint16_t port, Address& address) {
  const std::string number = text == "localhost" ? "127.0.0.1" : text;
  auto* v4 = reinterpret_cast<sockaddr_in*>(&address.storage);
  if (::inet_pton(AF_INET, number.c_str(), &v4->sin_addr) == 1) {
    v4->sin_family = AF_INET;
    v4->sin_port = htons(port);
    address.size = sizeof *v4;
    return true;
  }
  auto* v6 = reinterpret_cast<sockaddr_in6*>(&address.storage);
  if (::inet_pton(AF_INET6, number.c_str(), &v6->sin6_addr) == 1) {
    v6->sin6_family = AF_INET6;
    v6->sin6_port = htons(port);
    address.size = sizeof *v6;
    return true;
  }
  return false;
}

Error no_address(const std::string& text) {
  return {ErrorCode::kUsage, fmt::format("'{}' is not an address to listen on", text),
          "give an IPv4 or IPv6 address, like 127.0.0.1 or ::1"};
}

struct Name {
  std::string address;
  uint16_t port = 0;
};

Name local_name(int descriptor) {
  Address local;
  local.size = sizeof local.storage;
  if (::getsockname(descriptor, reinterpret_cast<sockaddr*>(&local.storage), &local.size) != 0) return {};
  std::array<char, INET6_ADDRSTRLEN> text{};
  if (local.storage.ss_family == AF_INET) {
    const auto* v4 = reinterpret_cast<const sockaddr_in*>(&local.storage);
    ::inet_ntop(AF_INET, &v4->sin_addr, text.data(), text.size());
    return {text.data(), ntohs(v4->sin_port)};
  }
  const auto* v6 = reinterpret_cast<const sockaddr_in6*>(&local.storage);
  ::inet_ntop(AF_INET6, &v6->sin6_addr, text.data(), text.size());
  // An IPv4 client of a listener for both: its address is the last part.
  std::string_view shown(text.data());
  constexpr std::string_view kMapped = "::ffff:";
  if (IN6_IS_ADDR_V4MAPPED(&v6->sin6_addr) != 0 && shown.starts_with(kMapped))
    shown.remove_prefix(kMapped.size());
  return {std::string(shown), ntohs(v6->sin6_port)};
}

}  // namespace

StopSignal::StopSignal() : event_(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)) {}

void StopSignal::raise() const {
  const int error = errno;
  const uint64_t one = 1;
  [[maybe_unused]] const ssize_t written = ::write(event_.number(), &one, sizeof one);
  errno = error;
}

bool StopSignal::raised() const {
  pollfd event{event_.number(), POLLIN, 0};
  return ::poll(&event, 1, 0) > 0;
}

IoEnd Socket::read_some(std::string& bytes, TimePoint deadline, const StopSignal* stop) const {
  for (;;) {
    std::array<char, kReadBytes> buffer;
    const ssize_t got = ::recv(connection_.number(), buffer.data(), buffer.size(), 0);
    if (got > 0) {
      bytes.append(buffer.data(), static_cast<size_t>(got));
      return IoEnd::kDone;
    }
    if (got == 0 || !try_again(errno)) return IoEnd::kClosed;
    const IoEnd end = wait_for(connection_.number(), POLLIN, deadline, stop);
    if (end != IoEnd::kDone) return end;
  }
}

IoEnd Socket::write_all(std::string_view bytes, TimePoint deadline) const {
  while (!bytes.empty()) {
    const ssize_t sent = ::send(connection_.number(), bytes.data(), bytes.size(), MSG_NOSIGNAL);
    if (sent >= 0) {
      bytes.remove_prefix(static_cast<size_t>(sent));
      continue;
    }
    if (!try_again(errno)) return IoEnd::kClosed;
    const IoEnd end = wait_for(connection_.number(), POLLOUT, deadline, nullptr);
    if (end != IoEnd::kDone) return end;
  }
  return IoEnd::kDone;
}

void Socket::linger(TimePoint deadline, size_t max_bytes) const {
  ::shutdown(connection_.number(), SHUT_WR);
  std::string ignored;
  for (size_t taken = 0; taken < max_bytes; taken += ignored.size()) {
    ignored.clear();
    if (read_some(ignored, deadline) != IoEnd::kDone) return;
  }
}

std::string Socket::local_address() const {
  return local_name(connection_.number()).address;
}

Result<Listener> listen_on(const std::string& address, uint16_t port) {
  Address wanted;
  if (!parse_address(address, port, wanted)) return no_address(address);
  Listener listener;
  listener.descriptor =
      Descriptor(::socket(wanted.storage.ss_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
  const int number = listener.descriptor.number();
  const int on = 1;
  // Started again at once: connections of the last time may still be fading away.
  if (number >= 0) ::setsockopt(number, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
  if (number < 0 || ::bind(number, reinterpret_cast<const sockaddr*>(&wanted.storage), wanted.size) != 0 ||
      ::listen(number, kBacklog) != 0) {
    const int error = errno;
    if (error == EADDRINUSE) {
      return Error{ErrorCode::kBusy, fmt::format("port {} of {} is taken", port, address),
                   "stop what listens there, or choose another with `port` (0 picks a free one)"};
    }
    return Error{ErrorCode::kIo,
                 fmt::format("cannot listen on port {} of {}: {}", port, address, std::strerror(error)),
                 "choose another address with `bind` or another `port`"};
  }
  const Name name = local_name(number);
  listener.address = name.address;
  listener.port = name.port;
  return listener;
}

Result<bool> is_loopback(const std::string& address) {
  Address parsed;
  if (!parse_address(address, 0, parsed)) return no_address(address);
  if (parsed.storage.ss_family == AF_INET) {
    const auto* v4 = reinterpret_cast<const sockaddr_in*>(&parsed.storage);
    return (ntohl(v4->sin_addr.s_addr) >> 24) == 127;
  }
  const auto* v6 = reinterpret_cast<const sockaddr_in6*>(&parsed.storage);
  return IN6_IS_ADDR_LOOPBACK(&v6->sin6_addr) != 0;
}

}  // namespace knapsack::serve
