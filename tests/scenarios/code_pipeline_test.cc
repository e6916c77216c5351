// The retrieval pipeline on a repository that is small enough to know what each step has to do.
#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "support/model_server.h"
#include "support/repository_git.h"
#include "support/support.h"

namespace knapsack {
namespace {

using nlohmann::json;
using ::testing::AllOf;
using ::testing::Contains;
using ::testing::HasSubstr;
using testing::ModelServer;
using ::testing::Not;
using testing::ReceivedChat;

constexpr const char* kBilling =
    "from app.rates import Rate, rate_of\n\n\nclass Invoice:\n    \"\"\"What a customer owes.\"\"\"\n\n"
    "    def amount(self, hours: int) -> int:\n        rate: Rate = rate_of()\n"
    "        total = hours * rate.value\n        if total < 0:\n"
    "            raise ValueError(\"negative amount\")\n        return total\n\n\n"
    "def forgotten():\n    return 1\n";

class CodePipeline : public ::testing::Test {
 protected:
  void SetUp() override {
    const auto commit = [&] {
      testing::run_command({"git", "add", "-A"}, folder_.path());
      testing::run_command(
          {"git", "-c", "user.name=a", "-c", "user.email=a@example.org", "commit", "-qm", "x"},
          folder_.path());
    };
    testing::run_command({"git", "init", "-q"}, folder_.path());
    folder_.write("app/weather.py", "def sunshine(day):\n    return day % 7\n");
    for (int i = 0; i < 12; ++i)
      folder_.write(fmt::format("app/part_{}.py", i), fmt::format("def helper_{0}():\n    return {0}\n", i));
    commit();
    folder_.write("app/__init__.py", "");
    folder_.write("app/billing.py", kBilling);
    folder_.write("app/rates.py",
                  "class Rate:\n    value: int = 3\n\n\ndef rate_of() -> Rate:\n    return Rate()\n");
    folder_.write("tests/test_billing.py",
                  "from app.billing import Invoice\n\n\ndef test_amount_of_three_hours():\n"
                  "    assert Invoice().amount(3) == 9\n");
    commit();
    ASSERT_EQ(run({"index"}).exit_code, 0);
  }
  testing::ProgramResult run(const std::vector<std::string>& arguments) {
    return testing::run_program(arguments, folder_.path());
  }
  testing::ProgramResult retrieve(const std::string& task, std::vector<std::string> more,
                                  const std::string& window = "4000") {
    more.insert(more.begin(), {"retrieve", task, "--stages", "scope,precision", "--context-window", window,
                               "--reserved-tokens", "0", "--no-llm", "--no-meaning", "-v"});
    auto result = run(more);
    EXPECT_EQ(result.exit_code, 0) << result.err;
    return result;
  }

