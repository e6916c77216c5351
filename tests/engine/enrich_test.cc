// Engine::enrich on a small repository, with a model that answers, misbehaves, or is not asked at all.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "code/ask/code_index.h"
#include "code/index/curated.h"
#include "engine/engine.h"
#include "support/model_server.h"
#include "support/repository_git.h"
#include "support/support.h"

namespace knapsack {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using testing::Misbehaviour;
using testing::ModelServer;
using ::testing::Not;
using testing::ReceivedChat;

std::string path_in(const ReceivedChat& chat) {
  const size_t begin = chat.user.find("Path: ") + 6;
  return chat.user.substr(begin, chat.user.find('\n', begin) - begin);
}

std::string describe(const ReceivedChat& chat) {
  return nlohmann::json{{"purpose", "About " + path_in(chat)},
                        {"module", "shop"},
                        {"domain", "commerce"},
                        {"concepts", {"cart", "price"}},
                        {"public_api", {"total", "never_defined"}},
                        {"complexity_notes", ""}}
      .dump();
}

class Enrich : public ::testing::Test {
 protected:
  Enrich() : server_(describe) {
    made_.write("shop/base.py", "def total(items):\n    return sum(items)\n");
    made_.write("shop/cart.py",
                "from shop.base import total\n\n\ndef checkout(items):\n    return total(items)\n");
    made_.write("shop/desk.py", "from shop.base import total\nfrom shop.cart import checkout\n");
    made_.write("shop/copy_of_base.py", "def total(items):\n    return sum(items)\n");
    made_.write("shop/__init__.py", "");
    made_.write("README.md", "# Shop\n");
    made_.commit("Begin");
    index();
  }

