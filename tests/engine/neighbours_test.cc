// What a task names brings all its direct neighbours, those first that use it, and nothing is lost silently.
#include <fmt/format.h>

#include "engine/support_workspace.h"

namespace knapsack {
namespace {

using ::testing::AllOf;
using ::testing::Contains;
using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;
using testing::RetrievalWorkspace;
using testing::shows_file;
using ::testing::SizeIs;
using ::testing::StartsWith;

// 240 files import app/hub.py; only the last of them by path calls `settle`.
constexpr int kImporters = 240;
std::string importer(int i) {
  return fmt::format("app/part_{:03}.py", i);
}

class Neighbours : public ::testing::Test {
 protected:
  void SetUp() override {
    const auto& folder = workspace_.folder();
    folder.write("app/__init__.py", "");
    folder.write("app/hub.py", "def settle(order):\n    return order\n\n\ndef other(order):\n    return 0\n");
    for (int i = 0; i < kImporters; ++i) {
      const bool uses = i + 1 == kImporters;
      folder.write(importer(i), fmt::format("from app.hub import {0}\n\n\ndef step_{1}(x):\n    y = x + {1}\n"
                                            "    return {0}(y)\n",
                                            uses ? "settle" : "other", i));
    }
    folder.write("tests/test_hub.py", "import app.hub\n\n\ndef test_it_loads():\n    assert app.hub\n");
    folder.write("elsewhere/test_hubris.py", "def test_pride():\n    assert True\n");
    workspace_.index();
  }
  std::vector<Decision> rows(const std::string& stage) {
    auto explanation = workspace_.engine().explain("latest", "");
    EXPECT_OK(explanation);
    std::vector<Decision> found;
    for (const Decision& row : explanation->decisions)
      if (row.stage == stage) found.push_back(row);
    return found;
  }
  const Decision* scoped(const std::vector<Decision>& rows, const std::string& path) {
    for (const Decision& row : rows)
      if (row.candidate_id == "file:" + path) return &row;
    return nullptr;
  }
  RetrievalWorkspace workspace_;
};

TEST_F(Neighbours, AllOfANamedFileAreConsidered) {
  workspace_.retrieve(RetrievalWorkspace::request("settle is wrong in app/hub.py", 8000));
  const std::vector<Decision> scope = rows("scope");
  for (int i = 0; i < kImporters; ++i) {
    const Decision* row = scoped(scope, importer(i));
    ASSERT_NE(row, nullptr) << importer(i);
    EXPECT_TRUE(row->included) << row->reason;
    EXPECT_THAT(row->reason, HasSubstr("imports app/hub.py"));
  }
}

TEST_F(Neighbours, ABudgetThatHasRoomShowsAllOfThem) {
  RetrieveRequest request = RetrievalWorkspace::request("settle is wrong in app/hub.py", 200000);
  request.fill = true;
  const RetrieveReply reply = workspace_.retrieve(request);
  for (int i = 0; i < kImporters; ++i) EXPECT_TRUE(shows_file(reply, importer(i))) << importer(i);
}

TEST_F(Neighbours, ATaskThatChangesASymbolShowsWhatUsesItAndItsTests) {
  const RetrieveReply reply =
      workspace_.retrieve(RetrievalWorkspace::request("rename settle in app/hub.py", 4000));
  EXPECT_THAT(reply.output, HasSubstr(fmt::format("def step_{}(x):\n    y = x + {}\n    return settle(y)",
                                                  kImporters - 1, kImporters - 1)));
  EXPECT_TRUE(shows_file(reply, "tests/test_hub.py")) << reply.output;
  EXPECT_FALSE(shows_file(reply, "elsewhere/test_hubris.py"));
  EXPECT_LE(reply.packet.used, 4000U);
}

TEST_F(Neighbours, WhatALimitDropsIsInTheLedgerAndExplained) {
  // Nothing of the task names the hub, which is a seed by its words alone.
  workspace_.folder().write("app/hub.py",
                            "# the flux capacitor drifts\ndef settle(order):\n    return order\n\n\n"
                            "def other(order):\n    return 0\n");
  workspace_.index();
  workspace_.retrieve(RetrievalWorkspace::request("the flux capacitor drifts", 8000));
  EXPECT_THAT(rows("scope"),
              Contains(AllOf(::testing::Field(&Decision::title, "221 more files import app/hub.py"),
                             ::testing::Field(&Decision::included, false),
                             ::testing::Field(&Decision::reason,
                                              "beyond the first 20 of a file that the task does not name"))));
  auto explanation = workspace_.engine().explain("latest", importer(200));
  ASSERT_OK(explanation);
  EXPECT_THAT(explanation->answers,
              ElementsAre(AllOf(StartsWith(importer(200) + " was never gathered: it imports app/hub.py"),
                                Not(HasSubstr("no seed imports it")))));
}

TEST(NeighboursOfThisProject, ATestIsKeptThatIsLinkedToTheNamedFile) {
  RetrievalWorkspace workspace;
  workspace.copy_source({"src/core", "src/graph", "src/store", "src/engine", "tests/core"});
  workspace.index();
  const RetrieveReply reply =
      workspace.retrieve(RetrievalWorkspace::request("rename Timestamp::seconds in src/core/clock.h", 16000));
  EXPECT_TRUE(shows_file(reply, "tests/core/clock_test.cc"));
  auto explanation = workspace.engine().explain("latest", "tests/core/clock_test.cc");
  ASSERT_OK(explanation);
  EXPECT_THAT(explanation->answers.at(0), HasSubstr("is a test of src/core/clock.h"));
  EXPECT_THAT(reply.output, HasSubstr("now_.seconds()")) << "the places that have to change are there";
}

}  // namespace
}  // namespace knapsack
