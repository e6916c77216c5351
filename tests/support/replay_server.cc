#include "support/replay_server.h"

#include <arpa/inet.h>
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <mutex>
#include <thread>

#include "support/support.h"

namespace knapsack::testing {
namespace {

constexpr std::string_view kEndOfHead = "\r\n\r\n";
constexpr std::string_view kLength = "Content-Length: ";

// Where the number of the Content-Length header begins; npos where there is none.
size_t length_at(const std::string& message) {
  const size_t at = message.substr(0, message.find(kEndOfHead)).find(kLength);
  return at == std::string::npos ? at : at + kLength.size();
}

std::string read_request(int connection) {
  std::string request;
  char buffer[65536];
  while (true) {
    const size_t head = request.find(kEndOfHead);
    if (head != std::string::npos) {
      const size_t length = length_at(request);
      const size_t body = length == std::string::npos ? 0 : std::stoul(request.substr(length));
      if (request.size() >= head + kEndOfHead.size() + body) return request;
    }
    const ssize_t got = ::recv(connection, buffer, sizeof buffer, 0);
    if (got <= 0) return request;
    request.append(buffer, static_cast<size_t>(got));
  }
}

}  // namespace

struct ReplayServer::State {
  Choose choose;
  int listener = -1;
  int port = 0;
  std::thread thread;
  std::atomic<bool> stopping = false;
  mutable std::mutex mutex;
  std::vector<std::string> requests;

  void answer(int connection) {
    const std::string request = read_request(connection);
    {
      const std::lock_guard lock(mutex);
      requests.push_back(request);
    }
    const Replay replay = choose(request);
    const size_t at_once = replay.pause.count() == 0 ? replay.bytes.size() : replay.bytes.size() * 9 / 10;
    ::send(connection, replay.bytes.data(), at_once, MSG_NOSIGNAL);
    for (size_t i = at_once; i < replay.bytes.size() && !stopping; ++i) {
      std::this_thread::sleep_for(replay.pause);
      if (::send(connection, &replay.bytes[i], 1, MSG_NOSIGNAL) != 1) break;
    }
    ::shutdown(connection, SHUT_RDWR);
    ::close(connection);
  }
};

ReplayServer::ReplayServer(Choose choose) : state_(std::make_shared<State>()) {
  state_->choose = std::move(choose);
  state_->listener = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t size = sizeof address;
  EXPECT_EQ(::bind(state_->listener, reinterpret_cast<sockaddr*>(&address), sizeof address), 0);
  EXPECT_EQ(::listen(state_->listener, 64), 0);
  EXPECT_EQ(::getsockname(state_->listener, reinterpret_cast<sockaddr*>(&address), &size), 0);
  state_->port = ntohs(address.sin_port);
  state_->thread = std::thread([state = state_] {
    std::vector<std::thread> answers;
    while (true) {
      const int connection = ::accept(state->listener, nullptr, nullptr);
      if (connection < 0) break;
      answers.emplace_back([state, connection] { state->answer(connection); });
    }
    for (std::thread& each : answers) each.join();
  });
}

ReplayServer::ReplayServer(std::string bytes)
    : ReplayServer([bytes = std::move(bytes)](const std::string&) { return Replay{bytes}; }) {}

ReplayServer::~ReplayServer() {
  state_->stopping = true;
  ::shutdown(state_->listener, SHUT_RDWR);
  state_->thread.join();
  ::close(state_->listener);
}

std::string ReplayServer::openai_url() const {
  return "http://127.0.0.1:" + std::to_string(state_->port) + "/v1";
}

std::vector<std::string> ReplayServer::requests() const {
  const std::lock_guard lock(state_->mutex);
  return state_->requests;
}

std::string recorded(const std::string& name) {
  return read_source_file("tests/fixtures/model_server/" + name);
}

std::string body_of(const std::string& message) {
  const size_t head = message.find(kEndOfHead);
  return head == std::string::npos ? "" : message.substr(head + kEndOfHead.size());
}

std::string with_body(const std::string& message, const std::string& body) {
  std::string head = message.substr(0, message.find(kEndOfHead));
  const size_t at = length_at(message);
  if (at != std::string::npos) head.replace(at, head.find('\r', at) - at, std::to_string(body.size()));
  return head + std::string(kEndOfHead) + body;
}

}  // namespace knapsack::testing
