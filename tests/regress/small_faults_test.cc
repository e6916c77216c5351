// Faults that were found once, each as a person would meet it.
#include <fmt/format.h>
#include <sys/resource.h>

#include <atomic>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "code/walk/own_output.h"
#include "core/helper_threads.h"
#include "support/support.h"
#include "text/toml_depth.h"
#include "text/unicode/utf8.h"

namespace knapsack {
namespace {

namespace fs = std::filesystem;
using ::testing::AllOf;
using ::testing::HasSubstr;

// Nobody has it, so that nobody's processes count.
constexpr int kNobodysNumber = 64'123;
using ::testing::Not;

std::string dotted_key(size_t parts) {
  std::string key = "a";
  for (size_t i = 1; i < parts; ++i) key += ".a";
  return key;
}

TEST(TomlDepth, OfWhatPeopleWriteIsSmall) {
  EXPECT_FALSE(
      toml_nests_deeper_than("[notes]\nbudget = 6000 # a.b.c\n[a.b.c]\nx = [1.5, 2.5, {y = 1}]\n", 8));
  EXPECT_FALSE(toml_nests_deeper_than(
      fmt::format("x = '''\n{} = 1\n'''\ny = \"{}\"\n", dotted_key(99), dotted_key(99)), 8));
  std::string numbers = "x = [";
  for (int i = 0; i < 1000; ++i) numbers += "1.5,";
  EXPECT_FALSE(toml_nests_deeper_than(numbers + "]\n", 8));
}

TEST(TomlDepth, OfEveryBombIsSeen) {
  const std::string deep = dotted_key(100);
  for (const std::string& text :
       {deep + " = 1", "[" + deep + "]", "[[" + deep + "]]", "x = {" + deep + " = 1}",
        "x = {y=1, " + deep + " = 1}", std::string("x = ") + std::string(100, '['), "'\\'." + deep + " = 1",
        "\"\\\"\"." + deep + " = 1", "x = \"\"\"\"\"\"\n" + deep + " = 1", "x = ''''''\n" + deep + "=1",
        "# '''\n" + deep + " = 1", "[" + dotted_key(40) + "]\n" + dotted_key(40) + " = 1",
        "x = {" + dotted_key(40) + " = {" + dotted_key(40) + " = 1}}",
        "x = '" + std::string("'\n") + deep + " = 1", "a . " + deep + " = 1"}) {
    EXPECT_TRUE(toml_nests_deeper_than(text, 64)) << text.substr(0, 60);
  }
}

TEST(TomlDepth, LettersBeyondAsciiStandInQuotesAndComments) {
  for (const char* fine :
       {"\xEF\xBB\xBFx = 1\n", "x = \"\u00e9\" # \u0436\n", "'\u0436' = '''\n\u00e9'''\n", "x = 1\n"})
    EXPECT_EQ(toml_refusal(fine, 8), "") << fine;
  for (const char* odd :
       {"\u00e9 = 1\n", "a.a\u03d7.a = 1\n", "x = \u0436\n", "x = 1 \u00e9\n", "[\u00e9]\n"})
    EXPECT_EQ(toml_refusal(odd, 8), "line 1 has a non-ASCII character outside quotes") << odd;
  EXPECT_THAT(toml_refusal("a = 1\n\u00e9 = 1\n", 8), HasSubstr("line 2"));
}

TEST(TomlBombs, EndNoCommand) {
  const testing::TemporaryFolder folder;
  folder.write(".context/CONSTITUTION.md", "- [ ] A rule\n");
  for (const std::string& bomb :
       {dotted_key(20'000) + " = 1\n", "[" + dotted_key(20'000) + "]\n",
        "'\\'." + dotted_key(20'000) + " = 1\n", "x = " + std::string(20'000, '[') + "\n",
        "x = {" + dotted_key(20'000) + " = 1}\n"}) {
    folder.write("knapsack.toml", bomb);
    for (const auto& command :
         {std::vector<std::string>{"agent"}, {"config"}, {"pack", "a task"}, {"status"}}) {
      const auto result = testing::run_program(command, folder.path());
      EXPECT_EQ(result.exit_code, 2) << command.front() << result.err.substr(0, 200);
      EXPECT_THAT(result.err, HasSubstr("knapsack.toml"));
    }
    EXPECT_LT(testing::run_program({"doctor"}, folder.path()).exit_code, 128);
  }
}

TEST(TomlBombs, InTheFilesOfARepositoryCostThatFile) {
  const testing::TemporaryFolder folder;
  folder.write("Cargo.toml", "'\\'." + dotted_key(20'000) + " = 1\n");
  folder.write("src/lib.rs", "pub fn resume() {}\n");
  const auto result = testing::run_program({"index"}, folder.path());
  EXPECT_EQ(result.exit_code, 0) << result.err;
}

TEST(TomlBombs, InAClientsFileAreRefused) {
  for (const std::string& text :
       {std::string("[[mcp_servers]]\nname = \"other\"\n"),
        "mcp_servers = [{name = \"x\"}]\n" + std::string(), std::string("mcp_servers = 1\n"),
        dotted_key(20'000) + " = 1\n", "[[mcp_servers.knapsack]]\nx = 1\n" + std::string()}) {
    const testing::TemporaryFolder folder;
    folder.write(".codex/config.toml", text);
    const auto result = testing::run_program({"init", "--client", "codex"}, folder.path());
    EXPECT_LT(result.exit_code, 128) << text.substr(0, 60);
    EXPECT_THAT(result.out + result.err, HasSubstr(".codex/config.toml")) << text.substr(0, 60);
    EXPECT_EQ(folder.read(".codex/config.toml"), text) << "not a byte changed";
  }
}

TEST(NotesFolderOnDisk, OneBadLinkCostsNoRule) {
  const testing::TemporaryFolder folder;
  folder.write(".context/CONSTITUTION.md", "- [ ] Never lose a row\n");
  folder.write(".context/TASKS.md", "- [ ] Make the importer resume\n");
  fs::create_symlink("/etc/hostname", folder.file(".context/LEARNINGS.md"));
  for (const auto& command : {std::vector<std::string>{"agent"},
                              {"pack", "the importer"},
                              {"agent", "--format", "json"},
                              {"pack", "the importer", "--format", "prompt"},
                              {"pack", "the importer", "--format", "json"}}) {
    const auto result = testing::run_program(command, folder.path());
    EXPECT_EQ(result.exit_code, 0) << result.err;
    EXPECT_THAT(result.out, AllOf(HasSubstr("Never lose a row"),
                                  HasSubstr(".context/LEARNINGS.md is a symbolic link that "
                                            "leads out of the notes folder")));
  }
  EXPECT_THAT(testing::run_program({"agent"}, folder.path()).out, HasSubstr("## Not Read"));
}

// The program as somebody for whom the mode of `unread` holds: root, who reads everything, becomes somebody else.
testing::ProgramResult run_without_access_to(const std::string& unread, const std::string& arguments,
                                             const testing::TemporaryFolder& folder) {
  const std::string command = fmt::format("exec ./knapsack-copy {} </dev/null", arguments);
  const std::string script = fmt::format(
      "chmod -R 777 . && cp {} ./knapsack-copy && chmod 000 {} && if [ $(id -u) -eq 0 ]; then exec setpriv "
      "--reuid {} --clear-groups sh -c '{}'; else {}; fi",
      KNAPSACK_PROGRAM, unread, kNobodysNumber, command, command);
  return testing::run_command({"sh", "-c", script}, folder.path());
}

TEST(NotesFolderOnDisk, OneUnreadablePageCostsNoRule) {
  for (const char* arguments : {"agent", "pack ports", "pack ports --format json"}) {
    const testing::TemporaryFolder folder;
    folder.write(".context/CONSTITUTION.md", "- [ ] Never lose a row\n");
    folder.write(".context/LEARNINGS.md", "## [2026-11-01] Ports\n\nThey differ.\n");
    const auto result = run_without_access_to(".context/LEARNINGS.md", arguments, folder);
    EXPECT_EQ(result.exit_code, 0) << result.err;
    EXPECT_THAT(result.out, HasSubstr("Never lose a row")) << arguments;
    for (const std::string& said : {result.out, result.err})
      EXPECT_THAT(said, HasSubstr(".context/LEARNINGS.md was not read: Permission denied")) << arguments;
  }
}

TEST(UnreadableSource, IsCountedInThePacketAndExplained) {
  const testing::TemporaryFolder folder;
  folder.write("src/auth.py", "def digest_auth(challenge):\n    return challenge\n");
  folder.write("src/client.py",
               "from src.auth import digest_auth\n\ndef send(request):\n    return digest_auth(request)\n");
  for (const char* arguments : {"index", "pack digest auth of a client request", "outline src/client.py"}) {
    const auto result = run_without_access_to("src/auth.py", arguments, folder);
    EXPECT_EQ(result.exit_code, 0) << result.err;
    const std::string said = arguments == std::string("index")
                                 ? "src/auth.py: "
                                 : "1 file or folder could not be read: src/auth.py";
    EXPECT_THAT(result.out + result.err, HasSubstr(said)) << arguments;
  }
  const auto answer = run_without_access_to("src/auth.py", "explain latest --expect src/auth.py", folder);
  EXPECT_THAT(answer.out, HasSubstr("nothing of it was offered: it could not be read when it was indexed"));
}

TEST(OwnOutput, OfTheGraphIsNoCode) {
  EXPECT_TRUE(code::is_own_output("graphs/request_context_packs/request_context.20261115.r1.json"));
  EXPECT_TRUE(code::is_own_output("graphs/context_packs/context_pack.20261115.c1.json"));
  EXPECT_TRUE(code::is_own_output("graphs/request_context.latest.json"));
  EXPECT_FALSE(code::is_own_output("graphs/kg_nodes.jsonl"));
  EXPECT_FALSE(code::is_own_output("src/context_packs/loader.json"));
  EXPECT_FALSE(code::is_own_output("context_packs/readme.md"));
  const testing::TemporaryFolder folder;
  folder.write("src/importer.py", "def resume(offset):\n    return offset\n");
  ASSERT_EQ(testing::run_program({"graph", "init"}, folder.path()).exit_code, 0);
  const auto packed =
      testing::run_program({"graph", "pack", "--request-text", "zebra importer zebra"}, folder.path());
  ASSERT_EQ(packed.exit_code, 0) << packed.err;
  ASSERT_TRUE(folder.exists("graphs/request_context.latest.json"));
  ASSERT_EQ(testing::run_program({"index"}, folder.path()).exit_code, 0);
  const auto found = testing::run_program({"search", "zebra", "--source", "code"}, folder.path());
  EXPECT_THAT(found.out, Not(HasSubstr("request_context")));
  EXPECT_THAT(testing::run_program({"pack", "zebra importer"}, folder.path()).out,
              Not(HasSubstr("request_context")));
}

TEST(Init, SweepsWhatAKilledOneLeft) {
  const testing::TemporaryFolder folder;
  folder.write(".mcp.json.knapsack-new.Ab12Cd", "{");
  folder.write(".mcp.json.backup", "{}");
  folder.write(".claude/settings.json.knapsack-new.Ab12Cd", "{");
  folder.write(".knapsack/init.json.Ab12Cd", "{");
  folder.write(".knapsack/.gitignore.Ab12Cd", "");
  ASSERT_EQ(testing::run_program({"init", "--client", "claude-code"}, folder.path()).exit_code, 0);
  EXPECT_FALSE(folder.exists(".mcp.json.knapsack-new.Ab12Cd"));
  EXPECT_FALSE(folder.exists(".claude/settings.json.knapsack-new.Ab12Cd"));
  EXPECT_FALSE(folder.exists(".knapsack/init.json.Ab12Cd"));
  EXPECT_FALSE(folder.exists(".knapsack/.gitignore.Ab12Cd"));
  EXPECT_TRUE(folder.exists(".mcp.json.backup")) << "somebody's own";
}

TEST(GraphPack, OfARequestThatIsNotUtf8IsMade) {
  const testing::TemporaryFolder folder;
  ASSERT_EQ(testing::run_program({"graph", "init"}, folder.path()).exit_code, 0);
  for (const char* format : {"md", "json", "prompt"}) {
    const auto result = testing::run_program({"graph", "pack", "--request-file", "-", "--format", format},
                                             folder.path(), {}, "explain \xFF\xFE the \xC3( importer");
    EXPECT_EQ(result.exit_code, 0) << result.err;
    EXPECT_TRUE(valid_utf8(result.out)) << format;
  }
  EXPECT_FALSE(nlohmann::json::parse(folder.read("graphs/request_context.latest.json"), nullptr, false)
                   .is_discarded());
}

TEST(Notes, OfAMillionTasksAreBounded) {
  const testing::TemporaryFolder folder;
  std::string tasks = "# Tasks\n\n";
  for (int i = 0; i < 600'000; ++i) tasks += fmt::format("- [ ] task {}\n", i);
  ASSERT_LT(tasks.size(), 16U << 20U);
  folder.write(".context/TASKS.md", tasks);
  folder.write(".context/CONSTITUTION.md", "- [ ] A rule\n");
  // Far less than an account of every one of them would take; a limit of the system, not a measurement.
  const auto result = testing::run_command(
      {"sh", "-c", fmt::format("ulimit -v 1000000; exec {} agent", KNAPSACK_PROGRAM)}, folder.path());
  EXPECT_EQ(result.exit_code, 0) << result.err.substr(0, 500);
  EXPECT_THAT(result.out, AllOf(HasSubstr("A rule"), HasSubstr("- [ ] task "), HasSubstr("more open tasks")));
}

TEST(Program, WithoutMemoryEndsWithALine) {
  const testing::TemporaryFolder folder;
  folder.write(".context/DECISIONS.md", "# Decisions\n\n" + std::string(15 << 20, 'x') + "\n");
  for (const char* kilobytes : {"60000", "80000", "120000"}) {
    const auto result = testing::run_command(
        {"sh", "-c", fmt::format("ulimit -v {}; exec {} agent", kilobytes, KNAPSACK_PROGRAM)}, folder.path());
    EXPECT_LT(result.exit_code, 128) << kilobytes << result.err;
  }
}

// libgit2 asked for itself without end where its own state had no room.
TEST(Program, WithoutMemoryAnIndexEndsWithALine) {
  const testing::TemporaryFolder folder;
  for (int i = 0; i < 60; ++i) {
    std::string text;
    for (int line = 0; line < 400; ++line) text += fmt::format("def resume{}_{}():\n    pass\n", i, line);
    folder.write(fmt::format("src/m{}.py", i), text);
  }
  ASSERT_EQ(testing::run_command({"git", "init", "-q", "."}, folder.path()).exit_code, 0);
  const auto run = [&](int kilobytes, const char* arguments) {
    return testing::run_command({"sh", "-c",
                                 fmt::format("ulimit -c 0; ulimit -v {}; exec timeout 60 {} {}", kilobytes,
                                             KNAPSACK_PROGRAM, arguments)},
                                folder.path());
  };
  int started = 0;
  for (int kilobytes = 60'000; kilobytes <= 240'000; kilobytes += 10'000) {
    if (run(kilobytes, "--version").exit_code != 0) continue;  // no room for the libraries themselves
    ++started;
    const auto result = run(kilobytes, "index --full");
    EXPECT_TRUE(result.exit_code == 0 || result.exit_code == 1)
        << kilobytes << ": " << result.exit_code << result.err;
  }
  EXPECT_GT(started, 3);
}

// With at most so many processes and threads of one user. The limit does not bind root, who becomes somebody else.
testing::ProgramResult run_with_threads(int most, const std::string& arguments,
                                        const testing::TemporaryFolder& folder) {
  const std::string limited =
      fmt::format("exec prlimit --nproc={} timeout 60 ./knapsack-copy {} </dev/null", most, arguments);
  const std::string script = fmt::format(
      "chmod -R 777 . && cp {} ./knapsack-copy && if [ $(id -u) -eq 0 ]; then exec setpriv --reuid {} "
      "--clear-groups sh -c '{}'; "
      "else {}; fi",
      KNAPSACK_PROGRAM, kNobodysNumber + most, limited, limited);
  return testing::run_command({"sh", "-c", script}, folder.path());
}

TEST(HelperThreads, WorkWithoutAnyThread) {
  const testing::TemporaryFolder folder;
  for (int i = 0; i < 40; ++i)
    folder.write(fmt::format("src/m{}.py", i), fmt::format("def resume{}():\n    pass\n", i));
  // One for `timeout`, one for the program, none for a thread.
  const auto result = run_with_threads(2, "index", folder);
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_THAT(result.out + result.err, HasSubstr("40"));
}

TEST(HelperThreads, ThatAreFewerThanAServerWantsEndItOrServe) {
  for (int most = 2; most <= 5; ++most) {
    const testing::TemporaryFolder folder;
    const auto result = run_with_threads(most, "mcp", folder);
    EXPECT_TRUE(result.exit_code == 0 || result.exit_code == 1)
        << most << ": " << result.exit_code << result.err;
  }
}

TEST(HelperThreads, ThatAServerCannotDoWithoutAreAskedForInALine) {
  const testing::TemporaryFolder folder;
  const auto result = run_with_threads(2, "serve --port 0", folder);
  EXPECT_EQ(result.exit_code, 1) << result.err;
  EXPECT_THAT(result.err, HasSubstr("no thread for looking after connections: "));
}

// Nobody answers at that address: it is what ends a worker that has no thread at all, and not the lack of them.
TEST(HelperThreads, WorkersDoWithout) {
  const testing::TemporaryFolder folder;
  const auto result = run_with_threads(
      2, "worker --mirrors . --once --jobs 4 --team-url postgresql://nobody@127.0.0.1:1/none", folder);
  EXPECT_EQ(result.exit_code, 1) << result.err;
  EXPECT_THAT(result.err, AllOf(HasSubstr("Ctrl-C will end it at once: no thread for waiting for Ctrl-C"),
                                HasSubstr("1 job at once, not 4"), HasSubstr("127.0.0.1")));
}

TEST(HelperThreads, ThatRunUntilTheirOwnerIsDoneHearOfIt) {
  std::atomic<bool> asked = false;
  {
    HelperThread thread;
    ASSERT_OK(thread.start("waiting", [&](const std::stop_token& over) {
      while (!over.stop_requested()) std::this_thread::yield();
      asked = true;
    }));
  }
  EXPECT_TRUE(asked) << "and was waited for";
  HelperThread never_started;
  never_started.join();
}

TEST(Inputs, ThatCannotBeReadAreCalledSo) {
  const testing::TemporaryFolder folder;
  const auto from_folder =
      testing::run_command({"sh", "-c", fmt::format("exec {} pack - < /", KNAPSACK_PROGRAM)}, folder.path());
  EXPECT_EQ(from_folder.exit_code, 1);
  EXPECT_THAT(from_folder.err, HasSubstr("cannot read the task from standard input: Is a directory"));
  const auto captured = testing::run_program({"capture", "--from", "/"}, folder.path());
  EXPECT_THAT(captured.err,
              AllOf(HasSubstr("/ is a directory"), HasSubstr("name a file, or - for standard input"),
                    Not(HasSubstr("remove it"))));
}

TEST(Inputs, NamesThatAreEmptyAreCalledSo) {
  const testing::TemporaryFolder folder;
  folder.write("src/a.py", "def resume():\n    pass\n");
  for (const char* command : {"symbols", "refs", "impact"}) {
    const auto result = testing::run_program({command, ""}, folder.path());
    EXPECT_EQ(result.exit_code, 2) << command;
    EXPECT_THAT(result.err, HasSubstr("the name is empty")) << command;
  }
  EXPECT_THAT(testing::run_program({"outline", ""}, folder.path()).err, HasSubstr("the path is empty"));
}

TEST(SettingFiles, AreNamedWithTheirOwnKeys) {
  const testing::TemporaryFolder folder;
  const auto said = [&](const std::vector<std::string>& command) {
    const auto result = testing::run_program(command, folder.path());
    EXPECT_EQ(result.exit_code, 2) << command.front();
    return result.err;
  };
  folder.write("knapsack.toml", "notes = 3\n");
  EXPECT_THAT(said({"status"}), AllOf(HasSubstr("knapsack.toml: 'notes' is a table, not a value"),
                                      HasSubstr("write [notes]"), Not(HasSubstr("did you mean"))));
  folder.write("knapsack.toml", "[pack]\ntokenizer = \"foo\"\n");
  EXPECT_THAT(said({"pack", "x"}), HasSubstr("pack.tokenizer from knapsack.toml: unknown tokenizer 'foo'"));
  fs::remove(folder.file("knapsack.toml"));
  folder.write(".ctxrc", "token_budget: 8k\n");
  EXPECT_THAT(said({"agent"}), HasSubstr("token_budget from .ctxrc: '8k' is not a token budget"));
}

TEST(Init, AdvisesTheAddressOfTheServer) {
  const testing::TemporaryFolder folder, home;
  const auto result = testing::run_program({"init", "--client", "cursor", "--user", "--url", "foo"},
                                           folder.path(), {{"HOME", home.path()}});
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_THAT(result.err, AllOf(HasSubstr("`knapsack serve` prints"), Not(HasSubstr("11434"))));
}

}  // namespace
}  // namespace knapsack
