// The head of a request: found in the bytes of a connection, and read strictly.
//
// Whatever two programs could understand differently is refused instead of guessed: a line feed alone, folded
// lines, a space before a colon, two lengths, a length beside chunks. Pure functions; any thread.
// Private to serve/http/.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "serve/http/http_limits.h"
#include "serve/http/http_message.h"

namespace knapsack::serve {

enum class HeadEnd { kFound, kMore, kNotHttp };

struct HeadScan {
  HeadEnd end = HeadEnd::kMore;
  size_t size = 0;  // of the head with the empty line that ends it, where it was found
};

// Looks for the end of a head at the beginning of `bytes`. Bytes that cannot become one are noticed at once,
// so that nobody waits for the rest. The first `seen` bytes were scanned before.
HeadScan scan_head(std::string_view bytes, size_t seen);

enum class Framing { kNone, kLength, kChunks };

struct RequestHead {
  HttpRequest request;  // without a body
  Framing framing = Framing::kNone;
  uint64_t length = 0;  // of the body, where framing is kLength
  bool keep_alive = true;
  bool expects_continue = false;
  bool takes_chunks = true;  // the client knows replies in chunks
};

// Reads a head that scan_head() found. Nothing when it is one; otherwise the refusal, after which the
// connection cannot be used any more.
std::optional<HttpReply> read_head(std::string_view bytes, const HttpLimits& limits, RequestHead& head);

}  // namespace knapsack::serve
