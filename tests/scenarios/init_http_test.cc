// `knapsack init --url`: clients that ask a running server, with its token where they read it and nowhere else.
#include <sys/stat.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

#include "serve/support_http.h"
#include "support/support.h"

namespace knapsack {
namespace {

using namespace knapsack::testing;
using nlohmann::json;
using ::testing::HasSubstr;
using ::testing::Not;

class InitHttp : public ::testing::Test {
 protected:
  InitHttp()
      : server_(workspace_.path(), {kOwnToken},
                {{"HOME", home_.path()}, {"XDG_STATE_HOME", home_.file(".local/state")}}) {}

  ProgramResult init(std::vector<std::string> more) const {
    more.insert(more.begin(), "init");
    return run_program(more, workspace_.path(),
                       {{"HOME", home_.path()}, {"XDG_STATE_HOME", home_.file(".local/state")}});
  }
  std::string url() const { return "http://127.0.0.1:" + std::to_string(server_.port()); }
  std::string token() const {
    std::string text = home_.read(".local/state/knapsack/token");
    while (!text.empty() && text.back() == '\n') text.pop_back();
    return text;
  }
  int mode_of(const std::string& name) const {
    struct stat status {};
    EXPECT_EQ(::stat(home_.file(name).c_str(), &status), 0) << name;
    return static_cast<int>(status.st_mode & 0777U);
  }
  // What the server says to a client that begins, with these headers.
  int greeted_with(const std::map<std::string, std::string>& headers) const {
    std::map<std::string, std::string> all = {{"Accept", "application/json, text/event-stream"}};
    all.insert(headers.begin(), headers.end());
    const json hello = {{"jsonrpc", "2.0"},
                        {"id", 1},
                        {"method", "initialize"},
                        {"params",
                         {{"protocolVersion", "2025-06-18"},
                          {"capabilities", json::object()},
                          {"clientInfo", {{"name", "t"}, {"version", "1"}}}}}};
    return server_.ask("POST", "/mcp", hello.dump(), all).status;
  }
  static bool holds(const std::filesystem::path& folder, const std::string& text) {
    for (const auto& entry : std::filesystem::recursive_directory_iterator(folder)) {
      std::ifstream file(entry.path(), std::ios::binary);
      std::stringstream bytes;
      bytes << file.rdbuf();
      if (bytes.str().find(text) != std::string::npos) return true;
    }
    return false;
  }

  TemporaryFolder home_;
  TemporaryFolder workspace_;
  ServeProgram server_;
};

struct Place {
  const char* client;
  const char* file;
  std::vector<const char*> path;  // of the entry
};
const std::vector<Place> kPlaces = {{"claude-code", ".claude.json", {"mcpServers", "knapsack"}},
                                    {"cursor", ".cursor/mcp.json", {"mcpServers", "knapsack"}},
                                    {"vscode", ".config/Code/User/mcp.json", {"servers", "knapsack"}},
                                    {"opencode", ".config/opencode/opencode.json", {"mcp", "knapsack"}}};

TEST_F(InitHttp, WritesTheTokenWhereEachClientReadsItForItsOwnerAlone) {
  home_.write(".cursor/mcp.json", "{\n  \"mcpServers\": {\"other\": {\"command\": \"x\"}}\n}\n");
  ASSERT_EQ(::chmod(home_.file(".cursor/mcp.json").c_str(), 0644), 0);
  ASSERT_EQ(greeted_with({}), 401) << "the server asks for a token";
  const auto done = init({"--client", "all", "--user", "--url", url()});
  ASSERT_EQ(done.exit_code, 0) << done.err;
  ASSERT_EQ(token().size(), 64U);
  for (const Place& place : kPlaces) {
    SCOPED_TRACE(place.client);
    json entry = json::parse(home_.read(place.file), nullptr, false);
    for (const char* key : place.path) entry = entry.value(key, json());
    EXPECT_EQ(entry.value("url", ""), url() + "/mcp");
    EXPECT_EQ(greeted_with(entry["headers"].get<std::map<std::string, std::string>>()), 200);
    EXPECT_EQ(mode_of(place.file), 0600);
  }
  const std::string codex = home_.read(".codex/config.toml");
  EXPECT_THAT(codex, HasSubstr("url = \"" + url() + "/mcp\""));
  EXPECT_THAT(codex, HasSubstr("http_headers = { Authorization = \"Bearer " + token() + "\" }"));
  EXPECT_EQ(mode_of(".codex/config.toml"), 0600);
  EXPECT_THAT(done.out + done.err, Not(HasSubstr(token()))) << "it is not shown";
  EXPECT_FALSE(holds(workspace_.path(), token())) << "nor kept with the project";
  EXPECT_THAT(init({"--client", "all", "--user", "--url", url()}).out, HasSubstr("nothing to change"));
}

TEST_F(InitHttp, IsTakenBackToTheSameBytes) {
  const std::string before = "{\n  // mine\n  \"mcpServers\": {\"other\": {\"command\": \"x\"}},\n}\n";
  home_.write(".cursor/mcp.json", before);
  ASSERT_EQ(init({"--client", "all", "--user", "--url", url()}).exit_code, 0);
  EXPECT_THAT(home_.read(".cursor/mcp.json"), HasSubstr(token()));
  const auto undone = init({"--undo"});
  EXPECT_EQ(undone.exit_code, 0) << undone.err;
  EXPECT_THAT(undone.out, Not(HasSubstr(token())));
  EXPECT_EQ(home_.read(".cursor/mcp.json"), before);
  for (const char* name : {".claude.json", ".codex/config.toml", ".config/Code/User/mcp.json"})
    EXPECT_FALSE(home_.exists(name)) << name;
}

TEST_F(InitHttp, RefusesFilesOfTheProjectAndServersElsewhere) {
  const auto project = init({"--client", "cursor", "--url", url()});
  EXPECT_EQ(project.exit_code, 2);
  EXPECT_THAT(project.err, HasSubstr("a token must not be written into a project's files; give --user"));
  for (const char* elsewhere : {"http://example.org:7077/mcp", "http://127.0.0.1.example.org/mcp"}) {
    const auto refused = init({"--client", "cursor", "--user", "--url", elsewhere});
    EXPECT_EQ(refused.exit_code, 2);
    EXPECT_THAT(refused.err, HasSubstr("is not on this machine"));
  }
  EXPECT_EQ(init({"--client", "cursor", "--user", "--url", "no address"}).exit_code, 2);
  EXPECT_FALSE(home_.exists(".cursor/mcp.json"));
  const auto shown = init({"--client", "cursor", "--user", "--url", url(), "--dry-run"});
  EXPECT_EQ(shown.exit_code, 0) << shown.err;
  EXPECT_THAT(shown.out, HasSubstr("Bearer <token of knapsack serve>"));
  EXPECT_FALSE(home_.exists(".cursor/mcp.json"));
}

}  // namespace
}  // namespace knapsack
