// Mcp: the Model Context Protocol over a Service, without a transport.
//
// Both eras. A request whose `params._meta` names a protocol version is answered by 2026-07-28, without a
// session; `initialize` starts a session of 2025-11-25, 2025-06-18 or 2025-03-26. Bytes of one message in,
// bytes of the answer out; who carries them decides the rest. Safe to share between threads, like the
// sessions.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "serve/mcp/json_rpc.h"
#include "serve/service.h"

namespace knapsack::serve {

// What a request says of its client under _meta, since the revision without a handshake.
inline constexpr const char* kMetaVersionKey = "io.modelcontextprotocol/protocolVersion";
inline constexpr const char* kMetaCapabilitiesKey = "io.modelcontextprotocol/clientCapabilities";

inline constexpr std::string_view kModernVersion = "2026-07-28";
// The newest first; what an unknown one is answered with.
inline constexpr std::string_view kSessionVersions[] = {"2025-11-25", "2025-06-18", "2025-03-26"};

// What one peer has said so far: the version it speaks, and the requests it waits for.
class McpSession {
 public:
  // Empty before `initialize`.
  std::string version() const;
  void start(std::string version);

  // A request that can be cancelled from now on; nothing where one of that id is already under way.
  std::optional<std::stop_token> begin(const Json& id);
  void end(const Json& id);
  void cancel(const Json& id);
  // Nobody waits for anything any more.
  void cancel_all();

 private:
  mutable std::mutex mutex_;
  std::string version_;
  std::map<std::string, std::stop_source> running_;  // by id, as JSON
};

// The way back to the peer, beside the answer itself.
struct Exchange {
  std::function<void(const std::string& message)> send;  // notifications, before the answer; may be empty
  std::stop_token stop;                                  // the peer is gone
};

class Mcp {
 public:
  explicit Mcp(Service& service);

  // A message that was read and, for what comes after it, has taken effect: sessions are started, requests
  // stopped, ids taken. Only the answering is left.
  struct Received {
    std::vector<rpc::Message> messages;
    std::vector<std::stop_token> stops;  // of each message; of requests only
    bool batch = false;
    bool slow = false;  // answering may take long: a place of its own is a good idea
  };
  // Quick; messages of one session in the order in which they came.
  Received receive(rpc::Parsed message, McpSession& session);
  Received receive(std::string_view message, McpSession& session) {
    return receive(rpc::parse(message), session);
  }
  // The answer, or nothing: to notifications, responses and cancelled requests. Once for everything that was
  // received.
  std::optional<std::string> answer(const Received& received, McpSession& session, const Exchange& exchange);

  // Both at once.
  std::optional<std::string> answer(std::string_view message, McpSession& session, const Exchange& exchange) {
    return answer(receive(message, session), session, exchange);
  }

 private:
  void take_effect(rpc::Message& message, Received& received, McpSession& session);
  std::optional<std::string> answer_one(const rpc::Message& message, const std::stop_token& stop,
                                        McpSession& session, const Exchange& exchange);

  Service& service_;
};

}  // namespace knapsack::serve
