// serve_stdio: MCP over two descriptors, a message a line.
//
// Requests that may take long are answered beside each other by a few threads; everything else in the order
// in which it came. Lines are written whole. Ends when the input does, when it is told to, or when nobody
// reads the output any more; what is under way by then is finished, or stopped in the last case. Who has stopped
// reading without closing counts as nobody once it is told to end.
#pragma once

#include "core/result.h"
#include "serve/mcp/mcp.h"

namespace knapsack::serve {

// Requests that wait for a thread, and the bytes of their messages; more are refused.
inline constexpr size_t kMaxWaitingRequests = 256;
inline constexpr size_t kMaxWaitingBytes = 2 * kMaxMessageBytes;

struct StdioOptions {
  int input = 0;
  int output = 1;
  int stop = -1;         // a descriptor that becomes readable when it is time to end; -1: none
  unsigned threads = 1;  // that answer
};

// Ok for every one of these ends; an error where the input cannot be read.
Status serve_stdio(Mcp& mcp, const StdioOptions& options);

}  // namespace knapsack::serve
