#include "serve/http/http_server.h"

#include <fmt/format.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/socket.h>

#include <array>
#include <cerrno>

namespace knapsack::serve {
namespace {

using std::chrono::steady_clock;

// No descriptor or memory for another connection: until some are given back.
constexpr int kExhaustedMillis = 50;
constexpr std::chrono::milliseconds kCancelTick{20};

HttpReply no_room(size_t connections) {
  HttpReply reply = http_error(503, "connections", fmt::format("{} connections are open", connections),
                               "try again in a second");
  reply.headers.push_back({"Retry-After", "1"});
  return reply;
}

}  // namespace

Result<std::unique_ptr<HttpServer>> HttpServer::open(const HttpAddress& address, const HttpLimits& limits) {
  KNAPSACK_TRY(auto listener, listen_on(address.address, address.port));
  std::unique_ptr<HttpServer> server(new HttpServer(std::move(listener), limits));
  KNAPSACK_CHECK(server->watch_.start());
  return server;
}

HttpServer::~HttpServer() {
  std::unique_lock lock(mutex_);
  ended_.wait(lock, [this] { return open_.empty(); });
}

std::string HttpServer::url() const {
  const bool v6 = listener_.address.find(':') != std::string::npos;
  return fmt::format("http://{}{}{}:{}", v6 ? "[" : "", listener_.address, v6 ? "]" : "", listener_.port);
}

void HttpServer::stop() const {
  if (stop_.raised()) cancel_.raise();
  stop_.raise();
}

bool HttpServer::run(HttpHandler& handler, Metrics& metrics) {
  parts_.emplace(ServerParts{handler, metrics, limits_, watch_, stop_});
  std::array<pollfd, 2> waited = {
      {{listener_.descriptor.number(), POLLIN, 0}, {stop_.descriptor(), POLLIN, 0}}};
  while (waited[1].revents == 0) {
    if (::poll(waited.data(), waited.size(), -1) < 0) {
      if (errno != EINTR) break;
      waited[0].revents = waited[1].revents = 0;
    }
    if (waited[0].revents != 0 && !accept_one()) break;
  }
  listener_.descriptor = Descriptor();
  return finish();
}

bool HttpServer::accept_one() {
  Descriptor connection(
      ::accept4(listener_.descriptor.number(), nullptr, nullptr, SOCK_CLOEXEC | SOCK_NONBLOCK));
  if (connection.valid()) {
    start(std::move(connection));
    return true;
  }
  switch (errno) {
    case EMFILE:
    case ENFILE:
    case ENOBUFS:
    case ENOMEM: {
      pollfd stopped{stop_.descriptor(), POLLIN, 0};
      ::poll(&stopped, 1, kExhaustedMillis);
      return true;
    }
    case EBADF:
    case EINVAL:
    case ENOTSOCK:
      return false;
    default:
      return true;  // of that one client
  }
}

void HttpServer::start(Descriptor connection) {
  const int on = 1;
  // A reply is written whole; there is nothing to collect it with.
  ::setsockopt(connection.number(), IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
  const std::lock_guard lock(mutex_);
  std::optional<HttpReply> refusal;
  if (open_.size() >= limits_.connections) refusal = no_room(limits_.connections);
  if (open_.size() >= limits_.connections + limits_.turned_away) {
    parts_->metrics.rejected(refusal->error);
    return;
  }
  const int number = connection.number();
  open_.insert(number);
  HelperThread thread;
  const Status started = thread.start(
      "a connection", [this, refusal = std::move(refusal), held = std::move(connection)]() mutable {
        serve(std::move(held), std::move(refusal));
      });
  if (started.ok()) {
    thread.leave();
    return;
  }
  // As good as no room. The connection went with the function.
  open_.erase(number);
  parts_->metrics.rejected("threads");
}

void HttpServer::serve(Descriptor connection, std::optional<HttpReply> refusal) {
  const int number = connection.number();
  HttpConnection served(Socket(std::move(connection)), *parts_, std::move(refusal));
  served.serve();
  // Taken off before its number is free to be another connection's; the last touch of this object.
  const std::lock_guard lock(mutex_);
  open_.erase(number);
  ended_.notify_all();
}

bool HttpServer::all_ended_by(TimePoint deadline, bool or_cancelled) {
  std::unique_lock lock(mutex_);
  while (!open_.empty() && steady_clock::now() < deadline && !(or_cancelled && cancel_.raised())) {
    ended_.wait_for(lock, kCancelTick);
  }
  return open_.empty();
}

bool HttpServer::finish() {
  if (all_ended_by(steady_clock::now() + limits_.stop_time, true)) return true;
  watch_.stop_all();
  const auto half = steady_clock::now() + limits_.cancel_time / 2;
  if (all_ended_by(half, false)) return true;
  {
    // Whoever still reads or writes is not coming to an end.
    const std::lock_guard lock(mutex_);
    for (const int number : open_) ::shutdown(number, SHUT_RDWR);
  }
  return all_ended_by(half + limits_.cancel_time / 2, false);
}

}  // namespace knapsack::serve
