// `knapsack outcome`, `report`, `export` and `eval --from-outcomes` as people run them: was the packet any good?
#include <fmt/format.h>

#include <filesystem>
#include <nlohmann/json.hpp>
#include <sstream>

#include "core/clock.h"
#include "support/repository_git.h"
#include "support/support.h"

namespace knapsack {
namespace {

using namespace knapsack::testing;
using nlohmann::json;
using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

// Runs are made at times of our choosing: "an hour after the last commit".
std::string at(const TestRepository& repository, int64_t seconds = -1800) {
  return format_rfc3339(Timestamp::from_seconds(repository.clock + seconds));
}

class OutcomeScenario : public ::testing::Test {
 protected:
  void SetUp() override {
    repository_.write(
        "shop/cart.py",
        "import shop.price\n\n\ndef add_item(cart, item):\n    cart.append(item)\n    return cart\n\n\n"
        "def total(cart):\n    return sum(shop.price.of(item) for item in cart)\n");
    repository_.write("shop/price.py", "def of(item):\n    return item.price * item.count\n");
    repository_.write("shop/mail.py", "def send_letter(to, text):\n    return (to, text)\n");
    repository_.write("README.md", "# Shop\n\nSells things.\n");
    repository_.write(
        ".context/LEARNINGS.md",
        "## [2026-11-01] Rounding of totals\n\nThe total of a cart is rounded in `shop/cart.py`.\n");
    repository_.commit("Start the shop");
  }

  ProgramResult run(std::vector<std::string> arguments, const std::string& now = "") const {
    if (!now.empty()) arguments.insert(arguments.end(), {"--now", now});
    return run_program(arguments, repository_.path());
  }
  json run_json(std::vector<std::string> arguments, const std::string& now = "") const {
    arguments.insert(arguments.end(), {"--format", "json"});
    const auto result = run(std::move(arguments), now);
    EXPECT_EQ(result.exit_code, 0) << result.err;
    return json::parse(result.out, nullptr, false);
  }
  void pack(const std::string& task, const std::string& budget = "4000") const {
    const auto packed = run({"pack", task, "--budget", budget}, at(repository_));
    ASSERT_EQ(packed.exit_code, 0) << packed.err;
  }
  static json file(const json& outcome, const std::string& path) {
    for (const json& each : outcome["files"])
      if (each["path"] == path) return each;
    return {};
  }
  // The total is rounded, and a letter has a subject: two files, one of them unforeseen.
  std::string change() {
    repository_.write(
        "shop/cart.py",
        "import shop.price\n\n\ndef add_item(cart, item):\n    cart.append(item)\n    return cart\n\n\n"
        "def total(cart):\n    return round(sum(shop.price.of(item) for item in cart), 2)\n");
    repository_.write("shop/mail.py",
                      "def send_letter(to, text, subject=\"\"):\n    return (to, subject, text)\n");
    repository_.write("shop/tax.py", "RATE = 19\n");
    return repository_.commit("Round the total");
  }

