// What a knapsack.toml that came with a clone may and may not do.
#include <fmt/format.h>

#include <filesystem>

#include "support/support.h"

namespace knapsack {
namespace {

namespace fs = std::filesystem;
using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

constexpr auto kOwnerOnly = fs::perms(0600);

class WorkspaceFile : public ::testing::Test {
 protected:
  WorkspaceFile() {
    outside_.write("memory/facts/2026-11-12/fact-1.md", memory("OUTSIDE memory"));
    outside_.write("context/CONSTITUTION.md", "- [ ] OUTSIDE rule\n");
    outside_.write("context/TASKS.md", "- [ ] OUTSIDE task\n");
    outside_.write("graphs/kg_nodes.jsonl",
                   "{\"id\":\"KG-1\",\"type\":\"fact\",\"rev\":1,\"title\":\"OUTSIDE node\"}\n");
    for (const char* name : {"rg_nodes", "tg_nodes", "post_response_commits"})
      outside_.write(fmt::format("graphs/{}.jsonl", name), "");
    folder_.write(".context/CONSTITUTION.md", "- [ ] Inside rule\n");
  }
  static std::string memory(const std::string& text) {
    return "---\nid: fact-1\ncategory: fact\ncreated: 2026-11-12T08:00:00Z\n---\n\n" + text +
           " about the importer\n";
  }

  testing::ProgramResult run(const std::vector<std::string>& arguments, const std::string& input = "") {
    return testing::run_program(arguments, folder_.path(), {{"HOME", home_.path()}}, input);
  }
  // Every file outside of the workspace, with its content.
  std::map<std::string, std::string> outside() const {
    std::map<std::string, std::string> files;
    for (const auto& each : fs::recursive_directory_iterator(outside_.path())) {
      const std::string name = fs::relative(each.path(), outside_.path());
      files[name] = each.is_regular_file() ? outside_.read(name) : "";
    }
    return files;
  }

