// MCP over HTTP, in both eras, as the bytes on the wire.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "serve/http/http_mcp_headers.h"
#include "serve/http/http_sessions.h"
#include "serve/support_http.h"
#include "serve/support_workspace.h"

namespace knapsack::testing {
namespace {

using nlohmann::json;
using Headers = std::map<std::string, std::string>;
using ::testing::HasSubstr;

json request(const std::string& method, json params = json::object(), json id = 1) {
  return {{"jsonrpc", "2.0"}, {"id", std::move(id)}, {"method", method}, {"params", std::move(params)}};
}

json modern(const std::string& method, json params = json::object(),
            const std::string& version = "2026-07-28") {
  params["_meta"]["io.modelcontextprotocol/protocolVersion"] = version;
  params["_meta"]["io.modelcontextprotocol/clientCapabilities"] = json::object();
  return request(method, std::move(params));
}

class HttpMcp : public ::testing::Test {
 protected:
  HttpMcp() {
    write_served_workspace(folder);
    server.emplace(folder.path());
  }

  HttpAnswer post(const json& message, Headers headers = {}) const {
    headers.emplace("Accept", "application/json, text/event-stream");
    return server->ask("POST", "/mcp", message.dump(), headers);
  }
  // With the headers that 2026-07-28 asks for.
  HttpAnswer post_modern(const json& message, Headers headers = {}) const {
    headers.emplace("MCP-Protocol-Version", "2026-07-28");
    headers.emplace("Mcp-Method", message["method"]);
    return post(message, headers);
  }
  HttpAnswer initialize(const std::string& version = "2025-11-25") const {
    return post(request("initialize", {{"protocolVersion", version},
                                       {"capabilities", json::object()},
                                       {"clientInfo", {{"name", "test"}, {"version", "1"}}}}));
  }

