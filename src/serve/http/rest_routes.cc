#include "serve/http/rest_routes.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <vector>

#include "core/ascii.h"
#include "core/nearest.h"

namespace knapsack::serve {
namespace {

constexpr std::array kRoutes = {
    Route{"POST", "/v1/pack", RouteKind::kTool, "pack", "What a task needs, of everything that is there"},
    Route{"POST", "/v1/recall", RouteKind::kTool, "recall", "The memories that a prompt needs"},
    Route{"POST", "/v1/search", RouteKind::kTool, "search", "What matches a query"},
    Route{"POST", "/v1/retrieve", RouteKind::kTool, "retrieve_code", "The code that a task needs"},
    Route{"POST", "/v1/explain", RouteKind::kTool, "explain_packet", "Why something is (not) in a packet"},
    Route{"POST", "/v1/outcome", RouteKind::kTool, "outcome", "Keeps what came of a packet", true},
    Route{"POST", "/v1/remember", RouteKind::kTool, "remember", "Keeps a memory", true},
    Route{"POST", "/v1/forget", RouteKind::kTool, "forget", "Marks a memory as forgotten, or deletes it",
          true},
    Route{"POST", "/v1/feedback", RouteKind::kView, "feedback", "Says whether a memory was useful", true},
    Route{"POST", "/v1/preview/pack", RouteKind::kView, "preview_pack",
          "What pack would answer, with every part that was considered; leaves no trace"},
    Route{"POST", "/v1/preview/recall", RouteKind::kView, "preview_recall",
          "What recall would answer, likewise"},
    Route{"POST", "/v1/preview/search", RouteKind::kView, "preview_search",
          "What search would answer, with scores; leaves no trace"},
    Route{"POST", "/v1/memories", RouteKind::kView, "memories", "All memories, newest first"},
    Route{"POST", "/v1/memory", RouteKind::kView, "memory",
          "One memory, what it replaced and which runs handed it out"},
    Route{"POST", "/v1/code/overview", RouteKind::kView, "code_overview",
          "Languages, biggest, most imported and most changed files"},
    Route{"POST", "/v1/code/file", RouteKind::kView, "code_file",
          "A file with its outline, imports both ways, tests and history"},
    Route{"POST", "/v1/graph", RouteKind::kView, "graph_map", "The nodes of the graph with their edges"},
    Route{"POST", "/v1/graph/node", RouteKind::kView, "graph_node", "A node of the graph with its revisions"},
    Route{"GET", "/v1/notes", RouteKind::kView, "notes", "The notes, and what the last packets used of them"},
    Route{"GET", "/v1/workspace", RouteKind::kView, "workspace", "What this workspace has"},
    Route{"GET", "/v1/evaluations", RouteKind::kView, "evaluations", "The reports of eval, newest first"},
    Route{"GET", "/v1/runs", RouteKind::kRuns, "", "Past runs, newest first"},
    Route{"POST", "/v1/runs", RouteKind::kView, "find_runs", "Past runs by command and time, newest first"},
    Route{"POST", "/v1/runs/output", RouteKind::kView, "run_output",
          "The stored output of a run, byte for byte"},
    Route{"GET", "/v1/runs/{id}", RouteKind::kRun, "", "What a run kept, what it left out and why"},
    Route{"POST", "/v1/session", RouteKind::kSession, "", "Lets a page of the inspector in"},
    Route{"POST", "/mcp", RouteKind::kMcp, "", "The Model Context Protocol, one message at a time"},
    Route{"DELETE", "/mcp", RouteKind::kMcp, "", "Ends a session of the Model Context Protocol"},
    Route{"GET", "/healthz", RouteKind::kHealth, "", "Whether the server is there"},
    Route{"GET", "/metrics", RouteKind::kMetrics, "", "Counters, in the text format of Prometheus"},
    Route{"GET", "/openapi.json", RouteKind::kOpenApi, "", "This document"},
    Route{"GET", "/", RouteKind::kPage, "", "The inspector"},
    Route{"GET", "/app.js", RouteKind::kPage, "", "Its script"},
    Route{"GET", "/app.css", RouteKind::kPage, "", "Its style"},
    Route{"GET", "/icon.svg", RouteKind::kPage, "", "Its icon"},
};
constexpr std::string_view kId = "{id}";
// A run number, an id, the beginning of one, or `latest`.
constexpr size_t kMaxIdBytes = 100;
constexpr size_t kMaxShownPath = 80;
constexpr size_t kMaxShownMethod = 16;

bool is_id(std::string_view text) {
  return !text.empty() && text.size() <= kMaxIdBytes && std::all_of(text.begin(), text.end(), [](char c) {
    return ascii::is_letter_or_digit(c) || c == '-' || c == '_';
  });
}

bool matches(const Route& route, std::string_view path, std::string& id) {
  if (!route.path.ends_with(kId)) return path == route.path;
  const std::string_view before = route.path.substr(0, route.path.size() - kId.size());
  if (!path.starts_with(before) || !is_id(path.substr(before.size()))) return false;
  id = path.substr(before.size());
  return true;
}

// HEAD is GET without the body.
bool takes(const Route& route, std::string_view method) {
  return route.method == method || (route.method == "GET" && method == "HEAD");
}

}  // namespace

std::span<const Route> routes() {
  return kRoutes;
}

RouteMatch find_route(const HttpRequest& request) {
  RouteMatch match;
  std::string allowed;
  for (const Route& route : kRoutes) {
    if (!matches(route, request.path, match.id)) continue;
    match.pattern = route.path;
    if (takes(route, request.method)) {
      match.route = &route;
      return match;
    }
    allowed += fmt::format("{}{}", allowed.empty() ? "" : ", ", route.method);
    if (route.method == "GET") allowed += ", HEAD";
  }
  if (!allowed.empty()) {
    match.refusal =
        http_error(405, "method",
                   fmt::format("{} is not for {}", request.method.substr(0, kMaxShownMethod), match.pattern),
                   fmt::format("use {}", allowed));
    match.refusal->headers.push_back({"Allow", allowed});
    return match;
  }
  std::vector<std::string> known;
  for (const Route& route : kRoutes) known.emplace_back(route.path);
  const std::string shown = request.path.substr(0, kMaxShownPath);
  match.refusal = http_error(404, "not_found", fmt::format("there is no {}", shown),
                             fmt::format("did you mean {}? See /openapi.json", nearest_name(shown, known)));
  return match;
}

}  // namespace knapsack::serve