  testing::TemporaryFolder folder_;
};

TEST_F(CodePipeline, OnlyReadsTheIndex) {
  const auto bytes = [&] {
    return folder_.read(".knapsack/curated.db") + folder_.read(".knapsack/curated.db-wal");
  };
  const std::string before = bytes();
  ASSERT_FALSE(before.empty());
  retrieve("fix Invoice.amount in app/billing.py", {"--no-index", "--task-id", "reads"});
  EXPECT_TRUE(bytes() == before) << "a retrieval changes no byte of the curated database";
}

TEST_F(CodePipeline, SaysWhatEachStageDid) {
  const auto result = retrieve("fix Invoice.amount in app/billing.py", {});
  EXPECT_THAT(result.err,
              AllOf(HasSubstr("knapsack: scope: "), HasSubstr(" seed files kept\n"),
                    HasSubstr("knapsack: precision: "), HasSubstr(" primary\n"),
                    HasSubstr("enrichment not found, tier 4 skipped"), HasSubstr("knapsack: packet: ")));
}

TEST_F(CodePipeline, BodiesBecomeSignaturesWhereItIsTight) {
  const std::string task = "fix Invoice.amount in app/billing.py";
  EXPECT_THAT(retrieve(task, {}).out,
              AllOf(HasSubstr("total = hours * rate.value"), HasSubstr("assert Invoice().amount(3) == 9")))
      << "with the test's assertion";
  const auto tight = retrieve(task, {}, "130");
  EXPECT_THAT(tight.out, AllOf(HasSubstr("- 7: def amount(self, hours: int) -> int\n"),
                               Not(HasSubstr("total = hours"))));
  EXPECT_THAT(tight.err, HasSubstr("parts reduced"));
}

TEST_F(CodePipeline, KeepsAMarginFreeWhereTokensAreEstimated) {
  const auto budget_left = [&](const char* margin, const char* counter) {
    folder_.write("knapsack.toml", fmt::format("[code]\nsafety_margin = {}\n", margin));
    const json packet = json::parse(retrieve("fix Invoice.amount in app/billing.py",
                                             {"--format", "json", "--fill", "--tokenizer", counter,
                                              "--task-id", std::string("m") + counter},
                                             "1000")
                                        .out);
    EXPECT_LE(packet["used"].get<int>() + packet["margin"].get<int>(), 1000);
    return packet["margin"].get<int>();
  };
  EXPECT_EQ(budget_left("0.10", "chars4"), 100);
  EXPECT_EQ(budget_left("0.25", "chars4"), 250);
  EXPECT_EQ(budget_left("0.25", "o200k"), 0) << "what is counted exactly needs none";
}

TEST_F(CodePipeline, TakesItsBudgetFromAFileAsFromTwoNumbers) {
  folder_.write("budget.toml", "context_window = 900\nreserved_tokens = 500\n");
  const auto result = run({"retrieve", "fix Invoice.amount in app/billing.py", "--stages", "scope,precision",
                           "--budget-config", "budget.toml", "--no-llm", "--no-meaning", "--format", "json"});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  EXPECT_EQ(json::parse(result.out)["budget"], 400) << "the window without what is reserved";
}

TEST_F(CodePipeline, FindsFilesByWhatAModelSaidOfThemFromTheNextRetrievalOn) {
  ModelServer server([](const ReceivedChat& chat) {
    const bool weather = chat.user.find("weather.py") != std::string::npos;
    return json{{"purpose", "x"},
                {"module", "app"},
                {"domain", weather ? "settlement" : "other"},
                {"concepts", weather ? json{"dunning letters"} : json::array()},
                {"public_api", json::array()},
                {"complexity_notes", ""}}
        .dump();
  });
  const std::string task = "send dunning letters in the settlement, see app/billing.py";
  EXPECT_THAT(retrieve(task, {}).err, HasSubstr("tier 4 skipped"));
  const auto enriched = run({"enrich", "--model", "m", "--base-url", server.base_url(), "--promote"});
  ASSERT_EQ(enriched.exit_code, 0) << enriched.err;
  const auto again = retrieve(task, {});
  EXPECT_THAT(again.err, Not(HasSubstr("tier 4 skipped"))) << "what was kept before knows nothing of it";
  const auto account = run({"explain", "latest"});
  const size_t at = account.out.find("file:app/weather.py");
  ASSERT_NE(at, std::string::npos) << account.out;
  EXPECT_THAT(account.out.substr(at, account.out.find('\n', at) - at), HasSubstr("concepts with the task"));
}

TEST_F(CodePipeline, FindsByMeaningFromTheNextRetrievalOnWhenVectorsHaveCome) {
  const auto ask = [&] {
    const auto result = run({"retrieve", "customers who owe us money", "--stages", "scope,precision",
                             "--context-window", "4000", "--reserved-tokens", "0", "--no-llm", "-v"});
    EXPECT_EQ(result.exit_code, 0) << result.err;
    return result;
  };
  EXPECT_THAT(ask().err, HasSubstr("are found by words only"));
  ASSERT_EQ(run({"embed"}).exit_code, 0);
  const auto again = ask();
  EXPECT_THAT(again.err, AllOf(HasSubstr("compared in meaning by"), Not(HasSubstr("kept from before"))));
  EXPECT_THAT(ask().err, HasSubstr("stage scope: kept from before")) << "nothing has changed since";
}

TEST_F(CodePipeline, SortsPartsIntoTiersThatTheLedgerNames) {
  retrieve("`Invoice.amount` in app/billing.py is wrong", {});
  const std::string account = run({"explain", "latest"}).out;
  EXPECT_THAT(account, AllOf(HasSubstr("stage precision, primary (tier 1)"),
                             HasSubstr("stage precision, supporting (tier 2)"),
                             HasSubstr("stage precision, type_context (tier 3)")));
  EXPECT_LT(account.find("symbol:app/billing.py#Invoice.amount"),
            account.find("symbol:app/rates.py#rate_of"));
}

}  // namespace
}  // namespace knapsack
