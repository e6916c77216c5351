// What clients of ill will or little care send over HTTP, to the real program over real sockets: each gets
// the right answer, and the server stays as it was.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <future>
#include <memory>
#include <thread>

#include "serve/http/http_server.h"
#include "serve/support_http.h"
#include "serve/support_workspace.h"

namespace knapsack::testing {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

// What a server holds at most after any of this: its own few megabytes, the index, and bodies in the making.
constexpr uint64_t kMaxGrowth = uint64_t{96} << 20U;

std::string repeated(std::string_view text, size_t times) {
  std::string out;
  out.reserve(text.size() * times);
  for (size_t i = 0; i < times; ++i) out += text;
  return out;
}

std::string nested(size_t depth) {
  return "{\"task\":" + repeated("[", depth) + repeated("]", depth) + "}";
}

struct Row {
  const char* what;
  int status;                                  // 0: the connection ends without an answer
  std::function<std::string(uint16_t)> bytes;  // for a server at that port
  const char* says = "";                       // a part of the answer
};

const std::string kJson = "{\"task\":\"retry\"}";

// A POST to /v1/pack with this body or these headers.
std::function<std::string(uint16_t)> pack(std::string body, std::map<std::string, std::string> headers = {}) {
  return [=](uint16_t port) { return http_request(port, "POST", "/v1/pack", body, headers); };
}
std::function<std::string(uint16_t)> mcp(std::string body, std::map<std::string, std::string> headers = {}) {
  return [=](uint16_t port) { return http_request(port, "POST", "/mcp", body, headers); };
}
std::function<std::string(uint16_t)> get(std::string path, std::map<std::string, std::string> headers = {}) {
  return [=](uint16_t port) { return http_request(port, "GET", path, "", headers); };
}
std::function<std::string(uint16_t)> method(std::string name, std::string path) {
  return [=](uint16_t port) { return http_request(port, name, path); };
}
std::function<std::string(uint16_t)> raw(std::string bytes) {
  return [=](uint16_t) { return bytes; };
}
// A head with these lines beside a right Host.
std::function<std::string(uint16_t)> head(std::string line, std::string more, std::string body = "") {
  return [=](uint16_t port) {
    return fmt::format("{}\r\nHost: localhost:{}\r\nContent-Type: application/json\r\n{}\r\n{}", line, port,
                       more, body);
  };
}

std::string call(const std::string& rest) {
  return "{\"jsonrpc\":\"2.0\"," + rest + "}";
}
const std::string kMeta =
    R"("_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}})";
const std::string kModernList = call(R"("id":1,"method":"tools/list","params":{)" + kMeta + "}");

std::vector<Row> not_http() {
  return {
      {"random bytes", 400, raw("\x01\x02\x03\x04\xff\xfe")},
      {"TLS", 400, raw(std::string("\x16\x03\x01\x02\x00\x01\x00", 7))},
      {"a banner", 400, raw("SSH-2.0-OpenSSH_9.2\n")},
      {"JSON-RPC without HTTP", 400, raw("{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}\n")},
      {"line feeds alone", 400, raw("GET /healthz HTTP/1.1\nHost: localhost\n\n")},
      {"HTTP/0.9", 400, raw("GET /healthz\r\n\r\n")},
      {"HTTP/2", 505, raw("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n")},
      {"HTTP/3.0", 505, head("GET /healthz HTTP/3.0", "")},
      {"nothing at all", 0, raw("")},
      {"cut off in the request line", 0, raw("POST /v1/pa")},
      {"cut off in the headers", 0, raw("POST /v1/pack HTTP/1.1\r\nHost: loc")},
      {"cut off in the body", 400, pack(kJson, {{"Content-Length", "1000"}})},
      {"cut off in a chunk", 400, pack("ff\r\nabc", {{"Transfer-Encoding", "chunked"}})},
  };
}

