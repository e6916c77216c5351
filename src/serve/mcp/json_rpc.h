// JSON-RPC 2.0 as MCP uses it: what a message is, and how answers are written.
//
// Everything comes from outside: whatever the bytes are, reading them gives messages or the error to send
// back, within bounded memory and depth. Pure functions; any thread.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "serve/service.h"

namespace knapsack::serve {

// Far more than any call needs; a longer message is refused before it is held in memory.
inline constexpr size_t kMaxMessageBytes = size_t{8} << 20U;
inline constexpr size_t kMaxMessageDepth = 64;
inline constexpr size_t kMaxBatchMessages = 100;

namespace rpc {

inline constexpr int kParseError = -32700;
inline constexpr int kInvalidRequest = -32600;
inline constexpr int kMethodNotFound = -32601;
inline constexpr int kInvalidParams = -32602;
inline constexpr int kInternalError = -32603;
inline constexpr int kUnsupportedVersion = -32022;  // of MCP 2026-07-28

struct Failure {
  int code = kInternalError;
  std::string message;
  Json data = nullptr;  // null: none
};

struct Request {
  Json id;  // a string or a whole number
  std::string method;
  Json params;  // an object; empty where none were given
};
struct Notification {
  std::string method;
  Json params;
};
struct Response {};  // to something that was never asked
// What is no message, with the answer to it.
struct Malformed {
  Json id;  // null where it cannot be told
  Failure failure;
};
using Message = std::variant<Request, Notification, Response, Malformed>;

struct Parsed {
  std::vector<Message> messages;  // one, unless it was a batch
  bool batch = false;
};
Parsed parse(std::string_view bytes);

std::string result_text(const Json& id, const Json& result);
std::string failure_text(const Json& id, const Failure& failure);
std::string notification_text(std::string_view method, const Json& params);
// On one line, U+FFFD for what is not UTF-8.
std::string line_of(const Json& json);

}  // namespace rpc
}  // namespace knapsack::serve