  testing::TemporaryFolder folder_, outside_, home_;
};

TEST_F(WorkspaceFile, NamesNoPlaceOutsideOfItsWorkspace) {
  const auto before = outside();
  fs::create_directory_symlink(outside_.path(), folder_.file("way"));
  fs::create_directory_symlink(outside_.file("memory"), folder_.file("link"));
  fs::create_symlink(outside_.file("nowhere"), folder_.file("dangling"));
  fs::create_directory_symlink(outside_.file("memory"), home_.file("memory"));
  const std::string up = "../" + fs::path(outside_.path()).filename().string();
  int number = 0;
  for (const std::string& place : {outside_.path() + "/memory",
                                   up + "/memory",
                                   "./a/../" + up + "/memory",
                                   std::string("way/memory"),
                                   std::string("link"),
                                   std::string("dangling"),
                                   std::string("way/../way/memory"),
                                   std::string("~/memory"),
                                   "~/../" + fs::path(outside_.path()).filename().string() + "/memory",
                                   std::string(".git/hooks"),
                                   std::string(".GIT/hooks"),
                                   std::string(".g\xE2\x80\x8Bit/hooks"),
                                   std::string("GIT~1/hooks"),
                                   std::string("\xEF\xBC\x8E\xEF\xBC\x8E/x"),
                                   std::string("a\xEF\xBC\x8F..\xEF\xBC\x8F.."),
                                   std::string("a\\\\..\\\\.."),
                                   std::string("a\\u0007b"),
                                   std::string("/etc"),
                                   std::string("/"),
                                   std::string(".."),
                                   std::string("~")}) {
    folder_.write("knapsack.toml", fmt::format("[memory]\ndir = \"{}\"\n", place));
    const auto remembered = run({"remember", fmt::format("Fact number {} about the importer", ++number)});
    EXPECT_EQ(remembered.exit_code, 0) << place << "\n" << remembered.err;
    EXPECT_THAT(remembered.err, HasSubstr("memory.dir of knapsack.toml does nothing")) << place;
    EXPECT_THAT(remembered.out, HasSubstr(".local/share/knapsack/memory/")) << place;
    const auto recalled = run({"recall", "what is known about the importer?", "--mode", "full"});
    EXPECT_THAT(recalled.out, AllOf(Not(HasSubstr("OUTSIDE")), HasSubstr("## Not Read"),
                                    HasSubstr("memory.dir of knapsack.toml does nothing")))
        << place;
  }
  EXPECT_EQ(outside(), before);
  EXPECT_FALSE(folder_.exists(".git"));
}

TEST_F(WorkspaceFile, HasItsOtherPlacesRefusedAndThePacketSaysSo) {
  const auto before = outside();
  folder_.write("knapsack.toml",
                fmt::format("[notes]\ncontext_dir = \"{0}/context\"\n[graph]\ndir = \"{0}/graphs\"\n",
                            outside_.path()));
  for (const auto& command : {std::vector<std::string>{"agent"},
                              {"pack", "the importer"},
                              {"agent", "--format", "json"},
                              {"pack", "the importer", "--format", "prompt"}}) {
    const auto result = run(command);
    EXPECT_EQ(result.exit_code, 0) << result.err;
    EXPECT_THAT(result.out, AllOf(Not(HasSubstr("OUTSIDE")), HasSubstr("Inside rule"),
                                  HasSubstr("notes.context_dir of knapsack.toml does nothing")));
    EXPECT_THAT(result.err, HasSubstr("leads out of the workspace"));
  }
  EXPECT_EQ(run({"agent", "--strict"}).exit_code, 1) << "degraded";
  const auto searched = run({"search", "outside"});
  EXPECT_THAT(searched.out, Not(HasSubstr("OUTSIDE")));
  EXPECT_THAT(searched.err, HasSubstr("graph.dir of knapsack.toml does nothing"));
  EXPECT_NE(run({"graph", "pack", "--request-text", "outside"}).exit_code, 0) << "there is no graph inside";
  const auto doctor = run({"doctor"});
  EXPECT_THAT(doctor.out,
              AllOf(HasSubstr("notes.context_dir of knapsack.toml does nothing"),
                    HasSubstr("graph.dir of knapsack.toml does nothing"), HasSubstr("knapsack trust")));
  EXPECT_THAT(run({"config"}).out, HasSubstr("knapsack.toml, refused"));
  EXPECT_EQ(outside(), before);
}

TEST_F(WorkspaceFile, MayNameWhatLiesInsideInAnyWay) {
  folder_.write("docs/notes/CONSTITUTION.md", "- [ ] Another rule\n");
  for (const std::string& place : {std::string("docs/notes"), std::string("./docs/../docs/notes"),
                                   folder_.path() + "/docs/notes", std::string("docs/notes/")}) {
    folder_.write("knapsack.toml", fmt::format("[notes]\ncontext_dir = \"{}\"\n", place));
    const auto result = run({"agent"});
    EXPECT_THAT(result.out, AllOf(HasSubstr("Another rule"), Not(HasSubstr("Not Read"))))
        << place << result.err;
    EXPECT_EQ(result.err, "") << place;
  }
}

TEST_F(WorkspaceFile, IsTrustedByContentAndPlaceUntilItIsRevoked) {
  const std::string content = fmt::format("[notes]\ncontext_dir = \"{}/context\"\n", outside_.path());
  folder_.write("knapsack.toml", content);
  const auto trusted = run({"trust"});
  EXPECT_EQ(trusted.exit_code, 0) << trusted.err;
  EXPECT_THAT(trusted.out, AllOf(HasSubstr("notes.context_dir"), HasSubstr(outside_.file("context"))));
  EXPECT_THAT(run({"agent"}).out, AllOf(HasSubstr("OUTSIDE rule"), Not(HasSubstr("Not Read"))));
  EXPECT_THAT(run({"trust", "--list"}).out, HasSubstr(fs::canonical(folder_.path()).string()));
  const std::string store = home_.file(".local/state/knapsack/trust");
  for (const auto& entry : fs::directory_iterator(store)) {
    EXPECT_EQ(entry.status().permissions(), kOwnerOnly);
  }
  EXPECT_EQ(fs::status(store).permissions(), fs::perms(0700));
  // One byte more, and it is asked about again.
  folder_.write("knapsack.toml", content + "\n");
  EXPECT_THAT(run({"agent"}).out, AllOf(Not(HasSubstr("OUTSIDE")), HasSubstr("does nothing")));
  folder_.write("knapsack.toml", content);
  EXPECT_THAT(run({"agent"}).out, HasSubstr("OUTSIDE rule"));
  // The same bytes elsewhere are another's.
  const testing::TemporaryFolder other;
  other.write("knapsack.toml", content);
  EXPECT_THAT(testing::run_program({"pack", "the importer"}, other.path(), {{"HOME", home_.path()}}).out,
              Not(HasSubstr("OUTSIDE")));
  EXPECT_EQ(run({"trust", "--revoke"}).exit_code, 0);
  EXPECT_THAT(run({"agent"}).out, Not(HasSubstr("OUTSIDE")));
  EXPECT_THAT(run({"trust", "--list"}).out, HasSubstr("no workspace is trusted"));
}

TEST_F(WorkspaceFile, BringsNoTrustAndNoConfigurationOfItsOwn) {
  // Where the home folder is the workspace, what is in it came with it.
  const std::string content = fmt::format("[notes]\ncontext_dir = \"{}/context\"\n", outside_.path());
  folder_.write("knapsack.toml", content);
  folder_.write(".config/knapsack/knapsack.toml", content);
  const std::map<std::string, std::string> at_home = {{"HOME", folder_.path()}};
  EXPECT_THAT(testing::run_program({"trust"}, folder_.path(), at_home).err,
              HasSubstr("is inside the workspace"));
  ASSERT_EQ(run({"trust"}).exit_code, 0);
  fs::create_directories(folder_.file(".local/state"));
  fs::copy(home_.file(".local/state/knapsack"), folder_.file(".local/state/knapsack"),
           fs::copy_options::recursive);
  EXPECT_THAT(testing::run_program({"agent"}, folder_.path(), at_home).out, Not(HasSubstr("OUTSIDE")));
}

TEST_F(WorkspaceFile, LeavesTheUsersOwnConfigurationItsWay) {
  home_.write(".config/knapsack/knapsack.toml",
              fmt::format("[notes]\ncontext_dir = \"{}/context\"\nbudget = 5000\n", outside_.path()));
  EXPECT_THAT(run({"agent"}).out, AllOf(HasSubstr("OUTSIDE rule"), HasSubstr("Budget 5000")));
  folder_.write("knapsack.toml", "[notes]\nbudget = 4000\n");
  EXPECT_THAT(run({"agent"}).out, AllOf(HasSubstr("OUTSIDE rule"), HasSubstr("Budget 4000")))
      << "the workspace's preferences come first";
  EXPECT_THAT(run({"agent", "--context-dir", ".context"}).out, HasSubstr("Inside rule"));
}

TEST_F(WorkspaceFile, ChoosesNotAmongTheUsersOwnMemories) {
  home_.write(".openclaw/workspace/memory/local/facts/2026-11-12/fact-1.md", memory("SHARED"));
  home_.write(".openclaw/workspace/memory/local/namespaces/private/facts/2026-11-12/fact-1.md",
              memory("PRIVATE"));
  folder_.write("knapsack.toml", "[memory]\nnamespace = \"private\"\n");
  const auto recalled = run({"recall", "what is known about the importer?", "--mode", "full"});
  EXPECT_THAT(recalled.out,
              AllOf(Not(HasSubstr("PRIVATE")), HasSubstr("memory.namespace of knapsack.toml does nothing")));
  ASSERT_EQ(run({"trust"}).exit_code, 0);
  EXPECT_THAT(run({"recall", "what is known about the importer?", "--mode", "full"}).out,
              HasSubstr("PRIVATE"));
}

TEST_F(WorkspaceFile, AllowsNoFileThatHoldsSecrets) {
  folder_.write(".env", "SESSION_NAME=importer\n");
  folder_.write("knapsack.toml", "[index]\nallow_sensitive = [\".env\"]\n");
  const auto refused = run({"index"});
  EXPECT_EQ(refused.exit_code, 0) << refused.err;
  EXPECT_THAT(refused.out, HasSubstr("sensitive 1"));
  EXPECT_THAT(run({"doctor"}).out, HasSubstr("index.allow_sensitive of knapsack.toml does nothing: '.env'"));
  EXPECT_THAT(run({"pack", "the importer", "--budget", "2000"}).out,
              HasSubstr("index.allow_sensitive of knapsack.toml does nothing"));
  ASSERT_EQ(run({"trust"}).exit_code, 0);
  EXPECT_THAT(run({"index"}).out, Not(HasSubstr("sensitive")));
}

// Nothing is sent, and no answer is degraded, because a file names a protocol.
TEST_F(WorkspaceFile, MakesNoSearchAskForAModelThatNobodyNamed) {
  folder_.write("knapsack.toml", "[search]\nvectors = \"ollama\"\n");
  const auto found = run({"search", "Inside rule", "--strict"});
  EXPECT_EQ(found.exit_code, 0) << found.err;
  EXPECT_THAT(found.out, HasSubstr("Inside rule"));
  EXPECT_EQ(run({"recall", "Inside rule", "--strict"}).err.find("embedding"), std::string::npos);
}

TEST_F(WorkspaceFile, AStateFolderThatIsALinkIsNotReadThrough) {
  fs::create_directory_symlink(outside_.path(), folder_.file(".knapsack"));
  const auto before = outside();
  for (const auto& command : {std::vector<std::string>{"recall", "the importer", "--mode", "full"},
                              {"memories", "list"},
                              {"remember", "a fact"},
                              {"pack", "the importer"}}) {
    const auto result = run(command);
    EXPECT_THAT(result.out, Not(HasSubstr("OUTSIDE"))) << result.err;
  }
  EXPECT_EQ(outside(), before);
}

// Every system call that opens or changes a file, watched: nothing below the other folder is touched but to
// find out what a link or a name leads to.
TEST_F(WorkspaceFile, OpensNothingOutsideAsTheKernelSeesIt) {
  fs::create_directory_symlink(outside_.path(), folder_.file("way"));
  fs::create_symlink(outside_.file("context/TASKS.md"), folder_.file(".context/TASKS.md"));
  fs::create_directory_symlink(outside_.file("memory"), folder_.file("src"));
  folder_.write("importer.py", "def resume(offset):\n    return offset\n");
  const auto before = outside();
  const std::string up = "../" + fs::path(outside_.path()).filename().string();
  for (const std::string& way : {outside_.path(), up, std::string("way")}) {
    folder_.write("knapsack.toml",
                  fmt::format("[notes]\ncontext_dir = \"{0}/context\"\n[graph]\ndir = \"{0}/graphs\"\n"
                              "[memory]\ndir = \"{0}/memory\"\n",
                              way));
    for (const auto& command : {std::vector<std::string>{"pack", "the importer"},
                                {"agent"},
                                {"remember", "The importer " + way},
                                {"recall", "the importer", "--mode", "full"},
                                {"search", "importer"},
                                {"graph", "init"},
                                {"status"},
                                {"doctor"},
                                {"index"}}) {
      const std::string trace = home_.file("trace");
      std::vector<std::string> words = {
          "strace",
          "-f",
          "-qq",
          "-y",
          "-e",
          "trace=open,openat,openat2,creat,mkdir,mkdirat,rename,renameat,renameat2,"
          "unlink,unlinkat,link,linkat,symlinkat,chmod,fchmodat,truncate",
          "-o",
          trace,
          KNAPSACK_PROGRAM};
      words.insert(words.end(), command.begin(), command.end());
      const auto result = testing::run_command(words, folder_.path(), {{"HOME", home_.path()}});
      EXPECT_THAT(result.out, Not(HasSubstr("OUTSIDE"))) << command.front();
      const std::string calls = home_.read("trace");
      ASSERT_THAT(calls, HasSubstr("knapsack.toml")) << "the watch sees what is opened";
      EXPECT_THAT(calls, Not(HasSubstr("<" + fs::canonical(outside_.path()).string())))
          << command.front() << " by " << way;
    }
  }
  EXPECT_EQ(outside(), before);
}

}  // namespace
}  // namespace knapsack
