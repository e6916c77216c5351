// What the headers of a POST to /mcp must say of the message in its body.
//
// The revision of 2026-07-28 repeats the version, the method and the name of what is called in headers, so
// that who stands between can route without reading bodies; a header that says something else than the body
// is refused. Pure functions; any thread.
// Private to serve/http/.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "serve/http/http_message.h"
#include "serve/mcp/json_rpc.h"

namespace knapsack::serve {

inline constexpr int kHeaderMismatch = -32020;  // of MCP 2026-07-28

// The version that a message claims in its `_meta`; nothing for one of the session era.
std::optional<std::string> claimed_version(const rpc::Message& message);

// Whether everything is there that a request with a claim must carry beside it.
bool has_whole_envelope(const rpc::Message& message);

// For a message with a claim that is known here: which header is missing or says something else.
std::optional<rpc::Failure> check_mcp_headers(const HttpRequest& http, const rpc::Message& message);

// A header's value as it was meant: "=?base64?…?=" carries what a header cannot. Nothing when that is broken.
std::optional<std::string> decode_header_value(std::string_view value);

}  // namespace knapsack::serve
