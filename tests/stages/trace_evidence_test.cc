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
    made_->write(
        "src/harbour.ts",
        "export class Harbour {\n  openGate(n) {\n    console.log(\"System harbour file\")\n    return n\n  "
        "}\n}\n");
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

// Release builds print names alone, beside frames that have places.
TEST_F(TraceEvidence, AFrameWithoutAFileIsInTheFunctionOfItsName) {
  const std::string system =
      "   0: rust_begin_unwind\n             at /rustc/9/library/std/src/panicking.rs:6:5\n";
  const auto backtrace = [&](const std::string& lines) {
    return "It panics\n\n```\nstack backtrace:\n" + system + lines + "```\n";
  };
  const std::string named = backtrace("   1: port::Pier::board\n   2: port::main\n");
  EXPECT_DOUBLE_EQ(frame(named, "Pier.board"), kWhole);
  EXPECT_EQ(frame(named, "Ramp.board"), 0);
  const std::string mixed =
      backtrace("   1: port::Pier::board\n   2: port::mooring\n             at ./src/quay.ts:2:3\n");
  EXPECT_DOUBLE_EQ(frame(mixed, "Pier.board"), kWhole);
  EXPECT_DOUBLE_EQ(frame(mixed, "mooring"), kWhole / 2) << "the second frame, also by its path";
  const StageContext context = both(mixed);
  const ScopedFile* file = find(context, "src/quay.ts");
  ASSERT_NE(file, nullptr);
  EXPECT_THAT(file->relations, Contains("frame 2 of the stack trace, by its function"));
  EXPECT_THAT(file->relations, Contains("frame 3 of the stack trace"));
}

TEST_F(TraceEvidence, TheNameOfAFrameIsThatOfItsClass) {
  const auto crash = [](const std::string& function) {
    return "It crashes\n\n```\nShop.Broken: no\n   at " + function + "(String name)\n```\n";
  };
  EXPECT_DOUBLE_EQ(frame(crash("Port.Harbour`1.openGate"), "Harbour.openGate"), kWhole);
  EXPECT_EQ(frame(crash("Contoso.Fence.openGate"), "Harbour.openGate"), 0) << "another program's class";
}

// Twenty frames of the runtime, and then one that counts.
TEST_F(TraceEvidence, FramesOfTheRuntimeDoNotUseUpTheOnesThatCount) {
  std::string trace = "It crashes\n\n```\nShop.Broken: no\n";
  for (int i = 0; i < 20; ++i) trace += "   at System.Linq.Enumerable" + std::to_string(i) + ".MoveNext()\n";
  trace += "   at Port.Harbour`1.openGate(String name)\n```\n";
  const StageContext context = both(trace);
  const ScopedFile* file = find(context, "src/harbour.ts");
  ASSERT_NE(file, nullptr);
  EXPECT_EQ(file->naming, Naming::kTrace);
}

TEST_F(TraceEvidence, APlaceInProseIsAFrame) {
  EXPECT_DOUBLE_EQ(frame("A crash at quay.ts:2", "mooring"), kWhole);
  EXPECT_DOUBLE_EQ(frame("Fix it:\n\n```\nsrc/quay.ts(6,3): error TS2345: bad\n```\n", "queueFlushJobs"),
                   kWhole);
  EXPECT_EQ(frame("see https://github.com/a/b/blob/main/src/quay.ts#L1-L3", "mooring"), 0)
      << "a range is a page";
  const std::string behind =
      "It fails\n\n```\nError: no\n    at queueFlushJobs (/srv/src/quay.ts:6:3)\n```\nAlso at src/quay.ts:2";
  EXPECT_LT(frame(behind, "mooring"), frame(behind, "queueFlushJobs")) << "behind what the trace tells";
}

TEST_F(TraceEvidence, APlaceOfESLintIsAFrame) {
  EXPECT_DOUBLE_EQ(
      frame("eslint complains\n\nsrc/quay.ts\n  6:7  error  'n' is never used\n", "queueFlushJobs"), kWhole);
}

// Of two functions of one name each has less than one would have, and more than the next frame gives.
TEST_F(TraceEvidence, AFrameThatMayLieInTwoFunctionsComesBeforeTheNext) {
  const std::string trace =
      "It crashes\n\n```\nError: no\n    at board (/srv/src/quay.ts:90:3)\n    at mooring "
      "(/srv/src/quay.ts:2:3)\n```\n";
  EXPECT_LT(frame(trace, "Pier.board"), kWhole);
  EXPECT_GT(frame(trace, "Pier.board"), frame(trace, "mooring"));
}

TEST_F(TraceEvidence, HeadingsOfTheTaskQuoteNoMessage) {
  const std::string task = "Quay is full, see src/harbour.ts\n\n";
  EXPECT_GT(worth(task + "It says System harbour file", "Harbour.openGate", UnitSignal::kMessage), 0);
  EXPECT_EQ(worth(task + "#### System harbour file\n\nnone", "Harbour.openGate", UnitSignal::kMessage), 0);
  EXPECT_EQ(worth(task + "**System harbour file**\n\nnone", "Harbour.openGate", UnitSignal::kMessage), 0);
  EXPECT_GT(worth(task + "```\n# System harbour file\n```\n", "Harbour.openGate", UnitSignal::kMessage), 0);
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
