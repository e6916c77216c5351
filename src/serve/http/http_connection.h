// HttpConnection: one client, from its first byte to its last; request after request under the limits.
//
// Whatever the client sends or leaves out, serve() ends: every wait has a deadline that bytes do not move.
// One thread serves it. What cannot be understood is answered once and closed, so that nothing that follows
// it is taken for a request.
// Private to serve/http/.
#pragma once

#include <optional>
#include <string>

#include "serve/http/http_handler.h"
#include "serve/http/http_head.h"
#include "serve/http/http_limits.h"
#include "serve/http/http_socket.h"
#include "serve/http/http_watch.h"
#include "serve/http/metrics.h"

namespace knapsack::serve {

// What all connections of a server share.
struct ServerParts {
  HttpHandler& handler;
  Metrics& metrics;
  const HttpLimits& limits;
  ConnectionWatch& watch;
  const StopSignal& stop;
};

class HttpConnection final : private HttpExchange {
 public:
  // `refusal`: the one answer for a client that there is no room for.
  HttpConnection(Socket socket, const ServerParts& parts, std::optional<HttpReply> refusal)
      : socket_(std::move(socket)), parts_(parts), refusal_(std::move(refusal)) {}

  void serve();

 private:
  // Whether the connection can be used again.
  bool serve_one();
  bool read_request_head(RequestHead& head);
  std::optional<HttpReply> read_body(RequestHead& head);
  std::optional<HttpReply> read_chunks(HttpRequest& request, TimePoint deadline);
  bool answer(const RequestHead& head, int& status);
  // Sends a refusal; afterwards the connection is of use only if all of the request was read.
  bool refuse(const HttpReply& reply, const RequestHead& head, bool all_read);
  bool write(std::string_view bytes);

  std::stop_token stop() const override { return call_->stop.get_token(); }
  CallEnd end() const override { return call_->end; }
  bool begin(const HttpReply& head) override;
  bool send(std::string_view bytes) override;

  Socket socket_;
  const ServerParts& parts_;
  std::optional<HttpReply> refusal_;
  std::string unread_;  // came, but belongs to nothing yet
  bool first_ = true;   // no request was read yet

  // Of the request that is being answered.
  std::optional<WatchedCall> call_;
  bool takes_chunks_ = true;
  bool close_after_ = false;
  bool broken_ = false;      // a write failed; no other one is tried
  int streamed_status_ = 0;  // 0: no stream has begun
};

}  // namespace knapsack::serve
