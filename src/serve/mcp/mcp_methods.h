// What each method of MCP answers, for one request of one revision. Private to serve/mcp/.
//
// The revisions differ in what surrounds an answer (resultType, cache hints, the server's name in _meta) and
// in a few fields; the answers themselves are made once. Used by the one thread that answers the request.
#pragma once

#include <stop_token>
#include <string>
#include <string_view>
#include <variant>

#include "serve/mcp/mcp.h"

namespace knapsack::serve {

using MethodResult = std::variant<Json, rpc::Failure>;

// The way a request is answered.
struct Method {
  Service& service;
  std::string version;  // of the protocol
  const rpc::Request& request;
  std::stop_token stop;
  const Exchange& exchange;

  bool modern() const { return version == kModernVersion; }
  // Tools had a title of their own from 2025-06-18 on.
  bool has_titles() const { return version != "2025-03-26"; }
  // Whom the engine tells how far it is.
  Caller caller() const;
};

// The parts of the handshake, the same in both eras.
Json capabilities();
Json server_info();
std::string_view instructions();
Json all_versions();

// How long an answer may be kept by whoever got it. Lists of tools and prompts change with the program,
// the others at any time.
enum class Keep { kLong, kNot };
// A result as the revision wants it: 2026-07-28 demands its type and, for lists, how long it keeps.
Json finished(const Method& method, Json result);
Json finished_list(const Method& method, Json result, Keep keep);

MethodResult list_tools(const Method& method);
MethodResult call_tool(const Method& method);
MethodResult list_resources(const Method& method);
MethodResult list_templates(const Method& method);
MethodResult read_resource(const Method& method);
MethodResult list_prompts(const Method& method);
MethodResult get_prompt(const Method& method);

}  // namespace knapsack::serve
