#include "serve/http/http_watch.h"

#include <sys/epoll.h>

#include <array>
#include <chrono>

namespace knapsack::serve {
namespace {

// How exactly deadlines are kept; a peer that goes is noticed at once.
constexpr int kTickMillis = 250;
constexpr uint64_t kEndId = 0;

void stop_call(WatchedCall& call, CallEnd why) {
  CallEnd none = CallEnd::kNone;
  call.end.compare_exchange_strong(none, why);
  call.stop.request_stop();
}

}  // namespace

ConnectionWatch::ConnectionWatch() : poller_(::epoll_create1(EPOLL_CLOEXEC)) {
  epoll_event event{};
  event.events = EPOLLIN;
  event.data.u64 = kEndId;
  ::epoll_ctl(poller_.number(), EPOLL_CTL_ADD, end_.descriptor(), &event);
}

Status ConnectionWatch::start() {
  return thread_.start("looking after connections", [this] { run(); });
}

ConnectionWatch::~ConnectionWatch() {
  end_.raise();
  thread_.join();
}

ConnectionWatch::Hold ConnectionWatch::watch(int descriptor, TimePoint deadline, WatchedCall& call) {
  const std::lock_guard lock(mutex_);
  const uint64_t id = next_id_++;
  entries_.emplace(id, Entry{deadline, &call});
  epoll_event event{};
  // A client that closes its side for writing waits for no answer; that is how servers in the field see it.
  event.events = EPOLLRDHUP | EPOLLONESHOT;
  event.data.u64 = id;
  ::epoll_ctl(poller_.number(), EPOLL_CTL_ADD, descriptor, &event);
  if (stopping_) stop_call(call, CallEnd::kStopping);
  return {*this, id, descriptor};
}

void ConnectionWatch::release(uint64_t id, int descriptor) {
  const std::lock_guard lock(mutex_);
  entries_.erase(id);
  ::epoll_ctl(poller_.number(), EPOLL_CTL_DEL, descriptor, nullptr);
}

void ConnectionWatch::stop_all() {
  const std::lock_guard lock(mutex_);
  stopping_ = true;
  for (auto& [id, entry] : entries_) stop_call(*entry.call, CallEnd::kStopping);
}

void ConnectionWatch::run() {
  std::array<epoll_event, 64> events;
  for (;;) {
    const int count = ::epoll_wait(poller_.number(), events.data(), events.size(), kTickMillis);
    const std::lock_guard lock(mutex_);
    for (int i = 0; i < count; ++i) {
      const uint64_t id = events[static_cast<size_t>(i)].data.u64;
      if (id == kEndId) return;
      // It may have been released meanwhile; its number is never given again.
      if (const auto found = entries_.find(id); found != entries_.end()) {
        stop_call(*found->second.call, CallEnd::kGone);
      }
    }
    const auto now = std::chrono::steady_clock::now();
    for (auto& [id, entry] : entries_) {
      if (entry.deadline <= now) stop_call(*entry.call, CallEnd::kLate);
    }
  }
}

}  // namespace knapsack::serve
