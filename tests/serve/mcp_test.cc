#include "serve/mcp/mcp.h"

#include <fcntl.h>
#include <poll.h>
#include <unistd.h>

#include <filesystem>
#include <thread>

#include "serve/mcp/mcp_stdio.h"
#include "serve/support_service.h"
#include "store/ledger/ledger.h"
#include "text/tokens/token_counter.h"

namespace knapsack::serve {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using testing::ServedWorkspace;

const Json kModern = {{"io.modelcontextprotocol/protocolVersion", "2026-07-28"},
                      {"io.modelcontextprotocol/clientCapabilities", Json::object()}};

class McpTest : public ::testing::Test {
 protected:
  static std::string request(const std::string& method, const Json& params, const Json& id = 1) {
    return Json{{"jsonrpc", "2.0"}, {"id", id}, {"method", method}, {"params", params}}.dump();
  }
  static std::string modern(const std::string& method, Json params = Json::object()) {
    params["_meta"] = kModern;
    return request(method, params);
  }
  // Null for no answer.
  Json ask(const std::string& message) {
    const auto answer = mcp_.answer(message, session_, exchange_);
    return answer ? Json::parse(*answer) : Json();
  }
  Json initialize(const std::string& version) {
    return ask(request("initialize", {{"protocolVersion", version},
                                      {"capabilities", Json::object()},
                                      {"clientInfo", {{"name", "test"}, {"version", "1"}}}}));
  }

