// Repositories that name programs to run, point elsewhere, are unusual or damaged: nothing is run, nothing
// outside is read, and what is wrong is said in one line.
#include <sys/stat.h>

#include <filesystem>
#include <functional>

#include "scenarios/support_index_dump.h"
#include "scenarios/support_index_program.h"

namespace knapsack {
namespace {

namespace fs = std::filesystem;
using ::testing::AnyOf;
using testing::dump_of;
using testing::expect_refusal;
using ::testing::HasSubstr;
using testing::index_report;
using testing::notes_of;
using testing::run_measured;
using testing::TemporaryFolder;
using testing::TestRepository;

std::string program(const TestRepository& made, const std::string& name, const std::string& body = "") {
  made.write(name, "#!/bin/sh\ntouch '" + made.file("SENTINEL") + "'\n" + body);
  EXPECT_EQ(::chmod(made.file(name).c_str(), 0755), 0);
  return made.file(name);
}

struct Trick {
  std::string name;
  std::function<void(const TestRepository&)> set;
  std::vector<std::string> spring;  // the git command that runs the program
};

std::vector<Trick> tricks() {
  const auto attribute = [](const std::string& line, const std::string& key, const std::string& body) {
    return [=](const TestRepository& made) {
      made.write(".gitattributes", "*.py " + line + "\n");
      made.git({"config", key, program(made, "evil", body)});
      made.write("a.py", "changed = 1\n");
    };
  };
  return {
      {"core.fsmonitor",
       [](const TestRepository& made) {
         made.git({"config", "core.fsmonitor", program(made, "evil")});
       },
       {"status"}},
      {"include.path",
       [](const TestRepository& made) {
         made.write(".git/more", "[core]\n\tfsmonitor = " + program(made, "evil") + "\n");
         made.git({"config", "include.path", "more"});
       },
       {"status"}},
      {"diff.external",
       [](const TestRepository& made) {
         made.git({"config", "diff.external", program(made, "evil")});
         made.write("a.py", "changed = 1\n");
       },
       {"diff"}},
      {"textconv", attribute("diff=evil", "diff.evil.textconv", "cat \"$1\"\n"), {"log", "-p"}},
      {"clean filter", attribute("filter=evil", "filter.evil.clean", "cat\n"), {"add", "a.py"}},
      {"smudge filter", attribute("filter=evil", "filter.evil.smudge", "cat\n"), {"checkout", "--", "a.py"}},
      {"process filter", attribute("filter=evil", "filter.evil.process", ""), {"add", "a.py"}},
      {"core.hooksPath",
       [](const TestRepository& made) {
         program(made, "hooks/post-checkout");
         program(made, "hooks/post-index-change");
         made.git({"config", "core.hooksPath", made.file("hooks")});
       },
       {"checkout", "-f"}},
  };
}

TEST(IndexHostileGit, NoProgramThatARepositoryNamesIsRun) {
  for (const Trick& trick : tricks()) {
    SCOPED_TRACE(trick.name);
    const TestRepository made;
    made.write("a.py", "def a():\n    return 1\n");
    made.commit("first");
    made.write("a.py", "def a():\n    return 2\n");
    made.commit("second");
    trick.set(made);
    const auto sprung = [&] { return fs::remove(made.file("SENTINEL")); };
    sprung();  // setting it up may have sprung it
    index_report(made.path());
    index_report(made.path(), {"--rev", "HEAD", "--full"});
    for (const auto& words : std::vector<std::vector<std::string>>{{"overview"},
                                                                   {"overview", "--rev", "HEAD"},
                                                                   {"symbols", "a"},
                                                                   {"refs", "a"},
                                                                   {"outline", "a.py"},
                                                                   {"deps", "a.py"},
                                                                   {"history", "a.py"}}) {
      EXPECT_EQ(run_measured(words, made.path()).exit_code, 0) << words.front();
    }
    EXPECT_FALSE(sprung()) << "it ran";
    made.try_git(trick.spring);
    EXPECT_TRUE(sprung()) << "it is no trick: git did not run it either";
    index_report(made.path());
    EXPECT_FALSE(sprung()) << "it ran the second time";
  }
}

// libgit2 reads both from 1.9 on, when it is asked to open a repository.
TEST(IndexHostileGit, NeitherTheConfigurationNorWhatItIncludesStopsTheHistory) {
  const std::pair<std::string, std::function<void(const TestRepository&)>> cases[] = {
      {"a FIFO",
       [](const TestRepository& made) {
         ASSERT_EQ(::mkfifo(made.file("pipe").c_str(), 0600), 0);
         made.write(".git/config", "[include]\n\tpath = ../pipe\n");
       }},
      {"a section without an end", [](const TestRepository& made) { made.write(".git/config", "[core\n"); }},
      {"an included one",
       [](const TestRepository& made) {
         made.write("more", "[core\n");
         made.write(".git/config", "[include]\n\tpath = ../more\n");
       }},
      {"a partial clone",
       [](const TestRepository& made) {
         made.write(".git/config",
                    "[core]\n\trepositoryformatversion = 1\n[extensions]\n\tpartialclone = origin\n");
       }},
  };
  for (const auto& [name, set] : cases) {
    SCOPED_TRACE(name);
    const TestRepository made;
    made.write("a.py", "def a():\n    return 1\n");
    made.commit("first");
    made.write("a.py", "def a():\n    return 2\n");
    made.commit("second");
    set(made);
    EXPECT_EQ(index_report(made.path())["commits"], 2);
    EXPECT_EQ(index_report(made.path(), {"--rev", "HEAD"})["commits"], 2);
  }
}

TEST(IndexHostileGit, AGitFileThatPointsOutsideIsNotFollowed) {
  const TestRepository victim;
  victim.write("secret.py", "SECRET = 1\n");
  victim.commit("private");
  const TemporaryFolder workspace;
  workspace.write("a.py", "A = 1\n");
  workspace.write(".git", "gitdir: " + victim.file(".git") + "\n");
  for (const auto& words : std::vector<std::vector<std::string>>{{"index"}, {"index", "--rev", "HEAD"}}) {
    expect_refusal(run_measured(words, workspace.path()), 2, {".git", "not followed"});
  }
}

TEST(IndexHostileGit, UnusualRepositoriesAreReadForWhatTheyAre) {
  const TestRepository origin;
  origin.write("a.py", "def a():\n    return 1\n");
  origin.commit("first");
  origin.write("a.py", "def a():\n    return 2\n");
  origin.write("big.bin", "version https://git-lfs.github.com/spec/v1\noid sha256:" + std::string(64, 'a') +
                              "\nsize 12345\n");
  origin.commit("second");
  const TemporaryFolder elsewhere;

  origin.git({"worktree", "add", "-q", "--detach", elsewhere.file("linked")});
  const auto linked = index_report(elsewhere.file("linked"));
  EXPECT_EQ(linked["commits"], 2);
  EXPECT_EQ(linked["listed"]["lfs pointer"], 1) << linked["listed"];

  origin.git({"clone", "-q", "--bare", origin.path(), elsewhere.file("bare")});
  expect_refusal(run_measured({"index", elsewhere.file("bare")}, "/"), 2, {"bare repository", "--rev HEAD"});
  EXPECT_EQ(index_report(elsewhere.file("bare"), {"--rev", "HEAD"})["files"], 2);
  const auto packed = run_measured({"pack", "a"}, elsewhere.file("bare"));
  EXPECT_EQ(packed.err,
            "knapsack: the code is left out: the workspace is a bare repository and has no files of its own; "
            "name a commit with --rev HEAD, as in `knapsack pack --rev HEAD TASK`\n");
  expect_refusal(run_measured({"overview"}, elsewhere.file("bare")), 1, {"knapsack pack --rev HEAD"});
  EXPECT_EQ(run_measured({"pack", "--rev", "HEAD", "a"}, elsewhere.file("bare")).err, "");

  origin.git({"clone", "-q", "--depth", "1", "file://" + origin.path(), elsewhere.file("shallow")});
  const auto shallow = index_report(elsewhere.file("shallow"));
  EXPECT_EQ(shallow["commits"], 1);
  EXPECT_THAT(notes_of(shallow), HasSubstr("shallow clone"));

  const TestRepository empty;
  empty.write("a.py", "A = 1\n");
  const auto unborn = index_report(empty.path());
  EXPECT_EQ(unborn["commits"], 0);
  EXPECT_EQ(unborn["files"], 1);
  expect_refusal(run_measured({"index", "--rev", "HEAD"}, empty.path()), 2, {"HEAD"});

  const TestRepository outer;
  outer.write("b.py", "B = 1\n");
  outer.git({"submodule", "--quiet", "add", origin.path(), "libs/sub"});
  outer.commit("with a submodule");
  const auto of_commit = index_report(outer.path(), {"--rev", "HEAD"});
  EXPECT_EQ(of_commit["files"], 2) << "b.py and .gitmodules";
  EXPECT_THAT(notes_of(of_commit), HasSubstr("libs/sub: a submodule"));
  EXPECT_GT(index_report(outer.path())["files"], 2) << "the files of the submodule, which is checked out";
  EXPECT_EQ(index_report(outer.file("libs/sub"))["commits"], 2) << "it is a workspace of its own";
}

TEST(IndexHostileGit, ADamagedPackIsNamedTheFilesAreIndexedAndTheHistoryOnceItIsMended) {
  for (const double share : {0.0, 0.5, 0.95}) {
    SCOPED_TRACE(share);
    const TestRepository made;
    for (int i = 0; i < 20; ++i) {
      made.write("a.py", "def a" + std::to_string(i) + "():\n    return 1\n");
      made.commit("change " + std::to_string(i));
    }
    made.git({"gc", "-q"});
    fs::copy(made.file(".git/objects/pack"), made.file(".git/sound"));
    for (const auto& entry : fs::directory_iterator(made.file(".git/objects/pack"))) {
      if (entry.path().extension() != ".pack") continue;
      fs::permissions(entry.path(), fs::perms::owner_all);
      fs::resize_file(entry.path(), static_cast<uintmax_t>(static_cast<double>(entry.file_size()) * share));
    }
    const auto outcome = run_measured({"index", "--format", "json"}, made.path());
    EXPECT_LT(outcome.seconds, 30);
    EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
    const auto report = nlohmann::json::parse(outcome.out);
    EXPECT_EQ(report["files"], 1);
    EXPECT_THAT(notes_of(report), AnyOf(HasSubstr("git fsck"), HasSubstr("pack")));
    const auto commit = run_measured({"index", "--rev", "HEAD"}, made.path());
    if (commit.exit_code != 0) {
      EXPECT_EQ(std::count(commit.err.begin(), commit.err.end(), '\n'), 1) << commit.err;
    }
    EXPECT_LE(commit.exit_code, 2);
    fs::remove_all(made.file(".git/objects/pack"));
    fs::rename(made.file(".git/sound"), made.file(".git/objects/pack"));
    EXPECT_EQ(index_report(made.path())["commits"], 20) << "a repository that was mended is read again";
    EXPECT_SAME_DUMP(testing::fresh_dump(made.path()), dump_of(made.path()));
  }
}

}  // namespace
}  // namespace knapsack
