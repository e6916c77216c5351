// Short questions about code by the encoder in the program: what it finds, who asks it and who does not, and vectors
// that are made beside everything else.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "engine/support_workspace.h"

namespace knapsack {
namespace {

using namespace knapsack::testing;
using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::SizeIs;

// Shares no word with the file that answers it.
constexpr char kLetters[] = "Where do we send e-mail?";
constexpr char kAnswer[] = "postman.py";

class CodeEncoderTest : public ::testing::Test {
 protected:
  void SetUp() override {
    write("postman.py",
          "import smtplib\n\ndef deliver(letter, recipient):\n    server = smtplib.SMTP('localhost')\n"
          "    server.sendmail(letter.author, recipient, letter.body)\n");
    write("invoice.py", "def total_price(order):\n    return sum(item.price for item in order.items)\n");
    write("clock.py", "import time\n\ndef now():\n    return time.monotonic()\n");
    write("palette.py", "RED = '#f00'\nGREEN = '#0f0'\n\ndef mix(a, b):\n    return (a + b) / 2\n");
    workspace_.model_file = KNAPSACK_MODEL_FILE;
    workspace_.start_embedding = [this](const std::string& workspace, const std::string&) {
      started_.push_back(workspace);
    };
    workspace_.index(1);
  }

  void write(const std::string& name, const std::string& text) const {
    workspace_.folder().write(name, text);
  }
  EmbedReply embed(const EmbedRequest& request = {}) {
    auto reply = workspace_.engine().embed(request);
    EXPECT_OK(reply);
    return reply.ok() ? *reply : EmbedReply();
  }
  SearchReply search(const std::string& query, const std::string& mode = "hybrid") {
    SearchRequest request;
    request.query = query;
    request.mode = mode;
    request.sources = {"code"};
    request.dry_run = true;
    request.refresh = false;
    auto reply = workspace_.engine().search(request);
    EXPECT_OK(reply);
    return reply.ok() ? *std::move(reply) : SearchReply();
  }
  static std::string first_path(const SearchReply& reply) {
    return reply.hits.empty() ? "" : reply.hits.front().path;
  }
  // The parts of the score by which a retrieval ranked a file.
  std::string score_parts(const std::string& task, const std::string& file) {
    workspace_.retrieve(RetrievalWorkspace::request(task, 4'000));
    const auto run = workspace_.engine().explain("latest");
    EXPECT_OK(run);
    if (!run.ok()) return "";
    for (const Decision& row : run->decisions) {
      if (row.stage == "scope" && row.title == file) return row.components_json;
    }
    return "";
  }
  std::string status() {
    const auto status = workspace_.engine().status();
    EXPECT_OK(status);
    return status.ok() ? status->meaning : "";
  }

  RetrievalWorkspace workspace_;
  std::vector<std::string> started_;
};

TEST_F(CodeEncoderTest, FindsCodeThatSharesNoWordWithTheQuestion) {
  EXPECT_THAT(search(kLetters, "lex").hits, IsEmpty());
  embed();
  const SearchReply reply = search(kLetters);
  EXPECT_EQ(first_path(reply), kAnswer);
  EXPECT_EQ(reply.mode, "hybrid");
  EXPECT_EQ(reply.status, RunStatus::kOk);
  EXPECT_THAT(search(kLetters, "lex").hits, IsEmpty());
}

TEST_F(CodeEncoderTest, IndexingHasVectorsMadeAndNoAnswerWaitsForThem) {
  EXPECT_THAT(started_, SizeIs(1)) << "after indexing";
  const SearchReply reply = search("total price");
  EXPECT_EQ(first_path(reply), "invoice.py");
  EXPECT_EQ(reply.mode, "lex");
  EXPECT_EQ(reply.status, RunStatus::kOk);
  EXPECT_THAT(reply.notices, IsEmpty()) << "`status` tells how far it is";
  EXPECT_THAT(started_, SizeIs(2)) << "by the answer that lacked them";
  EXPECT_FALSE(workspace_.folder().exists(".knapsack/vectors")) << "whoever only asks makes no folder";
  embed();
  EXPECT_THAT(search("total price").notices, IsEmpty());
  EXPECT_THAT(started_, SizeIs(2));
}

TEST_F(CodeEncoderTest, RetrieveAndPackAskItAboutShortQuestionsOnly) {
  embed();
  EXPECT_THAT(score_parts(kLetters, kAnswer), HasSubstr("meaning"));
  const std::string report =
      "Since the last release the nightly job that counts what every customer owes us at the end of the "
      "month has "
      "been taking longer and longer, and yesterday it never came back: total price of an order.";
  EXPECT_THAT(score_parts(report, "invoice.py"), Not(HasSubstr("meaning")));
  const std::string trace = "Traceback:\n  File \"invoice.py\", line 2, in total_price\nTypeError: bad";
  EXPECT_THAT(score_parts(trace, "invoice.py"), Not(HasSubstr("meaning")));
  PackRequest pack;
  pack.task = kLetters;
  pack.sources = "code";
  pack.settings["pack.budget"] = "200";
  pack.dry_run = true;
  const auto packed = workspace_.engine().pack(pack);
  ASSERT_OK(packed);
  EXPECT_THAT(packed->output, HasSubstr(kAnswer));
}

TEST_F(CodeEncoderTest, TheSwitchTurnsItOff) {
  embed();
  write("knapsack.toml", "[search]\nmeaning = false\n");
  workspace_.open();
  EXPECT_THAT(search(kLetters).hits, IsEmpty());
  EXPECT_THAT(score_parts("total price of an order", "invoice.py"), Not(HasSubstr("meaning")));
  EXPECT_THAT(status(), HasSubstr("off"));
  EXPECT_EQ(embed().model, "");
}

TEST_F(CodeEncoderTest, StatusSaysHowFarItIs) {
  EXPECT_THAT(status(), HasSubstr("0 of 4 files of code have vectors"));
  const EmbedReply reply = embed();
  EXPECT_EQ(reply.files, 4U);
  EXPECT_EQ(reply.total_files, 4U);
  EXPECT_THAT(status(), HasSubstr("4 of 4 files of code have vectors"));
}

TEST_F(CodeEncoderTest, MakesWhatManyImportFirstAndGoesOnWhereItWasStopped) {
  // Each file is a step of its own.
  std::string padding = "\n# It says";
  for (int i = 0; i < 200; ++i) padding += " nothing";
  padding += "\n";
  write("clock.py", "import time\n\ndef now():\n    return time.monotonic()\n" + padding);
  for (int i = 0; i < 5; ++i)
    write("user" + std::to_string(i) + ".py", "import clock\n\nSTARTED = clock.now()\n" + padding);
  workspace_.index(1);
  EmbedRequest request;
  int steps = 0;
  request.stop = [&] { return ++steps > 1; };
  const EmbedReply first = embed(request);
  EXPECT_EQ(first.files, 1U);
  // Only that one was compared: the others keep the order that their words give them.
  EXPECT_EQ(first_path(search("What time is it?")), "clock.py");
  EXPECT_EQ(embed().files, 9U);
}

TEST_F(CodeEncoderTest, AChangedFileIsFoundByItsWordsUntilItHasVectorsAgain) {
  embed();
  write("invoice.py",
        "def total_price(order):\n    return sum(item.price * item.count for item in order.items)\n");
  workspace_.index(1);
  EXPECT_THAT(status(), HasSubstr("3 of 4 files of code have vectors"));
  EXPECT_EQ(first_path(search("total price of an order")), "invoice.py");
  embed();
  EXPECT_THAT(status(), HasSubstr("4 of 4 files of code have vectors"));
}

TEST_F(CodeEncoderTest, AModelThatIsDamagedCostsMeaningAndALine) {
  embed();
  std::filesystem::copy(KNAPSACK_MODEL_FILE, workspace_.folder().file("cut.model"));
  std::filesystem::resize_file(workspace_.folder().file("cut.model"), 1'000'000);
  workspace_.model_file = workspace_.folder().file("cut.model");
  workspace_.open();
  const SearchReply reply = search("total price");
  EXPECT_EQ(first_path(reply), "invoice.py");
  EXPECT_EQ(reply.status, RunStatus::kDegraded);
  EXPECT_THAT(reply.notices, Contains(HasSubstr("cut short")));
}

}  // namespace
}  // namespace knapsack
