// One HTTP POST with a JSON body, bounded in time and size, over a verified connection.
//
// Whatever the server does, the call returns by its deadline plus a twentieth of the time it was given, and
// never holds more than its limit of bytes. Redirects are reported, not followed. Proxies are taken from
// nowhere, and certificates are always verified. Any thread; a call whose host name cannot be resolved in
// time leaves a thread behind that ends with the resolver.
// Private to model/.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>

namespace knapsack::model {

struct HttpTarget {
  bool tls = false;
  std::string host;  // a name or an address, without brackets
  int port = 80;
  std::string ca_file;  // certificates to trust instead of the system's; empty: the system's
};

struct HttpPost {
  HttpTarget target;
  std::string path;
  std::string bearer;  // sent as a bearer token unless empty
  std::string body;
  std::chrono::milliseconds connect_timeout{10'000};
  std::chrono::steady_clock::time_point deadline;  // for everything
  uint64_t max_bytes = 0;                          // of the answer's body
};

enum class HttpEnd {
  kAnswered,     // status and body are there
  kTimeout,      // the deadline passed
  kUnreachable,  // no connection, no trust, or closed before any answer
  kCut,          // closed in the middle of the answer; body holds what came
  kTooLarge,
};

struct HttpReply {
  HttpEnd end = HttpEnd::kUnreachable;
  int status = 0;
  std::string body;
  std::string location;  // of a redirect
  std::string problem;   // in words, unless answered
};

HttpReply http_post(HttpPost post);

}  // namespace knapsack::model