  ServedWorkspace served_;
  Mcp mcp_{served_.service()};
  McpSession session_;
  std::vector<std::string> sent_;
  Exchange exchange_{[this](const std::string& message) { sent_.push_back(message); }, {}};
};

TEST_F(McpTest, InitializeGivesTheVersionThatWasAskedForOrTheNewestOfSessions) {
  for (const auto& [asked, given] : std::map<std::string, std::string>{{"2025-03-26", "2025-03-26"},
                                                                       {"2025-06-18", "2025-06-18"},
                                                                       {"2025-11-25", "2025-11-25"},
                                                                       {"2024-11-05", "2025-11-25"},
                                                                       {"2026-07-28", "2025-11-25"}}) {
    McpSession session;
    const auto answer =
        mcp_.answer(request("initialize", {{"protocolVersion", asked},
                                           {"capabilities", Json::object()},
                                           {"clientInfo", {{"name", "x"}, {"version", "1"}}}}),
                    session, exchange_);
    const Json result = Json::parse(*answer).at("result");
    EXPECT_EQ(result.at("protocolVersion"), given) << asked;
    EXPECT_EQ(session.version(), given);
    EXPECT_FALSE(result.contains("resultType"));
  }
}

TEST_F(McpTest, NothingButAPingIsAnsweredBeforeInitialize) {
  EXPECT_EQ(ask(request("tools/list", Json::object())).at("error").at("code"), -32600);
  EXPECT_TRUE(ask(request("ping", Json::object())).contains("result"));
  initialize("2025-11-25");
  EXPECT_TRUE(ask(request("tools/list", Json::object())).contains("result"));
}

TEST_F(McpTest, ARequestThatNamesItsVersionNeedsNoSession) {
  const Json discovered = ask(modern("server/discover")).at("result");
  EXPECT_EQ(discovered.at("supportedVersions").at(0), "2026-07-28");
  EXPECT_EQ(discovered.at("resultType"), "complete");
  EXPECT_EQ(discovered.at("_meta").at("io.modelcontextprotocol/serverInfo").at("name"), "knapsack");
  for (const char* list : {"tools/list", "prompts/list", "resources/list", "resources/templates/list"}) {
    const Json result = ask(modern(list)).at("result");
    EXPECT_TRUE(result.at("ttlMs").is_number_unsigned()) << list;
    EXPECT_TRUE(result.contains("cacheScope")) << list;
  }
  EXPECT_TRUE(session_.version().empty());
}

TEST_F(McpTest, AnUnknownModernVersionIsToldWhichThereAre) {
  Json meta = kModern;
  meta["io.modelcontextprotocol/protocolVersion"] = "2027-01-01";
  const Json error = ask(request("tools/list", {{"_meta", meta}})).at("error");
  EXPECT_EQ(error.at("code"), -32022);
  EXPECT_EQ(error.at("data").at("requested"), "2027-01-01");
  EXPECT_EQ(error.at("data").at("supported"),
            Json::array({"2026-07-28", "2025-11-25", "2025-06-18", "2025-03-26"}));
}

TEST_F(McpTest, TheListOfToolsIsShort) {
  const Json result = ask(modern("tools/list")).at("result");
  const Json& tools = result.at("tools");
  ASSERT_EQ(tools.size(), 18U);
  const uint64_t tokens = (*find_token_counter("o200k"))->count(result.dump());
  EXPECT_LT(tokens, 3000U);
  RecordProperty("tokens", static_cast<int>(tokens));
  for (const Json& tool : tools) EXPECT_LT(tool.dump().size(), 2048U) << tool.at("name");
}

TEST_F(McpTest, ATextIsSentOnceAndFillsWhatItMayTake) {
  initialize("2025-06-18");
  size_t described = 0;
  const Json listed = ask(request("tools/list", Json::object()));
  for (const Json& tool : listed.at("result").at("tools")) {
    EXPECT_FALSE(tool.contains("outputSchema"));
    described += tool.at("description").get<std::string>().size();
  }
  EXPECT_LE(described, 6000U);
  const Json arguments = {{"task", "resume an interrupted import"}, {"fill", true}, {"max_tokens", 1500}};
  const Json result = ask(request("tools/call", {{"name", "pack"}, {"arguments", arguments}})).at("result");
  EXPECT_FALSE(result.contains("structuredContent"));
  const auto counter = *find_token_counter("o200k");
  EXPECT_LE(counter->count(result.dump()), 1500U);
  EXPECT_GE(counter->count(result.at("content").at(0).at("text").get<std::string>()), 1250U);
}

TEST_F(McpTest, ACancelledRequestIsNeverAnswered) {
  initialize("2025-11-25");
  const std::string slow =
      request("tools/call", {{"name", "pack"}, {"arguments", {{"task", "import"}}}}, "a");
  const Mcp::Received received = mcp_.receive(slow, session_);
  EXPECT_TRUE(received.slow);
  const Json note = {
      {"jsonrpc", "2.0"}, {"method", "notifications/cancelled"}, {"params", {{"requestId", "a"}}}};
  EXPECT_TRUE(ask(note.dump()).is_null());
  EXPECT_EQ(mcp_.answer(received, session_, exchange_), std::nullopt);
  // Its id is free again.
  EXPECT_TRUE(ask(request("ping", Json::object(), "a")).contains("result"));
}

TEST_F(McpTest, APeerThatIsGoneGetsNoAnswer) {
  initialize("2025-11-25");
  std::stop_source gone;
  gone.request_stop();
  const auto answer =
      mcp_.answer(request("tools/list", Json::object()), session_, {exchange_.send, gone.get_token()});
  EXPECT_EQ(answer, std::nullopt);
}

TEST_F(McpTest, AnIdThatIsUnderWayIsRefusedWithoutDisturbingTheFirst) {
  initialize("2025-11-25");
  const std::string slow =
      request("tools/call", {{"name", "index_status"}, {"arguments", Json::object()}}, 5);
  const Mcp::Received first = mcp_.receive(slow, session_);
  const Json second = ask(slow);
  EXPECT_TRUE(second.at("id").is_null());
  EXPECT_EQ(second.at("error").at("code"), -32600);
  const auto answer = mcp_.answer(first, session_, exchange_);
  ASSERT_TRUE(answer);
  EXPECT_TRUE(Json::parse(*answer).contains("result"));
}

TEST_F(McpTest, ProgressIsToldToWhoAsksForItAndGrows) {
  initialize("2025-11-25");
  for (int i = 0; i < 50; ++i)
    served_.folder().write("src/more/m" + std::to_string(i) + ".py", "def f():\n    return 1\n");
  const Json refresh = {{"name", "index_status"}, {"arguments", {{"refresh", true}}}};
  Json told = refresh;
  told["_meta"] = {{"progressToken", "p"}};
  EXPECT_TRUE(ask(request("tools/call", told)).contains("result"));
  ASSERT_FALSE(sent_.empty());
  double last = -1;
  for (const std::string& message : sent_) {
    const Json note = Json::parse(message);
    EXPECT_EQ(note.at("method"), "notifications/progress");
    EXPECT_EQ(note.at("params").at("progressToken"), "p");
    EXPECT_GT(note.at("params").at("progress").get<double>(), last);
    last = note.at("params").at("progress").get<double>();
  }
  sent_.clear();
  EXPECT_TRUE(ask(request("tools/call", refresh)).contains("result"));
  EXPECT_TRUE(sent_.empty());
}

TEST_F(McpTest, BatchesBelongToTheFirstRevision) {
  const std::string batch =
      "[" + request("ping", Json::object(), 1) + "," + request("ping", Json::object(), 2) + "]";
  initialize("2025-06-18");
  EXPECT_EQ(ask(batch).at("error").at("code"), -32600);
  McpSession first;
  first.start("2025-03-26");
  const auto answers = mcp_.answer(batch, first, exchange_);
  ASSERT_TRUE(answers);
  const Json list = Json::parse(*answers);
  ASSERT_EQ(list.size(), 2U);
  EXPECT_EQ(list.at(0).at("id"), 1);
  EXPECT_EQ(list.at(1).at("id"), 2);
}

TEST_F(McpTest, ThePromptIsThePackedContextWithinItsTokens) {
  initialize("2025-11-25");
  const Json asked = {{"name", "start_task"},
                      {"arguments", {{"task", "resume imports"}, {"max_tokens", "900"}}}};
  const Json result = ask(request("prompts/get", asked)).at("result");
  EXPECT_LE((*find_token_counter("o200k"))->count(result.dump()), 900U);
  EXPECT_THAT(result.at("messages").at(0).at("content").at("text").get<std::string>(),
              HasSubstr("resume imports\n\nWhat this workspace knows"));
}

TEST_F(McpTest, OnlyListedNotesAreResources) {
  initialize("2025-11-25");
  const Json listed = ask(request("resources/list", Json::object())).at("result").at("resources");
  std::vector<std::string> uris;
  for (const Json& each : listed) uris.push_back(each.at("uri"));
  EXPECT_THAT(uris, ElementsAre("knapsack://notes/CONSTITUTION.md", "knapsack://notes/TASKS.md",
                                "knapsack://notes/CONVENTIONS.md", "knapsack://notes/DECISIONS.md",
                                "knapsack://notes/LEARNINGS.md"));
  for (const char* uri : {"knapsack://notes/../knapsack.toml", "knapsack://notes/", "knapsack://run/",
                          "knapsack://run/latest", "file:///etc/passwd", ""}) {
    const Json error = ask(request("resources/read", {{"uri", uri}})).at("error");
    EXPECT_EQ(error.at("code"), -32602) << uri;
    EXPECT_EQ(error.at("data").at("uri"), uri);
  }
}

struct OwnPipe {
  OwnPipe() { EXPECT_EQ(::pipe2(ends, O_CLOEXEC), 0); }
  OwnPipe(const OwnPipe&) = delete;
  OwnPipe& operator=(const OwnPipe&) = delete;
  ~OwnPipe() {
    for (const int end : ends) ::close(end);
  }
  void send(const std::string& text) const {
    EXPECT_EQ(::write(ends[1], text.data(), text.size()), static_cast<ssize_t>(text.size()));
  }
  int ends[2] = {-1, -1};
};

TEST_F(McpTest, EndsWhenToldToThoughNobodyReads) {
  const OwnPipe input, output, stop;
  // One page, so that it is full as soon as anything is in it.
  ASSERT_GE(::fcntl(output.ends[1], F_SETPIPE_SZ, 4096), 4096);
  StdioOptions options;
  options.input = input.ends[0];
  options.output = output.ends[1];
  options.stop = stop.ends[0];
  std::thread server([&] { EXPECT_OK(serve_stdio(mcp_, options)); });
  input.send(modern("tools/list") + "\n");
  pollfd answered{output.ends[0], POLLIN, 0};
  EXPECT_EQ(::poll(&answered, 1, -1), 1);
  stop.send("x");
  server.join();
}

TEST_F(McpTest, ARunWhoseRequestIsOfAnotherShapeIsListed) {
  const std::string state = served_.folder().path() + "/.knapsack";
  std::filesystem::create_directories(state);
  {
    const auto files = make_disk_file_system();
    const SystemClock clock;
    const auto ledger = open_ledger(state, *files, clock);
    ASSERT_OK(ledger);
    RunRecord run;
    run.run_id = "0123abcd";
    run.command = "pack";
    run.request_json = R"({"format":1})";
    run.config_json = run.timings_json = "{}";
    run.warnings_json = "[]";
    ASSERT_OK((*ledger)->append_run(run, {}, {}, "a packet"));
  }
  initialize("2025-11-25");
  const Json listed = ask(request("resources/list", Json::object())).at("result").at("resources");
  const Json& last = listed.at(listed.size() - 1);
  EXPECT_EQ(last.at("uri"), "knapsack://run/0123abcd") << listed;
  EXPECT_EQ(last.at("mimeType"), "text/markdown");
}

}  // namespace
}  // namespace knapsack::serve
