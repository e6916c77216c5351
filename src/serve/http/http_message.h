// A request and a reply of HTTP as plain data: all that the routes see of the protocol.
//
// No sockets here. What came from outside is as it came: nothing is decoded, so a path matches a route only
// when it is written out. Values; any thread.
// Private to serve/http/.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace knapsack::serve {

struct HttpHeader {
  std::string name;  // of a request: in lower case
  std::string value;
};

struct HttpRequest {
  std::string method;
  std::string path;   // the target before any '?'
  std::string query;  // the target after it
  std::vector<HttpHeader> headers;
  std::string body;
  std::string local_address;          // which of our addresses the client reached: "127.0.0.1", "::1"
  std::string_view route = kNoRoute;  // the pattern that the path matches; for counting
  static constexpr std::string_view kNoRoute = "other";

  // The first one of this name (in lower case).
  std::optional<std::string_view> header(std::string_view name) const;
};

struct HttpReply {
  int status = 200;
  std::string content_type = "application/json";  // empty: there is no body
  std::vector<HttpHeader> headers = {};
  std::string body = {};
  std::string_view error = {};  // the code of an http_error()
};

// Every error of the HTTP API has this one shape: {"error":{"code","message","next"}}. `code` is a literal.
HttpReply http_error(int status, std::string_view code, std::string_view message, std::string_view next);

// "Not Found"; empty for a status that is never sent.
std::string_view reason_phrase(int status);

// The reply as it goes over the wire, with Content-Length. `with_body` is false for an answer to HEAD.
std::string wire_bytes(const HttpReply& reply, bool with_body, bool close_after);
// The head of a reply whose body follows in chunks, and one chunk of it; an empty one is the last.
std::string wire_head_of_chunks(const HttpReply& reply, bool close_after);
std::string wire_chunk(std::string_view bytes);

}  // namespace knapsack::serve
