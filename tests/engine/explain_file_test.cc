// `explain RUN --expect PATH` answers for any file of the repository.
#include <fmt/format.h>

#include "engine/support_workspace.h"

namespace knapsack {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;
using testing::RetrievalWorkspace;
using ::testing::StartsWith;

class ExplainFile : public ::testing::Test {
 protected:
  void SetUp() override {
    const auto& folder = workspace_.folder();
    folder.write("app/billing.py",
                 "from app.rates import rate_of\n\n\ndef invoice(hours):\n    return rate_of() * hours\n");
    folder.write("app/rates.py", "def rate_of():\n    return 7\n");
    folder.write("app/long.py", "# invoice\n" + std::string(3000, 'x') + "\n");
    folder.write("zoo/quiet.txt", "giraffe\n");
    folder.write("zoo/twins/a.txt", "zebra\n");
    folder.write("zoo/other/a.txt", "zebra\n");
    folder.write("logo.png", std::string("\x89PNG\r\n\x1a\n\0\0\0", 11));
    folder.write("node_modules/x/index.js", "module.exports = 1\n");
    // More files that mention invoices than are ever considered; the last ones by path rank last.
    for (int i = 0; i < 140; ++i) {
      folder.write(fmt::format("bulk/b{:03}.txt", i), "an invoice of many" + std::string(i, ' ') + "\n");
    }
    workspace_.index();
  }
  void retrieve(uint64_t window) {
    workspace_.retrieve(RetrievalWorkspace::request("fix invoice in app/billing.py", window));
  }
  std::vector<std::string> expect(const std::string& what) {
    auto explanation = workspace_.engine().explain("latest", what);
    EXPECT_OK(explanation);
    EXPECT_FALSE(explanation->answers.empty()) << "there is always an answer";
    return explanation->answers;
  }
  RetrievalWorkspace workspace_;
};

TEST_F(ExplainFile, SaysWhyOneIsThere) {
  retrieve(4000);
  for (const std::string name : {"app/billing.py", "billing.py", "file:app/billing.py"}) {
    EXPECT_THAT(expect(name).at(0),
                StartsWith("app/billing.py is there as a seed file (named in the task; "));
  }
  EXPECT_THAT(expect("app/rates.py").at(0), HasSubstr("imported by app/billing.py"));
  EXPECT_THAT(expect("app/billing.py"),
              ::testing::Contains(HasSubstr("symbol:app/billing.py#invoice: full, ")));
}

TEST(ExplainUnit, SaysThatASignatureBehindTheEndWasAllThatWasOnOffer) {
  RetrievalWorkspace workspace;
  std::string far = "def rounding(rows):\n    # prices\n";
  for (int i = 0; i < 60; ++i) far += fmt::format("    rows = step_{}(rows)\n", i);
  std::string near = "def settle_invoice(invoice):\n    # settle the invoice\n";
  for (int i = 0; i < 60; ++i) near += fmt::format("    invoice = settle_invoice_step_{}(invoice)\n", i);
  workspace.folder().write("billing.py", near);
  workspace.folder().write("prices.py", far);
  workspace.index();
  workspace.retrieve(
      RetrievalWorkspace::request("settle_invoice settles an invoice twice with prices", 8000));
  auto explanation = workspace.engine().explain("latest", "rounding");
  ASSERT_OK(explanation);
  EXPECT_THAT(explanation->answers,
              ElementsAre(HasSubstr("below the best: stopped"),
                          ::testing::MatchesRegex(
                              "symbol:prices.py#rounding is there as its signature .[0-9]+ tokens.")));
}

TEST_F(ExplainFile, SaysByHowMuchOneIsOutOfBudget) {
  retrieve(60);
  EXPECT_THAT(expect("app/rates.py"),
              ElementsAre(AllOf(HasSubstr("app/rates.py is in scope as a"),
                                HasSubstr("but out of budget: its shortest form needs "))));
}

TEST_F(ExplainFile, SaysWhyOneWasNeverGathered) {
  retrieve(4000);
  EXPECT_THAT(
      expect("zoo/quiet.txt"),
      ElementsAre(
          "zoo/quiet.txt was never gathered: nothing of the task points to it. It shares no words with "
          "the task, and no seed imports it, is imported by it or changed with it"));
  EXPECT_THAT(expect("logo.png"),
              ElementsAre(StartsWith("logo.png was never gathered: it is listed only (")));
  EXPECT_THAT(expect("node_modules/x/index.js"), ElementsAre(HasSubstr("never gathered")));
  EXPECT_THAT(expect("a.txt"), ElementsAre(HasSubstr("2 files are called a.txt")));
  EXPECT_THAT(expect("nowhere.py"),
              ElementsAre(AllOf(HasSubstr("'nowhere.py' was never gathered"),
                                HasSubstr("a file of the index"), Not(HasSubstr("notes")))));
}

TEST_F(ExplainFile, SaysWhereOneRanksThatIsBeyondWhatIsConsidered) {
  retrieve(4000);
  int beyond = 0;
  for (int i = 0; i < 140; ++i) {
    const auto answers = expect(fmt::format("bulk/b{:03}.txt", i));
    beyond += answers[0].find("for the task and the first 100 are considered") != std::string::npos ? 1 : 0;
  }
  EXPECT_GT(beyond, 20);
}

TEST_F(ExplainFile, SymbolsAreAnsweredForAsWell) {
  retrieve(4000);
  EXPECT_THAT(expect("rate_of"),
              ::testing::Contains(HasSubstr("symbol:app/rates.py#rate_of was kept at stage precision")));
}

}  // namespace
}  // namespace knapsack
