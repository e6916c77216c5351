#include "serve/http/http_mcp_headers.h"

#include <fmt/format.h>
#include <openssl/evp.h>

#include <array>
#include <utility>

#include "serve/mcp/mcp.h"

namespace knapsack::serve {
namespace {

constexpr std::string_view kEncodedPrefix = "=?base64?";
constexpr std::string_view kEncodedSuffix = "?=";

// Whose name the header Mcp-Name repeats.
constexpr std::array<std::pair<std::string_view, const char*>, 3> kNamed = {
    {{"tools/call", "name"}, {"prompts/get", "name"}, {"resources/read", "uri"}}};

const Json* params_of(const rpc::Message& message) {
  if (const auto* request = std::get_if<rpc::Request>(&message)) return &request->params;
  if (const auto* notification = std::get_if<rpc::Notification>(&message)) return &notification->params;
  return nullptr;
}

rpc::Failure mismatch(std::string why) {
  return {kHeaderMismatch, std::move(why)};
}

// One header that repeats `expected`; only a request must have it.
std::optional<rpc::Failure> check_one(const HttpRequest& http, std::string_view header,
                                      std::string_view shown, std::string_view expected, bool required) {
  const auto given = http.header(header);
  if (!given) {
    if (!required) return std::nullopt;
    return mismatch(fmt::format("the header {} is missing; it repeats what the body says", shown));
  }
  const auto meant = decode_header_value(*given);
  if (meant && *meant == expected) return std::nullopt;
  return mismatch(fmt::format("the header {} and the body do not agree", shown));
}

}  // namespace

std::optional<std::string> claimed_version(const rpc::Message& message) {
  const Json* params = params_of(message);
  if (params == nullptr) return std::nullopt;
  const auto meta = params->find("_meta");
  if (meta == params->end() || !meta->is_object()) return std::nullopt;
  const auto version = meta->find(kMetaVersionKey);
  if (version == meta->end()) return std::nullopt;
  return version->is_string() ? version->get<std::string>() : std::string();
}

bool has_whole_envelope(const rpc::Message& message) {
  if (!std::holds_alternative<rpc::Request>(message)) return true;
  const Json& meta = std::get<rpc::Request>(message).params.at("_meta");
  return meta.at(kMetaVersionKey).is_string() && meta.contains(kMetaCapabilitiesKey) &&
         meta.at(kMetaCapabilitiesKey).is_object();
}

std::optional<rpc::Failure> check_mcp_headers(const HttpRequest& http, const rpc::Message& message) {
  const auto* request = std::get_if<rpc::Request>(&message);
  const auto* notification = std::get_if<rpc::Notification>(&message);
  if (request == nullptr && notification == nullptr) return std::nullopt;
  const bool required = request != nullptr;
  const std::string& method = required ? request->method : notification->method;
  const std::string version = claimed_version(message).value_or("");
  if (auto wrong = check_one(http, "mcp-protocol-version", "MCP-Protocol-Version", version, required))
    return wrong;
  if (auto wrong = check_one(http, "mcp-method", "Mcp-Method", method, required)) return wrong;
  for (const auto& [named, field] : kNamed) {
    const Json* params = params_of(message);
    if (method != named || !params->contains(field) || !params->at(field).is_string()) continue;
    return check_one(http, "mcp-name", "Mcp-Name", params->at(field).get_ref<const std::string&>(), required);
  }
  return std::nullopt;
}

std::optional<std::string> decode_header_value(std::string_view value) {
  if (!value.starts_with(kEncodedPrefix) || !value.ends_with(kEncodedSuffix) ||
      value.size() < kEncodedPrefix.size() + kEncodedSuffix.size()) {
    return std::string(value);
  }
  value.remove_prefix(kEncodedPrefix.size());
  value.remove_suffix(kEncodedSuffix.size());
  if (value.empty()) return std::string();
  std::string bytes(value.size(), '\0');
  const int size =
      ::EVP_DecodeBlock(reinterpret_cast<unsigned char*>(bytes.data()),
                        reinterpret_cast<const unsigned char*>(value.data()), static_cast<int>(value.size()));
  if (size < 0) return std::nullopt;
  // The library counts what padding stands for.
  const size_t padding = value.ends_with("==") ? 2 : value.ends_with("=") ? 1 : 0;
  bytes.resize(static_cast<size_t>(size) - padding);
  return bytes;
}

}  // namespace knapsack::serve
