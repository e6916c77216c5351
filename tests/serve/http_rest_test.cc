#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <csignal>
#include <filesystem>
#include <thread>

#include "serve/http/rest_routes.h"
#include "serve/support_http.h"
#include "serve/support_workspace.h"

namespace knapsack::testing {
namespace {

using nlohmann::json;
using std::chrono::seconds;
using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

constexpr auto kOwnerOnly = std::filesystem::perms(0600);

class Rest : public ::testing::Test {
 protected:
  Rest() {
    write_served_workspace(folder);
    server.emplace(folder.path());
  }

  TemporaryFolder folder;
  std::optional<ServeProgram> server;
};

TEST_F(Rest, AnswersWithTheContentOfEachTool) {
  const auto packed = server->ask("POST", "/v1/pack", R"({"task":"retry payments","max_tokens":4000})");
  ASSERT_EQ(packed.status, 200) << packed.body;
  EXPECT_EQ(packed.headers.at("content-type"), "application/json");
  EXPECT_EQ(packed.json()["workspace"], folder.path());
  EXPECT_THAT(packed.json()["text"].get<std::string>(), HasSubstr("payment.py"));
  EXPECT_THAT(packed.json()["text"].get<std::string>(), HasSubstr("Never lose an order"));

  const auto code = server->ask("POST", "/v1/retrieve", R"({"task":"where are payments retried?"})");
  ASSERT_EQ(code.status, 200) << code.body;
  EXPECT_THAT(code.json()["text"].get<std::string>(), HasSubstr("def retry"));
  EXPECT_FALSE(code.json()["task_id"].get<std::string>().empty());

  const auto found = server->ask("POST", "/v1/search", R"({"query":"price_of","sources":["code"]})");
  ASSERT_EQ(found.status, 200) << found.body;
  EXPECT_EQ(found.json()["results"][0]["source"], "code");

  const auto recalled = server->ask("POST", "/v1/recall", R"({"prompt":"what do I prefer?"})");
  EXPECT_EQ(recalled.status, 200) << recalled.body;
}

TEST_F(Rest, GivesTheAccountOfEveryRun) {
  EXPECT_EQ(server->ask("GET", "/v1/runs").json()["runs"], json::array());
  EXPECT_EQ(server->ask("GET", "/v1/runs/latest").status, 404);
  const std::string run =
      server->ask("POST", "/v1/pack", R"({"task":"retry payments"})").json()["run"].get<std::string>();
  server->ask("POST", "/v1/retrieve", R"({"task":"retry payments"})");
  const json runs = server->ask("GET", "/v1/runs").json()["runs"];
  ASSERT_EQ(runs.size(), 2U);
  EXPECT_EQ(runs[1]["run"], run);
  EXPECT_EQ(runs[1]["command"], "pack");
  EXPECT_EQ(server->ask("GET", "/v1/runs?limit=1").json()["runs"].size(), 1U);
  const auto account = server->ask("GET", "/v1/runs/" + run);
  ASSERT_EQ(account.status, 200) << account.body;
  EXPECT_EQ(account.json()["run"]["run"], run);
  EXPECT_EQ(account.json()["run"]["request"]["task"], "retry payments");
  bool payment = false;
  const json decisions = account.json()["decisions"];
  for (const json& row : decisions) {
    payment = payment ||
              (row["included"] == true && row["id"].get<std::string>().find("payment") != std::string::npos);
  }
  EXPECT_TRUE(payment) << account.body;
}

TEST_F(Rest, AWrongArgumentIsToldApartFromWhatToDoAboutIt) {
  const json error = server->ask("POST", "/v1/search", R"({"query":"x","limt":3})").json()["error"];
  EXPECT_EQ(error["message"], "search has no argument 'limt'");
  EXPECT_THAT(error["next"].get<std::string>(), StartsWith("did you mean limit?"));
}

TEST_F(Rest, AnswersWhatItIsAskedByHead) {
  const auto answer = server->ask("GET", "/healthz");
  EXPECT_EQ(answer.json()["status"], "ok");
  HttpClient client(server->port());
  client.send(http_request(server->port(), "HEAD", "/healthz") +
              http_request(server->port(), "GET", "/healthz"));
  // No body follows: where a reader expects it, the next answer begins.
  const HttpAnswer head = client.read();
  EXPECT_EQ(head.headers.at("content-length"), answer.headers.at("content-length"));
  EXPECT_EQ(head.body.substr(0, 15), "HTTP/1.1 200 OK");
}

TEST_F(Rest, SendsNoHeaderThatInvitesOtherSitesOrCaches) {
  for (const std::string origin : {"", "http://localhost:3000"}) {
    const auto answer = server->ask("GET", "/healthz", "", {{"Origin", origin}});
    ASSERT_EQ(answer.status, 200);
    EXPECT_THAT(answer.raw, Not(HasSubstr("Access-Control")));
    EXPECT_EQ(answer.headers.at("cache-control"), "no-store");
    EXPECT_EQ(answer.headers.at("x-content-type-options"), "nosniff");
    EXPECT_EQ(answer.headers.at("cross-origin-resource-policy"), "same-origin");
  }
}

TEST_F(Rest, CountsRequestsByRouteAndStatus) {
  // On one connection a request is counted before the next one is read.
  HttpClient client(server->port());
  const auto ask = [&](const std::string& method, const std::string& path, const std::string& body = "") {
    client.send(http_request(server->port(), method, path, body));
    return client.read();
  };
  ask("POST", "/v1/search", R"({"query":"price"})");
  ask("POST", "/v1/search", R"({"query":"price"})");
  ask("POST", "/v1/search", "nonsense");
  ask("GET", "/secret/path/" + std::string(50, 'x'));
  const std::string text = ask("GET", "/metrics").body;
  EXPECT_THAT(text, HasSubstr("knapsack_http_requests_total{route=\"/v1/search\",status=\"200\"} 2\n"));
  EXPECT_THAT(text, HasSubstr("knapsack_http_requests_total{route=\"/v1/search\",status=\"400\"} 1\n"));
  EXPECT_THAT(text, HasSubstr("knapsack_http_requests_total{route=\"other\",status=\"404\"} 1\n"));
  EXPECT_THAT(text, HasSubstr("knapsack_http_rejected_total{reason=\"not_found\"} 1\n"));
  EXPECT_THAT(text, HasSubstr("knapsack_http_in_flight 1\n"));  // this one
  EXPECT_THAT(text, Not(HasSubstr("secret")));
  const std::string memory = "\nprocess_resident_memory_bytes ";
  ASSERT_THAT(text, HasSubstr(memory));
  EXPECT_GT(std::strtoull(text.c_str() + text.find(memory) + memory.size(), nullptr, 10), 1'000'000U);
}

TEST_F(Rest, DescribesExactlyTheRoutesThatItHas) {
  const auto answer = server->ask("GET", "/openapi.json");
  ASSERT_EQ(answer.status, 200);
  const json document = answer.json();
  EXPECT_EQ(document["openapi"], "3.1.0");
  std::set<std::string> described, served;
  for (const auto& [path, operations] : document["paths"].items()) {
    for (const auto& [method, operation] : operations.items()) described.insert(method + " " + path);
  }
  for (const serve::Route& route : serve::routes()) {
    std::string method(route.method);
    for (char& c : method) c = static_cast<char>(std::tolower(c));
    served.insert(fmt::format("{} {}", method, route.path));
  }
  EXPECT_EQ(described, served);
}

TEST_F(Rest, StopsInOrderWhenItIsTold) {
  for (const int signal : {SIGTERM, SIGINT}) {
    ServeProgram program(folder.path());
    HttpClient idle(program.port());
    idle.send(http_request(program.port(), "GET", "/healthz"));
    EXPECT_EQ(idle.read().status, 200);
    program.signal(signal);
    EXPECT_EQ(program.exit_code(), 0) << program.said();
    EXPECT_THAT(program.said(), HasSubstr("stopped"));
  }
}

TEST_F(Rest, FinishesACallThatIsInFlightWhenItIsTold) {
  ServeProgram program(folder.path());
  HttpClient client(program.port());
  client.send(http_request(program.port(), "POST", "/v1/pack", R"({"task":"retry payments"})"));
  // Not before it was read: from then on it is in flight.
  while (program.ask("GET", "/metrics").body.find("in_flight 2") == std::string::npos) {
    if (program.ask("GET", "/metrics").body.find("route=\"/v1/pack\",status=\"200\"") != std::string::npos)
      break;
  }
  program.signal(SIGTERM);
  EXPECT_EQ(client.read().status, 200);
  EXPECT_EQ(program.exit_code(), 0);
}

TEST(ServeProgramUsage, SaysWhatIsWrongInOneLine) {
  const TemporaryFolder folder;
  write_served_workspace(folder);
  folder.write("token", "0123456789abcdef0123456789abcdef\n");
  folder.write("short", "secret\n");
  for (const char* name : {"token", "short"}) std::filesystem::permissions(folder.file(name), kOwnerOnly);
  folder.write("open", "0123456789abcdef0123456789abcdef\n");
  std::filesystem::permissions(folder.file("open"), std::filesystem::perms(0644));
  const auto refused = [&](std::vector<std::string> arguments, int code, const std::string& says) {
    arguments.insert(arguments.begin(), "serve");
    const ProgramResult result = run_program(arguments, folder.path());
    EXPECT_EQ(result.exit_code, code) << result.err;
    EXPECT_EQ(result.out, "");
    EXPECT_THAT(result.err, HasSubstr(says));
    EXPECT_THAT(result.err, Not(HasSubstr("secret")));
    EXPECT_EQ(std::count(result.err.begin(), result.err.end(), '\n'), 1) << result.err;
  };
  refused({"--bind", "0.0.0.0"}, 2, "--token-file");
  refused({"--bind", "::"}, 2, "--token-file");
  refused({"--bind", "192.0.2.1", "--token-file", "short"}, 2, "at least 16");
  refused({"--bind", "192.0.2.1", "--token-file", "nowhere"}, 1, "nowhere");
  refused({"--bind", "192.0.2.1", "--token-file", "token"}, 1, "cannot listen");
  refused({"--token-file", "open"}, 2, "chmod 600 open");
  refused({"--token-file", "token", "--no-token"}, 2, "--no-token");
  refused({"--bind", "0.0.0.0", "--no-token"}, 2, "no token is set");
  refused({"--bind", "example.com"}, 2, "not an address");
  refused({"--port", "70000"}, 2, "port");
  refused({"--port", "-1"}, 2, "port");
  refused({"--workspace", folder.file("nowhere")}, 2, "nowhere");
  const ServeProgram first(folder.path());
  refused({"--port", std::to_string(first.port())}, 1, "is taken");
}

TEST(ServeProgramUsage, WithATokenItListensWhereOthersReachIt) {
  const TemporaryFolder folder;
  write_served_workspace(folder);
  folder.write("token", "0123456789abcdef0123456789abcdef\n");
  std::filesystem::permissions(folder.file("token"), kOwnerOnly);
  const ServeProgram server(folder.path(),
                            {"--bind", "0.0.0.0", "--token-file", "token", "--allow-host", "build-box"});
  const std::map<std::string, std::string> right = {
      {"Authorization", "Bearer 0123456789abcdef0123456789abcdef"}};
  EXPECT_EQ(server.ask("GET", "/v1/runs").status, 401);
  EXPECT_EQ(server.ask("GET", "/v1/runs", "", right).status, 200);
  auto by_name = right;
  by_name["Host"] = "build-box:443";
  EXPECT_EQ(server.ask("GET", "/v1/runs", "", by_name).status, 200);
  by_name["Host"] = "other-box:443";
  EXPECT_EQ(server.ask("GET", "/v1/runs", "", by_name).status, 421);
}

TEST(ServeProgramUsage, MakesATokenOnceAndAsksForItOnThisMachineToo) {
  const TemporaryFolder folder, state;
  write_served_workspace(folder);
  const std::map<std::string, std::string> environment = {{"XDG_STATE_HOME", state.path()}};
  std::string token;
  {
    const ServeProgram first(folder.path(), {kOwnToken}, environment);
    token = state.read("knapsack/token").substr(0, 64);
    EXPECT_THAT(first.said(), HasSubstr("Bearer " + token)) << "said when it is made";
    EXPECT_EQ(std::filesystem::status(state.file("knapsack/token")).permissions(), kOwnerOnly);
    EXPECT_EQ(first.ask("GET", "/v1/runs").status, 401);
    EXPECT_EQ(first.ask("GET", "/v1/runs", "", {{"Authorization", "Bearer " + token}}).status, 200);
  }
  const ServeProgram second(folder.path(), {kOwnToken}, environment);
  EXPECT_THAT(second.said(), AllOf(HasSubstr(state.file("knapsack/token")), Not(HasSubstr(token))));
  EXPECT_EQ(second.ask("GET", "/v1/runs", "", {{"Authorization", "Bearer " + token}}).status, 200);
}

TEST(ServeProgramUsage, TakesNoTokenThatAWorkspaceBrings) {
  const TemporaryFolder folder;
  write_served_workspace(folder);
  const std::string brought = "0123456789abcdef0123456789abcdef";
  folder.write(".local/state/knapsack/token", brought + "\n");
  std::filesystem::permissions(folder.file(".local/state/knapsack/token"), kOwnerOnly);
  const ServeProgram server(folder.path(), {kOwnToken});  // whose home folder is the workspace
  EXPECT_EQ(server.ask("GET", "/v1/runs", "", {{"Authorization", "Bearer " + brought}}).status, 401);
}

}  // namespace
}  // namespace knapsack::testing
