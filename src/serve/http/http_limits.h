// What one client, and all of them together, may take of a server. Each limit has an answer of its own.
//
// Values; tests make them smaller.
// Private to serve/http/.
#pragma once

#include <chrono>
#include <cstddef>

namespace knapsack::serve {

constexpr size_t kMaxBodyBytes = size_t{8} * 1024 * 1024;

struct HttpLimits {
  // The request line and all headers. Clients send under 2 KiB; a token and a long query fit.
  size_t head_bytes = size_t{16} * 1024;
  size_t headers = 100;
  // The arguments of a tool: the longest task or text that one accepts, escaped, several times over.
  size_t body_bytes = kMaxBodyBytes;

  // From the first byte of a head to its last, and of a body: however slowly bytes drip, it ends here.
  std::chrono::milliseconds head_time{10'000};
  std::chrono::milliseconds body_time{30'000};
  // To take a reply, or one event of a stream.
  std::chrono::milliseconds write_time{30'000};
  // A connection between two requests. Longer than the few seconds for which clients keep one.
  std::chrono::milliseconds idle_time{75'000};
  // A call of a tool. The first pack of a large repository takes seconds; beyond minutes nobody waits.
  std::chrono::milliseconds call_time{300'000};
  // For a client that was refused before it had sent everything: so that it gets to read why.
  std::chrono::milliseconds linger_time{2'000};
  // From the signal to stop until calls in flight are cancelled, and from there to the end.
  std::chrono::milliseconds stop_time{10'000};
  std::chrono::milliseconds cancel_time{5'000};

  // A thread each; idle ones cost 8 KiB of stack.
  size_t connections = 512;
  // Beyond these, so many more are told why; the rest is closed at once.
  size_t turned_away = 32;
  // Calls of tools that run or wait for their turn.
  size_t calls = 256;
};

}  // namespace knapsack::serve