  TestRepository repository_;
  TemporaryFolder beside_;
};

TEST_F(OutcomeScenario, SaysWhichPackedLinesACommitChangedAndWhatItLeftOut) {
  pack("round the total of a cart in total() of shop/cart.py", "600");
  change();
  const json outcome = run_json({"outcome", "latest", "--commit", "HEAD"});
  const json cart = file(outcome, "shop/cart.py");
  EXPECT_EQ(cart["packed"], true) << outcome;
  EXPECT_EQ(cart["compared"], true);
  EXPECT_EQ(cart["changed_lines"], 1);
  EXPECT_EQ(cart["shown_lines"], 1);
  EXPECT_EQ(cart["lines"], json::array({json::array({10, 10})}));
  EXPECT_EQ(cart["named_by"], json::array({"notes"}));
  EXPECT_EQ(file(outcome, "shop/tax.py")["kind"], "added");
  const json mail = file(outcome, "shop/mail.py");
  EXPECT_TRUE(mail["packed"] == true || !mail["why"].get<std::string>().empty()) << mail;
  EXPECT_EQ(outcome["told_by"], "commit");
  EXPECT_EQ(outcome["commit"], repository_.id("HEAD"));
  EXPECT_EQ(outcome["base"], repository_.id("HEAD~1"));
  EXPECT_THAT(run({"outcome", "latest", "--commit", "HEAD"}).out,
              AllOf(HasSubstr("packed and changed:\n  shop/cart.py: 1 of 1 changed line shown"),
                    HasSubstr("1 file new")));
}

TEST_F(OutcomeScenario, LinesAreThoseOfTheTextThatWasPackedEvenIfTheCommitStartsElsewhere) {
  pack("round the total of a cart in total() of shop/cart.py");
  // Somebody adds a line at the top first; the packet's lines do not move with it.
  const std::string text = repository_.folder().read("shop/cart.py");
  repository_.write("shop/cart.py", "# The cart.\n" + text);
  repository_.commit("Add a comment");
  std::string rounded = "# The cart.\n" + text;
  rounded.replace(rounded.find("sum("), 4, "int(");
  repository_.write("shop/cart.py", rounded);
  repository_.commit("Truncate the total");
  const json cart = file(run_json({"outcome", "latest", "--commit", "HEAD"}), "shop/cart.py");
  EXPECT_EQ(cart["lines"], json::array({json::array({11, 11})})) << "of the commit before";
  EXPECT_EQ(cart["changed_lines"], 2) << "the new first line is next to line 1 of what was packed";
  EXPECT_EQ(cart["shown_lines"], 1) << "line 1 was not shown";
}

TEST_F(OutcomeScenario, ARangeOfCommitsAndNamedFilesAreChangesToo) {
  pack("round the total of a cart in total() of shop/cart.py");
  change();
  repository_.write("README.md", "# Shop\n\nSells things and rounds them.\n");
  repository_.commit("Say so");
  const json range = run_json({"outcome", "latest", "--commit", "HEAD~2..HEAD"});
  EXPECT_FALSE(file(range, "README.md").is_null());
  EXPECT_FALSE(file(range, "shop/cart.py").is_null());
  const json files = run_json({"outcome", "latest", "--files", "shop/price.py,shop/cart.py"});
  EXPECT_EQ(files["files"].size(), 2u);
  EXPECT_EQ(files["told_by"], "files");
  EXPECT_EQ(file(files, "shop/cart.py")["shown_lines"], 1) << "compared with the work tree";
  const auto unknown = run({"outcome", "latest", "--files", "shop/carts.py"});
  EXPECT_EQ(unknown.exit_code, 2);
  EXPECT_THAT(unknown.err, HasSubstr("shop/carts.py is not a file of the workspace"));
}

TEST_F(OutcomeScenario, WithoutAnOptionTheWorkTreeTells) {
  repository_.write("README.md", "# Shop\n\nChanged before the run.\n");
  std::filesystem::last_write_time(
      repository_.file("README.md"),
      std::filesystem::file_time_type::clock::now() - std::chrono::hours(24 * 365 * 10));
  pack("round the total of a cart in total() of shop/cart.py");
  const std::string text = repository_.folder().read("shop/cart.py");
  repository_.write("shop/cart.py", text + "\n\ndef empty(cart):\n    return not cart\n");
  const json outcome = run_json({"outcome", "latest"});
  EXPECT_EQ(outcome["told_by"], "work tree");
  EXPECT_EQ(file(outcome, "shop/cart.py")["packed"], true) << outcome;
  EXPECT_TRUE(file(outcome, "README.md").is_null()) << "it was changed before the run";
}

TEST_F(OutcomeScenario, WhatIsSaidIsKeptWithoutSecretsAndReported) {
  pack("round the total of a cart in total() of shop/cart.py");
  EXPECT_EQ(run({"outcome", "latest", "--useful"}).exit_code, 0);
  EXPECT_EQ(run({"outcome", "latest", "--missing", "the tax table; token ghp_" + std::string(36, 'a') + "1"})
                .exit_code,
            0);
  const auto report = run({"report"});
  EXPECT_THAT(report.out, AllOf(HasSubstr("1 of 1 run has an outcome"), HasSubstr("the tax table"),
                                Not(HasSubstr("ghp_"))));
  EXPECT_THAT(report.out, HasSubstr("1 of 1 |"));
  const auto both = run({"outcome", "latest", "--useful", "--not-useful"});
  EXPECT_EQ(both.exit_code, 2);
  EXPECT_EQ(run({"outcome", "latest", "--commit", "HEAD", "--files", "README.md"}).exit_code, 2);
  EXPECT_EQ(run({"outcome", "run-none", "--useful"}).exit_code, 1);
}

TEST_F(OutcomeScenario, TheReportCountsHitsOfEachSourceByPeriod) {
  pack("round the total of a cart in total() of shop/cart.py", "600");
  change();
  ASSERT_EQ(run({"outcome", "latest", "--commit", "HEAD"}).exit_code, 0);
  pack("greet the reader in README.md");
  repository_.write("shop/price.py", "def of(item):\n    return item.price * item.count or 0\n");
  repository_.commit("Unrelated");
  ASSERT_EQ(run({"outcome", "latest", "--commit", "HEAD"}).exit_code, 0);
  ASSERT_EQ(run({"outcome", "latest", "--not-useful"}).exit_code, 0);
  const json report = run_json({"report", "--by", "day"});
  const auto row = [&](const std::string& period, const std::string& source) {
    for (const json& each : report["rows"])
      if (each["period"] == period && each["source"] == source) return each;
    return json();
  };
  EXPECT_EQ(report["with_outcome"], 2);
  const json code = row("all", "code");
  EXPECT_EQ(code["runs"], 2) << report;
  EXPECT_GE(code["hits"], 1);
  EXPECT_EQ(code["changed_files"], 3) << "new files could not be packed";
  EXPECT_GE(code["shown_lines"], 1);
  EXPECT_EQ(code["not_useful"], 1);
  EXPECT_EQ(row("all", "notes")["hits"], 1) << "the learning names shop/cart.py";
  EXPECT_EQ(report["rows"][0]["period"], "all");
  EXPECT_EQ(run_json({"report", "--after", "2030-01-01"})["with_outcome"], 0);
  EXPECT_EQ(run({"report", "--by", "fortnight"}).exit_code, 2);
}

TEST_F(OutcomeScenario, RunsWithOutcomesAreExportedAndMeasured) {
  pack("round the total of a cart in total() of shop/cart.py", "600");
  change();
  ASSERT_EQ(run({"outcome", "latest", "--commit", "HEAD"}).exit_code, 0);
  pack("nobody says what came of this");
  const auto exported = run({"export"});
  ASSERT_EQ(exported.exit_code, 0) << exported.err;
  std::istringstream lines(exported.out);
  std::string line;
  std::vector<json> rows;
  while (std::getline(lines, line)) rows.push_back(json::parse(line));
  ASSERT_EQ(rows.size(), 1u);
  EXPECT_EQ(rows[0]["query"], "round the total of a cart in total() of shop/cart.py");
  EXPECT_EQ(rows[0]["base_commit"], repository_.id("HEAD~1"));
  EXPECT_EQ(rows[0]["gold_files"], json::array({"shop/cart.py", "shop/mail.py"}));
  EXPECT_EQ(rows[0]["gold_lines"]["shop/cart.py"], json::array({json::array({10, 10})}));
  EXPECT_FALSE(rows[0]["decisions"].empty());
  EXPECT_TRUE(rows[0]["decisions"][0]["components"].is_object());
  EXPECT_TRUE(rows[0]["run"]["shown"]["files"].contains("shop/cart.py"));
  // The same lines are tasks that `eval` takes.
  beside_.write("runs.jsonl", exported.out);
  const std::string work = beside_.path();
  const json from_file = run_json({"eval", beside_.file("runs.jsonl"), "--work", work, "--budgets", "2000"});
  const json measured = run_json({"eval", "--from-outcomes", "--work", work, "--budgets", "2000"});
  EXPECT_EQ(measured["tasks"], 1);
  EXPECT_EQ(from_file["tasks"], 1);
  EXPECT_GT(measured["methods"]["full"]["overall"]["hit@5"]["value"].get<double>(), 0) << measured;
  const auto two = run({"eval", "--from-outcomes", "--from-git", "3"});
  EXPECT_EQ(two.exit_code, 2);
}

TEST_F(OutcomeScenario, WithNoOutcomeThereIsNothingToMeasure) {
  pack("round the total");
  EXPECT_THAT(run({"report"}).out, HasSubstr("0 of 1 run has an outcome"));
  EXPECT_EQ(run({"export"}).out, "");
  const auto measured = run({"eval", "--from-outcomes"});
  EXPECT_EQ(measured.exit_code, 1);
  EXPECT_THAT(measured.err, HasSubstr("knapsack outcome RUN --commit HEAD"));
}

TEST_F(OutcomeScenario, TheEndOfASessionKeepsWhatCameOfWhatItWasGiven) {
  ASSERT_EQ(run({"index"}).exit_code, 0);
  const auto hook = [&](const json& input) {
    return run_program({"hook", "claude-code"}, repository_.path(), {{"KNAPSACK_HOOK_DEADLINE_MS", "60000"}},
                       input.dump());
  };
  const json prompt = {{"hook_event_name", "UserPromptSubmit"},
                       {"session_id", "s1"},
                       {"cwd", repository_.path()},
                       {"prompt", "round the total of a cart in total() of shop/cart.py"}};
  EXPECT_THAT(hook(prompt).out, HasSubstr("shop/cart.py"));
  const std::string text = repository_.folder().read("shop/cart.py");
  repository_.write("shop/cart.py", text + "\n\ndef empty(cart):\n    return not cart\n");
  beside_.write("s1.jsonl", R"({"type":"user","message":{"role":"user","content":"round the total"}})"
                            "\n");
  const json end = {{"hook_event_name", "SessionEnd"},
                    {"session_id", "s1"},
                    {"cwd", repository_.path()},
                    {"transcript_path", beside_.file("s1.jsonl")}};
  EXPECT_EQ(hook(end).out, "");
  const json rows = json::parse(run({"export"}).out, nullptr, false);
  ASSERT_TRUE(rows.is_object()) << run({"export"}).out;
  EXPECT_EQ(rows["outcome"]["told_by"], "session end");
  EXPECT_EQ(rows["gold_files"], json::array({"shop/cart.py"}));
  // Another session was given nothing.
  json other = end;
  other["session_id"] = "s2";
  EXPECT_EQ(hook(other).exit_code, 0);
  EXPECT_EQ(run_json({"report"})["with_outcome"], 1);
}

}  // namespace
}  // namespace knapsack
