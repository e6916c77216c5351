#include "serve/http/http_api.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "serve/http/openapi.h"
#include "serve/http/rest_tools.h"
#include "serve/views/rest_runs.h"

namespace knapsack::serve {
namespace {

constexpr std::string_view kLimitKey = "limit=";

// "application/json", with or without parameters.
bool is_json(std::string_view type) {
  constexpr std::string_view kJson = "application/json";
  const std::string_view essence = type.substr(0, std::min(type.find(';'), type.size()));
  return essence.substr(0, essence.find_last_not_of(" \t") + 1) == kJson;
}

// `limit=N` is all that a query may hold.
Result<int64_t> read_limit(std::string_view query) {
  if (query.empty()) return kDefaultRuns;
  int64_t limit = 0;
  const char* end = query.data() + query.size();
  if (!query.starts_with(kLimitKey) ||
      std::from_chars(query.data() + kLimitKey.size(), end, limit).ptr != end || limit < 1 ||
      limit > kMaxRuns) {
    return Error{ErrorCode::kUsage, "the query is not limit=N", fmt::format("N is 1 to {}", kMaxRuns)};
  }
  return limit;
}

HttpReply reply_with(const Result<Json>& result) {
  return result.ok() ? json_reply(*result) : reply_to(result.error());
}

// Counts itself while it lives.
class Counted {
 public:
  explicit Counted(std::atomic<size_t>& count) : count_(count), now_(++count) {}
  ~Counted() { --count_; }
  Counted(const Counted&) = delete;
  Counted& operator=(const Counted&) = delete;
  size_t now() const { return now_; }

 private:
  std::atomic<size_t>& count_;
  const size_t now_;
};

}  // namespace

HttpApi::HttpApi(Service& service, EngineOptions views, HttpGuard guard, const Metrics& metrics,
                 const HttpLimits& limits)
    : service_(service),
      views_(std::move(views)),
      guard_(std::move(guard)),
      metrics_(metrics),
      max_calls_(limits.calls),
      openapi_(openapi_document(service, views_).dump(2) + "\n"),
      mcp_(service) {}

std::optional<HttpReply> HttpApi::check(const HttpRequest& request, const Route* route) const {
  if (route == nullptr) return guard_.check(request, true);
  if (route->kind == RouteKind::kSession) return guard_.check_page(request);
  // That the server lives is no secret, and neither is an empty page.
  const bool needs_token = route->kind != RouteKind::kHealth && route->kind != RouteKind::kPage;
  if (auto refusal = guard_.check(request, needs_token)) return refusal;
  return route->changes ? guard_.check_change(request) : std::nullopt;
}

std::optional<HttpReply> HttpApi::admit(HttpRequest& request) {
  const RouteMatch match = find_route(request);
  request.route = match.pattern;
  // Who may not ask is not told what there is.
  if (auto refusal = check(request, match.route)) return refusal;
  if (match.refusal) return match.refusal;
  if (!is_answered(service_, *match.route)) {
    return http_error(404, "not_found", fmt::format("a team's server does not answer {}", match.route->path),
                      "see /openapi.json for what it answers");
  }
  if (!request.query.empty() && match.route->kind != RouteKind::kRuns) {
    return http_error(400, "query", fmt::format("{} takes no query", match.route->path),
                      "leave out what follows the ?");
  }
  if (request.method == "POST" && !is_json(request.header("content-type").value_or(""))) {
    return http_error(415, "content_type", "the body must be application/json",
                      "send Content-Type: application/json");
  }
  if (request.header("content-encoding").value_or("identity") != "identity") {
    return http_error(415, "content_encoding", "bodies are taken as they are, not compressed",
                      "send no Content-Encoding");
  }
  return std::nullopt;
}

std::optional<HttpReply> HttpApi::answer(const HttpRequest& request, HttpExchange& exchange) {
  const RouteMatch match = find_route(request);
  if (match.refusal) return match.refusal;
  switch (match.route->kind) {
    case RouteKind::kPage:
      return page_.answer(request);
    case RouteKind::kSession:
      return open_session();
    case RouteKind::kHealth:
      return json_reply({{"status", "ok"}, {"version", Engine::version()}});
    case RouteKind::kMetrics:
      return HttpReply{200, "text/plain; version=0.0.4; charset=utf-8", {}, metrics_.text(), {}};
    case RouteKind::kOpenApi:
      return HttpReply{200, "application/json", {}, openapi_, {}};
    default:
      return work(match, request, exchange);
  }
}

HttpReply HttpApi::open_session() const {
  const auto session = guard_.pages().open(PageSessions::Clock::now());
  if (!session.ok()) return reply_to(session.error());
  return json_reply({{"token", session->token}, {"csrf", session->csrf}});
}

std::optional<HttpReply> HttpApi::work(const RouteMatch& match, const HttpRequest& request,
                                       HttpExchange& exchange) {
  const Counted call(calls_);
  if (call.now() > max_calls_) {
    HttpReply reply =
        http_error(503, "calls", fmt::format("{} calls are waiting", max_calls_), "try again in a second");
    reply.headers.push_back({"Retry-After", "1"});
    return reply;
  }
  switch (match.route->kind) {
    case RouteKind::kTool:
      return answer_with_tool(service_, match.route->tool, request, exchange);
    case RouteKind::kView:
      return answer_with_view(views_, match.route->tool, request, exchange);
    case RouteKind::kRuns: {
      const auto limit = read_limit(request.query);
      return limit.ok() ? reply_with(list_runs(service_, *limit)) : reply_to(limit.error());
    }
    case RouteKind::kRun:
      return reply_with(account_of(service_, match.id));
    default:
      return mcp_.answer(request, exchange);
  }
}

}  // namespace knapsack::serve
