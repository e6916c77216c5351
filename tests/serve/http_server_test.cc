// A server with a handler that does as the test wants, and limits that tests can wait for.
#include "serve/http/http_server.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <functional>
#include <thread>

#include "serve/support_http.h"

namespace knapsack::serve {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;
using std::chrono::steady_clock;
using ::testing::HasSubstr;
using testing::http_request;
using testing::HttpAnswer;
using testing::HttpClient;

class ScriptedHandler final : public HttpHandler {
 public:
  std::function<std::optional<HttpReply>(const HttpRequest&, HttpExchange&)> script =
      [](const HttpRequest& request, HttpExchange&) {
        return HttpReply{200, "text/plain", {}, request.body, {}};
      };
  std::atomic<bool> admits = true;
  std::atomic<int> answered = 0;

  std::optional<HttpReply> admit(HttpRequest& request) override {
    request.route = "/route";
    if (admits) return std::nullopt;
    return http_error(403, "no", "not admitted", "");
  }
  std::optional<HttpReply> answer(const HttpRequest& request, HttpExchange& exchange) override {
    ++answered;
    return script(request, exchange);
  }
};

class HttpServerTest : public ::testing::Test {
 protected:
  void start() {
    auto opened = HttpServer::open({"127.0.0.1", 0}, limits);
    ASSERT_OK(opened);
    server = *std::move(opened);
    thread = std::thread([this] { finished = server->run(handler, metrics); });
  }
  void stop() {
    if (!thread.joinable()) return;
    server->stop();
    thread.join();
  }
  void TearDown() override { stop(); }

  std::string request(const std::string& body = "",
                      const std::map<std::string, std::string>& headers = {}) const {
    return http_request(server->port(), "POST", "/", body, headers);
  }
  HttpAnswer ask(const std::string& body = "") {
    HttpClient client(server->port());
    client.send(request(body));
    return client.read();
  }

