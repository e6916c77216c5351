#include "serve/mcp/json_rpc.h"

#include <fmt/format.h>

#include "text/json_text.h"
#include "text/parse_json.h"
#include "text/secrets/redact.h"

namespace knapsack::serve::rpc {
namespace {

bool is_id(const Json& value) {
  return value.is_string() || value.is_number_integer();
}

Malformed invalid(Json id, std::string why) {
  return {std::move(id), {kInvalidRequest, std::move(why)}};
}

Message read_call(const Json& json, Json id, bool has_id) {
  const auto method = json.find("method");
  if (!method->is_string()) return invalid(std::move(id), "method must be a string");
  const auto params = json.find("params");
  // MCP knows params by name only.
  if (params != json.end() && !params->is_object())
    return Malformed{std::move(id), {kInvalidParams, "params must be an object"}};
  Json given = params == json.end() ? Json::object() : *params;
  if (!has_id) return Notification{method->get<std::string>(), std::move(given)};
  return Request{std::move(id), method->get<std::string>(), std::move(given)};
}

Message read_message(const Json& json) {
  if (!json.is_object()) return invalid(nullptr, "a message must be an object");
  const auto id = json.find("id");
  const bool has_id = id != json.end();
  const Json known_id = has_id && is_id(*id) ? *id : Json(nullptr);
  if (const auto version = json.find("jsonrpc"); version == json.end() || *version != "2.0")
    return invalid(known_id, "jsonrpc must be \"2.0\"");
  if (json.contains("method")) {
    if (has_id && known_id.is_null()) return invalid(nullptr, "id must be a string or a whole number");
    return read_call(json, known_id, has_id);
  }
  if (json.contains("result") || json.contains("error")) return Response{};
  return invalid(known_id, "a message has a method, a result or an error");
}

}  // namespace

Parsed parse(std::string_view bytes) {
  const auto refused = [](int code, std::string why) {
    return Parsed{{Malformed{nullptr, {code, std::move(why)}}}, false};
  };
  if (bytes.size() > kMaxMessageBytes)
    return refused(kInvalidRequest, fmt::format("a message has at most {} bytes", kMaxMessageBytes));
  if (is_nested_deeper_than(bytes, kMaxMessageDepth))
    return refused(kInvalidRequest, fmt::format("a message is nested at most {} deep", kMaxMessageDepth));
  const Json json = parse_ordered_json(bytes);
  if (json.is_discarded()) return refused(kParseError, "this is not JSON");
  if (!json.is_array()) return {{read_message(json)}, false};
  if (json.empty()) return refused(kInvalidRequest, "a batch holds at least one message");
  if (json.size() > kMaxBatchMessages)
    return refused(kInvalidRequest, fmt::format("a batch holds at most {} messages", kMaxBatchMessages));
  Parsed parsed{{}, true};
  for (const Json& each : json) parsed.messages.push_back(read_message(each));
  return parsed;
}

std::string line_of(const Json& json) {
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

std::string result_text(const Json& id, const Json& result) {
  return line_of({{"jsonrpc", "2.0"}, {"id", id}, {"result", result}});
}

std::string failure_text(const Json& id, const Failure& failure) {
  std::string message = failure.message;
  redact_secrets(message);
  Json error = {{"code", failure.code}, {"message", std::move(message)}};
  if (!failure.data.is_null()) error["data"] = failure.data;
  return line_of({{"jsonrpc", "2.0"}, {"id", id}, {"error", std::move(error)}});
}

std::string notification_text(std::string_view method, const Json& params) {
  return line_of({{"jsonrpc", "2.0"}, {"method", method}, {"params", params}});
}

}  // namespace knapsack::serve::rpc
