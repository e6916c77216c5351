// `knapsack init`: odd files that people have, and everything that must be true of them afterwards.
#include <sys/stat.h>
#include <unistd.h>

#include <csignal>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "scenarios/support_index_program.h"
#include "support/support.h"

namespace knapsack {
namespace {

using namespace knapsack::testing;
using ::testing::HasSubstr;
using ::testing::Not;

struct JsonTarget {
  const char* file;
  const char* key;  // of the object that gets the entry
};
const JsonTarget kJsonTargets[] = {{".mcp.json", "mcpServers"},
                                   {".claude/settings.json", "hooks"},
                                   {".cursor/mcp.json", "mcpServers"},
                                   {".vscode/mcp.json", "servers"},
                                   {"opencode.json", "mcp"}};

// KEY stands for the name of the object that gets an entry.
const std::vector<std::string>& odd_json_files() {
  static const std::vector<std::string> kFiles = {
      "",
      "\n\n",
      "\xEF\xBB\xBF",
      "// nothing yet\n",
      "/* nothing */",
      "{}",
      "{}\n",
      "{ }",
      "{\n}\n",
      "{\n\n\n}",
      "{ // a comment\n}\n",
      "{\n  // a comment\n}\n",
      "\xEF\xBB\xBF{\r\n}\r\n",
      "{\"KEY\":{}}",
      "{\"KEY\": {}}\n",
      "{\n  \"KEY\": {}\n}\n",
      "{\n  \"KEY\": {\n  }\n}\n",
      "{\n\t\"KEY\": {\n\t\t\"Other\": {\"command\": \"x\"}\n\t}\n}\n",
      "{\r\n    \"KEY\": {\r\n        \"Other\": {}\r\n    }\r\n}\r\n",
      "{\"a\":1,\"KEY\":{\"Other\":{\"command\":\"x\",\"args\":[\"{\",\"//\"]}},\"b\":[1,2]}",
      "{\n  \"KEY\": {\n    \"Other\": {}, // the last one\n  },\n}\n",
      "{\n  \"KEY\": {\n    \"Other\": {} // the last one\n    // \"knapsack\": {}\n  } /* end */\n}\n// bye",
      "{\n  \"KEY\": { \"Other\": {} },\n  \"z\": 1\n}\n",
      "{\n      \"z\": 1 }",
      "{\n \"z\"\n : \n1\n , \n}",
      "  {\"z\": \"\\u0000 \\\" } , KEY\"}  ",
      "{\n  \"русский\": \"текст 🎒\",\n  \"KEY\": {\n    \"Другой\": {}\n  }\n}",
      "{\n  \"KEY\": {\n    \"Other\": {\n      \"env\": {\n        \"A\": \"1\"\n      }\n    }\n  "
      "}\n}\n\n\n",
      "{\n  \"KEY\": {},\n  \"KEY\": {\n    \"Other\": {}\n  }\n}\n",
      "/* head\n * more\n */\n{\n   \"$schema\": \"x\", /* a */ \"KEY\" /* b */ : /* c */ { /* d */ } /* e "
      "*/\n}\n",
      "{\n  \"KEY\": {\n    \"knapsack-old\": {},\n    \"knapsac\": {}\n  }\n}\n",
  };
  return kFiles;
}

const std::vector<std::string>& odd_toml_files() {
  static const std::vector<std::string> kFiles = {
      "",
      "\n",
      "# nothing yet",
      "model = \"gpt-5\"",
      "model = \"gpt-5\"\n",
      "model = \"gpt-5\"\r\n[mcp_servers.other]\r\ncommand = \"x\"\r\n",
      "\xEF\xBB\xBFmodel = 'a'\n",
      "[mcp_servers]\n[mcp_servers.other]\ncommand = \"x\"\nargs = [\n  \"[mcp_servers.knapsack]\",\n]\n",
      "[[profiles]]\nname = \"a\"\n\n[[profiles]]\nname = '''\n[mcp_servers.x]\n'''\n\n\n",
      "[mcp_servers.\"kn.apsack\"]\ncommand = 'y' # \"\n",
      "[other]\nmcp_servers = { knapsack = 1 }\n",
  };
  return kFiles;
}

std::string with_key(std::string text, const std::string& key) {
  for (size_t at = 0; (at = text.find("KEY", at)) != std::string::npos; at += key.size())
    text.replace(at, 3, key);
  return text;
}

// JavaScript reads comments and commas before a closing bracket, and is not ours. Several at once: starting
// it is dear.
std::vector<nlohmann::json> read_by_javascript(const std::vector<std::string>& texts) {
  static const std::string kScript =
      "const read = (text) => require('vm').runInNewContext('(' + text.replace(/^\\uFEFF/, '') + '\\n)');"
      "const texts = JSON.parse(require('fs').readFileSync(0, 'utf8'));"
      "process.stdout.write(JSON.stringify(texts.map(read)))";
  const auto result = run_command({"node", "-e", kScript}, "/", {}, nlohmann::json(texts).dump());
  EXPECT_EQ(result.exit_code, 0) << nlohmann::json(texts).dump(1) << result.err;
  const auto read = nlohmann::json::parse(result.out, nullptr, false);
  if (!read.is_array()) return std::vector<nlohmann::json>(texts.size());
  return {read.begin(), read.end()};
}

nlohmann::json read_by_python_toml(const std::string& text) {
  const auto result = run_command(
      {"python3", "-c",
       "import "
       "sys,tomllib,json;print(json.dumps(tomllib.loads(sys.stdin.buffer.read().decode('utf-8-sig'))))"},
      "/", {}, text);
  EXPECT_EQ(result.exit_code, 0) << text << result.err;
  return nlohmann::json::parse(result.out, nullptr, false);
}

// Every character of `part` is in `whole`, in this order.
bool is_subsequence(const std::string& part, const std::string& whole) {
  size_t at = 0;
  for (const char c : whole) at += at < part.size() && part[at] == c ? 1 : 0;
  return at == part.size();
}

class InitScenario : public ::testing::Test {
 protected:
  void SetUp() override { folder_.write(".git/HEAD", "ref: refs/heads/main\n"); }

