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
    made_->write("app/ferry.py",
                 "class Ferry:\n    def board(self, car):\n        \"\"\"Takes a car.\"\"\"\n        raise "
                 "NotImplementedError(\"x\")\n\n"
                 "    def wait(self): ...  # type: ignore\n\n    def leave(self) -> None:\n        "
                 "\"\"\"Leaves.\"\"\"\n\n"
                 "    def sail(self):\n        raise FerryError(\"storm\")\n\n    def moor(self,\n           "
                 "  rope):\n        pass\n");
    made_->write("app/Winch.cs",
                 "class Winch {\n  public Task Haul<T>(string rope) => HaulRow<T>(Modes.All, typeof(T), new "
                 "Rope(rope));\n\n"
                 "  private Task HaulRow<T>(Modes modes, Type type, Rope rope) {\n    rope.Pull();\n    "
                 "return rope.Load(modes);\n  }\n}\n");
    made_->write("app/Lock.java",
                 "class Lock implements Gate {\n  public void closeGate(Boat boat) {\n    boat.stop();\n    "
                 "boat.wait();\n  }\n}\n");
    made_->write("app/Gate.java", "interface Gate {\n  void closeGate(Boat boat);\n}\n");
    made_->write("tests/LockTest.java",
                 "class LockTest {\n  @Test void closeGate() {\n    new Lock().closeGate(new Boat());\n    "
                 "check();\n  }\n}\n");
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

TEST_F(UnitEvidence, SoIsOneThatOnlySaysThatItIsNotThere) {
  const std::string task = "the ferry boards, waits, leaves, sails and moors, see app/ferry.py";
  for (const std::string name : {"board", "wait", "leave", "moor"})
    EXPECT_TRUE(has(task, "Ferry." + name, UnitSignal::kDeclared)) << name;
  EXPECT_FALSE(has(task, "Ferry.sail", UnitSignal::kDeclared));
}

TEST_F(UnitEvidence, WorkIsHandedOnWithTypesAndWithWhatIsMadeForIt) {
  EXPECT_TRUE(has("`Winch.Haul` loses its rope", "Winch.HaulRow", UnitSignal::kHandedOn));
}

// Who calls the function in a sentence means neither what declares it nor its test.
TEST_F(UnitEvidence, PrototypesAndTestsDoNotShareAName) {
  const std::string task = "The lock leaks\n\nAfter a storm closeGate leaves the boats outside.";
  EXPECT_TRUE(has(task, "Lock.closeGate", UnitSignal::kName));
}

TEST_F(UnitEvidence, ACallWithArgumentsIsACall) {
  const std::string title = "Boxes stay behind\n\n", rest = " leaves a box, see app/wharf.rb";
  EXPECT_TRUE(has(title + "crane.lift(5000)" + rest, "Wharf.Crane.lift", UnitSignal::kName));
  EXPECT_FALSE(has(title + "the lift(s) there" + rest, "Wharf.Crane.lift", UnitSignal::kName));
}

}  // namespace
}  // namespace knapsack::stages
