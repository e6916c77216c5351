// An index that was brought up to date is the index that would have been built from nothing, and only what is
// new was read for it.
#include <sys/stat.h>

#include <filesystem>

#include "scenarios/support_index_dump.h"
#include "scenarios/support_index_program.h"
#include "scenarios/support_little_shop.h"

namespace knapsack {
namespace {

namespace fs = std::filesystem;
using testing::dump_of;
using testing::fresh_dump;
using ::testing::HasSubstr;
using testing::index_report;
using ::testing::Not;
using testing::TestRepository;

class IndexAgain : public ::testing::Test {
 protected:
  void SetUp() override {
    testing::write_little_shop(made_);
    testing::write_generated(made_, 42);
    made_.commit("Begin the shop");
    made_.write("src/shop/prices.py", "def price_of(item):\n    return item.price * 2\n");
    made_.write("src/shop/cart.py", read("src/shop/cart.py") + "\n\nEMPTY = Cart()\n");
    made_.commit("Double the prices");
    const auto report = index_report(made_.path());
    EXPECT_EQ(report["changed"], true);
    EXPECT_GT(report["parsed"], 50);
    EXPECT_EQ(report["commits"], 2);
    last_ = dump_of(made_.path());
  }
  std::string read(const std::string& name) const { return made_.folder().read(name); }

  // The index follows what was done to the repository, reads no more than `parsed` new contents for it, and
  // has then nothing left to do.
  void expect_followed(uint64_t parsed, bool differs = true) {
    const auto report = index_report(made_.path());
    EXPECT_EQ(report["parsed"], parsed);
    EXPECT_EQ(report["changed"], differs);
    const std::string now = dump_of(made_.path());
    EXPECT_EQ(now != last_, differs) << "what was done should show in the dump, and nothing else";
    EXPECT_SAME_DUMP(fresh_dump(made_.path()), now);
    last_ = now;
    const auto again = index_report(made_.path());
    EXPECT_EQ(again["changed"], false);
    EXPECT_EQ(again["parsed"], 0);
    EXPECT_SAME_DUMP(now, dump_of(made_.path()));
  }

