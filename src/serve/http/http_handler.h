// HttpHandler: what a server serves, and HttpExchange: how it answers in more than one piece.
//
// A handler is called by many threads at once; an exchange belongs to the one that serves it.
// Private to serve/http/.
#pragma once

#include <optional>
#include <stop_token>
#include <string_view>

#include "serve/http/http_message.h"
#include "serve/http/http_watch.h"

namespace knapsack::serve {

class HttpExchange {
 public:
  virtual ~HttpExchange() = default;

  // The answer is not wanted any more.
  virtual std::stop_token stop() const = 0;
  virtual CallEnd end() const = 0;
  // Sends the head of a reply whose body comes with send(). False when the client is gone or reads too slowly
  // or only knows HTTP/1.0; then nothing more can be sent.
  virtual bool begin(const HttpReply& head) = 0;
  virtual bool send(std::string_view bytes) = 0;
};

class HttpHandler {
 public:
  virtual ~HttpHandler() = default;

  // Looks at a request before its body is read: sets its route, or says why it is refused.
  virtual std::optional<HttpReply> admit(HttpRequest& request) = 0;
  // Answers a request that was admitted; nothing when it sent its answer through `exchange`.
  virtual std::optional<HttpReply> answer(const HttpRequest& request, HttpExchange& exchange) = 0;
};

}  // namespace knapsack::serve
