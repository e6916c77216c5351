// WatchedSocket: a second hold on a connection that a library owns, to end it and to see how much it brought.
//
// It duplicates the descriptor, so its number is not given to another file when the library closes its own.
// One thread at a time.
// Private to model/.
#pragma once

#include <cstdint>

namespace knapsack::model {

class WatchedSocket {
 public:
  WatchedSocket() = default;
  ~WatchedSocket();
  WatchedSocket(const WatchedSocket&) = delete;
  WatchedSocket& operator=(const WatchedSocket&) = delete;

  // From now on this one, instead of any before.
  void watch(int descriptor);
  // Ends the connection: whoever waits for it wakes up.
  void shut() const;
  // Bytes that came over the connection, headers and encryption included.
  uint64_t received() const;

 private:
  int descriptor_ = -1;
};

}  // namespace knapsack::model
