// HttpApi: everything that `knapsack serve` answers, route by route.
//
// A request passes the guard, finds its route and shows its content type before its body is read. Calls that
// do work are bounded; the service bounds how many of them run. Safe to share between threads.
#pragma once

#include <atomic>
#include <optional>

#include "serve/http/http_guard.h"
#include "serve/http/http_handler.h"
#include "serve/http/http_limits.h"
#include "serve/http/http_mcp.h"
#include "serve/http/metrics.h"
#include "serve/http/page.h"
#include "serve/http/rest_routes.h"
#include "serve/service.h"
#include "serve/views/views.h"

namespace knapsack::serve {

class HttpApi final : public HttpHandler {
 public:
  // `views`: how engines are opened for the views.
  HttpApi(Service& service, EngineOptions views, HttpGuard guard, const Metrics& metrics,
          const HttpLimits& limits = {});

  std::optional<HttpReply> admit(HttpRequest& request) override;
  std::optional<HttpReply> answer(const HttpRequest& request, HttpExchange& exchange) override;

 private:
  // Whether it may be asked at all.
  std::optional<HttpReply> check(const HttpRequest& request, const Route* route) const;
  HttpReply open_session() const;
  std::optional<HttpReply> work(const RouteMatch& match, const HttpRequest& request, HttpExchange& exchange);

  Service& service_;
  const Views views_;
  const HttpGuard guard_;
  const Metrics& metrics_;
  const size_t max_calls_;
  const std::string openapi_;
  McpEndpoint mcp_;
  const Page page_;
  std::atomic<size_t> calls_ = 0;
};

}  // namespace knapsack::serve
