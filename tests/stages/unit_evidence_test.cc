// What makes a unit a part of a task, and what does not, on a small repository.
#include "code/units/unit_signal.h"
#include "stages/support_stages.h"
#include "support/repository_git.h"

namespace knapsack::stages {
namespace {

using code::UnitSignal;
using testing::TestRepository;

class UnitEvidence : public StagesFixture {
 protected:
  static void SetUpTestSuite() {
    made_ = new TestRepository();
    // A quote that closes nothing, and very many behind it.
    std::string apostrophes = "def toll_bells():\n    ring()\n";
    for (int i = 0; i < 9000; ++i) apostrophes += "    bell()\n";
    apostrophes += "# '";
    for (int i = 0; i < 300'000; ++i) apostrophes += "\\'";
    made_->write("app/bells.py", apostrophes + "\n");
    made_->write("app/barrel.rs",
                 "pub fn pour(from: &Barrel) -> String {\n"
                 "    format!(\"Error parsing `barrel/form` request\")\n}\n\n"
                 "#[cfg(test)]\nmod tests {\n    use super::*;\n\n    fn fill_barrel(n: usize) -> usize {\n"
                 "        let barrel = n + 1;\n        barrel * 2\n    }\n}\n");
    made_->write("app/Buoy.java",
                 "class Buoy {\n  void drift() {\n  }\n\n  void sink() {\n    this.drift();\n  }\n}\n");
    made_->write(
        "app/wharf.rb",
        "module Wharf\n  class Crane\n    def lift(box)\n      box.up\n      box.swing\n    end\n  end\n\n"
        "  class Scale\n    def weigh(box)\n      box.kilos\n      box.round\n    end\n  end\nend\n");
    made_->commit("A wharf");
    index_repository(made_->path());
  }
  static void TearDownTestSuite() {
    delete made_;
    made_ = nullptr;
  }
  void SetUp() override { open(made_->path()); }

  // Whether a part that the task finds has it.
  bool has(const std::string& task, const std::string& name, UnitSignal signal) {
    const StageContext context = both(task);
    const SelectedSymbol* symbol = find_symbol(context, name);
    EXPECT_NE(symbol, nullptr) << task;
    return symbol != nullptr && has_signal(symbol->score, signal);
  }

  static TestRepository* made_;
};
TestRepository* UnitEvidence::made_ = nullptr;

// In Rust they stand beside what they test.
TEST_F(UnitEvidence, WhatHelpsTestsIsAPartOfThem) {
  const std::string place = "a barrel that overflows, see app/barrel.rs";
  EXPECT_TRUE(has(place, "tests.fill_barrel", UnitSignal::kTest));
  EXPECT_FALSE(has("add a test for " + place, "tests.fill_barrel", UnitSignal::kTest));
}

TEST_F(UnitEvidence, AMessageIsKnownWithOtherQuotesAround) {
  for (const std::string said :
       {"it prints: error parsing `barrel/form` request", "Error parsing barrel/form request"})
    EXPECT_TRUE(has(said, "pour", UnitSignal::kMessage)) << said;
}

TEST_F(UnitEvidence, QuotesThatCloseNothingAndRunsOfDashesAreReadOnce) {
  const StageContext context = both("the bells toll, see app/bells.py");
  ASSERT_FALSE(context.symbols.empty());
  EXPECT_EQ(context.symbols.front().path, "app/bells.py");
  EXPECT_TRUE(has("`pour` spills " + std::string(600'000, '-'), "pour", UnitSignal::kName));
}

// `Wharf.Crane` tells where the crane is; a scale of the same wharf is not meant.
TEST_F(UnitEvidence, WhatATypeStandsInIsNotNamedWithIt) {
  const std::string place = ", see app/wharf.rb";
  EXPECT_TRUE(has("Wharf.Crane drops boxes" + place, "Wharf.Crane.lift", UnitSignal::kOwner));
  EXPECT_FALSE(has("Wharf.Crane drops boxes" + place, "Wharf.Scale.weigh", UnitSignal::kOwner));
  EXPECT_TRUE(has("Wharf.Crane drops boxes on the Wharf" + place, "Wharf.Scale.weigh", UnitSignal::kOwner));
}

TEST_F(UnitEvidence, AFunctionThatDoesNothingIsADeclaration) {
  EXPECT_TRUE(has("the buoy drifts, see app/Buoy.java", "Buoy.drift", UnitSignal::kDeclared));
  EXPECT_FALSE(has("the buoy drifts, see app/Buoy.java", "Buoy.sink", UnitSignal::kDeclared));
}

}  // namespace
}  // namespace knapsack::stages