  std::unique_ptr<Engine> engine() {
    EngineOptions options;
    options.folder = made_.path();
    options.now = Timestamp::from_seconds(1'800'000'000);
    options.environment["KNAPSACK_MODEL_KEY"] = "sk-knapsack-test-0123456789abcdef";
    auto opened = Engine::open(options);
    EXPECT_OK(opened);
    return std::move(*opened);
  }
  void index() { ASSERT_OK(engine()->index({})); }
  EnrichRequest request(bool promote = false) {
    EnrichRequest asked;
    asked.model = "test-model";
    asked.base_url = server_.base_url();
    asked.promote = promote;
    return asked;
  }
  EnrichReport enrich(const EnrichRequest& asked) {
    auto report = engine()->enrich(asked);
    EXPECT_OK(report);
    return report.ok() ? *report : EnrichReport();
  }
  std::vector<std::string> asked_about() const {
    std::vector<std::string> paths;
    for (const auto& chat : server_.received()) paths.push_back(path_in(chat));
    return paths;
  }
  std::unique_ptr<code::CodeIndex> code_index() {
    auto opened = code::CodeIndex::open(*files_, made_.file(".knapsack"), code::kWorkTree);
    EXPECT_OK(opened);
    return std::move(*opened);
  }
  // What is promoted for a file; empty for nothing.
  std::string purpose_of(const std::string& path) {
    const auto opened = code_index();
    const auto file = opened->find_file(path);
    EXPECT_TRUE(file) << path;
    const auto metadata = opened->file_metadata(*file);
    EXPECT_OK(metadata);
    return *metadata == nullptr ? "" : (*metadata)->purpose;
  }
  size_t described() {
    const auto opened = code_index();
    const auto count = opened->files_with_metadata();
    EXPECT_OK(count);
    return *count;
  }

  testing::TestRepository made_;
  std::unique_ptr<FileSystem> files_ = make_disk_file_system();
  ModelServer server_;
};

TEST_F(Enrich, AsksOnceAboutEachContentOfASourceFileMostImportedFirst) {
  const EnrichReport report = enrich(request());
  EXPECT_THAT(asked_about(), ElementsAre("shop/base.py", "shop/cart.py", "shop/desk.py"));
  EXPECT_EQ(report.files, 3u) << "the empty file, the copy and the document are not asked about";
  EXPECT_EQ(report.asked, 3u);
  EXPECT_EQ(report.answered, 3u);
  EXPECT_GT(report.prompt_tokens, 0);
  EXPECT_EQ(described(), 0u) << "nothing is promoted unless asked";
}

TEST_F(Enrich, AsksNothingTwiceAndGoesOnWhereALimitStoppedIt) {
  EnrichRequest first = request();
  first.limit = 1;
  EXPECT_EQ(enrich(first).left, 2u);
  const EnrichReport second = enrich(request());
  EXPECT_EQ(second.known, 1u);
  EXPECT_EQ(second.asked, 2u);
  EXPECT_EQ(enrich(request()).asked, 0u);
  EXPECT_EQ(server_.requests(), 3);
  EnrichRequest other = request();
  other.model = "other-model";
  EXPECT_EQ(enrich(other).asked, 3u) << "another model has its own say";
}

TEST_F(Enrich, PromotesValidAnswersForEveryFileWithThatContentAndMayBeRepeated) {
  EXPECT_EQ(enrich(request(true)).promoted, 3u);
  EXPECT_EQ(purpose_of("shop/base.py"), "About shop/base.py");
  EXPECT_EQ(purpose_of("shop/copy_of_base.py"), "About shop/base.py");
  EXPECT_EQ(purpose_of("README.md"), "");
  EXPECT_EQ(described(), 4u);
  const auto opened = code_index();
  const auto row = opened->file_metadata(*opened->find_file("shop/base.py"));
  ASSERT_OK(row);
  EXPECT_THAT((*row)->public_api, ElementsAre("total")) << "a name that is not in the file is left out";
  EXPECT_THAT((*row)->concepts, ElementsAre("cart", "price"));
  const EnrichReport again = enrich(request(true));
  EXPECT_EQ(again.asked, 0u);
  EXPECT_EQ(again.promoted, 3u);
  EXPECT_EQ(described(), 4u);
}

TEST_F(Enrich, PromotesWhatTheLedgerHasWithoutAModel) {
  enrich(request());
  server_.misbehave(Misbehaviour::kStatus500);
  EXPECT_EQ(enrich(request(true)).promoted, 3u);
  EXPECT_EQ(described(), 4u);
}

TEST_F(Enrich, DescriptionsSurviveIndexingAnewAsLongAsTheirContentLives) {
  enrich(request(true));
  made_.write("shop/desk.py", "from shop.base import total\n\nCLOSED = True\n");
  index();
  EXPECT_EQ(purpose_of("shop/base.py"), "About shop/base.py");
  EXPECT_EQ(purpose_of("shop/desk.py"), "") << "nobody has described the new content";
  IndexOptions full;
  full.full = true;
  ASSERT_OK(engine()->index(full));
  EXPECT_EQ(purpose_of("shop/cart.py"), "About shop/cart.py");
  const EnrichReport report = enrich(request(true));
  EXPECT_EQ(report.asked, 1u);
  EXPECT_EQ(purpose_of("shop/desk.py"), "About shop/desk.py");
}

TEST_F(Enrich, DescriptionsGoWithTheContentThatTheyDescribe) {
  enrich(request(true));
  for (const char* name : {"base", "cart", "desk", "copy_of_base"}) {
    made_.write(std::string("shop/") + name + ".py", std::string("NAME = '") + name + "'\n");
  }
  index();
  auto rows = code::Curated::open(*files_, made_.file(".knapsack"));
  ASSERT_OK(rows);
  const auto metadata = rows->file_metadata();
  ASSERT_OK(metadata);
  EXPECT_EQ(metadata->size(), 0u);
}

TEST_F(Enrich, CountsAnswersWithoutUseAsksAgainNextTimeAndPromotesTheOthers) {
  server_.misbehave(Misbehaviour::kWrongSchema, 2);  // the first file, twice
  const EnrichReport report = enrich(request(true));
  EXPECT_EQ(report.asked, 3u);
  EXPECT_EQ(report.answered, 2u);
  EXPECT_EQ(report.failures.at("malformed"), 1u);
  EXPECT_THAT(report.first_failure,
              HasSubstr("shop/base.py: the model 'test-model' gave no usable answer twice"));
  EXPECT_THAT(report.stopped, IsEmpty());
  EXPECT_EQ(described(), 2u);
  const EnrichReport again = enrich(request(true));
  EXPECT_EQ(again.asked, 1u);
  EXPECT_EQ(described(), 4u);
}

TEST_F(Enrich, StopsAtOnceWhenTheServerRefusesFromTheBeginning) {
  server_.misbehave(Misbehaviour::kStatus500);
  const EnrichReport report = enrich(request());
  EXPECT_EQ(report.asked, 1u);
  EXPECT_EQ(report.left, 2u);
  EXPECT_THAT(report.stopped, HasSubstr("status 500"));
}

TEST_F(Enrich, ToleratesAServerThatFailsNowAndThen) {
  int calls = 0;
  EnrichRequest all = request();
  all.progress = [&](const EnrichProgress& progress) {
    if (++calls == 2) server_.misbehave(Misbehaviour::kStatus500, 1);
    EXPECT_EQ(progress.total, 3u);
  };
  const EnrichReport report = enrich(all);
  EXPECT_EQ(report.answered, 2u);
  EXPECT_EQ(report.failures.at("http_error"), 1u);
  EXPECT_THAT(report.stopped, IsEmpty());
}

TEST_F(Enrich, PassesOverAFileThatIsNotAsItWasIndexed) {
  made_.write("shop/base.py", "def total(items):\n    return 0\n");
  made_.write("shop/cart.py", "CART = 0  # return 0\n");
  const EnrichReport report = enrich(request());
  EXPECT_EQ(report.changed, 1u) << "a copy with the indexed content stands in for the first";
  EXPECT_EQ(report.asked, 2u);
  for (const auto& chat : server_.received()) EXPECT_THAT(chat.user, Not(HasSubstr("return 0")));
}

TEST_F(Enrich, NeitherSendsNorKeepsASecretThatAFileHolds) {
  const std::string secret = "ghp_" + std::string(36, 'q');
  made_.write("shop/base.py", "TOKEN = '" + secret + "'\n");
  index();
  const EnrichReport report = enrich(request(true));
  EXPECT_EQ(report.redacted, 1u);
  for (const auto& chat : server_.received()) EXPECT_THAT(chat.user, Not(HasSubstr(secret)));
  for (const char* name : {".knapsack/raw.db", ".knapsack/raw.db-wal"}) {
    if (made_.folder().exists(name)) {
      EXPECT_THAT(made_.folder().read(name), Not(HasSubstr(secret)));
    }
  }
}

TEST_F(Enrich, RefusesAWindowThatIsTooSmallForAnyFile) {
  EnrichRequest tiny = request();
  tiny.settings["model.context_window"] = "200";
  const auto report = engine()->enrich(tiny);
  ASSERT_FALSE(report.ok());
  EXPECT_EQ(exit_code(report.error().code), 2);
  EXPECT_THAT(report.error().line(), HasSubstr("too small to ask about a file"));
  EXPECT_EQ(server_.requests(), 0);
}

TEST_F(Enrich, ShowsALongFileInPartAndSaysSo) {
  std::string text = "def total(items):\n    return sum(items)\n";
  for (int i = 0; i < 2000; ++i)
    text += "\n\ndef step_" + std::to_string(i) + "():\n    return " + std::to_string(i);
  made_.write("shop/base.py", text + "\n");
  index();
  EnrichRequest asked = request();
  asked.settings["model.context_window"] = "4096";
  EXPECT_EQ(enrich(asked).shortened, 1u);
  EXPECT_THAT(server_.received().at(0).user, HasSubstr("too long to be shown"));
  EXPECT_EQ(server_.received().at(0).body["options"]["num_ctx"], 4096);
}

TEST_F(Enrich, AReviewShowsWhatWasSaidAndAsksNothing) {
  enrich(request());
  const int asked = server_.requests();
  EnrichRequest review;
  review.model = "test-model";  // no address: nobody is asked
  review.review = true;
  const EnrichReport report = enrich(review);
  EXPECT_EQ(server_.requests(), asked);
  ASSERT_EQ(report.reviewed.size(), 3u);
  EXPECT_EQ(report.reviewed[0].path, "shop/base.py") << "the most imported comes first";
  EXPECT_EQ(report.reviewed[0].purpose, "About shop/base.py");
  EXPECT_EQ(report.reviewed[0].domain, "commerce");
  EXPECT_THAT(report.reviewed[0].public_api, ElementsAre("total"));
  EXPECT_FALSE(engine()->outline("shop/base.py", "")->described) << "nothing was promoted";
  review.model = "another-model";
  EXPECT_THAT(enrich(review).reviewed, IsEmpty());
}

TEST_F(Enrich, OutlineAndOverviewShowWhatWasPromoted) {
  EXPECT_EQ(engine()->overview("")->described_files, 0u);
  enrich(request(true));
  const auto outline = engine()->outline("shop/base.py", "");
  ASSERT_OK(outline);
  ASSERT_TRUE(outline->described);
  EXPECT_EQ(outline->described->purpose, "About shop/base.py");
  EXPECT_THAT(outline->described->public_api, ElementsAre("total"));
  const auto overview = engine()->overview("");
  ASSERT_OK(overview);
  EXPECT_EQ(overview->described_files, 4u) << "copies share what was said of their content";
  EXPECT_THAT(overview->domains, ElementsAre(std::pair<std::string, uint64_t>("commerce", 4)));
  ASSERT_FALSE(overview->described.empty());
  EXPECT_EQ(overview->described[0].path, "shop/base.py");
}

}  // namespace
}  // namespace knapsack