  TemporaryFolder folder;
  std::optional<ServeProgram> server;
};

TEST_F(HttpMcp, GivesASessionThatLaterRequestsName) {
  for (const std::string version : {"2025-11-25", "2025-06-18", "2025-03-26"}) {
    const HttpAnswer hello = initialize(version);
    ASSERT_EQ(hello.status, 200) << hello.body;
    EXPECT_EQ(hello.json()["result"]["protocolVersion"], version);
    const Headers session = {{"Mcp-Session-Id", hello.headers.at("mcp-session-id")},
                             {"MCP-Protocol-Version", version}};
    const json initialized = {{"jsonrpc", "2.0"}, {"method", "notifications/initialized"}};
    const HttpAnswer noted = post(initialized, session);
    EXPECT_EQ(noted.status, 202);
    EXPECT_EQ(noted.body, "");
    const HttpAnswer tools = post(request("tools/list"), session);
    ASSERT_EQ(tools.status, 200);
    EXPECT_GE(tools.json()["result"]["tools"].size(), 10U);
    // A wrong name is the call's affair, not the transport's.
    EXPECT_EQ(post(request("no/such"), session).json()["error"]["code"], -32601);
    EXPECT_EQ(post(request("no/such"), session).status, 200);
  }
}

TEST_F(HttpMcp, SessionsHaveIdsThatNobodyGuessesAndEndWhenAsked) {
  std::set<std::string> ids;
  for (int i = 0; i < 50; ++i) ids.insert(initialize().headers.at("mcp-session-id"));
  EXPECT_EQ(ids.size(), 50U);
  for (const std::string& id : ids) EXPECT_EQ(id.size(), 32U) << id;
  const Headers session = {{"Mcp-Session-Id", *ids.begin()}};
  EXPECT_EQ(post(request("ping"), session).status, 200);
  EXPECT_EQ(server->ask("DELETE", "/mcp", "", session).status, 204);
  EXPECT_EQ(post(request("ping"), session).status, 404);
  EXPECT_EQ(server->ask("DELETE", "/mcp", "", session).status, 404);
  EXPECT_EQ(post(request("ping"), {{"Mcp-Session-Id", *ids.rbegin()}}).status, 200);
}

TEST_F(HttpMcp, AnInitializeThatFailsGivesNoSession) {
  const HttpAnswer answer = post(request("initialize"));
  EXPECT_EQ(answer.json()["error"]["code"], -32602);
  EXPECT_EQ(answer.headers.count("mcp-session-id"), 0U);
}

TEST_F(HttpMcp, AnswersWithoutASessionByTheRevisionThatNeedsNone) {
  const HttpAnswer found = post_modern(modern("server/discover"));
  ASSERT_EQ(found.status, 200) << found.body;
  EXPECT_EQ(found.json()["result"]["resultType"], "complete");
  EXPECT_EQ(found.headers.count("mcp-session-id"), 0U);
  const json search = {{"name", "search"}, {"arguments", {{"query", "price_of"}}}};
  const HttpAnswer answer = post_modern(modern("tools/call", search), {{"Mcp-Name", "search"}});
  ASSERT_EQ(answer.status, 200) << answer.body;
  EXPECT_NE(answer.json()["result"]["content"][0]["text"].get<std::string>().find("workspace " +
                                                                                  std::string(folder.path())),
            std::string::npos);
}

TEST_F(HttpMcp, RefusesHeadersThatSayOtherThanTheBody) {
  const json call = modern("tools/call", {{"name", "index_status"}, {"arguments", json::object()}});
  const auto code = [&](const Headers& headers) {
    const HttpAnswer answer = post(call, headers);
    return answer.status == 400 ? answer.json()["error"]["code"].get<int>() : answer.status;
  };
  const Headers right = {
      {"MCP-Protocol-Version", "2026-07-28"}, {"Mcp-Method", "tools/call"}, {"Mcp-Name", "index_status"}};
  EXPECT_EQ(code(right), 200);
  for (const auto& [name, value] : right) {
    Headers without = right;
    without[name] = "";
    EXPECT_EQ(code(without), -32020) << name;
    without[name] = "2025-11-25";
    EXPECT_EQ(code(without), -32020) << name;
  }
  Headers encoded = right;
  encoded["Mcp-Name"] = "=?base64?aW5kZXhfc3RhdHVz?=";
  EXPECT_EQ(code(encoded), 200);
  encoded["Mcp-Name"] = "=?base64?!!!!?=";
  EXPECT_EQ(code(encoded), -32020);
}

TEST_F(HttpMcp, GivesTheFailuresOfTheProtocolTheirStatus) {
  EXPECT_EQ(post_modern(modern("no/such")).status, 404);
  EXPECT_EQ(post_modern(modern("no/such")).json()["error"]["code"], -32601);
  const HttpAnswer unknown =
      post(modern("ping", json::object(), "2031-01-01"), {{"MCP-Protocol-Version", "2031-01-01"}});
  EXPECT_EQ(unknown.status, 400);
  EXPECT_EQ(unknown.json()["error"]["code"], -32022);
  EXPECT_THAT(unknown.json()["error"]["data"]["supported"].dump(), HasSubstr("2026-07-28"));
  json bare = modern("tools/list");
  bare["params"]["_meta"].erase("io.modelcontextprotocol/clientCapabilities");
  EXPECT_EQ(post_modern(bare).status, 400);
  EXPECT_EQ(post_modern(bare).json()["error"]["code"], -32602);
  // What a method thinks of its parameters is an answer.
  const HttpAnswer wrong =
      post_modern(modern("tools/call", {{"name", "no_such"}}), {{"Mcp-Name", "no_such"}});
  EXPECT_EQ(wrong.status, 200);
  EXPECT_EQ(wrong.json()["error"]["code"], -32602);
}

// The messages of a stream of events.
std::vector<json> events_of(const std::string& stream) {
  std::vector<json> messages;
  size_t at = 0;
  while ((at = stream.find("data: ", at)) != std::string::npos) {
    const size_t end = stream.find('\n', at);
    messages.push_back(json::parse(stream.substr(at + 6, end - at - 6)));
    at = end;
  }
  return messages;
}

TEST_F(HttpMcp, TellsProgressInAStreamToWhoAskedForIt) {
  // Enough files that reading them takes a while.
  for (int i = 0; i < 300; ++i)
    folder.write(fmt::format("more/file_{}.py", i), fmt::format("def f_{}():\n    return {}\n", i, i));
  const json arguments = {{"task", "retry payments"}};
  const json params = {{"name", "pack"}, {"arguments", arguments}, {"_meta", {{"progressToken", "p"}}}};
  const HttpAnswer streamed = post_modern(modern("tools/call", params), {{"Mcp-Name", "pack"}});
  ASSERT_EQ(streamed.status, 200) << streamed.body;
  ASSERT_EQ(streamed.headers.at("content-type"), "text/event-stream");
  const auto messages = events_of(streamed.body);
  ASSERT_GE(messages.size(), 2U) << streamed.body;
  for (size_t i = 0; i + 1 < messages.size(); ++i) {
    EXPECT_EQ(messages[i]["method"], "notifications/progress");
    EXPECT_EQ(messages[i]["params"]["progressToken"], "p");
  }
  EXPECT_THAT(messages.back()["result"]["content"][0]["text"].get<std::string>(), HasSubstr("payment.py"));
  // Without a token, or by a client that takes no events, it is one answer.
  const HttpAnswer whole =
      post_modern(modern("tools/call", params), {{"Mcp-Name", "pack"}, {"Accept", "application/json"}});
  EXPECT_EQ(whole.headers.at("content-type"), "application/json");
  EXPECT_EQ(whole.json()["id"], 1);
}

TEST(McpHeaders, AreDecodedOnlyWhereTheySaySo) {
  EXPECT_EQ(serve::decode_header_value("plain"), "plain");
  EXPECT_EQ(serve::decode_header_value("=?base64?w6Q=?="), "\xc3\xa4");
  EXPECT_EQ(serve::decode_header_value("=?base64?YWI=?="), "ab");
  EXPECT_EQ(serve::decode_header_value("=?base64?"
                                       "?="),
            "");
  EXPECT_EQ(serve::decode_header_value("=?base64?="), "=?base64?=");
  EXPECT_EQ(serve::decode_header_value("=?base64?a?="), std::nullopt);
}

TEST(SessionTable, IsBoundedAndForgetsWhatNobodyUses) {
  using serve::SessionTable;
  const auto start = std::chrono::steady_clock::now();
  const auto at = [&](int minutes) { return start + std::chrono::minutes(minutes); };
  SessionTable table;
  const auto add = [&](int minutes) { return table.add(std::make_shared<serve::McpSession>(), at(minutes)); };
  const std::string first = add(0);
  const std::string second = add(1);
  EXPECT_NE(table.find(first, at(2)), nullptr);  // used after the second
  for (size_t i = 2; i < SessionTable::kMaxSessions + 1; ++i) add(3);
  EXPECT_EQ(table.size(), SessionTable::kMaxSessions);
  EXPECT_EQ(table.find(second, at(4)), nullptr);
  EXPECT_NE(table.find(first, at(4)), nullptr);
  const int later = 4 + 60 * static_cast<int>(SessionTable::kMaxIdle.count());
  EXPECT_NE(table.find(first, at(later)), nullptr);
  add(later + 1);
  EXPECT_EQ(table.size(), 2U);
  EXPECT_TRUE(table.end(first));
  EXPECT_FALSE(table.end(first));
  EXPECT_EQ(table.find("", at(later)), nullptr);
}

TEST(SessionTable, EndingASessionStopsWhatItWaitsFor) {
  serve::SessionTable table;
  const auto session = std::make_shared<serve::McpSession>();
  const std::string id = table.add(session, std::chrono::steady_clock::now());
  const auto stop = session->begin(7);
  ASSERT_TRUE(stop);
  EXPECT_FALSE(stop->stop_requested());
  EXPECT_TRUE(table.end(id));
  EXPECT_TRUE(stop->stop_requested());
}

}  // namespace
}  // namespace knapsack::testing
