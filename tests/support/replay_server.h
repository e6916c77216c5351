// A server that answers with recorded bytes: what a real model server once sent, over a real socket of this machine,
// byte for byte, cut or slowed down on demand.
//
// The recordings are in tests/fixtures/model_server, made by tests/model/record_model_server.py. One answer for each
// connection, which is then closed. The callback runs on the server's threads, several at once if the client asks so.
#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace knapsack::testing {

struct Replay {
  std::string bytes;                   // status line, headers and body
  std::chrono::milliseconds pause{0};  // before each byte of the body's last tenth; 0: all at once
};

class ReplayServer {
 public:
  // What to answer to a request, which is given as it came.
  using Choose = std::function<Replay(const std::string& request)>;

  explicit ReplayServer(Choose choose);
  // The same answer to everybody.
  explicit ReplayServer(std::string bytes);
  ~ReplayServer();
  ReplayServer(const ReplayServer&) = delete;
  ReplayServer& operator=(const ReplayServer&) = delete;

  std::string openai_url() const;  // "http://127.0.0.1:PORT/v1"
  std::vector<std::string> requests() const;

 private:
  struct State;
  std::shared_ptr<State> state_;
};

// A recording by its name: "judge_1.request".
std::string recorded(const std::string& name);
// What stands behind the headers.
std::string body_of(const std::string& message);
// A recording with another body, its length made to fit.
std::string with_body(const std::string& message, const std::string& body);

}  // namespace knapsack::testing
