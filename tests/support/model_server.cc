#include "support/model_server.h"

#include <gtest/gtest.h>
#include <httplib.h>
#include <netinet/in.h>
#include <sys/socket.h>

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <thread>

#include "support/support.h"

namespace knapsack::testing {
namespace {

using nlohmann::json;

// Longer than any deadline that a test gives.
constexpr std::chrono::seconds kForever{120};
// How much a server without an end sends at once.
constexpr size_t kBlock = size_t{1} << 16;
constexpr int kHighestDescriptor = 4096;

// The connection with this client port: the library has no way to hang up or to write what is not HTTP.
int find_connection(int client_port) {
  for (int descriptor = 3; descriptor < kHighestDescriptor; ++descriptor) {
    sockaddr_in peer{};
    socklen_t size = sizeof peer;
    if (::getpeername(descriptor, reinterpret_cast<sockaddr*>(&peer), &size) == 0 &&
        peer.sin_family == AF_INET && ntohs(peer.sin_port) == client_port) {
      return descriptor;
    }
  }
  return -1;
}

ReceivedChat read_chat(const httplib::Request& request) {
  ReceivedChat chat;
  chat.openai = request.path.ends_with("/v1/chat/completions");
  chat.authorization = request.get_header_value("Authorization");
  chat.body = json::parse(request.body, nullptr, false);
  if (!chat.body.is_object()) return chat;
  chat.model = chat.body.value("model", "");
  for (const auto& message : chat.body.value("messages", json::array())) {
    const std::string role = message.value("role", "");
    if (role == "system") chat.system = message.value("content", "");
    if (role == "user") chat.user = message.value("content", "");
  }
  chat.schema = chat.openai ? chat.body["response_format"]["json_schema"]["schema"] : chat.body["format"];
  return chat;
}

// What the server of a protocol puts around the model's text.
std::string envelope(const ReceivedChat& chat, const std::string& text) {
  const auto prompt = static_cast<int64_t>((chat.system.size() + chat.user.size()) / 4);
  const auto written = static_cast<int64_t>(text.size() / 4);
  json body;
  if (chat.openai) {
    body = {
        {"object", "chat.completion"},
        {"model", chat.model},
        {"choices",
         {{{"index", 0},
           {"message", {{"role", "assistant"}, {"content", text}}},
           {"finish_reason", "stop"}}}},
        {"usage",
         {{"prompt_tokens", prompt}, {"completion_tokens", written}, {"total_tokens", prompt + written}}}};
  } else {
    body = {{"model", chat.model},
            {"message", {{"role", "assistant"}, {"content", text}}},
            {"done", true},
            {"done_reason", "stop"},
            {"prompt_eval_count", prompt},
            {"eval_count", written}};
  }
  return body.dump(-1, ' ', false, json::error_handler_t::replace);
}

}  // namespace

struct ModelServer::State {
  Callback answer;
  std::unique_ptr<httplib::Server> server;
  bool tls = false;
  int port = 0;
  std::thread thread;

  mutable std::mutex mutex;
  std::condition_variable changed;
  bool stopping = false;
  Misbehaviour how = Misbehaviour::kNone;
  int times = 0;
  std::vector<ReceivedChat> received;

  // Waits, but not beyond the end of the test. False when it has come.
  bool wait(std::chrono::milliseconds time) {
    std::unique_lock lock(mutex);
    return !changed.wait_for(lock, time, [&] { return stopping; });
  }

  Misbehaviour next(const ReceivedChat& chat) {
    const std::lock_guard lock(mutex);
    received.push_back(chat);
    return times-- > 0 ? how : Misbehaviour::kNone;
  }

