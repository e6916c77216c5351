// What stack traces and quoted lines say about files and their parts, on a small repository.
#include "code/units/unit_signal.h"
#include "stages/support_stages.h"
#include "support/repository_git.h"

namespace knapsack::stages {
namespace {

using code::UnitSignal;
using ::testing::Contains;
using testing::TestRepository;

// What a part gains that the first frame is certain to lie in.
const double kWhole = code::UnitConstants().frame;

class TraceEvidence : public StagesFixture {
 protected:
  static void SetUpTestSuite() {
    made_ = new TestRepository();
    made_->write("tx_check.go",
                 "package bolt\n\nfunc (tx *Tx) check(n int) error {\n\treturn nil\n}\n\n"
                 "func (tx *Tx) Dump(n int) int {\n\treturn n\n}\n");
    made_->write("utils.go", "package bolt\n\nfunc spare(n int) int {\n\treturn n\n}\n");
    made_->write("src/quay.ts",
                 "export function mooring(n) {\n  return n\n}\n\nexport function queueFlushJobs(n) {\n  "
                 "return n\n}\n\n"
                 "export class Pier {\n  board(n) {\n    return n\n  }\n}\n\n"
                 "export class Ramp {\n  board(n) {\n    return n + 1\n  }\n}\n");
    made_->write("tests/quay.spec.ts", "function queueFlushJobs(n) {\n  return n + 2\n}\n");
    made_->write("app/Buffer.php",
                 "<?php\nclass Buffer {\n  function flush() {\n    $this->close();\n  }\n\n"
                 "  function close() {\n    return 1;\n  }\n}\n");
    made_->write("app/Keel.cc",
                 "int Keel::operator[](int n) const {\n  return n;\n}\n\nint Keel::depth(int n) const {\n"
                 "  return n + 1;\n}\n\nint Keel::operator()(int n) const {\n  return n + 2;\n}\n");
    made_->write("app/manual.py",
                 "def first_page():\n    \"\"\"\n    Traceback (most recent call last):\n    \"\"\"\n    "
                 "return 1\n\n\n"
                 "def second_page(n):\n    return turn_the_page(n, 17)\n\n\n"
                 "def third_page(n):\n    return turn_the_page(n, 17)\n\n\n"
                 "def fourth_page(n):\n    return turn_back_the_page(n, 19)\n");
    made_->commit("A quay");
    index_repository(made_->path());
  }
  static void TearDownTestSuite() {
    delete made_;
    made_ = nullptr;
  }
  void SetUp() override { open(made_->path()); }

  // What a signal adds to a part that the task finds; 0 where it finds none.
  double worth(const std::string& task, const std::string& name, UnitSignal signal) {
    const StageContext context = both(task);
    const SelectedSymbol* symbol = find_symbol(context, name);
    return symbol == nullptr ? 0 : code::value_of(symbol->score, signal);
  }
  double frame(const std::string& task, const std::string& name) {
    return worth(task, name, UnitSignal::kFrame);
  }

