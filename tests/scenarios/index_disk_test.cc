// Disks that cannot be written to or are full, and clocks that go backwards.
//
// Small and read-only disks are mounted in a namespace of their own, so they need no rights and leave
// nothing.
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/resource.h>
#include <sys/stat.h>

#include <filesystem>

#include "scenarios/support_index_dump.h"
#include "scenarios/support_index_program.h"
#include "scenarios/support_little_shop.h"

namespace knapsack {
namespace {

namespace fs = std::filesystem;
using ::testing::AnyOf;
using testing::dump_of;
using testing::expect_refusal;
using testing::fresh_dump;
using ::testing::HasSubstr;
using testing::index_report;
using testing::Outcome;
using testing::run_measured;
using testing::TemporaryFolder;
using testing::TestRepository;

class IndexDisk : public ::testing::Test {
 protected:
  void SetUp() override {
    testing::write_little_shop(made_);
    made_.commit("Begin the shop");
  }

  // Runs a script in namespaces in which it may mount. `run NAME WORDS…` in it keeps what the program said.
  void script(const std::string& body) {
    const std::string run =
        "run() { name=$1; shift; code=0; \"" KNAPSACK_PROGRAM
        "\" \"$@\" >$OUT/$name.out 2>$OUT/$name.err || code=$?; echo $code >$OUT/$name.code; }\n";
    // As a user of a namespace of its own; where those are switched off, root mounts in one of the system's.
    const bool own = testing::run_command({"unshare", "-rm", "true"}, made_.path()).exit_code == 0;
    const auto result = testing::run_command({"unshare", own ? "-rm" : "-m", "sh", "-ec", run + body},
                                             made_.path(), {{"OUT", out_.path()}});
    ASSERT_EQ(result.exit_code, 0) << result.err;
  }
  Outcome said(const std::string& name) const {
    Outcome outcome;
    outcome.exit_code = std::stoi(out_.read(name + ".code"));
    outcome.out = out_.read(name + ".out");
    outcome.err = out_.read(name + ".err");
    return outcome;
  }