  HttpLimits limits;
  ScriptedHandler handler;
  Metrics metrics;
  std::unique_ptr<HttpServer> server;
  std::thread thread;
  bool finished = false;
};

// Waits for what another thread does.
bool soon(const std::function<bool()>& condition, milliseconds limit = seconds(20)) {
  const auto deadline = steady_clock::now() + limit;
  while (!condition()) {
    if (steady_clock::now() > deadline) return false;
    std::this_thread::sleep_for(milliseconds(2));
  }
  return true;
}

TEST_F(HttpServerTest, AnswersRequestAfterRequestOnOneConnection) {
  start();
  HttpClient client(server->port());
  for (int i = 0; i < 100; ++i) {
    client.send(request(std::to_string(i)));
    EXPECT_EQ(client.read().body, std::to_string(i));
  }
  // And when they come all at once, in chunks or whole.
  client.send(
      request("a") +
      http_request(server->port(), "POST", "/", "1\r\nb\r\n0\r\n\r\n", {{"Transfer-Encoding", "chunked"}}) +
      request("c"));
  for (const std::string expected : {"a", "b", "c"}) EXPECT_EQ(client.read().body, expected);
}

TEST_F(HttpServerTest, TellsAClientThatItMayGoOnBeforeItSendsItsBody) {
  start();
  HttpClient client(server->port());
  const std::string all = request("body", {{"Expect", "100-continue"}});
  client.send(all.substr(0, all.size() - 4));
  EXPECT_EQ(client.read().status, 100);
  client.send("body");
  EXPECT_EQ(client.read().body, "body");
}

TEST_F(HttpServerTest, RefusesWithoutReadingTheBodyAndClosesThen) {
  handler.admits = false;
  start();
  HttpClient client(server->port());
  client.send(request("", {{"Content-Length", "100000000"}}));
  const HttpAnswer answer = client.read();
  EXPECT_EQ(answer.status, 403);
  EXPECT_EQ(answer.headers.at("connection"), "close");
  EXPECT_TRUE(client.closed_within(seconds(10)));
  EXPECT_EQ(handler.answered, 0);
}

TEST_F(HttpServerTest, ARefusedRequestWithoutABodyLeavesTheConnectionOfUse) {
  handler.admits = false;
  start();
  HttpClient client(server->port());
  client.send(http_request(server->port(), "GET", "/"));
  EXPECT_EQ(client.read().status, 403);
  handler.admits = true;
  client.send(http_request(server->port(), "GET", "/"));
  EXPECT_EQ(client.read().status, 200);
}

TEST_F(HttpServerTest, EndsSlowClientsHoweverTheirBytesDrip) {
  limits.head_time = milliseconds(400);
  limits.body_time = milliseconds(400);
  limits.idle_time = milliseconds(400);
  start();
  // Each byte comes in time for a timer that bytes would wind up, which would never end it.
  const auto drip_ends = [&](const std::string& first) {
    HttpClient client(server->port());
    client.send(first);
    return soon([&] { return !client.send("x") || client.closed_within(milliseconds(20)); });
  };
  EXPECT_TRUE(drip_ends("GET / HTTP/1.1\r\nX: "));
  EXPECT_TRUE(drip_ends(request("", {{"Content-Length", "100000"}})));
  HttpClient head(server->port());
  head.send("GET / HTT");
  EXPECT_EQ(head.read().status, 408);
  HttpClient body(server->port());
  body.send(request("", {{"Content-Length", "1000"}}));
  EXPECT_EQ(body.read().status, 408);
  // Who says nothing is told nothing.
  HttpClient silent(server->port());
  EXPECT_TRUE(silent.closed_within(seconds(10)));
  HttpClient idle(server->port());
  idle.send(request("x"));
  EXPECT_EQ(idle.read().status, 200);
  EXPECT_TRUE(idle.closed_within(seconds(10)));
}

TEST_F(HttpServerTest, EndsAClientThatDoesNotReadItsReply) {
  limits.write_time = milliseconds(300);
  handler.script = [](const HttpRequest&, HttpExchange&) {
    return HttpReply{200, "text/plain", {}, std::string(size_t{64} << 20U, 'x'), {}};
  };
  start();
  HttpClient client(server->port());
  client.send(request());
  EXPECT_TRUE(soon([&] { return metrics.text().find("knapsack_http_connections 0") != std::string::npos; }));
}

TEST_F(HttpServerTest, TellsClientsThatThereIsNoRoom) {
  limits.connections = 4;
  limits.turned_away = 2;
  start();
  std::vector<std::unique_ptr<HttpClient>> clients;
  for (int i = 0; i < 4; ++i) {
    clients.push_back(std::make_unique<HttpClient>(server->port()));
    clients.back()->send(request("x"));
    EXPECT_EQ(clients.back()->read().status, 200);
  }
  const HttpAnswer answer = ask("one more");
  EXPECT_EQ(answer.status, 503);
  EXPECT_EQ(answer.error(), "connections");
  EXPECT_EQ(answer.headers.at("retry-after"), "1");
  // Those that have a place keep it, and a place that becomes free is given again.
  clients[0]->send(request("still"));
  EXPECT_EQ(clients[0]->read().body, "still");
  clients.pop_back();
  EXPECT_TRUE(soon([&] { return ask("again").status == 200; }));
}

TEST_F(HttpServerTest, CancelsACallWhoseClientHasGone) {
  std::atomic<bool> cancelled = false;
  handler.script = [&](const HttpRequest&, HttpExchange& exchange) {
    soon([&] { return exchange.stop().stop_requested(); });
    cancelled = exchange.stop().stop_requested() && exchange.end() == CallEnd::kGone;
    return HttpReply{};
  };
  start();
  HttpClient client(server->port());
  client.send(request());
  ASSERT_TRUE(soon([&] { return handler.answered == 1; }));
  EXPECT_FALSE(cancelled);
  client.close();
  EXPECT_TRUE(soon([&] { return cancelled.load(); }));
}

TEST_F(HttpServerTest, CancelsACallThatTakesTooLong) {
  limits.call_time = milliseconds(200);
  handler.script = [&](const HttpRequest&, HttpExchange& exchange) {
    soon([&] { return exchange.stop().stop_requested(); });
    return HttpReply{exchange.end() == CallEnd::kLate ? 503 : 500, "text/plain", {}, "", {}};
  };
  start();
  EXPECT_EQ(ask().status, 503);
}

TEST_F(HttpServerTest, SendsAStreamInPiecesAndEndsIt) {
  handler.script = [](const HttpRequest&, HttpExchange& exchange) -> std::optional<HttpReply> {
    EXPECT_TRUE(exchange.begin({200, "text/event-stream", {}, "", {}}));
    for (const char* piece : {"one ", "two ", "three"}) EXPECT_TRUE(exchange.send(piece));
    return std::nullopt;
  };
  start();
  HttpClient client(server->port());
  for (int i = 0; i < 2; ++i) {
    client.send(request());
    const HttpAnswer answer = client.read();
    EXPECT_EQ(answer.body, "one two three");
    EXPECT_EQ(answer.headers.at("content-type"), "text/event-stream");
  }
}

TEST_F(HttpServerTest, FinishesWhatIsInFlightWhenItStops) {
  std::atomic<bool> go_on = false;
  handler.script = [&](const HttpRequest&, HttpExchange&) {
    soon([&] { return go_on.load(); });
    return HttpReply{200, "text/plain", {}, "finished", {}};
  };
  start();
  HttpClient working(server->port());
  HttpClient idle(server->port());
  working.send(request());
  ASSERT_TRUE(soon([&] { return handler.answered == 1; }));
  server->stop();
  EXPECT_TRUE(idle.closed_within(seconds(10)));
  EXPECT_TRUE(soon([&] { return !HttpClient(server->port()).connected(); }));
  go_on = true;
  const HttpAnswer answer = working.read();
  EXPECT_EQ(answer.body, "finished");
  EXPECT_EQ(answer.headers.at("connection"), "close");
  thread.join();
  EXPECT_TRUE(finished);
}

TEST_F(HttpServerTest, CancelsWhatTakesTooLongToStop) {
  limits.stop_time = milliseconds(100);
  limits.cancel_time = seconds(4);
  std::atomic<CallEnd> why = CallEnd::kNone;
  handler.script = [&](const HttpRequest&, HttpExchange& exchange) {
    soon([&] { return exchange.stop().stop_requested(); });
    why = exchange.end();
    return HttpReply{};
  };
  start();
  HttpClient client(server->port());
  client.send(request());
  ASSERT_TRUE(soon([&] { return handler.answered == 1; }));
  // Another one will never send its body.
  HttpClient reading(server->port());
  reading.send(request("", {{"Content-Length", "10"}}));
  const auto began = steady_clock::now();
  stop();
  EXPECT_TRUE(finished);
  EXPECT_EQ(why, CallEnd::kStopping);
  EXPECT_LT(steady_clock::now() - began, seconds(15));
}

TEST_F(HttpServerTest, ASecondWordToStopCancelsAtOnce) {
  limits.stop_time = std::chrono::minutes(10);
  handler.script = [&](const HttpRequest&, HttpExchange& exchange) {
    soon([&] { return exchange.stop().stop_requested(); });
    return HttpReply{};
  };
  start();
  HttpClient client(server->port());
  client.send(request());
  ASSERT_TRUE(soon([&] { return handler.answered == 1; }));
  const auto began = steady_clock::now();
  server->stop();
  stop();
  EXPECT_LT(steady_clock::now() - began, seconds(10));
}

TEST_F(HttpServerTest, CountsWhatItDid) {
  start();
  ask("x");
  ask("x");
  HttpClient wrong(server->port());
  wrong.send("NONSENSE\r\n\r\n");
  EXPECT_EQ(wrong.read().status, 400);
  EXPECT_TRUE(soon([&] { return metrics.text().find("connections 0") != std::string::npos; }));
  const std::string text = metrics.text();
  EXPECT_THAT(text, HasSubstr("knapsack_http_requests_total{route=\"/route\",status=\"200\"} 2\n"));
  EXPECT_THAT(text, HasSubstr("knapsack_http_request_seconds_bucket{route=\"/route\",le=\"+Inf\"} 2\n"));
  EXPECT_THAT(text, HasSubstr("knapsack_http_request_seconds_count{route=\"/route\"} 2\n"));
  EXPECT_THAT(text, HasSubstr("knapsack_http_rejected_total{reason=\"bad_request\"} 1\n"));
  EXPECT_THAT(text, HasSubstr("knapsack_http_in_flight 0\n"));
}

TEST(ListenOn, SaysWhatIsWrongWithAnAddressOrAPort) {
  EXPECT_EQ(listen_on("build-box", 0).error().code, ErrorCode::kUsage);
  EXPECT_EQ(listen_on("127.0.0.1.1", 0).error().code, ErrorCode::kUsage);
  EXPECT_EQ(listen_on("192.0.2.1", 0).error().code, ErrorCode::kIo);  // of no machine
  const auto first = listen_on("127.0.0.1", 0);
  ASSERT_OK(first);
  const auto second = listen_on("127.0.0.1", first->port);
  ASSERT_FALSE(second.ok());
  EXPECT_EQ(second.error().code, ErrorCode::kBusy);
  EXPECT_THAT(second.error().line(), HasSubstr("is taken"));
}

TEST(ListenOn, KnowsWhatOnlyThisMachineReaches) {
  for (const std::string address : {"127.0.0.1", "127.9.9.9", "::1", "localhost"})
    EXPECT_TRUE(*is_loopback(address)) << address;
  for (const std::string address : {"0.0.0.0", "::", "192.0.2.1", "::ffff:127.0.0.1"})
    EXPECT_FALSE(*is_loopback(address)) << address;
  EXPECT_FALSE(is_loopback("").ok());
}

}  // namespace
}  // namespace knapsack::serve