  ProgramResult init(std::vector<std::string> arguments) const {
    arguments.insert(arguments.begin(), "init");
    return run_program(arguments, folder_.path());
  }
  // Every file of the workspace but our state.
  std::map<std::string, std::string> all_files() const {
    std::map<std::string, std::string> files;
    for (auto entry = std::filesystem::recursive_directory_iterator(folder_.path());
         entry != std::filesystem::recursive_directory_iterator(); ++entry) {
      const std::string name = std::filesystem::relative(entry->path(), folder_.path()).string();
      if (name == ".knapsack") {
        entry.disable_recursion_pending();
      } else {
        files[name] = entry->is_regular_file() ? folder_.read(name) : "";
      }
    }
    return files;
  }
  TemporaryFolder folder_;
};

TEST_F(InitScenario, OddJsonFilesKeepEveryByteAndGetTheirEntry) {
  for (const std::string& odd : odd_json_files()) {
    for (const JsonTarget& target : kJsonTargets) folder_.write(target.file, with_key(odd, target.key));
    const auto before = all_files();
    const auto first = init({"--client", "claude-code,cursor,vscode,opencode"});
    ASSERT_EQ(first.exit_code, 0) << odd << first.err;
    EXPECT_THAT(first.out, HasSubstr("+++ .mcp.json"));
    std::vector<std::string> texts;
    for (const JsonTarget& target : kJsonTargets) texts.push_back(folder_.read(target.file));
    const auto read = read_by_javascript(texts);
    for (size_t i = 0; i < texts.size(); ++i) {
      const JsonTarget& target = kJsonTargets[i];
      const std::string& after = texts[i];
      const nlohmann::json& json = read[i];
      EXPECT_TRUE(is_subsequence(with_key(odd, target.key), after)) << after;
      if (std::string_view(target.key) == "hooks") {
        EXPECT_THAT(json.at("hooks").at("SessionStart").dump(), HasSubstr("knapsack hook claude-code"))
            << after;
        EXPECT_THAT(json.at("hooks").at("UserPromptSubmit").dump(), HasSubstr("knapsack hook claude-code"))
            << after;
      } else {
        EXPECT_THAT(json.at(target.key).at("knapsack").at("command").dump(), HasSubstr("knapsack")) << after;
      }
      if (odd.find("\"Other\"") != std::string::npos) {
        EXPECT_TRUE(json.at(target.key).contains("Other")) << after;
      }
    }
    const auto written = all_files();
    const auto second = init({"--client", "claude-code,cursor,vscode,opencode"});
    EXPECT_EQ(second.exit_code, 0);
    EXPECT_THAT(second.out, HasSubstr("nothing to change\n"));
    EXPECT_EQ(all_files(), written) << odd;
    const auto undone = init({"--undo"});
    EXPECT_EQ(undone.exit_code, 0) << undone.err;
    EXPECT_EQ(all_files(), before) << odd;
  }
}

TEST_F(InitScenario, OddTomlFilesKeepEveryByteAndGetTheirTable) {
  for (const std::string& odd : odd_toml_files()) {
    folder_.write(".codex/config.toml", odd);
    const auto before = all_files();
    const auto first = init({"--client", "codex"});
    ASSERT_EQ(first.exit_code, 0) << odd << first.err;
    const std::string after = folder_.read(".codex/config.toml");
    EXPECT_TRUE(after.starts_with(odd)) << after;
    EXPECT_EQ(read_by_python_toml(after)["mcp_servers"]["knapsack"],
              (nlohmann::json{{"command", "knapsack"}, {"args", {"mcp"}}}));
    EXPECT_THAT(init({"--client", "codex"}).out, HasSubstr("nothing to change\n"));
    EXPECT_EQ(folder_.read(".codex/config.toml"), after);
    EXPECT_EQ(init({"--undo"}).exit_code, 0);
    EXPECT_EQ(all_files(), before) << odd;
  }
}

TEST_F(InitScenario, InAnEmptyWorkspaceFilesAndFoldersComeAndGo) {
  const auto before = all_files();
  const auto result = init({"--client", "all"});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  for (const char* name : {"knapsack.toml", ".mcp.json", ".claude/settings.json", ".cursor/mcp.json",
                           ".codex/config.toml", ".vscode/mcp.json", "opencode.json"})
    EXPECT_TRUE(folder_.exists(name)) << name;
  EXPECT_EQ(run_program({"config"}, folder_.path()).exit_code, 0)
      << "the settings that it wrote are settings";
  struct stat status {};
  ASSERT_EQ(::stat(folder_.file(".mcp.json").c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 0777, 0644U);
  EXPECT_EQ(init({"--undo"}).exit_code, 0);
  EXPECT_EQ(all_files(), before);
  EXPECT_THAT(init({"--undo"}).out, HasSubstr("nothing to undo"));
}

TEST_F(InitScenario, EverySettingThatTheNewFileShowsIsOneWithItsDefault) {
  ASSERT_EQ(init({"--client", "codex"}).exit_code, 0);
  std::string text = folder_.read("knapsack.toml"), enabled;
  for (size_t at = 0; at < text.size();) {
    const size_t end = text.find('\n', at);
    std::string line = text.substr(at, end - at);
    if (line.starts_with("# ") && line.find(" = ") != std::string::npos) line = line.substr(2);
    enabled += line + "\n";
    at = end + 1;
  }
  const std::string defaults = run_program({"config"}, folder_.path()).out;
  folder_.write("knapsack.toml", enabled);
  const auto shown = run_program({"config"}, folder_.path());
  EXPECT_EQ(shown.exit_code, 0) << shown.err;
  EXPECT_THAT(shown.out, HasSubstr("knapsack.toml"));
}

TEST_F(InitScenario, ADryRunWritesNothing) {
  folder_.write(".vscode/mcp.json", "{}");
  const auto before = all_files();
  const auto result = init({"--client", "all", "--dry-run"});
  EXPECT_EQ(result.exit_code, 0);
  EXPECT_THAT(result.out, HasSubstr("would create .mcp.json"));
  EXPECT_THAT(result.out, HasSubstr("would change .vscode/mcp.json"));
  EXPECT_THAT(result.out, HasSubstr("+    \"knapsack\": {"));
  EXPECT_EQ(all_files(), before);
  EXPECT_FALSE(folder_.exists(".knapsack"));
}

TEST_F(InitScenario, AFileThatCannotBeReadIsNamedAndNothingIsWritten) {
  const std::pair<const char*, const char*> cases[] = {
      {"{\n  \"servers\": {,}\n}", ".vscode/mcp.json:2:15: a name in quotes is expected here"},
      {"[]", ".vscode/mcp.json:1: the top level is not an object"},
      {"{\"servers\": []}", ".vscode/mcp.json:1: \"servers\" is not an object"},
      {"{\"a\": 1", ".vscode/mcp.json:1:8: "},
  };
  for (const auto& [bytes, says] : cases) {
    folder_.write(".vscode/mcp.json", bytes);
    const auto before = all_files();
    const auto result = init({"--client", "all"});
    EXPECT_EQ(result.exit_code, 2);
    EXPECT_EQ(result.out, "");
    EXPECT_THAT(result.err, HasSubstr(says));
    EXPECT_EQ(all_files(), before);
  }
  folder_.write(".vscode/mcp.json", "{}");
  folder_.write(".codex/config.toml", "a = \n");
  const auto before = all_files();
  EXPECT_THAT(init({"--client", "all"}).err, HasSubstr(".codex/config.toml:1: "));
  folder_.write(".codex/config.toml", "mcp_servers = { other = { command = 'x' } }\n");
  const auto inline_table = init({"--client", "codex"});
  EXPECT_EQ(inline_table.exit_code, 2);
  EXPECT_THAT(inline_table.err, HasSubstr("no table [mcp_servers.knapsack] can be added"));
  EXPECT_FALSE(folder_.exists("knapsack.toml"));
}

TEST_F(InitScenario, AnEntryThatWasEditedIsLeftAlone) {
  folder_.write(".mcp.json",
                R"({"mcpServers": {"knapsack": {"command": "/opt/knapsack", "args": ["mcp"]}}})");
  folder_.write(
      ".claude/settings.json",
      R"({"hooks": {"SessionStart": [{"hooks": [{"type": "command", "command": "knapsack hook claude-code --x"}]}]}})");
  const auto result = init({"--client", "claude-code"});
  EXPECT_EQ(result.exit_code, 0);
  EXPECT_THAT(result.out,
              HasSubstr("left alone .mcp.json: mcpServers.knapsack was there before and is left alone"));
  EXPECT_THAT(result.out, HasSubstr("changed .claude/settings.json: hooks.SessionStart was there before"));
  EXPECT_THAT(folder_.read(".mcp.json"), HasSubstr("/opt/knapsack"));
}

TEST_F(InitScenario, UndoTakesOutOnlyWhatIsStillAsItWasWritten) {
  folder_.write(".mcp.json", "{\n  \"mcpServers\": {\n    \"Other\": {}\n  }\n}\n");
  ASSERT_EQ(init({"--client", "claude-code,vscode,codex"}).exit_code, 0);
  // Somebody adds a server to each, and edits one of ours.
  std::string mcp = folder_.read(".mcp.json");
  mcp.replace(mcp.find("\"Other\": {}"), 11, "\"Third\": {},\n    \"Other\": {}");
  folder_.write(".mcp.json", mcp);
  std::string vscode = folder_.read(".vscode/mcp.json");
  vscode.replace(vscode.find("\"command\": \"knapsack\""), 21, "\"command\": \"knapsack2\"");
  folder_.write(".vscode/mcp.json", vscode);
  folder_.write(".codex/config.toml",
                folder_.read(".codex/config.toml") + "\n[mcp_servers.mine]\ncommand = \"x\"\n");
  const auto result = init({"--undo"});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_EQ(read_by_javascript({folder_.read(".mcp.json")}).front(),
            (nlohmann::json{
                {"mcpServers", {{"Third", nlohmann::json::object()}, {"Other", nlohmann::json::object()}}}}));
  EXPECT_EQ(folder_.read(".vscode/mcp.json"), vscode);
  EXPECT_THAT(result.out, HasSubstr("left alone .vscode/mcp.json: servers.knapsack was edited"));
  EXPECT_EQ(read_by_python_toml(folder_.read(".codex/config.toml")),
            (nlohmann::json{{"mcp_servers", {{"mine", {{"command", "x"}}}}}}));
  EXPECT_FALSE(folder_.exists(".claude/settings.json"));
}

TEST_F(InitScenario, UndoOfOneClientLeavesTheOthers) {
  ASSERT_EQ(init({"--client", "codex,vscode"}).exit_code, 0);
  ASSERT_EQ(init({"--undo", "--client", "vscode"}).exit_code, 0);
  EXPECT_FALSE(folder_.exists(".vscode"));
  EXPECT_TRUE(folder_.exists(".codex/config.toml"));
  ASSERT_EQ(init({"--undo"}).exit_code, 0);
  EXPECT_FALSE(folder_.exists(".codex"));
  EXPECT_FALSE(folder_.exists("knapsack.toml"));
}

TEST_F(InitScenario, ModeBitsStay) {
  folder_.write(".mcp.json", "{}");
  ASSERT_EQ(::chmod(folder_.file(".mcp.json").c_str(), 0664), 0);
  ASSERT_EQ(init({"--client", "claude-code"}).exit_code, 0);
  struct stat status {};
  ASSERT_EQ(::stat(folder_.file(".mcp.json").c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 0777, 0664U);
}

TEST_F(InitScenario, NoLinkLeadsOutOfTheWorkspace) {
  TemporaryFolder outside;
  outside.write("mcp.json", "{}");
  ASSERT_EQ(::symlink(outside.file("mcp.json").c_str(), folder_.file(".mcp.json").c_str()), 0);
  const auto file = init({"--client", "claude-code"});
  EXPECT_EQ(file.exit_code, 2);
  EXPECT_THAT(file.err, HasSubstr(".mcp.json is a link that leads elsewhere"));
  ASSERT_EQ(::symlink(outside.path().c_str(), folder_.file(".vscode").c_str()), 0);
  const auto through = init({"--client", "vscode"});
  EXPECT_EQ(through.exit_code, 2);
  EXPECT_THAT(through.err, HasSubstr("reached through a link that leads elsewhere"));
  EXPECT_EQ(outside.read("mcp.json"), "{}");
  // One that stays inside is followed, and stays a link.
  folder_.write("shared/mcp.json", "{}");
  std::filesystem::create_directory(folder_.file(".cursor"));
  ASSERT_EQ(::symlink("../shared/mcp.json", folder_.file(".cursor/mcp.json").c_str()), 0);
  ASSERT_EQ(init({"--client", "cursor"}).exit_code, 0);
  EXPECT_THAT(folder_.read("shared/mcp.json"), HasSubstr("knapsack"));
  EXPECT_TRUE(std::filesystem::is_symlink(folder_.file(".cursor/mcp.json")));
}

TEST_F(InitScenario, WithoutAClientThoseThatAreHereAreSetUp) {
  const auto none = init({});
  EXPECT_EQ(none.exit_code, 2);
  EXPECT_THAT(none.err, HasSubstr("claude-code, cursor, codex, vscode, opencode or all"));
  folder_.write(".vscode/settings.json", "{}");
  folder_.write("opencode.jsonc",
                "{\n  // mine\n  \"mcp\": {\n    \"servers\": {\n      \"a\": {}\n    }\n  }\n}\n");
  ASSERT_EQ(init({}).exit_code, 0);
  EXPECT_TRUE(folder_.exists(".vscode/mcp.json"));
  EXPECT_FALSE(folder_.exists("opencode.json"));
  EXPECT_FALSE(folder_.exists(".mcp.json"));
  EXPECT_TRUE(
      read_by_javascript({folder_.read("opencode.jsonc")}).front()["mcp"]["servers"].contains("knapsack"));
}

TEST_F(InitScenario, UnknownClientsAreRefusedWithTheNearestOne) {
  const auto result = init({"--client", "claude"});
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_THAT(result.err, HasSubstr("unknown client 'claude'; did you mean claude-code?"));
}

TEST_F(InitScenario, TheUsersOwnFilesAreWrittenOnlyWhenAskedFor) {
  TemporaryFolder home;
  home.write(".codex/config.toml", "model = \"m\"\n");
  const auto in_home = [&](std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), "init");
    return run_program(arguments, folder_.path(), {{"HOME", home.path()}});
  };
  ASSERT_EQ(in_home({"--client", "codex"}).exit_code, 0);
  EXPECT_EQ(home.read(".codex/config.toml"), "model = \"m\"\n");
  const auto user = in_home({"--client", "codex", "--user"});
  ASSERT_EQ(user.exit_code, 0) << user.err;
  EXPECT_THAT(user.out, HasSubstr("changed ~/.codex/config.toml"));
  EXPECT_THAT(home.read(".codex/config.toml"), HasSubstr("[mcp_servers.knapsack]"));
  EXPECT_EQ(in_home({"--client", "vscode", "--user"}).exit_code, 2);
  ASSERT_EQ(in_home({"--undo"}).exit_code, 0);
  EXPECT_EQ(home.read(".codex/config.toml"), "model = \"m\"\n");
}

TEST_F(InitScenario, ADamagedRecordIsSaidAndNothingIsTouched) {
  ASSERT_EQ(init({"--client", "codex"}).exit_code, 0);
  for (
      const char* record :
      {"{", "{\"format\": 9, \"files\": []}",
       R"({"format":1,"files":[{"in_home":false,"name":"../x","created":true,"before":"","after":"","steps":[],"folders":[]}]})",
       R"({"format":1,"files":[{"in_home":false,"name":"main.py","created":true,"before":"","after":"","steps":[],"folders":[]}]})",
       R"({"format":1,"files":[{"in_home":true,"name":".vscode/mcp.json","created":true,"before":"","after":"","steps":[],"folders":[]}]})",
       R"({"format":1,"files":[{"in_home":false,"name":".mcp.json","created":true,"before":"","after":"","steps":[],"folders":["src"]}]})"}) {
    folder_.write(".knapsack/init.json", record);
    const auto result = init({"--undo"});
    EXPECT_EQ(result.exit_code, 1);
    EXPECT_THAT(result.err, HasSubstr("init.json is not what `knapsack init` wrote"));
  }
  EXPECT_TRUE(folder_.exists(".codex/config.toml"));
}

TEST_F(InitScenario, KilledAtAnyMomentEachFileIsWholeAndUndoStillWorks) {
  std::map<std::string, std::string> before;
  for (const JsonTarget& target : kJsonTargets) folder_.write(target.file, "{\n  \"mine\": 1\n}\n");
  before = all_files();
  for (int delay_micros = 0; delay_micros < 60'000; delay_micros += 2000) {
    RunningProgram running({"init", "--client", "all"}, folder_.path());
    ::usleep(static_cast<useconds_t>(delay_micros));
    running.kill_now();
    running.finish();
    for (const JsonTarget& target : kJsonTargets) {
      const std::string text = folder_.read(target.file);
      if (text != before[target.file]) {
        EXPECT_FALSE(nlohmann::json::parse(text, nullptr, false).is_discarded()) << text;
        EXPECT_THAT(text, HasSubstr("knapsack"));
      }
    }
    ASSERT_EQ(init({"--undo"}).exit_code, 0);
    for (const JsonTarget& target : kJsonTargets) EXPECT_EQ(folder_.read(target.file), before[target.file]);
  }
}

}  // namespace
}  // namespace knapsack
