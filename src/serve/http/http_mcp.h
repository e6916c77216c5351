// McpEndpoint: the one address where MCP is spoken over HTTP, in both eras.
//
// A POST carries one message and its reply the answer: as JSON, or as a stream of events from the moment on
// when there is progress to tell. The session era needs the id that `initialize` gave; the revision of
// 2026-07-28 needs none. Safe to share between threads.
// Private to serve/http/.
#pragma once

#include <optional>

#include "serve/http/http_handler.h"
#include "serve/http/http_sessions.h"
#include "serve/mcp/mcp.h"

namespace knapsack::serve {

class McpEndpoint {
 public:
  explicit McpEndpoint(Service& service) : mcp_(service) {}

  // POST and DELETE; nothing when the answer went out as a stream.
  std::optional<HttpReply> answer(const HttpRequest& request, HttpExchange& exchange);

 private:
  struct Asked;

  HttpReply end_session(const HttpRequest& request);
  std::optional<HttpReply> post(const HttpRequest& request, HttpExchange& exchange);
  std::optional<HttpReply> start_session(const Asked& asked);
  // Lets the protocol answer; the reply before its status is settled, nothing when it was streamed.
  std::optional<HttpReply> ask(const Asked& asked, McpSession& session);

  Mcp mcp_;
  SessionTable sessions_;
};

}  // namespace knapsack::serve