  void handle(const httplib::Request& request, httplib::Response& response);
  void status(int code, const std::string& message, httplib::Response& response) const;
  void send_slowly(const std::string& body, httplib::Response& response);
  void send_without_end(httplib::Response& response);
  void misbehave(Misbehaviour kind, const httplib::Request& request, const ReceivedChat& chat,
                 httplib::Response& response);
  void start();
};

void ModelServer::State::status(int code, const std::string& message, httplib::Response& response) const {
  response.status = code;
  response.set_content(json{{"error", message}}.dump(), "application/json");
}

void ModelServer::State::send_slowly(const std::string& body, httplib::Response& response) {
  response.set_content_provider(body.size(), "application/json",
                                [this, body](size_t offset, size_t, httplib::DataSink& sink) {
                                  return wait(std::chrono::milliseconds(200)) && sink.write(&body[offset], 1);
                                });
}

void ModelServer::State::send_without_end(httplib::Response& response) {
  response.set_content_provider("application/json", [](size_t, httplib::DataSink& sink) {
    static const std::string block(kBlock, ' ');
    return sink.write(block.data(), block.size());
  });
}

void ModelServer::State::misbehave(Misbehaviour kind, const httplib::Request& request,
                                   const ReceivedChat& chat, httplib::Response& response) {
  const auto send = [&](const std::string& body) { response.set_content(body, "application/json"); };
  const auto right = [&] { return envelope(chat, answer(chat)); };
  switch (kind) {
    case Misbehaviour::kSlow:
      wait(kForever);
      return status(503, "the test is over", response);
    case Misbehaviour::kDrip:
      return send_slowly(right(), response);
    case Misbehaviour::kStatus500:
      return status(500, "out of memory", response);
    case Misbehaviour::kStatus429:
      return status(429, "too many requests", response);
    case Misbehaviour::kStatus401:
      return status(401, "wrong key: " + chat.authorization, response);
    case Misbehaviour::kWrongSchema:
      return send(envelope(chat, R"({"surprise": [1, 2, 3]})"));
    case Misbehaviour::kProse:
      return send(envelope(chat, "Sure! Here it is:\n```json\n" + answer(chat) + "\n```\nAnything else?"));
    case Misbehaviour::kHugeBody:
      return send_without_end(response);
    case Misbehaviour::kHugeHeaders:
      for (int i = 0; i < 1000; ++i)
        response.set_header("X-More-" + std::to_string(i), std::string(8000, 'x'));
      return send(right());
    case Misbehaviour::kRedirectToSelf:
      return response.set_redirect(request.path);
    case Misbehaviour::kRedirectElsewhere:
      return response.set_redirect("http://elsewhere.invalid/api/chat", 307);
    case Misbehaviour::kNotJson:
      return response.set_content("<html><body>It works!</body></html>", "text/html");
    case Misbehaviour::kEmptyBody:
      return;
    case Misbehaviour::kCutBody:
    case Misbehaviour::kLengthTooLong: {
      const std::string body = kind == Misbehaviour::kCutBody ? right().substr(0, 20) : right();
      response.set_content_provider(body.size() + 100, "application/json",
                                    [body](size_t offset, size_t, httplib::DataSink& sink) {
                                      return offset == 0 && sink.write(body.data(), body.size());
                                    });
      return;
    }
    case Misbehaviour::kLengthTooShort: {
      const std::string body = right();
      response.set_content_provider(20, "application/json", [body](size_t, size_t, httplib::DataSink& sink) {
        return sink.write(body.data(), body.size());
      });
      return;
    }
    case Misbehaviour::kClosesAtOnce:
      ::shutdown(find_connection(request.remote_port), SHUT_RDWR);
      return;
    case Misbehaviour::kDripHeaders: {
      const int connection = find_connection(request.remote_port);
      std::string_view piece = "HTTP/1.1 200 OK\r\nX-Slow: ";
      while (::send(connection, piece.data(), piece.size(), MSG_NOSIGNAL) > 0 &&
             wait(std::chrono::milliseconds(100))) {
        piece = "x";
      }
      return;
    }
    case Misbehaviour::kNoLengthKeepsOpen: {
      const std::string body = right();
      response.set_content_provider("application/json", [this, body](size_t offset, httplib::DataSink& sink) {
        if (offset == 0) return sink.write(body.data(), body.size());
        wait(kForever);
        return false;
      });
      return;
    }
    case Misbehaviour::kDeepJson:
      return send(std::string(100'000, '['));
    case Misbehaviour::kNotUtf8:
      return send("{\"message\": {\"content\": \"\xff\xfe\"}}");
    case Misbehaviour::kEchoesKey:
      return send(envelope(chat, "You sent " + chat.authorization));
    default:
      return send(right());
  }
}

void ModelServer::State::handle(const httplib::Request& request, httplib::Response& response) {
  const ReceivedChat chat = read_chat(request);
  misbehave(next(chat), request, chat, response);
}

void ModelServer::State::start() {
  // A handful of threads would be held by slow answers that the client gave up on.
  server->new_task_queue = [] { return new httplib::ThreadPool(32); };
  server->set_keep_alive_timeout(1);
  server->set_write_timeout(1);
  server->Post(".*/api/chat", [this](const auto& request, auto& response) { handle(request, response); });
  server->Post(".*/v1/chat/completions",
               [this](const auto& request, auto& response) { handle(request, response); });
  port = server->bind_to_any_port("127.0.0.1");
  thread = std::thread([this] { server->listen_after_bind(); });
  while (!server->is_running()) std::this_thread::sleep_for(std::chrono::milliseconds(1));
}

ModelServer::ModelServer(Callback answer) : state_(std::make_unique<State>()) {
  state_->answer = std::move(answer);
  state_->server = std::make_unique<httplib::Server>();
  state_->start();
}

ModelServer::ModelServer(Callback answer, const std::string& certificate, const std::string& key)
    : state_(std::make_unique<State>()) {
  state_->answer = std::move(answer);
  state_->tls = true;
  state_->server = std::make_unique<httplib::SSLServer>(certificate.c_str(), key.c_str());
  state_->start();
}

ModelServer::~ModelServer() {
  {
    const std::lock_guard lock(state_->mutex);
    state_->stopping = true;
  }
  state_->changed.notify_all();
  state_->server->stop();
  state_->thread.join();
}

std::string ModelServer::base_url() const {
  return (state_->tls ? "https://127.0.0.1:" : "http://127.0.0.1:") + std::to_string(state_->port);
}

std::string ModelServer::openai_url() const {
  return base_url() + "/v1";
}

int ModelServer::port() const {
  return state_->port;
}

void ModelServer::misbehave(Misbehaviour how, int times) {
  const std::lock_guard lock(state_->mutex);
  state_->how = how;
  state_->times = times;
}

int ModelServer::requests() const {
  const std::lock_guard lock(state_->mutex);
  return static_cast<int>(state_->received.size());
}

std::vector<ReceivedChat> ModelServer::received() const {
  const std::lock_guard lock(state_->mutex);
  return state_->received;
}

CertificateFiles make_certificate(const std::string& folder) {
  CertificateFiles files{folder + "/certificate.pem", folder + "/key.pem"};
  const auto made = run_command(
      {"openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes",
       "-days", "2", "-subj", "/CN=localhost", "-addext", "subjectAltName=IP:127.0.0.1,DNS:localhost",
       "-keyout", files.key, "-out", files.certificate},
      folder);
  EXPECT_EQ(made.exit_code, 0) << made.err;
  return files;
}

}  // namespace knapsack::testing
