// Which definitions the names that a task writes mean, on a small repository in Ruby, Elixir and PHP.
#include "code/units/unit_signal.h"
#include "stages/support_stages.h"
#include "support/repository_git.h"

namespace knapsack::stages {
namespace {

using code::UnitSignal;
using ::testing::Contains;
using ::testing::Not;
using testing::TestRepository;

class WrittenNames : public StagesFixture {
 protected:
  static void SetUpTestSuite() {
    made_ = new TestRepository();
    made_->write("lib/kitchen.rb",
                 "module Kitchen\n  class Base\n    def error_block!(key)\n      blocks.run(key)\n      "
                 "blocks.clear\n    end\n\n"
                 "    def accept?(type)\n      types.include?(type)\n    end\n\n"
                 "    def content_type(type)\n      headers.set(type)\n      headers.send\n    end\n  "
                 "end\nend\n");
    made_->write("lib/waiter.rb",
                 "class Waiter\n  def accept(order)\n    orders.push(order)\n    orders.ring\n  end\nend\n");
    made_->write("test/kitchen_test.rb",
                 "describe 'content_type' do\n  it 'sets the header' do\n    get '/'\n    expect(type)\n  "
                 "end\nend\n\n"
                 "describe 'dump_dishes' do\n  it 'breaks' do\n    get '/'\n  end\nend\n");
    made_->write("lib/stove.ex",
                 "defmodule Stove do\n  def scald_pan(pan, heat) do\n    pan.heat(heat)\n    pan.wait()\n  "
                 "end\nend\n");
    made_->write("src/Ladder.php", "<?php\nclass Ladder {\n  private $ancestor;\n  private $rung;\n}\n");
    made_->write("src/Tree.php",
                 "<?php\nclass Tree {\n  public function ancestor() {\n    return $this->up(1);\n  }\n}\n");
    made_->write(
        "lib/ladle.py",
        "class Ladle:\n    def __init__(self, size):\n        self.size = size\n        self.full = False\n\n"
        "    def pour(self, soup):\n        soup.move(self.size)\n        self.full = False\n");
    made_->commit("A kitchen");
    index_repository(made_->path());
  }
  static void TearDownTestSuite() {
    delete made_;
    made_ = nullptr;
  }
  void SetUp() override { open(made_->path()); }

  // Why the file is there, as far as the task names something in it.
  std::vector<std::string> relations(const std::string& task, const std::string& path) {
    const StageContext context = scope(task);
    const ScopedFile* file = find(context, path);
    return file != nullptr && file->is_named() ? file->relations : std::vector<std::string>();
  }
  // Whether the task means a part by its name.
  bool is_named(const std::string& task, const std::string& name) {
    const StageContext context = both(task);
    const SelectedSymbol* symbol = find_symbol(context, name);
    EXPECT_NE(symbol, nullptr) << task;
    return symbol != nullptr && has_signal(symbol->score, UnitSignal::kName);
  }

  static TestRepository* made_;
};
TestRepository* WrittenNames::made_ = nullptr;

TEST_F(WrittenNames, AnOptionOfAClassIsTakenWhereOneIsMade) {
  const auto is_meant = [&](const std::string& task, const std::string& name) {
    const StageContext context = both(task);
    const SelectedSymbol* symbol = find_symbol(context, name);
    EXPECT_NE(symbol, nullptr) << task;
    return symbol != nullptr && has_signal(symbol->score, UnitSignal::kDottedName);
  };
  EXPECT_TRUE(is_meant("Add an option to Ladle to strain the soup", "Ladle.__init__"));
  EXPECT_FALSE(is_meant("Add an option to Ladle to strain the soup", "Ladle.pour"));
  EXPECT_FALSE(is_meant("Ladle spills the soup", "Ladle.__init__"));
}

TEST_F(WrittenNames, AMarkIsAPartOfTheName) {
  for (const std::string task : {"Why does `accept?` return true", "Why does accept? return true"}) {
    EXPECT_THAT(relations(task, "lib/kitchen.rb"), Contains("defines accept?")) << task;
    EXPECT_THAT(relations(task, "lib/waiter.rb"), Not(Contains("defines accept"))) << task;
    EXPECT_TRUE(is_named(task, "Kitchen.Base.accept?")) << task;
    EXPECT_FALSE(is_named(task, "Waiter.accept")) << task;
  }
  EXPECT_THAT(relations("`accept` loses an order", "lib/waiter.rb"), Contains("defines accept"));
  EXPECT_FALSE(is_named("`accept` loses an order", "Kitchen.Base.accept?"));
}

TEST_F(WrittenNames, WhoNamesBothMeansBoth) {
  const std::string task = "`accept?` is true and `accept` fails";
  EXPECT_THAT(relations(task, "lib/kitchen.rb"), Contains("defines accept?"));
  EXPECT_THAT(relations(task, "lib/waiter.rb"), Contains("defines accept"));
}

TEST_F(WrittenNames, AMarkMayBeLeftAway) {
  const std::string task = "The handler runs twice\n\nAs it seems in error_block here.";
  EXPECT_THAT(relations(task, "lib/kitchen.rb"), Contains("defines error_block"));
  EXPECT_TRUE(is_named(task, "Kitchen.Base.error_block!"));
}

TEST_F(WrittenNames, TheFullStopBehindAnArityBeginsNoExtension) {
  const std::string task = "A pan is wrong\n\nIt happens in scald_pan/2.";
  EXPECT_THAT(relations(task, "lib/stove.ex"), Contains("defines scald_pan"));
  EXPECT_TRUE(is_named(task, "Stove.scald_pan"));
}

TEST_F(WrittenNames, ACallMeansNoField) {
  EXPECT_THAT(relations("`ancestor` is wrong", "src/Ladder.php"), Contains("defines ancestor"));
  const std::string task = "`{{ ancestor() }}` is wrong";
  EXPECT_THAT(relations(task, "src/Tree.php"), Contains("defines ancestor"));
  EXPECT_THAT(relations(task, "src/Ladder.php"), Not(Contains("defines ancestor")));
  const StageContext context = both(task + " in src/Ladder.php");
  const SelectedSymbol* field = find_symbol(context, "Ladder.ancestor");
  EXPECT_TRUE(field == nullptr || field->reason.find("named in the task") == std::string::npos);
  EXPECT_THAT(relations("`rung()` is wrong", "src/Ladder.php"), Contains("defines rung"))
      << "where nothing else is called so, it is the field";
}

TEST_F(WrittenNames, ATitleOfATestIsNoDefinition) {
  EXPECT_TRUE(is_named("`content_type` is wrong", "Kitchen.Base.content_type"));
  EXPECT_FALSE(is_named("`content_type` is wrong", "content_type"));
  EXPECT_TRUE(is_named("add a test for `content_type`", "content_type"));
  EXPECT_TRUE(is_named("`dump_dishes` is wrong", "dump_dishes")) << "nothing else is called so";
  EXPECT_THAT(relations("`dump_dishes` is wrong", "test/kitchen_test.rb"),
              Contains("has a test called dump_dishes"));
}

}  // namespace
}  // namespace knapsack::stages