  TestRepository made_;
  std::string last_;
};

TEST_F(IndexAgain, AfterNothing) {
  expect_followed(0, false);
}

TEST_F(IndexAgain, TheDumpShowsASingleByte) {
  const std::string before = read("src/shop/cart.py");
  std::string cart = before;
  cart[cart.find("rounding")] = 'R';  // in a comment, of the same length
  made_.write("src/shop/cart.py", cart);
  index_report(made_.path());
  const std::string now = dump_of(made_.path());
  EXPECT_THAT(testing::first_difference(last_, now), HasSubstr("snapshot work tree"));
  EXPECT_THAT(last_, HasSubstr("\"because of rounding, see #12\""));
  EXPECT_THAT(now, HasSubstr("\"because of Rounding, see #12\""));
  made_.write("src/shop/cart.py", before);
  index_report(made_.path());
  EXPECT_SAME_DUMP(last_, dump_of(made_.path()));
}

TEST_F(IndexAgain, AfterAnEdit) {
  made_.write("src/shop/prices.py",
              "def price_of(item):\n    return item.price\n\ndef free(item):\n    return 0\n");
  expect_followed(1);
  EXPECT_THAT(last_, HasSubstr("symbol function \"free\""));
  made_.write("src/shop/prices.py", "def price_for(item):\n    return item.price\n");
  expect_followed(1);
  EXPECT_THAT(last_, Not(HasSubstr("symbol function \"price_of\"")));
}

TEST_F(IndexAgain, AfterAFileIsAddedAndDeleted) {
  made_.write("src/shop/taxes.py", "from shop.prices import price_of\n\nRATE = 19\n");
  expect_followed(1);
  fs::remove(made_.file("src/shop/prices.py"));
  expect_followed(0);
  EXPECT_THAT(last_, Not(HasSubstr("to \"src/shop/prices.py\"")));
  fs::remove_all(made_.file("pkg"));
  expect_followed(0);
}

TEST_F(IndexAgain, AfterAFileComesInFrontOfOthersOfItsPackage) {
  made_.write("pkg/money/abs.go",
              "package money\n\nfunc Abs(a int) int { if a < 0 { return -a }; return a }\n");
  expect_followed(1);
  EXPECT_THAT(last_, HasSubstr("to \"pkg/money/abs.go\""));
}

TEST_F(IndexAgain, AfterARename) {
  fs::rename(made_.file("src/shop/prices.py"), made_.file("src/shop/costs.py"));
  expect_followed(0);
  fs::rename(made_.file("docs/guide.md"), made_.file("docs/guide.py"));  // another language: parsed as that
  expect_followed(1);
  fs::rename(made_.file("src/shop"), made_.file("src/store"));
  expect_followed(0);
}

TEST_F(IndexAgain, AfterSwitchingBranchesBackAndForth) {
  made_.git({"checkout", "-q", "-b", "other"});
  made_.write("src/shop/cart.py", "class Cart:\n    def sum(self):\n        return 0\n");
  fs::remove(made_.file("src/stack.c"));
  made_.write("src/queue.c", "int queue(void) { return 1; }\n");
  made_.commit("Another cart");
  expect_followed(2);
  const std::string other = last_;
  made_.git({"checkout", "-q", "main"});
  expect_followed(0);
  const std::string main = last_;
  made_.git({"checkout", "-q", "other"});
  expect_followed(0);
  EXPECT_SAME_DUMP(other, last_);
  made_.git({"checkout", "-q", "main"});
  expect_followed(0);
  EXPECT_SAME_DUMP(main, last_);
}

TEST_F(IndexAgain, AfterAModeChangeAndATouch) {
  ASSERT_EQ(::chmod(made_.file("src/stack.c").c_str(), 0755), 0);
  fs::last_write_time(made_.file("src/stack.c"),
                      fs::last_write_time(made_.file("src/stack.c")) - std::chrono::hours(5));
  expect_followed(0, false);
}

TEST_F(IndexAgain, AfterAFileBecomesALinkAndAFolder) {
  fs::remove(made_.file("src/shop/prices.py"));
  fs::create_symlink("cart.py", made_.file("src/shop/prices.py"));
  expect_followed(0);
  EXPECT_THAT(last_, HasSubstr("file \"src/shop/prices.py\" link"));
  fs::remove(made_.file("src/shop/prices.py"));
  fs::create_symlink("__init__.py", made_.file("src/shop/prices.py"));
  index_report(made_.path());
  EXPECT_SAME_DUMP(fresh_dump(made_.path()), dump_of(made_.path()));
  last_ = dump_of(made_.path());
  fs::remove(made_.file("src/shop/prices.py"));
  made_.write("src/shop/prices.py/__init__.py", "def price_of(item):\n    return 1\n");
  expect_followed(1);
}

TEST_F(IndexAgain, AfterTheConfigurationOfImportsChanges) {
  EXPECT_THAT(last_, HasSubstr("to \"web/lib/format.ts\""));
  made_.write("web/tsconfig.json",
              "{\"compilerOptions\": {\"baseUrl\": \".\", \"paths\": {\"@/*\": [\"other/*\"]}}}\n");
  expect_followed(1);
  EXPECT_THAT(last_, HasSubstr("to \"web/other/format.ts\""));
  made_.write("web/user.ts", "import { shown } from 'web'\nexport const twice = shown\n");
  expect_followed(1);
  made_.write("web/package.json", "{\"name\": \"website\", \"main\": \"index.ts\"}\n");
  expect_followed(1);
  made_.write("go.mod", "module example.org/other\n");
  expect_followed(1);
  EXPECT_THAT(last_, Not(HasSubstr("to \"pkg/money/add.go\"")));
}

TEST_F(IndexAgain, AfterACommitAnAmendedOneAndAMerge) {
  made_.write("src/shop/prices.py", "def price_of(item):\n    return 3\n");
  expect_followed(1);
  made_.commit("Fix the price");
  expect_followed(0);
  EXPECT_THAT(last_, HasSubstr("\"Fix the price\""));
  made_.git({"commit", "-q", "--amend", "-m", "Fix all prices"});
  expect_followed(0);
  EXPECT_THAT(last_, Not(HasSubstr("Fix the price")));
  made_.git({"checkout", "-q", "-b", "side", "HEAD~1"});
  made_.write("src/queue.c", "int queue(void) { return 1; }\n");
  made_.commit("A queue");
  made_.git({"checkout", "-q", "main"});
  made_.git({"merge", "-q", "--no-ff", "-m", "Merge the queue", "side"});
  expect_followed(1);
  EXPECT_THAT(last_, HasSubstr("\"Merge the queue\""));
  made_.git({"reset", "-q", "--hard", "HEAD~1"});
  expect_followed(0);
  EXPECT_THAT(last_, Not(HasSubstr("A queue")));
}

TEST_F(IndexAgain, AfterTheRulesOfWhatIsIgnoredChange) {
  made_.write("notes.txt", "Buy milk\n");
  expect_followed(1);
  made_.write(".gitignore", "*.txt\n");
  expect_followed(1);
  EXPECT_THAT(last_, Not(HasSubstr("notes.txt")));
  fs::remove(made_.file(".gitignore"));
  expect_followed(0);
}

TEST_F(IndexAgain, AfterAShallowCloneGotItsHistory) {
  TestRepository clone;
  clone.git({"fetch", "-q", "--depth", "1", "file://" + made_.path(), "main"});
  clone.git({"reset", "-q", "--hard", "FETCH_HEAD"});
  EXPECT_EQ(index_report(clone.path())["commits"], 1);
  clone.git({"fetch", "-q", "--unshallow", "file://" + made_.path(), "main"});
  EXPECT_EQ(index_report(clone.path())["commits"], 2);
  EXPECT_SAME_DUMP(fresh_dump(clone.path()), dump_of(clone.path()));
}

TEST_F(IndexAgain, InFullOrWithAnotherNumberOfThreads) {
  const auto report = index_report(made_.path(), {"--full"});
  EXPECT_GT(report["parsed"], 50) << "everything is learnt anew";
  EXPECT_SAME_DUMP(last_, dump_of(made_.path()));
  EXPECT_SAME_DUMP(last_, fresh_dump(made_.path(), {"--jobs", "1"}));
  EXPECT_SAME_DUMP(last_, fresh_dump(made_.path(), {"--jobs", "7"}));
}

TEST_F(IndexAgain, WithAnotherDepthOfHistory) {
  EXPECT_EQ(index_report(made_.path(), {"--history", "1"})["commits"], 1);
  EXPECT_SAME_DUMP(fresh_dump(made_.path(), {"--history", "1"}), dump_of(made_.path()));
  EXPECT_EQ(index_report(made_.path(), {"--history", "0"})["commits"], 0);
  EXPECT_SAME_DUMP(fresh_dump(made_.path(), {"--history", "0"}), dump_of(made_.path()));
  last_ = dump_of(made_.path());
  expect_followed(0);
}

}  // namespace
}  // namespace knapsack
