// SessionTable: the MCP sessions of an HTTP server, by an id that cannot be guessed.
//
// Bounded: a session that nobody used for a while ends, and when there is no room the one that waited longest
// makes it. A client whose session ended is told so (404) and starts another, as the protocol has it. Safe to
// share between threads.
// Private to serve/http/.
#pragma once

#include <chrono>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>

#include "serve/mcp/mcp.h"

namespace knapsack::serve {

class SessionTable {
 public:
  using Now = std::chrono::steady_clock::time_point;
  static constexpr size_t kMaxSessions = 1024;
  // A person comes back from lunch; a client that crashed does not.
  static constexpr std::chrono::hours kMaxIdle{4};

  // The id of a new session.
  std::string add(std::shared_ptr<McpSession> session, Now now);
  // Nothing for an id that is not, or no longer, known.
  std::shared_ptr<McpSession> find(std::string_view id, Now now);
  // Ends a session and everything that it waits for; false for one that is not known.
  bool end(std::string_view id);
  size_t size() const;

 private:
  struct Entry {
    std::shared_ptr<McpSession> session;
    Now used;
  };

  void make_room(Now now);

  mutable std::mutex mutex_;
  std::map<std::string, Entry, std::less<>> entries_;
};

}  // namespace knapsack::serve
