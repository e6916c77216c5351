// What cannot be done is said in one line.
#include <filesystem>

#include "scenarios/support_index_program.h"
#include "scenarios/support_little_shop.h"
#include "scenarios/support_terminal.h"

namespace knapsack {
namespace {

using testing::expect_refusal;
using testing::index_report;
using testing::run_measured;
using testing::TemporaryFolder;
using testing::TestRepository;

TEST(IndexUsage, RefusesInOneLine) {
  const TestRepository made;
  testing::write_little_shop(made);
  made.commit("Begin the shop");
  const TemporaryFolder plain;
  plain.write("a.py", "A = 1\n");
  struct Row {
    std::vector<std::string> words;
    int exit_code;
    std::vector<std::string> says;
  };
  const std::vector<Row> rows = {
      {{"index", "--rev", "nowhere"}, 2, {"nowhere"}},
      {{"index", "--rev", "0123456789012345678901234567890123456789"}, 2, {"0123456789"}},
      {{"index", "--rev", "HEAD:src/stack.c"}, 2, {"HEAD:src/stack.c"}},
      {{"index", plain.path(), "--rev", "HEAD"}, 2, {"--rev needs a git repository"}},
      {{"overview", "--workspace", plain.path(), "--rev", "HEAD"}, 2, {"--rev needs a git repository"}},
      {{"index", "--jobs", "0"}, 2, {"--jobs"}},
      {{"index", "--jobs", "257"}, 2, {"--jobs"}},
      {{"index", "--jobs", "many"}, 2, {"--jobs"}},
      {{"index", "--history", "abc"}, 2, {"--history"}},
      {{"index", "--history=-1"}, 2, {"--history"}},
      {{"index", "--wait", "soon"}, 2, {"--wait"}},
      {{"index", "--wait=-1"}, 2, {"--wait"}},
      {{"index", "--format", "xml"}, 2, {"--format"}},
      {{"index", "nowhere"}, 2, {"nowhere is not a folder"}},
      {{"index", "src/stack.c"}, 2, {"src/stack.c is not a folder"}},
      {{"index", ".", "--workspace", "."}, 2, {"the folder is given twice"}},
      {{"index", "one", "two"}, 2, {"knapsack index --help"}},
      {{"symbols"}, 2, {"NAME"}},
      {{"overview"}, 1, {"there is no code index yet", "run `knapsack index`"}},
      {{"outline", "cart.py"}, 1, {"there is no code index yet"}},
  };
  for (const Row& row : rows) {
    std::string shown;
    for (const auto& word : row.words) shown += word + " ";
    SCOPED_TRACE(shown);
    expect_refusal(run_measured(row.words, made.path()), row.exit_code, row.says);
  }
  EXPECT_FALSE(made.folder().exists(".knapsack/curated.db")) << "nothing was begun by mistake";
}

TEST(IndexUsage, ViewsSayWhatTheyDoNotKnow) {
  const TestRepository made;
  testing::write_little_shop(made);
  made.commit("Begin the shop");
  index_report(made.path());
  expect_refusal(run_measured({"outline", "cat.py"}, made.path()), 1, {"no file cat.py", "cart.py"});
  expect_refusal(run_measured({"deps", "format.ts"}, made.path()), 2,
                 {"2 files are called format.ts", "web/lib/format.ts", "web/other/format.ts"});
  expect_refusal(run_measured({"history", "../outside.py"}, made.path()), 1, {"no file ../outside.py"});
  expect_refusal(run_measured({"overview", "--rev", "nowhere"}, made.path()), 2, {"nowhere"});
  expect_refusal(run_measured({"overview", "--rev", "HEAD"}, made.path()), 1, {"is not indexed"});
  const auto unknown = run_measured({"symbols", "Crat"}, made.path());
  EXPECT_EQ(unknown.exit_code, 0) << unknown.err;
  EXPECT_EQ(unknown.out, "No symbol is called Crat. Did you mean Cart?\n");
}

TEST(IndexUsage, ViewsOfAnIndexThatIsOlderThanTheFilesSaySo) {
  const TestRepository made;
  testing::write_little_shop(made);
  made.commit("Begin the shop");
  index_report(made.path());
  made.write("added.py", "ADDED = 1\n");
  made.write("src/stack.c", "int other(void) { return 1; }\n");
  for (const auto& words : std::vector<std::vector<std::string>>{
           {"outline", "src/stack.c"}, {"refs", "Cart"}, {"symbols", "Cart"}}) {
    const auto old = run_measured(words, made.path());
    EXPECT_EQ(old.exit_code, 0) << old.err;
    EXPECT_EQ(old.err, "knapsack: src/stack.c has changed since it was indexed: run `knapsack index`\n");
  }
  index_report(made.path());
  EXPECT_EQ(run_measured({"outline", "src/stack.c"}, made.path()).err, "");
}

TEST(IndexUsage, TheFolderMayBeGivenEitherWay) {
  const TestRepository made;
  testing::write_little_shop(made);
  made.commit("Begin the shop");
  for (const auto& words : std::vector<std::vector<std::string>>{{"index", made.path()},
                                                                 {"index", "--workspace", made.path()},
                                                                 {"index", "--rev", "HEAD", made.path()}}) {
    const auto outcome = run_measured(words, "/");
    EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
    EXPECT_EQ(outcome.err, "");
  }
}

TEST(IndexProgress, IsWrittenOverWhereTheTerminalCanAndLeftOutWhereItCannot) {
  const TemporaryFolder shown;
  shown.write("a.py", "A = 1\n");
  const auto able = testing::run_on_terminal({"index"}, shown.path(), "", "xterm");
  EXPECT_EQ(able.exit_code, 0) << able.shown;
  EXPECT_THAT(able.shown, ::testing::HasSubstr("\r\x1b[K"));
  const TemporaryFolder plain;
  plain.write("a.py", "A = 1\n");
  const auto dumb = testing::run_on_terminal({"index"}, plain.path(), "", "dumb");
  EXPECT_EQ(dumb.exit_code, 0) << dumb.shown;
  EXPECT_THAT(dumb.shown, ::testing::Not(::testing::HasSubstr("\x1b")));
}

}  // namespace
}  // namespace knapsack
