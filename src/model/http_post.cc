#include "model/http_post.h"

#include <fmt/format.h>
#include <httplib.h>
#include <pthread.h>
#include <unistd.h>

#include <condition_variable>
#include <csignal>
#include <cstdlib>
#include <memory>
#include <mutex>

#include "core/helper_threads.h"
#include "model/trusted_certificates.h"
#include "model/watched_socket.h"

namespace knapsack::model {
namespace {

using std::chrono::milliseconds;
using std::chrono::steady_clock;

// How often the watcher looks at how much has come.
constexpr milliseconds kWatchInterval{20};
// Of an answer that is not a success: enough for its message.
constexpr uint64_t kMaxErrorBody = uint64_t{64} * 1024;
// Headers, chunk sizes and the TLS records around the body; headers alone can exhaust memory otherwise.
constexpr uint64_t kMaxFraming = uint64_t{1024} * 1024;
// Our own watcher ends a call; the library's timers are only there in case it never gets to.
constexpr milliseconds kLibraryTimerSlack{2'000};

// What the caller and the thread that talks to the server share. It outlives whoever leaves first.
struct PostExchange {
  explicit PostExchange(HttpPost asked) : post(std::move(asked)) {}
  const HttpPost post;
  std::mutex mutex;
  std::condition_variable changed;
  bool done = false;
  HttpReply reply;
  WatchedSocket socket;
};

HttpReply too_large() {
  return {HttpEnd::kTooLarge, 0, "", "", "its answer is too large"};
}

std::string describe(httplib::Error error) {
  switch (error) {
    case httplib::Error::Connection:
      return "no connection";
    case httplib::Error::ConnectionTimeout:
      return "no connection in time";
    case httplib::Error::SSLConnection:
      return "no TLS connection";
    case httplib::Error::SSLLoadingCerts:
      return "the trusted certificates could not be read";
    case httplib::Error::SSLServerVerification:
      return "its certificate is not trusted here";
    case httplib::Error::Read:
    case httplib::Error::Write:
      return "it closed the connection without an answer";
    default:
      return "the exchange failed: " + httplib::to_string(error);
  }
}

std::string certificates_of_this_machine() {
  return trusted_certificate_file([](const std::string& file) { return ::access(file.c_str(), R_OK) == 0; },
                                  [](const char* name) { return std::getenv(name); });
}

std::unique_ptr<httplib::ClientImpl> make_client(const std::shared_ptr<PostExchange>& exchange) {
  const HttpPost& post = exchange->post;
  std::unique_ptr<httplib::ClientImpl> client;
  if (post.target.tls) {
    client = std::make_unique<httplib::SSLClient>(post.target.host, post.target.port);
    client->enable_server_certificate_verification(true);
    const std::string certificates =
        post.target.ca_file.empty() ? certificates_of_this_machine() : post.target.ca_file;
    if (!certificates.empty()) client->set_ca_cert_path(certificates);
  } else {
    client = std::make_unique<httplib::ClientImpl>(post.target.host, post.target.port);
  }
  const auto left = std::chrono::duration_cast<milliseconds>(post.deadline - steady_clock::now());
  client->set_connection_timeout(std::min(post.connect_timeout, left + kLibraryTimerSlack));
  client->set_read_timeout(left + kLibraryTimerSlack);
  client->set_write_timeout(left + kLibraryTimerSlack);
  client->set_follow_location(false);
  client->set_keep_alive(false);
  client->set_socket_options([exchange](int socket) {
    const std::lock_guard lock(exchange->mutex);
    exchange->socket.watch(socket);
  });
  return client;
}

HttpReply talk(const std::shared_ptr<PostExchange>& exchange) {
  const HttpPost& post = exchange->post;
  HttpReply reply;
  bool overflowed = false;
  bool shortened = false;
  httplib::Request request;
  request.method = "POST";
  request.path = post.path;
  request.body = post.body;
  request.set_header("Content-Type", "application/json");
  request.set_header("Accept", "application/json");
  if (!post.bearer.empty()) request.set_header("Authorization", "Bearer " + post.bearer);
  request.response_handler = [&](const httplib::Response& response) {
    reply.status = response.status;
    reply.location = response.get_header_value("Location");
    return true;
  };
  request.content_receiver = [&](const char* data, size_t size, uint64_t, uint64_t) {
    const bool success = reply.status >= 200 && reply.status < 300;
    const uint64_t limit = success ? post.max_bytes : kMaxErrorBody;
    const uint64_t room = limit - std::min<uint64_t>(limit, reply.body.size());
    reply.body.append(data, std::min<uint64_t>(size, room));
    if (size <= room) return true;
    (success ? overflowed : shortened) = true;
    return false;
  };
  const auto client = make_client(exchange);
  const httplib::Result result = client->send(request);
  if (overflowed) {
    reply = too_large();
  } else if (result || shortened) {
    reply.end = HttpEnd::kAnswered;
    if (result) reply.status = result->status;
  } else if (reply.status != 0) {
    reply.end = HttpEnd::kCut;
    reply.problem = "its answer was cut off";
  } else {
    reply.end = HttpEnd::kUnreachable;
    reply.problem = describe(result.error());
  }
  return reply;
}

void run(const std::shared_ptr<PostExchange>& exchange) {
  // A server that went away must not end the process; the signal dies with this thread.
  sigset_t pipe;
  sigemptyset(&pipe);
  sigaddset(&pipe, SIGPIPE);
  pthread_sigmask(SIG_BLOCK, &pipe, nullptr);
  HttpReply reply;
  try {
    reply = talk(exchange);
  } catch (const std::exception& problem) {
    reply.end = HttpEnd::kUnreachable;
    reply.problem = std::string("the exchange failed: ") + problem.what();
  }
  const std::lock_guard lock(exchange->mutex);
  exchange->reply = std::move(reply);
  exchange->done = true;
  exchange->changed.notify_all();
}

// Waits for the exchange and ends it when it takes too long or brings too much.
HttpReply watch(PostExchange& exchange, milliseconds given) {
  std::unique_lock lock(exchange.mutex);
  const auto done = [&] { return exchange.done; };
  const HttpPost& post = exchange.post;
  const auto too_much = [&] { return exchange.socket.received() > post.max_bytes + kMaxFraming; };
  HttpReply verdict;
  while (!exchange.changed.wait_until(lock, std::min(steady_clock::now() + kWatchInterval, post.deadline),
                                      done)) {
    if (steady_clock::now() >= post.deadline) {
      verdict = {HttpEnd::kTimeout, 0, "", "",
                 fmt::format("no complete answer in time: {:.1f} s were given",
                             static_cast<double>(given.count()) / 1000)};
    } else if (too_much()) {
      verdict = too_large();
    } else {
      continue;
    }
    exchange.socket.shut();
    exchange.changed.wait_for(lock, given / 20, done);
    return verdict;
  }
  return too_much() ? too_large() : std::move(exchange.reply);
}

}  // namespace

HttpReply http_post(HttpPost post) {
  const auto given = std::chrono::duration_cast<milliseconds>(post.deadline - steady_clock::now());
  if (given.count() <= 0) return {HttpEnd::kTimeout, 0, "", "", "no time left"};
  const auto exchange = std::make_shared<PostExchange>(std::move(post));
  HelperThread thread;
  const Status started = thread.start("the exchange", [exchange] { run(exchange); });
  if (!started.ok()) return {HttpEnd::kUnreachable, 0, "", "", started.error().what};
  HttpReply reply = watch(*exchange, given);
  bool done = false;
  {
    const std::lock_guard lock(exchange->mutex);
    done = exchange->done;
  }
  // Only resolving a host name cannot be interrupted; it ends by itself and finds nobody waiting.
  if (done) {
    thread.join();
  } else {
    thread.leave();
  }
  return reply;
}

}  // namespace knapsack::model
