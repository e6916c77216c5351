#include "model/watched_socket.h"

#include <fcntl.h>
// The kernel's tcp_info knows how much was received; the C library's is older and excludes this one.
#include <linux/tcp.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

namespace knapsack::model {

WatchedSocket::~WatchedSocket() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

void WatchedSocket::watch(int descriptor) {
  if (descriptor_ >= 0) ::close(descriptor_);
  descriptor_ = ::fcntl(descriptor, F_DUPFD_CLOEXEC, 0);
}

void WatchedSocket::shut() const {
  if (descriptor_ < 0) return;
  // A reset instead of a polite end: the server stops working on an answer that nobody will read.
  const linger at_once{1, 0};
  ::setsockopt(descriptor_, SOL_SOCKET, SO_LINGER, &at_once, sizeof at_once);
  ::shutdown(descriptor_, SHUT_RDWR);
}

uint64_t WatchedSocket::received() const {
  tcp_info info{};
  socklen_t size = sizeof info;
  if (descriptor_ < 0 || ::getsockopt(descriptor_, IPPROTO_TCP, TCP_INFO, &info, &size) != 0) return 0;
  return info.tcpi_bytes_received;
}

}  // namespace knapsack::model
