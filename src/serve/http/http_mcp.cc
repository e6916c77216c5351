#include "serve/http/http_mcp.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <iterator>

#include "core/ascii.h"
#include "core/split.h"
#include "serve/http/http_mcp_headers.h"
#include "text/parse_json.h"

namespace knapsack::serve {
namespace {

// JSON-RPC leaves these to servers; the official ones use them for what HTTP's status says.
constexpr int kBadRequest = -32000;
constexpr int kNoSession = -32001;
// A failure is short; what is longer is a result and need not be looked into for its status.
constexpr size_t kMaxFailureBytes = size_t{64} * 1024;

constexpr std::string_view kEventStream = "text/event-stream";

HttpReply json_body(int status, std::string body) {
  HttpReply reply;
  reply.status = status;
  reply.body = std::move(body);
  return reply;
}

HttpReply failure_reply(int status, const Json& id, const rpc::Failure& failure) {
  return json_body(status, rpc::failure_text(id, failure));
}

Json id_of(const rpc::Message& message) {
  if (const auto* request = std::get_if<rpc::Request>(&message)) return request->id;
  if (const auto* malformed = std::get_if<rpc::Malformed>(&message)) return malformed->id;
  return nullptr;
}

HttpReply accepted() {
  HttpReply reply;
  reply.status = 202;
  reply.content_type.clear();
  return reply;
}

bool accepts(const HttpRequest& request, std::string_view type) {
  const auto accept = request.header("accept");
  if (!accept) return type != kEventStream;  // who says nothing takes the usual
  const std::string_view family = type.substr(0, type.find('/'));
  for (const std::string& named : comma_list(*accept)) {
    const std::string_view each = trim(std::string_view(named).substr(0, named.find(';')));
    if (each == type || each == "*/*" || each == fmt::format("{}/*", family)) return true;
  }
  return false;
}

bool is_known(std::string_view version) {
  return version == kModernVersion || std::find(std::begin(kSessionVersions), std::end(kSessionVersions),
                                                version) != std::end(kSessionVersions);
}

// The status that 2026-07-28 prescribes for a failure of the protocol itself; what a method answers is 200.
int modern_status(const rpc::Message& message, const std::string& answer) {
  if (answer.size() > kMaxFailureBytes) return 200;
  const Json json = parse_ordered_json(answer);
  if (!json.is_object() || !json.contains("error")) return 200;
  switch (json["error"].value("code", 0)) {
    case rpc::kParseError:
    case rpc::kInvalidRequest:
    case rpc::kUnsupportedVersion:
    case kHeaderMismatch:
      return 400;
    case rpc::kMethodNotFound:
      return 404;
    case rpc::kInvalidParams:
      return has_whole_envelope(message) ? 200 : 400;
    default:
      return 200;
  }
}

// A call that the client still waits for.
bool was_cut_short(const HttpExchange& exchange) {
  return exchange.end() == CallEnd::kLate || exchange.end() == CallEnd::kStopping;
}

std::optional<std::string> cut_short(const rpc::Message& message) {
  if (!std::holds_alternative<rpc::Request>(message)) return std::nullopt;
  return rpc::failure_text(id_of(message),
                           {rpc::kInternalError, "the call took too long, or the server stops"});
}

std::string event(const std::string& message) {
  return fmt::format("event: message\ndata: {}\n\n", message);
}

}  // namespace

struct McpEndpoint::Asked {
  const HttpRequest& request;
  HttpExchange& exchange;
  const rpc::Parsed& parsed;

