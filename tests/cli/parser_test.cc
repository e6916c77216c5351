// The argument parser in words of ours: where values go, and what is said of those that cannot be read.
#include "cli/parser.h"

#include "cli/numbers.h"
#include "cli/parser_view.h"
#include "support/support.h"

namespace knapsack::cli {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

class CommandParser : public ::testing::Test {
 protected:
  // A program of its own each time.
  void define(const std::string& only = "") {
    parser_ = std::make_unique<Parser>("Packs", "knapsack", "1.2.3");
    parser_->only(only);
    Command pack = parser_->program().add_subcommand("pack", "Pack");
    pack.add_text("TASK", task_, "The task");
    pack.add_option("--budget,-b", budget_, "Tokens").between(size_t{1}, size_t{1000});
    pack.add_option("--path", paths_, "Only these").delimiter(',');
    pack.add_optional("--diff", since_, "Of a change");
    pack.add_flag("--stats", stats_, "More");
    pack.callback([this] { ++ran_; });
    Command team = parser_->program().add_subcommand("team", "Team");
    team.require_subcommand(1, 1);
    Command add = team.add_subcommand("add", "Add");
    add.add_option("NAME", name_, "Its name").required();
    add.add_option("--role", role_, "Its role").one_of({"read", "write"});
  }
  Parser::Outcome parse(std::vector<const char*> words) {
    words.insert(words.begin(), "knapsack");
    return parser_->parse(static_cast<int>(words.size()), words.data());
  }

  std::unique_ptr<Parser> parser_;
  std::string task_, name_, role_;
  size_t budget_ = 0;
  std::vector<std::string> paths_;
  std::optional<std::string> since_;
  bool stats_ = false;
  int ran_ = 0;
};

TEST_F(CommandParser, ValuesReachTheirTargets) {
  define();
  const auto outcome =
      parse({"pack", "fix", "the", "--budget", "42", "importer", "--stats", "--path", "a,b"});
  EXPECT_EQ(outcome.problem, "");
  EXPECT_EQ(outcome.command, "pack");
  EXPECT_EQ(task_, "fix the importer") << "a text needs no quotes";
  EXPECT_EQ(budget_, 42U);
  EXPECT_TRUE(stats_);
  EXPECT_THAT(paths_, ElementsAre("a", "b"));
  EXPECT_EQ(since_, std::nullopt);
  EXPECT_EQ(ran_, 1);
}

TEST_F(CommandParser, WhatStandsBehindTwoDashesIsText) {
  define();
  EXPECT_EQ(parse({"pack", "why", "--", "-v", "is", "--budget"}).problem, "");
  EXPECT_EQ(task_, "why -v is --budget");
  EXPECT_EQ(budget_, 0U);
}

TEST_F(CommandParser, CommandsBelowCommandsAreNamedWhole) {
  define();
  EXPECT_EQ(parse({"team", "add", "ci", "--role", "read"}).command, "team add");
  EXPECT_EQ(name_, "ci");
  EXPECT_EQ(role_, "read");
}

TEST_F(CommandParser, WhatCannotBeReadIsSaidInALine) {
  const std::vector<std::pair<std::vector<const char*>, std::string>> cases = {
      {{"pakc"}, "unknown command pakc; did you mean pack?"},
      {{"team", "ad"}, "unknown command team ad; did you mean add?"},
      {{"pack", "x", "--bugdet", "1"}, "pack has no option --bugdet; did you mean --budget?"},
      {{"pack", "x", "--budget"}, "--budget needs a value"},
      {{"pack", "x", "--budget", "0"}, "'0' is not a whole number from 1 to 1000"},
      {{"pack", "x", "--budget", "1", "--budget", "2"}, "--budget is given 2 times; give it once"},
      {{"pack", "x", "--stats=some"}, "--stats takes no value"},
      {{"pack", "-v is broken"}, "put a text that begins with a dash after --"},
      {{"team", "add", "ci", "--role", "own"}, "--role: 'own' is not one of read, write"},
      {{"team", "add"}, "NAME"}};
  for (const auto& [words, says] : cases) {
    define();
    const auto outcome = parse(words);
    EXPECT_THAT(outcome.problem, HasSubstr(says)) << words.back();
    EXPECT_EQ(outcome.problem.find('\n'), std::string::npos) << outcome.problem;
    EXPECT_EQ(outcome.answer, "");
  }
}

TEST_F(CommandParser, HelpAndVersionAreAnswers) {
  define();
  EXPECT_EQ(parse({"--version"}).answer, "1.2.3\n");
  const auto help = parse({"pack", "--help"});
  EXPECT_THAT(help.answer, HasSubstr("--budget"));
  EXPECT_EQ(help.problem, "");
  EXPECT_EQ(ran_, 0);
}

TEST_F(CommandParser, CommandsThatArePassedOverTakeEverythingAndDoNothing) {
  define("team");
  EXPECT_EQ(parse({"team", "add", "ci"}).problem, "");
  EXPECT_EQ(name_, "ci");
  const auto commands = parser_->program().view().commands;
  ASSERT_EQ(commands.size(), 1U);
  EXPECT_THAT(commands.front().path, ElementsAre("team"));
}

TEST_F(CommandParser, WhereAllArePassedOverThereAreNone) {
  define("pakc");
  EXPECT_FALSE(parser_->has_commands());
  EXPECT_THAT(parser_->program().view().commands, IsEmpty());
}

TEST(Numbers, AreShownAsPeopleReadThem) {
  EXPECT_EQ(grouped(0), "0");
  EXPECT_EQ(grouped(999), "999");
  EXPECT_EQ(grouped(1'234'567), "1,234,567");
  EXPECT_EQ(counted(1, "file"), "1 file");
  EXPECT_EQ(counted(2000, "file"), "2,000 files");
  EXPECT_EQ(counted(2, "memory", "memories"), "2 memories");
  EXPECT_EQ(bytes_in_words(1), "1 byte");
  EXPECT_EQ(bytes_in_words(999), "999 bytes");
  EXPECT_EQ(bytes_in_words(3'400), "3.4 kB");
  EXPECT_EQ(bytes_in_words(21'000'000), "21.0 MB");
}

}  // namespace
}  // namespace knapsack::cli
