#include "serve/mcp/mcp.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "core/escape.h"
#include "serve/mcp/mcp_methods.h"
#include "text/unicode/utf8.h"

namespace knapsack::serve {
namespace {

constexpr size_t kMaxQuotedBytes = 80;

struct MethodRow {
  std::string_view name;
  MethodResult (*answer)(const Method& method);
  bool slow;  // reads files, or works
};
constexpr std::array<MethodRow, 7> kMethods = {{{"tools/list", list_tools, false},
                                                {"tools/call", call_tool, true},
                                                {"resources/list", list_resources, true},
                                                {"resources/templates/list", list_templates, false},
                                                {"resources/read", read_resource, true},
                                                {"prompts/list", list_prompts, false},
                                                {"prompts/get", get_prompt, true}}};

const MethodRow* find_method(std::string_view name) {
  const auto* const found =
      std::find_if(kMethods.begin(), kMethods.end(), [&](const MethodRow& row) { return row.name == name; });
  return found == kMethods.end() ? nullptr : found;
}

std::string shown(std::string_view text) {
  return escape_control(utf8_prefix(text, kMaxQuotedBytes));
}

// The part of _meta that makes a request one of 2026-07-28; null where there is none.
const Json* modern_meta(const rpc::Request& request) {
  const auto meta = request.params.find("_meta");
  if (meta == request.params.end() || !meta->is_object() || !meta->contains(kMetaVersionKey)) return nullptr;
  return &*meta;
}

std::optional<rpc::Failure> check_modern(const Json& meta) {
  const Json& version = meta.at(kMetaVersionKey);
  if (!version.is_string())
    return rpc::Failure{rpc::kInvalidParams, fmt::format("_meta: {} must be a string", kMetaVersionKey)};
  if (version != kModernVersion) {
    return rpc::Failure{
        rpc::kUnsupportedVersion,
        fmt::format("protocol version {} is not supported", shown(version.get_ref<const std::string&>())),
        {{"supported", all_versions()}, {"requested", version}}};
  }
  const auto capabilities = meta.find(kMetaCapabilitiesKey);
  if (capabilities == meta.end() || !capabilities->is_object())
    return rpc::Failure{rpc::kInvalidParams,
                        fmt::format("_meta: {} must be an object", kMetaCapabilitiesKey)};
  return std::nullopt;
}

// The version of a session that asks for `wanted`: that one, or the newest that has sessions.
std::string negotiated(const Json& wanted) {
  for (const std::string_view version : kSessionVersions) {
    if (wanted.is_string() && wanted.get_ref<const std::string&>() == version) return std::string(version);
  }
  return std::string(kSessionVersions[0]);
}

std::optional<rpc::Failure> check_initialize(const Json& params) {
  const auto missing = [&](const char* name, auto is_right) {
    const auto found = params.find(name);
    return found == params.end() || !is_right(*found);
  };
  const auto is_object = [](const Json& value) { return value.is_object(); };
  if (missing("protocolVersion", [](const Json& value) { return value.is_string(); }))
    return rpc::Failure{rpc::kInvalidParams, "initialize: protocolVersion must be a string"};
  if (missing("capabilities", is_object))
    return rpc::Failure{rpc::kInvalidParams, "initialize: capabilities must be an object"};
  if (missing("clientInfo", is_object))
    return rpc::Failure{rpc::kInvalidParams, "initialize: clientInfo must be an object"};
  return std::nullopt;
}

MethodResult initialize(const rpc::Request& request) {
  if (auto failure = check_initialize(request.params)) return *std::move(failure);
  return Json{{"protocolVersion", negotiated(request.params.at("protocolVersion"))},
              {"capabilities", capabilities()},
              {"serverInfo", server_info()},
              {"instructions", instructions()}};
}

MethodResult discover(const Method& method) {
  return finished_list(method,
                       {{"supportedVersions", all_versions()},
                        {"capabilities", capabilities()},
                        {"instructions", instructions()}},
                       Keep::kLong);
}

MethodResult run_method(const Method& method) {
  const std::string& name = method.request.method;
  if (name == "ping") return finished(method, Json::object());
  if (name == "server/discover" && method.modern()) return discover(method);
  if (const MethodRow* row = find_method(name)) return row->answer(method);
  return rpc::Failure{rpc::kMethodNotFound, fmt::format("there is no method {}", shown(name))};
}

}  // namespace

Mcp::Mcp(Service& service) : service_(service) {}

void Mcp::take_effect(rpc::Message& message, Received& received, McpSession& session) {
  std::stop_token stop;
  if (const auto* const note = std::get_if<rpc::Notification>(&message)) {
    if (note->method == "notifications/cancelled" && note->params.contains("requestId"))
      session.cancel(note->params.at("requestId"));
  } else if (const auto* const request = std::get_if<rpc::Request>(&message)) {
    if (auto begun = session.begin(request->id)) {
      stop = *std::move(begun);
      const MethodRow* row = find_method(request->method);
      received.slow = received.slow || (row != nullptr && row->slow);
      // What follows may rely on it. A second one changes nothing: the session has its version.
      if (request->method == "initialize" && modern_meta(*request) == nullptr && session.version().empty() &&
          !check_initialize(request->params))
        session.start(negotiated(request->params.at("protocolVersion")));
    } else {
      // An answer with this id would be taken for that of the request that is under way.
      message = rpc::Malformed{
          nullptr, {rpc::kInvalidRequest, fmt::format("id {} is in use", shown(rpc::line_of(request->id)))}};
    }
  }
  received.stops.push_back(std::move(stop));
}

Mcp::Received Mcp::receive(rpc::Parsed parsed, McpSession& session) {
  Received received;
  received.batch = parsed.batch;
  if (parsed.batch && session.version() != "2025-03-26") {
    received.batch = false;
    received.messages = {rpc::Malformed{
        nullptr, {rpc::kInvalidRequest, "batches are part of protocol version 2025-03-26 only"}}};
    received.stops.resize(1);
    return received;
  }
  received.messages = std::move(parsed.messages);
  for (rpc::Message& each : received.messages) take_effect(each, received, session);
  return received;
}

std::optional<std::string> Mcp::answer_one(const rpc::Message& message, const std::stop_token& stop,
                                           McpSession& session, const Exchange& exchange) {
  if (const auto* const malformed = std::get_if<rpc::Malformed>(&message))
    return rpc::failure_text(malformed->id, malformed->failure);
  const auto* const request = std::get_if<rpc::Request>(&message);
  if (request == nullptr) return std::nullopt;

  // Either the peer stops this request, or it is gone altogether.
  std::stop_source either;
  const std::stop_callback by_peer(stop, [&either] { either.request_stop(); });
  const std::stop_callback by_transport(exchange.stop, [&either] { either.request_stop(); });
  const Json* const meta = modern_meta(*request);
  const std::string version = meta != nullptr ? std::string(kModernVersion) : session.version();
  MethodResult result = rpc::Failure{};
  if (std::optional<rpc::Failure> failure = meta == nullptr ? std::nullopt : check_modern(*meta)) {
    result = *std::move(failure);
  } else if (meta == nullptr && request->method == "initialize") {
    result = initialize(*request);
  } else if (version.empty() && request->method != "ping") {
    result =
        rpc::Failure{rpc::kInvalidRequest,
                     fmt::format("send initialize first, or name a protocol version in params._meta[\"{}\"]",
                                 kMetaVersionKey)};
  } else {
    result = run_method({service_, version, *request, either.get_token(), exchange});
  }
  const bool unwanted = either.stop_requested();
  session.end(request->id);
  if (unwanted) return std::nullopt;
  if (const auto* const failure = std::get_if<rpc::Failure>(&result))
    return rpc::failure_text(request->id, *failure);
  return rpc::result_text(request->id, std::get<Json>(result));
}

std::optional<std::string> Mcp::answer(const Received& received, McpSession& session,
                                       const Exchange& exchange) {
  std::string answers;
  for (size_t i = 0; i < received.messages.size(); ++i) {
    auto one = answer_one(received.messages[i], received.stops[i], session, exchange);
    if (!one) continue;
    if (!received.batch) return one;
    answers += (answers.empty() ? "[" : ",") + *one;
  }
  if (answers.empty()) return std::nullopt;
  return answers + "]";
}

}  // namespace knapsack::serve