  static TestRepository* made_;
};
TestRepository* TraceEvidence::made_ = nullptr;

std::string go_panic(const std::string& function, const std::string& place) {
  return "It panics\n\n```\npanic: bad page\n\ngoroutine 1 [running]:\n" + function + "(0xc0)\n\t" + place +
         " +0x1d\n```\n";
}

// All that the path of an installed copy has in common with it is its name.
TEST_F(TraceEvidence, AFileAtTheRootIsMeantByAFrameInAFunctionOfIt) {
  const std::string task = go_panic("go.etcd.io/bbolt.(*Tx).check.func2",
                                    "/home/me/go/pkg/mod/go.etcd.io/bbolt@v1.4.3/tx_check.go:99");
  const StageContext context = both(task);
  const ScopedFile* file = find(context, "tx_check.go");
  ASSERT_NE(file, nullptr);
  EXPECT_EQ(file->naming, Naming::kTrace);
  EXPECT_DOUBLE_EQ(frame(task, "Tx.check"), kWhole);
  EXPECT_EQ(frame(task, "Tx.Dump"), 0);
}

TEST_F(TraceEvidence, AFileAtTheRootIsNotMeantByAFrameOfAnother) {
  const std::string task =
      go_panic("example.com/other.other", "/home/me/go/pkg/mod/example.com/other/utils.go:4");
  const StageContext context = both(task);
  const ScopedFile* file = find(context, "utils.go");
  EXPECT_TRUE(file == nullptr || file->naming != Naming::kTrace);
  EXPECT_EQ(frame(task, "spare"), 0);
}

TEST_F(TraceEvidence, AFrameOfAnOperatorIsInTheOperator) {
  const std::string trace =
      "Keel crashes\n\n```\n#0 0x4f in Keel::operator[](int) const /home/u/app/Keel.cc:9:3\n```\n";
  EXPECT_DOUBLE_EQ(frame(trace, "Keel.operator[]"), kWhole) << "the line is that of another version";
  EXPECT_EQ(frame(trace, "Keel.operator()"), 0);
  const std::string other =
      "Keel crashes\n\n```\n#0 0x4f in Keel::depth(int) const /home/u/app/Keel.cc:9:3\n```\n";
  EXPECT_DOUBLE_EQ(frame(other, "Keel.depth"), kWhole);
}

// Line 40 of the reporter's version called close; it stands in flush.
TEST_F(TraceEvidence, AFrameOfPhpIsInTheFunctionThatTheNextOneCalled) {
  const std::string trace =
      "Close fails\n\n```\n#0 /srv/app/Buffer.php(40): Buffer->close()\n"
      "#1 /srv/app/Unknown.php(115): Buffer->flush()\n#2 {main}\n```\n";
  EXPECT_DOUBLE_EQ(frame(trace, "Buffer.flush"), kWhole);
  EXPECT_EQ(frame(trace, "Buffer.close"), 0);
}

std::string bundled(const std::string& function) {
  return "It is blank\n\n```\nTypeError: n is null\n    at " + function +
         " (https://cdn.example/assets/index-4f2a.js:1:20031)\n```\n";
}

TEST_F(TraceEvidence, AFrameOfABundleIsInTheFunctionOfItsName) {
  const StageContext context = both(bundled("queueFlushJobs"));
  const ScopedFile* file = find(context, "src/quay.ts");
  ASSERT_NE(file, nullptr);
  EXPECT_THAT(file->relations, Contains("frame 1 of the stack trace, by its function"));
  EXPECT_NEAR(frame(bundled("queueFlushJobs"), "queueFlushJobs"), kWhole / 2, 1e-9)
      << "half, and no test of that name";
  EXPECT_GT(frame(bundled("Pier.board"), "Pier.board"), 0);
  EXPECT_EQ(frame(bundled("Pier.board"), "Ramp.board"), 0);
  EXPECT_EQ(frame(bundled("mooring"), "mooring"), 0) << "a plain name may be anything";
}

TEST_F(TraceEvidence, NamesAreNotAskedWhereAPathOfTheTraceIsKnown) {
  const std::string task =
      bundled("queueFlushJobs") + "\n```\nError: late\n    at mooring (/srv/app/src/quay.ts:2:3)\n```\n";
  EXPECT_EQ(frame(task, "queueFlushJobs"), 0);
  EXPECT_GT(frame(task, "mooring"), 0);
}

// Documentation shows traces as well.
TEST_F(TraceEvidence, OfATraceTheSourceIsQuotedAndNotItsHeading) {
  const std::string trace =
      "Pages turn, see app/manual.py\n\n```\nTraceback (most recent call last):\n"
      "  File \"/srv/other.py\", line 3, in fourth\n    return turn_back_the_page(n, 19)\nKeyError: "
      "'n'\n```\n";
  EXPECT_EQ(worth(trace, "first_page", UnitSignal::kQuoted), 0);
  EXPECT_GT(worth(trace, "fourth_page", UnitSignal::kQuoted), 0);
}

TEST_F(TraceEvidence, AQuotedLineThatSeveralPartsHaveIsSharedAmongThem) {
  const auto quoted = [](const std::string& line) {
    return "Pages turn, see app/manual.py\n\n```\n" + line + "\n```\n";
  };
  const double shared = worth(quoted("return turn_the_page(n, 17)"), "second_page", UnitSignal::kQuoted);
  const double alone = worth(quoted("return turn_back_the_page(n, 19)"), "fourth_page", UnitSignal::kQuoted);
  EXPECT_GT(shared, 0);
  EXPECT_LT(shared, alone * 0.6) << "parts of one file, too";
}

}  // namespace
}  // namespace knapsack::stages