std::vector<Row> too_much() {
  return {
      {"100 MB, declared", 413, pack("{}", {{"Content-Length", "100000000"}}), "body_too_large"},
      {"100 MB, in chunks", 413,
       pack(repeated("100000\r\n" + std::string(0x100000, ' ') + "\r\n", 100),
            {{"Transfer-Encoding", "chunked"}})},
      {"100 MB in one chunk", 413, pack("5f5e100\r\n{}", {{"Transfer-Encoding", "chunked"}})},
      {"100 MB, undeclared", 400, pack(std::string(100'000'000, ' '), {{"Content-Length", ""}}),
       "not a JSON object"},
      {"a length of twenty digits", 413, pack("{}", {{"Content-Length", "18446744073709551617"}})},
      {"10,000 deep", 400, pack(nested(10'000)), "nested"},
      {"3,000,000 deep", 400, pack(nested(3'000'000)), "nested"},
      {"10,000 deep over MCP", 400, mcp(nested(10'000)), "nested"},
      {"10,000 headers", 431, head("GET /healthz HTTP/1.1", repeated("X: y\r\n", 10'000))},
      {"101 headers more", 431, head("GET /healthz HTTP/1.1", repeated("X: y\r\n", 101)), "too_many_headers"},
      {"a header of a megabyte", 431, get("/healthz", {{"X", std::string(1'000'000, 'x')}})},
      {"a path of a megabyte", 431, get("/" + std::string(1'000'000, 'x'))},
      {"a batch of ten thousand", 400, mcp("[" + repeated("{},", 10'000) + "{}]")},
      {"a task of two million characters", 400, pack("{\"task\":\"" + std::string(2'000'000, 'x') + "\"}"),
       "arguments"},
  };
}

std::vector<Row> wrong_words() {
  return {
      {"no JSON", 400, pack("task=retry"), "not a JSON object"},
      {"half of it", 400, pack("{\"task\":")},
      {"a list", 400, pack("[]")},
      {"no body", 400, pack("")},
      {"bytes that are no UTF-8", 400, pack("{\"task\":\"\xff\xfe\"}")},
      {"an unknown field", 400, pack("{\"task\":\"x\",\"budgit\":1}"), "budgit"},
      {"no task", 400, pack("{}"), "task"},
      {"a task that is a number", 400, pack("{\"task\":7}")},
      {"a budget below zero", 400, pack("{\"task\":\"x\",\"max_tokens\":-1}")},
      {"a budget with a fraction", 400, pack("{\"task\":\"x\",\"max_tokens\":500.5}")},
      {"a budget beyond all", 400, pack("{\"task\":\"x\",\"max_tokens\":1e300}")},
      {"another content type", 415, pack(kJson, {{"Content-Type", "text/plain"}})},
      {"a form", 415, pack("task=x", {{"Content-Type", "application/x-www-form-urlencoded"}})},
      {"no content type", 415, pack(kJson, {{"Content-Type", ""}})},
      {"a type that begins like JSON", 415, pack(kJson, {{"Content-Type", "application/jsonx"}})},
      {"a compressed body", 415, pack("\x1f\x8b", {{"Content-Encoding", "gzip"}})},
      {"a query where none is", 400, get("/healthz?x=1")},
      {"a limit of words", 400, get("/v1/runs?limit=all")},
      {"a limit of none", 400, get("/v1/runs?limit=0")},
      {"a limit beyond all", 400, get("/v1/runs?limit=99999999999999999999")},
      {"an unknown run", 404, get("/v1/runs/run-that-never-was")},
  };
}

std::vector<Row> wrong_ways() {
  return {
      {"GET for a call", 405, get("/v1/pack"), "use POST"},
      {"PUT", 405, method("PUT", "/v1/pack")},
      {"a preflight", 405, method("OPTIONS", "/v1/pack")},
      {"TRACE", 405, method("TRACE", "/healthz")},
      {"a method of a megabyte", 431, method(std::string(1'000'000, 'A'), "/healthz")},
      {"GET of /mcp", 405, get("/mcp"), "POST, DELETE"},
      {"a path that is nearly one", 404, get("/v1/pak"), "/v1/pack"},
      {"two slashes", 404, get("//healthz")},
      {"dots", 404, get("/v1/../healthz")},
      {"encoded dots", 404, get("/%2e%2e/%2e%2e/etc/passwd")},
      {"an encoded letter", 404, get("/%68ealthz")},
      {"an encoded NUL", 404, get("/healthz%00")},
      {"a NUL", 400, raw(std::string("GET /healthz\0 HTTP/1.1\r\n\r\n", 26))},
      {"dots for a run", 404, get("/v1/runs/../../etc/passwd")},
      {"encoded dots for a run", 404, get("/v1/runs/%2e%2e")},
      {"a slash at the end", 404, get("/healthz/")},
      {"a backslash", 404, get("/v1\\pack")},
      {"another server's address", 400, get("http://evil.example/healthz")},
      {"no Host", 421, get("/healthz", {{"Host", ""}})},
      {"a Host that is bound to us by its name server", 421,
       get("/metrics", {{"Host", "evil.example:7077"}})},
      {"a Host with another port", 421, get("/healthz", {{"Host", "localhost:1"}})},
      {"two Hosts", 400, head("GET /healthz HTTP/1.1", "Host: evil.example\r\n")},
      {"a page of another site", 403, get("/healthz", {{"Origin", "http://evil.example"}})},
      {"a page of another site that reads metrics", 403,
       get("/metrics", {{"Origin", "https://evil.example"}})},
      {"a page of another site that calls", 403, pack(kJson, {{"Origin", "http://evil.example"}})},
      {"a sandboxed page", 403, mcp(kModernList, {{"Origin", "null"}})},
  };
}

std::vector<Row> smuggling() {
  const std::string hidden = "GET /metrics HTTP/1.1\r\nHost: x\r\n\r\n";
  return {
      {"two lengths", 400,
       head("POST /v1/pack HTTP/1.1", "Content-Length: 2\r\nContent-Length: 40\r\n", "{}" + hidden)},
      {"two lengths in one", 400, head("POST /v1/pack HTTP/1.1", "Content-Length: 2, 2\r\n", "{}")},
      {"a length beside chunks", 400,
       head("POST /v1/pack HTTP/1.1", "Content-Length: 5\r\nTransfer-Encoding: chunked\r\n",
            "0\r\n\r\n" + hidden)},
      {"chunks under another name", 501,
       head("POST /v1/pack HTTP/1.1", "Transfer-Encoding: xchunked\r\n", "0\r\n\r\n")},
      {"chunks by a folded line", 400,
       head("POST /v1/pack HTTP/1.1", "Transfer-Encoding:\r\n chunked\r\n", "0\r\n\r\n")},
      {"chunks with a space before the colon", 400,
       head("POST /v1/pack HTTP/1.1", "Transfer-Encoding : chunked\r\n", "0\r\n\r\n")},
      {"a chunk of negative size", 400, pack("-1\r\n{}\r\n0\r\n\r\n", {{"Transfer-Encoding", "chunked"}})},
      {"a chunk longer than it says", 400,
       pack("2\r\n{}{}\r\n0\r\n\r\n", {{"Transfer-Encoding", "chunked"}})},
      {"a line break in a header", 400, head("GET /healthz HTTP/1.1", "X: a\rY: b\r\n")},
  };
}

std::vector<Row> wrong_mcp() {
  const std::string ping = call(R"("id":1,"method":"ping")");
  return {
      {"no JSON", 400, mcp("hello"), "-32700"},
      {"no message", 400, mcp("{}"), "-32600"},
      {"an id of null", 400, mcp(call(R"("id":null,"method":"ping")")), "-32600"},
      {"an id that is a list", 400, mcp(call(R"("id":[1],"method":"ping")")), "-32600"},
      {"another JSON-RPC", 400, mcp(R"({"jsonrpc":"1.0","id":1,"method":"ping"})"), "-32600"},
      {"an empty batch", 400, mcp("[]"), "-32600"},
      {"a batch without a session", 400, mcp("[" + ping + "]")},
      {"no session", 400, mcp(ping), "Mcp-Session-Id"},
      {"a session that never was", 404, mcp(ping, {{"Mcp-Session-Id", "0123456789abcdef"}}),
       "no such session"},
      {"a session id like a path", 404, mcp(ping, {{"Mcp-Session-Id", "../../etc/passwd"}})},
      {"a version that never was", 400, mcp(ping, {{"MCP-Protocol-Version", "1999-01-01"}}), "2025-11-25"},
      {"a claim without its headers", 400, mcp(kModernList), "-32020"},
      {"a header that contradicts", 400,
       mcp(kModernList, {{"MCP-Protocol-Version", "2026-07-28"}, {"Mcp-Method", "tools/call"}}), "-32020"},
      {"a header without its claim", 400, mcp(ping, {{"MCP-Protocol-Version", "2026-07-28"}}), "-32602"},
      {"a claim of the future", 400,
       mcp(call(
           R"("id":1,"method":"ping","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"2099-01-01"}})")),
       "-32022"},
      {"an answer that nobody waits for", 400, mcp(call(R"("id":1,"result":{})"))},
      {"an answer as a web page", 406, mcp(ping, {{"Accept", "text/html"}})},
      {"the end of no session", 404,
       [](uint16_t port) {
         return http_request(port, "DELETE", "/mcp", "", {{"Mcp-Session-Id", "x"}});
       }},
      {"the end of a session without its id", 400, method("DELETE", "/mcp")},
  };
}

class HostileClients : public ::testing::Test {
 protected:
  HostileClients() { write_served_workspace(folder_); }

  void check(const std::vector<Row>& rows) {
    ServeProgram server(folder_.path());
    ASSERT_EQ(server.ask("POST", "/v1/pack", kJson).status, 200);
    const uint64_t before = server.resident_bytes();
    for (const Row& row : rows) {
      HttpClient client(server.port());
      const std::string bytes = row.bytes(server.port());
      // The answer may come while we still send. Who closes right behind a whole request does not want one,
      // so only what is cut off ends before it is answered.
      std::promise<void> answered;
      std::thread sender([&] {
        client.send(bytes);
        answered.get_future().wait_for(std::chrono::milliseconds(500));
        client.end_sending();
      });
      const HttpAnswer answer = client.read(seconds(30));
      answered.set_value();
      EXPECT_EQ(answer.status, row.status) << row.what << ": " << answer.raw.substr(0, 300);
      EXPECT_THAT(answer.raw, ::testing::HasSubstr(row.says)) << row.what;
      if (answer.status >= 400) {
        EXPECT_TRUE(answer.json().contains("error")) << row.what << ": " << answer.body;
      }
      sender.join();
      EXPECT_TRUE(server.alive()) << "after " << row.what;
      EXPECT_LT(server.resident_bytes(), before + kMaxGrowth) << "after " << row.what;
    }
  }

  TemporaryFolder folder_;
};

TEST_F(HostileClients, WhoDoNotSpeakHttpAreToldOrLeft) {
  check(not_http());
}

TEST_F(HostileClients, WhoSendTooMuchAreStoppedBeforeItIsTaken) {
  check(too_much());
}

TEST_F(HostileClients, WhoSayTheWrongWordsAreToldWhichOnes) {
  check(wrong_words());
}

TEST_F(HostileClients, WhoTakeWrongWaysReachNothing) {
  check(wrong_ways());
}

TEST_F(HostileClients, WhoHideARequestInAnotherAreRefusedAndClosed) {
  check(smuggling());
}

TEST_F(HostileClients, WhoSpeakMcpWronglyGetTheErrorThatItPrescribes) {
  check(wrong_mcp());
}

TEST_F(HostileClients, ARequestHiddenInARefusedOneIsNeverAnswered) {
  ServeProgram server(folder_.path());
  for (const Row& row : smuggling()) {
    HttpClient client(server.port());
    client.send(row.bytes(server.port()));
    EXPECT_GE(client.read().status, 400) << row.what;
    EXPECT_EQ(client.read(seconds(10)).raw, "") << row.what;
  }
}

// A server that answers with what it was sent.
class EchoHandler final : public serve::HttpHandler {
 public:
  std::optional<serve::HttpReply> admit(serve::HttpRequest& request) override {
    request.route = "/echo";
    return std::nullopt;
  }
  std::optional<serve::HttpReply> answer(const serve::HttpRequest& request, serve::HttpExchange&) override {
    return serve::HttpReply{200, "text/plain", {}, request.body, {}};
  }
};

std::vector<std::unique_ptr<HttpClient>> slow_clients(uint16_t port) {
  std::vector<std::unique_ptr<HttpClient>> slow;
  for (int i = 0; i < 300; ++i) {
    slow.push_back(std::make_unique<HttpClient>(port));
    slow.back()->send("POST /v1/pack HTTP/1.1\r\nHost: loc");
  }
  return slow;
}

TEST_F(HostileClients, WhoAreSlowHoldTheProgramUpForNobody) {
  ServeProgram server(folder_.path());
  const auto slow = slow_clients(server.port());
  EXPECT_EQ(server.ask("POST", "/v1/pack", kJson).status, 200);
  EXPECT_TRUE(server.alive());
}

// The same with less patience than the program has.
TEST_F(HostileClients, WhoAreSlowAreEndedAndHoldNobodyUp) {
  serve::HttpLimits limits;
  limits.head_time = seconds(1);
  EchoHandler handler;
  serve::Metrics metrics;
  const auto server = serve::HttpServer::open({"127.0.0.1", 0}, limits);
  ASSERT_OK(server);
  std::thread serving([&] { (*server)->run(handler, metrics); });
  const auto is_answered = [&] {
    HttpClient client((*server)->port());
    client.send(http_request((*server)->port(), "POST", "/", "x"));
    return client.read().body == "x";
  };
  const auto slow = slow_clients((*server)->port());
  EXPECT_TRUE(is_answered());
  // Every one of them, although it sends a byte now and then.
  const auto deadline = std::chrono::steady_clock::now() + seconds(60);
  for (const auto& each : slow) {
    bool ended = false;
    while (!ended && std::chrono::steady_clock::now() < deadline)
      ended = !each->send("a") || each->closed_within(std::chrono::milliseconds(20));
    EXPECT_TRUE(ended);
  }
  EXPECT_TRUE(is_answered());
  (*server)->stop();
  serving.join();
}

TEST_F(HostileClients, WithoutTheTokenLearnNothing) {
  const std::string token = "0123456789abcdef0123456789abcdef";
  ServeProgram server(folder_.path(), {"--log-level", "debug"}, {{"KNAPSACK_TOKEN", token}});
  for (const std::string path : {"/v1/runs", "/metrics", "/openapi.json", "/nowhere", "/mcp"}) {
    const HttpAnswer none = server.ask("GET", path);
    EXPECT_EQ(none.status, 401) << path;
    EXPECT_THAT(none.headers.at("www-authenticate"), ::testing::StartsWith("Bearer"));
    EXPECT_EQ(server.ask("GET", path, "", {{"Authorization", "Bearer " + token.substr(1) + "0"}}).status,
              401);
  }
  EXPECT_EQ(server.ask("POST", "/v1/pack", kJson).status, 401);
  EXPECT_EQ(server.ask("POST", "/mcp", kModernList).status, 401);
  const std::map<std::string, std::string> right = {{"Authorization", "Bearer " + token}};
  EXPECT_EQ(server.ask("GET", "/v1/runs", "", right).status, 200);
  EXPECT_EQ(server.ask("POST", "/v1/pack", kJson, right).status, 200);
  EXPECT_EQ(server.ask("GET", "/healthz").status, 200);
  for (const std::string& text : {server.said(), server.ask("GET", "/metrics", "", right).body,
                                  server.ask("GET", "/v1/runs/latest", "", right).body}) {
    EXPECT_THAT(text, ::testing::Not(::testing::HasSubstr(token)));
  }
}

}  // namespace
}  // namespace knapsack::testing