  TestRepository made_;
  TemporaryFolder out_;
};

TEST_F(IndexDisk, OnAReadOnlyDiskViewsAnswerAndIndexSaysWhyNot) {
  index_report(made_.path());
  const auto before = run_measured({"symbols", "Cart"}, made_.path());
  made_.write("src/new.py", "NEW = 1\n");
  script(
      "mount --bind .knapsack .knapsack\nmount -o remount,bind,ro .knapsack\n"
      "run index index\nrun full index --full\nrun symbols symbols Cart\nrun overview overview\n"
      "run deps deps cart.py\nrun refs refs price_of\nrun history history cart.py\nrun outline outline "
      "cart.py\n");
  for (const char* name : {"index", "full"}) {
    expect_refusal(said(name), 1, {".knapsack", "Read-only file system"});
  }
  EXPECT_EQ(said("symbols").out, before.out);
  for (const char* view : {"symbols", "overview", "deps", "refs", "history", "outline"}) {
    EXPECT_EQ(said(view).exit_code, 0) << said(view).err;
  }
  index_report(made_.path());
  EXPECT_SAME_DUMP(fresh_dump(made_.path()), dump_of(made_.path()));
}

TEST_F(IndexDisk, OnAReadOnlyDiskATaskGetsItsPacketThoughItCannotBeRefined) {
  index_report(made_.path());
  const std::vector<std::string> retrieve = {
      "retrieve",  "the cart forgets a price", "--stages", "scope,precision", "--context-window",
      "4000",      "--reserved-tokens",        "0",        "--no-llm",        "--now",
      "2026-01-01"};
  const auto before = run_measured(retrieve, made_.path());
  ASSERT_EQ(before.exit_code, 0) << before.err;
  const std::string words =
      "retrieve 'the cart forgets a price' --stages scope,precision --context-window 4000 --reserved-tokens "
      "0 --no-llm";
  script("mount --bind .knapsack .knapsack\nmount -o remount,bind,ro .knapsack\nrun plain " + words +
         " --now 2026-01-01\nrun named " + words + " --task-id cart\n");
  EXPECT_EQ(said("plain").exit_code, 0) << said("plain").err;
  EXPECT_EQ(said("plain").out, before.out);
  EXPECT_THAT(said("plain").err, HasSubstr("the task cannot be refined"));
  expect_refusal(said("named"), 1, {".knapsack", "Read-only file system"});
}

TEST_F(IndexDisk, AReadOnlyRepositoryThatWasNeverIndexedSaysSo) {
  script("mount --bind . .\nmount -o remount,bind,ro .\ncd \"$PWD\"\nrun index index\nrun view overview\n");
  expect_refusal(said("index"), 1, {".knapsack", "Read-only file system"});
  expect_refusal(said("view"), 1, {"there is no code index yet", "knapsack index"});
}

TEST_F(IndexDisk, AFullDiskCostsNothingThatWasThere) {
  fs::create_directory(made_.file(".knapsack"));
  // More than the disk will hold comes to the repository.
  const TemporaryFolder more;
  testing::write_generated(made_, 60);
  fs::rename(made_.file("generated"), more.file("generated"));
  for (const int room : {0, 24, 96, 300}) {
    SCOPED_TRACE(room);
    script(
        fmt::format("mount -t tmpfs -o size=64m tmpfs .knapsack\nrun first index\nrun before symbols Cart\n"
                    "used=$(df -k .knapsack | awk 'END {{print $3}}')\n"
                    "mount -o remount,size=$((used + {}))k .knapsack\n"
                    "cp -r '{}' .\n"
                    "run full index\nrun again index --full\nrun after symbols Cart\nrun overview overview\n"
                    "mount -o remount,size=64m .knapsack\n"
                    "run last index\nrm -rf $OUT/state\ncp -r .knapsack $OUT/state\n",
                    room, more.file("generated")));
    EXPECT_EQ(said("first").exit_code, 0) << said("first").err;
    for (const char* name : {"full", "again"}) {
      SCOPED_TRACE(name);
      expect_refusal(said(name), 1, {".knapsack"});
      EXPECT_THAT(said(name).err, AnyOf(HasSubstr("full"), HasSubstr("No space left")));
    }
    EXPECT_EQ(said("after").exit_code, 0) << said("after").err;
    EXPECT_EQ(said("after").out, said("before").out);
    EXPECT_EQ(said("overview").exit_code, 0) << said("overview").err;
    EXPECT_EQ(said("last").exit_code, 0) << said("last").err;
    fs::remove_all(made_.file(".knapsack"));
    fs::copy(out_.file("state"), made_.file(".knapsack"), fs::copy_options::recursive);
    EXPECT_SAME_DUMP(fresh_dump(made_.path()), dump_of(made_.path()));
    fs::remove_all(made_.file("generated"));
    fs::remove_all(made_.file(".knapsack"));
    fs::create_directory(made_.file(".knapsack"));
  }
}

TEST_F(IndexDisk, AFileThatMayNotGrowIsAnErrorAndNotASignal) {
  index_report(made_.path());
  const std::string before = dump_of(made_.path());
  testing::write_generated(made_, 40);
  const auto limited = [] {
    const rlimit limit{100 << 10, 100 << 10};
    ::setrlimit(RLIMIT_FSIZE, &limit);
  };
  expect_refusal(run_measured({"index"}, made_.path(), limited), 1, {".knapsack"});
  EXPECT_SAME_DUMP(before, dump_of(made_.path()));
  index_report(made_.path());
  EXPECT_SAME_DUMP(fresh_dump(made_.path()), dump_of(made_.path()));
}

// Sets both times of a file, in seconds since 1970.
void set_time(const std::string& path, int64_t seconds) {
  const timespec times[2] = {{static_cast<time_t>(seconds), 5}, {static_cast<time_t>(seconds), 5}};
  ASSERT_EQ(::utimensat(AT_FDCWD, path.c_str(), times, 0), 0);
}

TEST_F(IndexDisk, AClockThatGoesBackwardsHidesNoChange) {
  const std::string file = made_.file("src/shop/prices.py");
  const auto follow = [&](const std::string& now) {
    const auto report = index_report(made_.path(), {"--now", now});
    EXPECT_EQ(report["changed"], true);
    EXPECT_SAME_DUMP(fresh_dump(made_.path()), dump_of(made_.path()));
  };
  follow("2026-11-15T08:00:00Z");
  made_.write("src/shop/prices.py", "A = 1\n");
  set_time(file, 4'000'000'000);  // in the year 2096
  follow("2020-01-01T00:00:00Z");
  made_.write("src/shop/prices.py", "A = 2\n");  // the same size and the same time of the future
  set_time(file, 4'000'000'000);
  follow("2019-01-01T00:00:00Z");
  made_.write("src/shop/prices.py", "A = 3\n");
  set_time(file, 1'000'000'000);  // older than every index
  follow("1971-01-01T00:00:00Z");
  made_.write("src/shop/prices.py", "A = 4\n");
  set_time(file, 999'999'999);
  follow("1971-01-01T00:00:00Z");
  made_.write("src/shop/prices.py", "A = 5\n");
  set_time(file, -5);  // before 1970
  follow("1970-01-01T00:00:00Z");
  made_.clock = 200'000'000;  // a commit of 1976 after those of 2023
  made_.commit("From the past");
  follow("2026-11-15T08:00:00Z");
}

}  // namespace
}  // namespace knapsack
