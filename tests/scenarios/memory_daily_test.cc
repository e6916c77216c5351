// What people do with memories every day: asking, correcting, forgetting by words.
#include <filesystem>
#include <nlohmann/json.hpp>

#include "scenarios/support_terminal.h"
#include "support/support.h"

namespace knapsack {
namespace {

using nlohmann::json;
using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;
using testing::ProgramResult;

class MemoryDaily : public ::testing::Test {
 protected:
  void SetUp() override { std::filesystem::create_directory(folder_.file(".git")); }

  ProgramResult run(const std::vector<std::string>& arguments) {
    return testing::run_program(arguments, folder_.path());
  }
  std::string remember(const std::string& text, const std::string& day, std::vector<std::string> more = {}) {
    more.insert(more.begin(), {"remember", text, "--format", "json", "--now", day + "T09:00:00Z"});
    const auto result = run(more);
    EXPECT_EQ(result.exit_code, 0) << result.err;
    last_ = json::parse(result.out, nullptr, false);
    return last_.value("id", "");
  }
  std::string recall(const std::string& prompt, std::vector<std::string> more = {}) {
    more.insert(more.begin(), {"recall", prompt, "--now", "2026-11-15T12:00:00Z"});
    const auto result = run(more);
    EXPECT_EQ(result.exit_code, 0) << result.err;
    return result.out;
  }

