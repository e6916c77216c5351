// The routes of the HTTP API: one table that the router, the metrics and the OpenAPI document read.
//
// A path matches as it is written: nothing is decoded, joined or resolved, so there is nothing to trick. Pure
// functions; any thread.
// Private to serve/http/.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "serve/http/http_message.h"

namespace knapsack::serve {

enum class RouteKind { kPage, kSession, kHealth, kMetrics, kOpenApi, kTool, kView, kRuns, kRun, kMcp };

struct Route {
  std::string_view method;
  std::string_view path;  // "{id}" stands for one name
  RouteKind kind;
  std::string_view tool;  // of the service, for kTool; a view of it for kView
  std::string_view summary;
  bool changes = false;  // something that outlives the answer, other than the ledger
};

std::span<const Route> routes();

struct RouteMatch {
  const Route* route = nullptr;                      // nothing where it is refused
  std::string id;                                    // what stands for {id}
  std::string_view pattern = HttpRequest::kNoRoute;  // known also where only the method is wrong
  std::optional<HttpReply> refusal;                  // 404 with the nearest path, 405 with Allow
};
RouteMatch find_route(const HttpRequest& request);

}  // namespace knapsack::serve