  const rpc::Message& message() const { return parsed.messages.front(); }
  HttpReply refuse(int status, int code, std::string why) const {
    return failure_reply(status, id_of(message()), {code, std::move(why)});
  }
};

std::optional<HttpReply> McpEndpoint::answer(const HttpRequest& request, HttpExchange& exchange) {
  if (request.method == "DELETE") return end_session(request);
  return post(request, exchange);
}

HttpReply McpEndpoint::end_session(const HttpRequest& request) {
  const auto id = request.header("mcp-session-id");
  if (!id) return http_error(400, "session", "Mcp-Session-Id is missing", "name the session to end");
  if (!sessions_.end(*id))
    return http_error(404, "session", "there is no such session", "it has ended already");
  HttpReply reply;
  reply.status = 204;
  reply.content_type.clear();
  return reply;
}

std::optional<HttpReply> McpEndpoint::post(const HttpRequest& request, HttpExchange& exchange) {
  if (!accepts(request, "application/json")) {
    return http_error(406, "accept", "answers are application/json or text/event-stream", "accept both");
  }
  const rpc::Parsed parsed = rpc::parse(request.body);
  const Asked asked{request, exchange, parsed};
  if (!parsed.batch) {
    if (const auto* malformed = std::get_if<rpc::Malformed>(&asked.message())) {
      return failure_reply(400, malformed->id, malformed->failure);
    }
  }
  const auto claimed = parsed.batch ? std::nullopt : claimed_version(asked.message());
  const auto stated = request.header("mcp-protocol-version");
  if (claimed) {
    if (*claimed == kModernVersion) {
      if (const auto wrong = check_mcp_headers(request, asked.message())) {
        return failure_reply(400, id_of(asked.message()), *wrong);
      }
    }
    McpSession none;
    auto reply = ask(asked, none);
    if (reply && reply->status == 200) reply->status = modern_status(asked.message(), reply->body);
    return reply;
  }
  if (stated && !is_known(*stated)) {
    return asked.refuse(400, kBadRequest,
                        fmt::format("MCP-Protocol-Version is not known here; known are {}, {}",
                                    kModernVersion, fmt::join(kSessionVersions, ", ")));
  }
  if (stated == kModernVersion) {
    return asked.refuse(400, rpc::kInvalidParams,
                        fmt::format("a request of {} names its version in params._meta", kModernVersion));
  }
  const auto* first = std::get_if<rpc::Request>(&asked.message());
  if (!parsed.batch && first != nullptr && first->method == "initialize") return start_session(asked);
  const auto id = request.header("mcp-session-id");
  if (!id) return asked.refuse(400, kBadRequest, "Mcp-Session-Id is missing; send initialize first");
  const auto session = sessions_.find(*id, std::chrono::steady_clock::now());
  if (!session) return asked.refuse(404, kNoSession, "there is no such session; send initialize again");
  return ask(asked, *session);
}

std::optional<HttpReply> McpEndpoint::start_session(const Asked& asked) {
  auto session = std::make_shared<McpSession>();
  auto reply = ask(asked, *session);
  if (!reply || session->version().empty()) return reply;
  const std::string id = sessions_.add(std::move(session), std::chrono::steady_clock::now());
  if (id.empty()) return http_error(500, "internal", "no id for a session could be made", "try again");
  reply->headers.push_back({"Mcp-Session-Id", id});
  return reply;
}

std::optional<HttpReply> McpEndpoint::ask(const Asked& asked, McpSession& session) {
  bool streaming = false;
  Exchange way_back;
  way_back.stop = asked.exchange.stop();
  if (accepts(asked.request, kEventStream)) {
    // The first thing to tell before the answer makes the reply a stream.
    way_back.send = [&](const std::string& message) {
      if (!streaming) {
        HttpReply head;
        head.content_type = kEventStream;
        streaming = asked.exchange.begin(head);
      }
      if (streaming) asked.exchange.send(event(message));
    };
  }
  auto answer = mcp_.answer(mcp_.receive(asked.parsed, session), session, way_back);
  if (!answer && was_cut_short(asked.exchange)) answer = cut_short(asked.message());
  if (streaming) {
    if (answer) asked.exchange.send(event(*answer));
    return std::nullopt;
  }
  if (!answer) return accepted();
  return json_body(200, *std::move(answer));
}

}  // namespace knapsack::serve
