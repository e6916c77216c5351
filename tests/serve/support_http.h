// `knapsack serve` as a process of its own, and clients that say exactly the bytes that a test wants.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "support/support.h"

namespace knapsack::testing {

struct HttpAnswer {
  int status = 0;                              // 0: the connection ended without an answer
  std::map<std::string, std::string> headers;  // names in lower case
  std::string body;                            // chunks put together
  std::string raw;

  nlohmann::json json() const { return nlohmann::json::parse(body, nullptr, false); }
  // The code of {"error":{"code"}}; empty for anything else.
  std::string error() const;
};

// One connection.
class HttpClient {
 public:
  explicit HttpClient(uint16_t port);
  ~HttpClient();
  HttpClient(const HttpClient&) = delete;
  HttpClient& operator=(const HttpClient&) = delete;

  bool connected() const { return socket_ >= 0; }
  // As much as the server takes; false when it does not take everything.
  bool send(std::string_view bytes) const;
  void end_sending() const;
  void close();
  // The next answer; what there is when the server closes or `limit` passes.
  HttpAnswer read(std::chrono::milliseconds limit = std::chrono::seconds(60));
  // Whether the server has closed within `limit`.
  bool closed_within(std::chrono::milliseconds limit) const;

 private:
  int socket_ = -1;
  std::string unread_;
};

// "POST /path HTTP/1.1" with Host, Content-Type and Content-Length, unless `headers` has them. An empty value
// leaves a header out.
std::string http_request(uint16_t port, const std::string& method, const std::string& path,
                         const std::string& body = "", std::map<std::string, std::string> headers = {});

// Among the arguments of a ServeProgram: it asks for the token of this machine's user, as it does by default.
inline constexpr const char* kOwnToken = "(own token)";

class ServeProgram {
 public:
  // Started in `folder` on a free port; fails the test when it does not say where it listens. Asks for a token
  // only where the arguments or the environment name one.
  explicit ServeProgram(const std::string& folder, const std::vector<std::string>& arguments = {},
                        const std::map<std::string, std::string>& environment = {});
  ~ServeProgram();
  ServeProgram(const ServeProgram&) = delete;
  ServeProgram& operator=(const ServeProgram&) = delete;

  uint16_t port() const { return port_; }
  pid_t process() const { return process_; }
  // One request on a connection of its own.
  HttpAnswer ask(const std::string& method, const std::string& path, const std::string& body = "",
                 const std::map<std::string, std::string>& headers = {}) const;
  bool alive() const { return ask("GET", "/healthz").status == 200; }
  uint64_t resident_bytes() const;
  void signal(int number) const;
  // The exit code once it has ended; nothing when it has not within `limit`.
  std::optional<int> exit_code(std::chrono::milliseconds limit = std::chrono::seconds(60));
  std::string said() const;  // on standard error, so far

 private:
  pid_t process_ = -1;
  int errors_ = -1;
  uint16_t port_ = 0;
  bool reaped_ = false;
};

}  // namespace knapsack::testing
