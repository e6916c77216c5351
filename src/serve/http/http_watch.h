// ConnectionWatch: looks after the connections whose calls are being worked on, so that work ends that nobody
// waits for any more.
//
// One thread of its own for all of them. Any thread may add a call; it must take it off, by letting its Hold
// go, before it closes the connection.
// Private to serve/http/.
#pragma once

#include <atomic>
#include <cstdint>
#include <map>
#include <mutex>
#include <stop_token>

#include "core/helper_threads.h"
#include "serve/http/http_socket.h"

namespace knapsack::serve {

// Why a call was told to stop.
enum class CallEnd {
  kNone,      // it was not
  kGone,      // the client closed its side
  kLate,      // it took longer than a call may
  kStopping,  // the server ends
};

struct WatchedCall {
  std::stop_source stop;
  std::atomic<CallEnd> end = CallEnd::kNone;
};

class ConnectionWatch {
 public:
  ConnectionWatch();
  ~ConnectionWatch();
  ConnectionWatch(const ConnectionWatch&) = delete;
  ConnectionWatch& operator=(const ConnectionWatch&) = delete;

  // Once, before anything is watched.
  Status start();

  class Hold {
   public:
    Hold(ConnectionWatch& watch, uint64_t id, int descriptor)
        : watch_(watch), id_(id), descriptor_(descriptor) {}
    ~Hold() { watch_.release(id_, descriptor_); }
    Hold(const Hold&) = delete;
    Hold& operator=(const Hold&) = delete;

   private:
    ConnectionWatch& watch_;
    uint64_t id_;
    int descriptor_;
  };

  // Until the Hold goes: `call` is stopped when the peer goes away or `deadline` passes.
  [[nodiscard]] Hold watch(int descriptor, TimePoint deadline, WatchedCall& call);
  // Stops all calls, also those that are added from now on.
  void stop_all();

 private:
  struct Entry {
    TimePoint deadline;
    WatchedCall* call;
  };

  void run();
  void release(uint64_t id, int descriptor);

  std::mutex mutex_;
  std::map<uint64_t, Entry> entries_;
  uint64_t next_id_ = 1;
  bool stopping_ = false;
  StopSignal end_;
  Descriptor poller_;
  HelperThread thread_;
};

}  // namespace knapsack::serve
