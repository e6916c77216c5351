#include "serve/http/rest_tools.h"

#include <fmt/format.h>

#include <utility>

#include "serve/mcp/json_rpc.h"
#include "text/json_text.h"
#include "text/parse_json.h"

namespace knapsack::serve {
namespace {

constexpr size_t kMaxBodyDepth = kMaxMessageDepth;

struct Shown {
  int status;
  std::string_view code;
};

Shown shown(ErrorCode code) {
  switch (code) {
    case ErrorCode::kUsage:
      return {400, "arguments"};
    case ErrorCode::kLimit:
      return {400, "limit"};
    case ErrorCode::kNotFound:
      return {404, "not_found"};
    case ErrorCode::kBusy:
    case ErrorCode::kStopped:
      return {503, "busy"};
    case ErrorCode::kConfig:
      return {500, "configuration"};
    case ErrorCode::kIo:
      return {500, "io"};
    case ErrorCode::kCorrupt:
      return {500, "corrupt"};
    case ErrorCode::kInternal:
      break;
  }
  return {500, "internal"};
}

HttpReply failed(ErrorCode code, std::string_view message, std::string_view next) {
  HttpReply reply = http_error(shown(code).status, shown(code).code, message, next);
  if (reply.status == 503) reply.headers.push_back({"Retry-After", "1"});
  return reply;
}

HttpReply reply_of(const ToolReply& reply) {
  if (!reply.is_error) return json_reply(reply.structured);
  const std::string ending = "; " + reply.next;
  if (reply.next.empty() || !reply.text.ends_with(ending)) return failed(reply.error, reply.text, "");
  return failed(reply.error, std::string_view(reply.text).substr(0, reply.text.size() - ending.size()),
                reply.next);
}

// The body as a JSON object; nothing, and why, for anything else.
std::optional<Json> arguments_of(const HttpRequest& request, HttpReply& refusal) {
  if (is_nested_deeper_than(request.body, kMaxBodyDepth)) {
    refusal = http_error(400, "json", fmt::format("the body is nested more than {} deep", kMaxBodyDepth),
                         "send the arguments as a flat object");
    return std::nullopt;
  }
  std::optional<Json> arguments;
  arguments.emplace(parse_ordered_json(request.body));
  if (arguments->is_object()) return arguments;
  refusal = http_error(400, "json", "the body is not a JSON object",
                       "send the arguments as one, like {\"task\":\"…\"}");
  return std::nullopt;
}

// What is said where the call did not come to its own end.
std::optional<HttpReply> ended_early(const HttpExchange& exchange) {
  switch (exchange.end()) {
    case CallEnd::kLate:
      return failed(ErrorCode::kBusy, "the call took too long and was cancelled", "ask for less, or later");
    case CallEnd::kStopping:
      return failed(ErrorCode::kBusy, "the server stops", "ask the next one");
    default:
      return std::nullopt;
  }
}

}  // namespace

HttpReply reply_to(const Error& error) {
  return failed(error.code, error.what, error.next);
}

HttpReply json_reply(const Json& body) {
  HttpReply reply;
  reply.body = rpc::line_of(body);
  return reply;
}

HttpReply answer_with_tool(Service& service, std::string_view tool, const HttpRequest& request,
                           const HttpExchange& exchange) {
  HttpReply refusal;
  const auto arguments = arguments_of(request, refusal);
  if (!arguments) return refusal;
  const Caller caller{exchange.stop(), {}};
  const auto reply =
      service.call(tool, *arguments, caller, [](const ToolReply& made) { return reply_of(made).body; });
  if (auto ended = ended_early(exchange)) return *std::move(ended);
  return reply.ok() ? reply_of(*reply) : reply_to(reply.error());
}

HttpReply answer_with_view(const Views& views, std::string_view view, const HttpRequest& request,
                           const HttpExchange& exchange) {
  HttpReply refusal;
  std::optional<Json> arguments;
  if (request.method == "POST") {
    arguments = arguments_of(request, refusal);
  } else {
    arguments.emplace(Json::object());
  }
  if (!arguments) return refusal;
  const auto reply = views.ask(view, *arguments, Caller{exchange.stop(), {}});
  if (auto ended = ended_early(exchange)) return *std::move(ended);
  return reply.ok() ? json_reply(*reply) : reply_to(reply.error());
}

}  // namespace knapsack::serve
