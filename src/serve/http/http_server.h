// HttpServer: listens, gives each connection a thread, and ends in an orderly way.
//
// Connections are bounded; those for which there is no room are told so. After stop() no connection is
// accepted, idle ones are closed, and what is in flight is finished, or cancelled when it takes too long. One
// thread opens, runs and destroys it; handler and metrics outlive it.
#pragma once

#include <condition_variable>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <string>

#include "core/result.h"
#include "serve/http/http_connection.h"

namespace knapsack::serve {

struct HttpAddress {
  std::string address = "127.0.0.1";
  uint16_t port = 7077;  // 0: any free one
};

class HttpServer {
 public:
  // The port is taken from here on; nobody is served before run().
  static Result<std::unique_ptr<HttpServer>> open(const HttpAddress& address, const HttpLimits& limits = {});
  // Waits for connections that are still served.
  ~HttpServer();
  HttpServer(const HttpServer&) = delete;
  HttpServer& operator=(const HttpServer&) = delete;

  uint16_t port() const { return listener_.port; }
  std::string url() const;  // "http://127.0.0.1:7077"

  // Serves until stop(). False when something in flight did not end although it was cancelled.
  bool run(HttpHandler& handler, Metrics& metrics);
  // Any thread, or a signal handler. A second time: cancels what is in flight at once.
  void stop() const;

 private:
  HttpServer(Listener listener, const HttpLimits& limits) : listener_(std::move(listener)), limits_(limits) {}

  // False when the listening socket is of no use any more.
  bool accept_one();
  void start(Descriptor connection);
  void serve(Descriptor connection, std::optional<HttpReply> refusal);
  bool finish();
  bool all_ended_by(TimePoint deadline, bool or_cancelled);

  Listener listener_;
  const HttpLimits limits_;
  StopSignal stop_;
  StopSignal cancel_;
  ConnectionWatch watch_;
  std::optional<ServerParts> parts_;  // from run() on

  std::mutex mutex_;
  std::condition_variable ended_;
  std::set<int> open_;  // the connections that have a thread
};

}  // namespace knapsack::serve