  testing::TemporaryFolder folder_;
  json last_;
};

TEST_F(MemoryDaily, WhoOwnsBillingListsItsOwnerAndNothingElse) {
  const json set = json::parse(testing::read_source_file("examples/recall/memories.json"));
  size_t count = 0;
  for (const json& each : set["memories"]) {
    if (each["day"] > "2026-06-30") continue;
    remember(each["text"], "2026-11-10", {"--yes"});
    if (++count == 30) break;
  }
  remember("Boris is the new owner of billing since 2026-10-01", "2026-11-11", {"--yes"});
  const json packet = json::parse(recall("who owns billing?", {"--format", "json"}));
  size_t shown = 0;
  for (const json& section : packet["sections"]) shown += section["items"].size();
  EXPECT_EQ(shown, 1U) << packet["sections"].dump(2);
  EXPECT_THAT(packet["sections"].dump(), HasSubstr("Boris is the new owner"));
  EXPECT_EQ(recall("what is the refund policy?"), "") << "nothing answers this";
}

TEST_F(MemoryDaily, TheSetOfMemoriesAndPromptsKeepsItsFigures) {
  const std::string set = std::string(KNAPSACK_SOURCE_DIR) + "/examples/recall/memories.json";
  const auto result = run({"eval", "--memory", set, "--method", "full,no-floor,neither", "--format", "json"});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  const json methods = json::parse(result.out)["methods"];
  const json full = methods["full"]["overall"], before = methods["neither"]["overall"];
  EXPECT_EQ(full["prompts"], 60);
  EXPECT_GE(full["precision"], 0.8);
  EXPECT_GE(full["recall"], 0.95);
  EXPECT_GE(full["silent"].get<int>(), full["unanswered"].get<int>() - 2);
  EXPECT_LT(before["precision"].get<double>(), full["precision"].get<double>() - 0.3) << "what both are for";
  EXPECT_GE(full["recall"].get<double>(), before["recall"].get<double>() - 0.03);
  EXPECT_EQ(methods["full"]["superseded"], json({{"found", 8}, {"right", 8}, {"expected", 8}}));
  EXPECT_EQ(run({"eval", "--memory", set, "--method", "lexical"}).exit_code, 2) << "no method of such a set";
}

TEST_F(MemoryDaily, ANewerTruthIsNamedAndSupersedesWhenSomebodySaysSo) {
  const std::string old = remember("Anna owns the billing service", "2026-03-01");
  const std::string fresh = remember("Boris is the new owner of billing since 2026-10-01", "2026-10-01");
  ASSERT_EQ(last_["contradicts"].size(), 1U) << last_.dump();
  EXPECT_EQ(last_["contradicts"][0]["id"], old);
  EXPECT_THAT(recall("who owns billing?"), HasSubstr("Anna")) << "never silently";

  const auto told =
      run({"remember", "Boris is the new owner of billing since 2026-10-01", "--supersedes", old});
  EXPECT_EQ(told.exit_code, 0) << told.err;
  EXPECT_THAT(recall("who owns billing?"), AllOf(HasSubstr("Boris"), Not(HasSubstr("Anna"))));
  const auto kept = run({"memories", "show", old, "--format", "json"});
  EXPECT_EQ(json::parse(kept.out)["supersededBy"], fresh) << "it is there, and says what holds instead";
}

TEST_F(MemoryDaily, YesSupersedesAtOnceAndHistoryShowsWhatHeldBefore) {
  const std::string old = remember("The API rate limit is 100 requests per minute", "2026-03-01");
  const std::string fresh =
      remember("The API rate limit is 500 requests per minute now", "2026-09-01", {"--yes"});
  EXPECT_EQ(last_["superseded"], json::array({old}));
  remember("Лимит на загрузку файлов — 20 МБ", "2026-03-01");
  remember("Лимит на загрузку файлов увеличили до 50 МБ", "2026-09-01", {"-y"});
  EXPECT_EQ(last_["superseded"].size(), 1U);
  EXPECT_THAT(recall("what is the API rate limit?"), AllOf(HasSubstr("500"), Not(HasSubstr("100 requests"))));
  EXPECT_THAT(recall("what is the API rate limit?", {"--history"}),
              AllOf(HasSubstr("500"), HasSubstr("100 requests"), HasSubstr("superseded by " + fresh)));
  EXPECT_THAT(recall("what did the API rate limit used to be?"), HasSubstr("superseded by " + fresh));
  EXPECT_THAT(recall("какой лимит на загрузку файлов был раньше?"), HasSubstr("20 МБ"));
}

TEST_F(MemoryDaily, ATerminalIsAskedBeforeAnythingIsSuperseded) {
  const std::string old = remember("Logs are kept for 14 days", "2026-03-01");
  const std::vector<std::string> words = {"remember", "Logs are kept for 30 days", "--now",
                                          "2026-10-01T09:00:00Z"};
  const auto no = testing::run_on_terminal(words, folder_.path(), "n\n");
  EXPECT_EQ(no.exit_code, 0) << no.shown;
  EXPECT_THAT(no.shown, HasSubstr("supersedes " + old + "? [y/n]"));
  EXPECT_THAT(recall("how long are logs kept?"), AllOf(HasSubstr("14 days"), HasSubstr("30 days")));
  const auto yes = testing::run_on_terminal(words, folder_.path(), "y\n");
  EXPECT_EQ(yes.exit_code, 0) << yes.shown;
  EXPECT_THAT(recall("how long are logs kept?"), AllOf(Not(HasSubstr("14 days")), HasSubstr("30 days")));
}

TEST_F(MemoryDaily, MemoriesAreForgottenByWordsFromAList) {
  const std::string billing = remember("Boris owns billing", "2026-10-01");
  const std::string alarm = remember("The alarm of billing rings at night", "2026-10-02");
  remember("Deploys go out on Tuesdays", "2026-10-03");
  const auto list = run({"forget", "billing"});
  EXPECT_EQ(list.exit_code, 2) << "words alone decide nothing";
  EXPECT_THAT(list.out, AllOf(HasSubstr(billing), HasSubstr(alarm), Not(HasSubstr("Deploys"))));
  EXPECT_THAT(list.err, HasSubstr("--pick N"));
  EXPECT_EQ(run({"forget", "billing", "--pick", "9"}).exit_code, 2);
  EXPECT_EQ(run({"forget", "zeppelin"}).exit_code, 1);

  const auto asked = testing::run_on_terminal({"forget", "alarm", "of", "billing"}, folder_.path(), "1\n");
  EXPECT_EQ(asked.exit_code, 0) << asked.shown;
  EXPECT_THAT(asked.shown, AllOf(HasSubstr(" 1  2026-10-02"), HasSubstr(alarm + " is forgotten")));
  EXPECT_EQ(testing::run_on_terminal({"forget", "billing"}, folder_.path(), "\n").exit_code, 2) << "none";
  EXPECT_THAT(run({"forget", "owns", "billing", "--pick", "1"}).out, HasSubstr(billing + " is forgotten"));
  EXPECT_EQ(run({"forget", "billing"}).exit_code, 1) << "what is forgotten is not in the list";
}

TEST_F(MemoryDaily, FeedbackByWordsCountsAndNeverRaisesWhatItIsAgainst) {
  const std::string first = remember("The importer reads manifests of carriers", "2026-03-01");
  const std::string second = remember("The importer writes manifests of parcels", "2026-03-02");
  const auto order = [&] {
    const std::string text =
        recall("which manifests does the importer handle?", {"--dry-run", "--no-meaning"});
    return text.find(first) < text.find(second);
  };
  const bool before = order();
  const std::string& last = before ? second : first;
  ASSERT_EQ(run({"feedback", last, "--not-useful"}).exit_code, 0);
  EXPECT_EQ(order(), before) << "a vote against a memory does not raise it";
  for (int vote = 0; vote < 5; ++vote) ASSERT_EQ(run({"feedback", last, "--useful"}).exit_code, 0);
  EXPECT_NE(order(), before) << "votes for it do";
  EXPECT_THAT(run({"feedback", "manifests", "of", "parcels", "--pick", "1", "--useful"}).out,
              HasSubstr(second));
}

TEST_F(MemoryDaily, TheListHasOneRowAMemory) {
  remember("We decided to keep the ledger in SQLite", "2026-10-01");
  remember("Deploys go out on Tuesdays", "2026-10-02", {"--namespace", "shared"});
  const std::string out = run({"memories", "list"}).out;
  EXPECT_EQ(std::count(out.begin(), out.end(), '\n'), 3) << out;
  EXPECT_THAT(out,
              AllOf(HasSubstr("2026-10-01  decision"), HasSubstr("We decided to keep the ledger in SQLite\n"),
                    HasSubstr("Deploys go out on Tuesdays  [in shared]\n"), HasSubstr("2 of 2 memories")));
  EXPECT_THAT(run({"memories", "list", "--copies"}).out, HasSubstr("3 of 3 memories"));
}

// What a cloned repository brings is written by strangers: neither its lines nor its ESC sequences are the terminal's.
TEST_F(MemoryDaily, FieldsOfStrangersMemoriesAreOneHarmlessLineEach) {
  const std::string fields =
      "category: \"f\\e]52;c;aGk=\\a\\nrow\"\nspeaker: \"Bob\\e[31m\\nstatus: forged\"\n";
  folder_.write("memory/facts/2026-11-01/a.md", "---\nid: port\n" + fields + "---\nThe port is 80.\n");
  folder_.write("memory/review/b.md", "---\nid: wait\n" + fields + "---\nThe port is 90.\n");
  for (const auto& arguments :
       {std::vector<std::string>{"memories", "list"}, {"memories", "review"}, {"memories", "show", "port"}}) {
    const std::string out = run(arguments).out;
    EXPECT_THAT(out, HasSubstr("\\x1b]52;c;aGk=\\x07\\nrow")) << arguments[1];
    EXPECT_THAT(out, AllOf(Not(HasSubstr("\x1b")), Not(HasSubstr("\x07")), Not(HasSubstr("\nrow")),
                           Not(HasSubstr("\nstatus: forged"))))
        << arguments[1];
  }
  EXPECT_THAT(run({"memories", "show", "port"}).out, HasSubstr("Bob\\x1b[31m\\nstatus: forged"));
  EXPECT_THAT(run({"memories", "list"}).out, HasSubstr("1 of 1 memory in"));
}

TEST_F(MemoryDaily, AnEmptyInputIsNoProfile) {
  ASSERT_EQ(
      testing::run_program({"profile", "edit", "-"}, folder_.path(), {}, "# Profile\n\n- Short answers\n")
          .exit_code,
      0);
  for (const char* empty : {"", " \n"}) {
    const auto refused = testing::run_program({"profile", "edit", "-"}, folder_.path(), {}, empty);
    EXPECT_EQ(refused.exit_code, 2);
    EXPECT_THAT(refused.err, HasSubstr("the profile would be empty"));
    EXPECT_EQ(std::count(refused.err.begin(), refused.err.end(), '\n'), 1) << refused.err;
  }
  EXPECT_THAT(run({"profile"}).out, HasSubstr("Short answers"));
}

}  // namespace
}  // namespace knapsack
