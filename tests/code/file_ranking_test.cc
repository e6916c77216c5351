// The ranking of files, signal by signal, on small repositories with a real index and a real history.
#include "code/rank/file_ranking.h"

#include <cmath>
#include <filesystem>

#include "code/index/indexer.h"
#include "support/repository_git.h"
#include "support/support.h"
#include "understand/task_analysis.h"

namespace knapsack::code {
namespace {

using namespace knapsack::testing;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::Not;

class FileRanking : public ::testing::Test {
 protected:
  void SetUp() override {
    std::filesystem::create_directory(state_.file("state"));
    // Enough files that a word which one of them holds is rare.
    for (int i = 0; i < 8; ++i) {
      repository_.write("src/filler" + std::to_string(i) + ".py",
                        "def filler" + std::to_string(i) + "():\n    return " + std::to_string(i) + "\n");
    }
  }
  void index(const std::string& revision) {
    IndexRequest request;
    request.workspace = std::filesystem::canonical(repository_.path());
    request.state_folder = state_.file("state");
    request.revision = revision;
    ASSERT_OK(index_repository(*files_, request));
    auto opened = CodeIndex::open(*files_, request.state_folder, revision);
    ASSERT_OK(opened);
    index_ = *std::move(opened);
  }
  void commit_and_index(const std::string& message = "Begin") { index(repository_.commit(message)); }

  std::vector<RankedFile> rank(const TaskQuery& task, const RankingOptions& options = {}) {
    auto ranked = rank_files(*index_, task, options);
    EXPECT_OK(ranked);
    return ranked.ok() ? *std::move(ranked) : std::vector<RankedFile>();
  }
  std::vector<std::string> paths(const TaskQuery& task, const RankingOptions& options = {}) {
    std::vector<std::string> names;
    for (const RankedFile& file : rank(task, options)) names.push_back(index_->file(file.file).name);
    return names;
  }
  std::vector<std::string> paths(const std::string& text, const RankingOptions& options = {}) {
    return paths(analyze_task(text), options);
  }
  // What one signal gave to one file; 0 where it gave nothing.
  double component(const TaskQuery& task, const std::string& path, const std::string& name,
                   const RankingOptions& options = {}) {
    for (const RankedFile& file : rank(task, options)) {
      if (index_->file(file.file).name != path) continue;
      for (const ScoreComponent& part : file.score.components) {
        if (part.name == name) return part.value;
      }
    }
    return 0;
  }

  TestRepository repository_;
  TemporaryFolder state_;
  std::unique_ptr<FileSystem> files_ = make_disk_file_system();
  std::unique_ptr<CodeIndex> index_;
};

TaskQuery words(const std::string& title) {
  TaskQuery task;
  task.text = title;
  task.segments = {{SegmentKind::kTitle, title}};
  return task;
}

// Without what is not under test, so that a component can be compared with what it must be.
RankingOptions nothing_but_words() {
  RankingOptions options;
  options.file_names = options.definitions = options.messages = options.references = options.traces = false;
  options.paths = options.demotion = false;
  options.co_changes = options.test_co_changes = options.imports = false;
  return options;
}

TEST_F(FileRanking, WhatIsNearInMeaningCountsBesideTheWords) {
  repository_.write("src/cart.py", "def purchase():\n    return basket\n");
  repository_.write("src/list.py", "def shopping():\n    return 1\n");
  commit_and_index();
  const uint32_t near_file = *index_->find_file("src/list.py");
  const uint32_t word_file = *index_->find_file("src/cart.py");
  const uint32_t far_file = *index_->find_file("src/filler1.py");
  FileMeaning near;
  near.scores.assign(index_->files().size(), 0);
  near.chunks.assign(index_->files().size(), 0);
  near.scores[near_file] = 1;
  near.scores[word_file] = 0.2;
  near.scores[far_file] = 0.4;
  RankingOptions options = nothing_but_words();
  const TaskQuery task = words("basket");
  EXPECT_THAT(paths(task, options), ElementsAre("src/cart.py"));
  options.near = &near;
  // 1 by words and 0.2 by meaning; 1 by meaning alone; too far for a file that nothing else speaks for.
  EXPECT_THAT(paths(task, options), ElementsAre("src/cart.py", "src/list.py"));
  EXPECT_NEAR(component(task, "src/cart.py", "meaning", options), 0.2, 1e-9);
  EXPECT_THAT(rank(task, options).back().chunks, ::testing::SizeIs(1)) << "shown where it is nearest";
  options.constants.meaning_alone = 0.3;
  EXPECT_THAT(paths(task, options), ElementsAre("src/cart.py", "src/list.py", "src/filler1.py"));
  // Not compared yet: as its words say.
  near.scores[word_file] = kUnknownMeaning;
  EXPECT_NEAR(component(task, "src/cart.py", "meaning", options), 1, 1e-9);
  options.meaning = false;
  EXPECT_THAT(paths(task, options), ElementsAre("src/cart.py"));
}

TEST_F(FileRanking, TheFileThatHoldsTheWordsComesFirstWithTheChunkThatHoldsThem) {
  std::string body;
  for (int i = 0; i < 100; ++i) body += "x" + std::to_string(i) + " = " + std::to_string(i) + "\n";
  repository_.write("src/shipping.py", body + "# parcels are weighed before customs\n");
  repository_.write("src/other.py", body + "# customs\n");
  commit_and_index();
  const auto ranked = rank(words("parcels customs"), nothing_but_words());
  ASSERT_EQ(ranked.size(), 2U);
  EXPECT_EQ(index_->file(ranked[0].file).name, "src/shipping.py");
  EXPECT_DOUBLE_EQ(ranked[0].score.components[0].value, 1) << "the best lexical score is 1";
  ASSERT_FALSE(ranked[0].chunks.empty());
  const auto chunks = index_->chunks(ranked[0].file);
  ASSERT_OK(chunks);
  EXPECT_EQ((*chunks)[ranked[0].chunks[0].chunk].chunk.end_line, 101U);
}

TEST_F(FileRanking, AWordInTheTitleWeighsMoreThanOneInACodeBlock) {
  repository_.write("src/a.py", "# alpha\n");
  repository_.write("src/b.py", "# omega\n");
  commit_and_index();
  TaskQuery task;
  task.segments = {{SegmentKind::kCode, "alpha"}, {SegmentKind::kTitle, "omega"}};
  EXPECT_THAT(paths(task, nothing_but_words()), ElementsAre("src/b.py", "src/a.py"));
  // The weights are log2(1 + 3) = 2 and log2(1 + 0.2); the rest of both scores is the same.
  EXPECT_NEAR(component(task, "src/a.py", "lexical", nothing_but_words()), std::log2(1.2) / 2, 1e-9);
}

TEST_F(FileRanking, TraceFramesAndTemplatesAreNoWords) {
  repository_.write("src/a.py", "# alpha\n");
  commit_and_index();
  TaskQuery task;
  task.segments = {{SegmentKind::kTrace, "alpha"}, {SegmentKind::kTemplate, "alpha"}};
  EXPECT_THAT(paths(task), IsEmpty());
}

TEST_F(FileRanking, NamesOfFilesAndDefinitionsCountByTheirStems) {
  repository_.write("src/invoices.py", "x = 1\n");
  repository_.write("src/plain.py", "def send_invoice():\n    pass\n");
  commit_and_index();
  const TaskQuery task = words("invoicing");
  EXPECT_DOUBLE_EQ(component(task, "src/invoices.py", "file name"), 0.2);
  EXPECT_DOUBLE_EQ(component(task, "src/plain.py", "definitions"), 0.3);
  RankingOptions without;
  without.file_names = without.definitions = false;
  without.constants.short_forms = 0;
  EXPECT_THAT(paths(task, without), IsEmpty());
}

TEST_F(FileRanking, InAShortTaskAWordIsFoundInThoseOfItsFormsThatAreCommoner) {
  repository_.write("src/a.py", "# etag, and how it is retried\n");
  repository_.write("src/b.py", "# one retry, another retry\n");
  repository_.write("src/c.py", "# customs\n# goods\n");
  repository_.write("src/d.py", "# customs\n# custom\n");
  commit_and_index();
  EXPECT_THAT(paths(words("etags"), nothing_but_words()), ElementsAre("src/a.py"));
  EXPECT_THAT(paths(words("retrying"), nothing_but_words()), ElementsAre("src/b.py", "src/a.py"));
  EXPECT_DOUBLE_EQ(component(words("customs"), "src/c.py", "lexical", nothing_but_words()),
                   component(words("customs"), "src/d.py", "lexical", nothing_but_words()))
      << "fewer files say custom, so who writes customs means customs";
  EXPECT_THAT(paths(words("ides"), nothing_but_words()), IsEmpty());

  const auto share = [&](std::string report) {
    const double alone = component(words(report + " etag"), "src/a.py", "lexical", nothing_but_words());
    const double other = component(words(report + " etags"), "src/a.py", "lexical", nothing_but_words());
    return other / alone;
  };
  std::string report = "customs";
  EXPECT_DOUBLE_EQ(share(report), 1);
  for (char letter = 'a'; letter <= 'z'; ++letter)
    report += std::string(" un") + letter + "related customs customs";
  EXPECT_LT(share(report), 1) << "the more words, the less other forms of them count";
  EXPECT_GT(share(report), 0);
  EXPECT_EQ(share(report + " weighed ledger invoice"), 0) << "a report of thirty words needs none";
}

TEST_F(FileRanking, ANameIsAsRareAsTheCommonestFormOfItsWord) {
  repository_.write("src/cookie.py", "def set_name():\n    pass\n\n\ndef set_path():\n    pass\n");
  repository_.write("src/reach.py", "def through_proxy():\n    pass\n\n\nproxy = through_proxy\n");
  for (const char* other : {"a", "b", "c", "d"})
    repository_.write(std::string("src/") + other + ".py", "# a set, another set\n");
  commit_and_index();
  const TaskQuery task = words("proxy setting");
  EXPECT_GT(component(task, "src/reach.py", "definitions"), component(task, "src/cookie.py", "definitions"))
      << "setting stands nowhere, but every file has the set that it finds in names";
  EXPECT_GT(component(task, "src/cookie.py", "definitions"), 0);
}

TEST_F(FileRanking, WhatATaskWritesWithAHyphenIsFoundAsOneWordToo) {
  repository_.write("src/a.py", "# keepalive\n");
  repository_.write("src/b.py", "# utf8\n");
  repository_.write("src/c.py", "# http2\n");
  repository_.write("src/d.py", "# eitheror\n");
  repository_.write("src/e.py", "# reindex\n");
  commit_and_index();
  EXPECT_THAT(paths(words("Keep-Alive"), nothing_but_words()), ElementsAre("src/a.py"));
  EXPECT_THAT(paths(words("UTF-8"), nothing_but_words()), ElementsAre("src/b.py"));
  EXPECT_THAT(paths(words("HTTP/2"), nothing_but_words()), ElementsAre("src/c.py"));
  EXPECT_THAT(paths(words("re-index"), nothing_but_words()), ElementsAre("src/e.py"));
  EXPECT_THAT(paths(words("either/or, keep alive, keep - alive"), nothing_but_words()), IsEmpty());
}

TEST_F(FileRanking, FileNamesCountMoreInAShortTask) {
  repository_.write("src/invoices.py", "x = 1\n");
  commit_and_index();
  std::string report = "invoices";
  for (int i = 0; i < 29; ++i)
    report += std::string(" unrelated") + static_cast<char>('a' + i % 26) + "x" + std::to_string(i);
  const double in_report = component(words(report), "src/invoices.py", "file name");
  EXPECT_GT(in_report, 0.1);
  EXPECT_LT(in_report, 0.16) << "0.1, and half or less of the other 0.1 for twice as many terms";
}

TEST_F(FileRanking, TheExtensionIsNoPartOfAName) {
  commit_and_index();
  EXPECT_THAT(paths(words("py")), IsEmpty());
}

TEST_F(FileRanking, TheInnermostFrameOfAStackTraceCountsMost) {
  repository_.write("src/shop/cart.py", "x = 1\n");
  repository_.write("src/shop/checkout.py", "x = 1\n");
  repository_.write("lib/utils.py", "x = 1\n");
  commit_and_index();
  TaskQuery task;
  task.frames = {{"/site-packages/shop/cart.py", 3, "total"},
                 {"/site-packages/shop/checkout.py", 9, "pay"},
                 {"/usr/lib/python3/other/utils.py", 1, ""}};
  EXPECT_THAT(paths(task), ElementsAre("src/shop/cart.py", "src/shop/checkout.py"))
      << "one component of a long path in common is no match";
  EXPECT_DOUBLE_EQ(component(task, "src/shop/cart.py", "stack trace"), 0.6);
  EXPECT_DOUBLE_EQ(component(task, "src/shop/checkout.py", "stack trace"), 0.3);
  EXPECT_DOUBLE_EQ(component(task, "src/shop/checkout.py", "path"), 0.3) << "every frame names its file";
  RankingOptions without;
  without.traces = without.paths = false;
  EXPECT_THAT(paths(task, without), IsEmpty());
}

TEST_F(FileRanking, ANamedFileIsFoundByItsLastComponentsAndSharedAmongTies) {
  repository_.write("src/shop/cart.py", "x = 1\n");
  repository_.write("src/store/cart.py", "x = 1\n");
  commit_and_index();
  TaskQuery one;
  one.paths = {{"Shop/cart.py", 0}};
  EXPECT_THAT(paths(one), ElementsAre("src/shop/cart.py"));
  EXPECT_DOUBLE_EQ(component(one, "src/shop/cart.py", "path"), 0.3);
  TaskQuery both;
  both.paths = {{"cart.py", 0}};
  EXPECT_THAT(paths(both), ElementsAre("src/shop/cart.py", "src/store/cart.py")) << "equal ones by path";
  EXPECT_DOUBLE_EQ(component(both, "src/store/cart.py", "path"), 0.15);
}

TEST_F(FileRanking, ACommandOfAProgramNamesItsFile) {
  for (const std::string path : {"lib/spider/commands/check.py", "lib/spider/run.py", "lib/spider/a/view.py",
                                 "lib/spider/b/view.py", "lib/spider/c/view.py", "other/check.py"})
    repository_.write(path, "x = 1\n");
  commit_and_index();
  EXPECT_DOUBLE_EQ(
      component(words("Spider check: writes empty files"), "lib/spider/commands/check.py", "path"), 0.3);
  EXPECT_EQ(component(words("Spider check: writes empty files"), "other/check.py", "path"), 0);
  EXPECT_EQ(component(words("spider, check it"), "lib/spider/commands/check.py", "path"), 0) << "no command";
  EXPECT_EQ(component(words("spider view is slow"), "lib/spider/a/view.py", "path"), 0) << "one of many";
}

TEST_F(FileRanking, TheDefinitionOfANamedSymbolOutranksItsUses) {
  repository_.write("src/a_use.py", "from src.z_cart import grand_total\n" + std::string(3, '\n') +
                                        "grand_total()\ngrand_total()\ngrand_total()\n");
  repository_.write("src/z_cart.py", "def grand_total():\n    pass\n");
  commit_and_index();
  EXPECT_THAT(paths("where is grand_total handled"), ElementsAre("src/z_cart.py", "src/a_use.py"));
  RankingOptions without;
  without.definitions = false;
  EXPECT_EQ(paths("where is grand_total handled", without).front(), "src/a_use.py");
}

TEST_F(FileRanking, MessagesOfEarlierCommitsVoteForTheFilesThatTheyChanged) {
  repository_.write("src/rates.py", "x = 1\n");
  repository_.commit("Begin");
  repository_.write("src/rates.py", "x = 2\n");
  repository_.commit("Convert currencies by the rates of the day");
  repository_.write("notes.txt", "x\n");
  commit_and_index("Something else");
  const TaskQuery task = words("currency conversion");
  EXPECT_THAT(paths(task), ElementsAre("src/rates.py"));
  EXPECT_DOUBLE_EQ(component(task, "src/rates.py", "history"), 0.3);
  RankingOptions without;
  without.messages = false;
  EXPECT_THAT(paths(task, without), IsEmpty());
}

TEST_F(FileRanking, AFileThatMovedKeepsItsHistory) {
  const std::string body = "def convert(amount):\n    rate = 3\n    return amount * rate\n";
  repository_.write("src/rates.py", body);
  repository_.commit("Exchange of currencies");
  std::filesystem::create_directory(repository_.file("src/money"));
  std::filesystem::rename(repository_.file("src/rates.py"), repository_.file("src/money/exchange_table.py"));
  commit_and_index("Move it");
  EXPECT_GT(component(words("currencies"), "src/money/exchange_table.py", "history"), 0);
}

TEST_F(FileRanking, CommitsOfAnIssueThatTheTaskNamesPointToTheirFiles) {
  repository_.write("src/rates.py", "x = 1\n");
  repository_.commit("Begin");
  repository_.write("src/rates.py", "x = 2\n");
  const std::string fix = repository_.commit("Round down (#4711)");
  repository_.write("src/other.py", "x = 4711\n");
  commit_and_index("A number alone is no issue: 4711");
  TaskQuery by_number;
  by_number.issues = {"4711"};
  EXPECT_THAT(paths(by_number), ElementsAre("src/rates.py"));
  EXPECT_DOUBLE_EQ(component(by_number, "src/rates.py", "reference"), 0.4);
  TaskQuery by_commit;
  by_commit.commits = {fix.substr(0, 9)};
  EXPECT_THAT(paths(by_commit), ElementsAre("src/rates.py"));
  RankingOptions without;
  without.references = false;
  EXPECT_THAT(paths(by_commit, without), IsEmpty());
}

TEST_F(FileRanking, AProgramThatNobodyParsesIsCodeAndNoDocumentation) {
  for (const char* path : {"app/Basket.vue", "lib/basket.dart", "lib/Basket.pm", "src/basket.jq"})
    repository_.write(path, "basket of the shop\n");
  repository_.write("BASKET.md", "basket of the shop: basket, basket\n");
  commit_and_index();
  const auto ranked = rank(words("basket"));
  ASSERT_EQ(ranked.size(), 5U);
  for (const RankedFile& file : ranked)
    EXPECT_EQ(file.is_auxiliary, index_->file(file.file).name == "BASKET.md");
  EXPECT_EQ(index_->file(ranked.back().file).name, "BASKET.md");
}

TEST_F(FileRanking, TestsAndDocumentationAreDemotedUnlessTheTaskIsAboutThem) {
  repository_.write("src/shipping.py", "def ship():\n    parcel = 1\n    weigh(parcel)\n");
  repository_.write("tests/test_shipping.py",
                    "def test_ship():\n    parcel = 1\n    parcel = 2\n    parcel\n");
  repository_.write("docs/shipping.md", "A parcel is a parcel is a parcel.\n");
  commit_and_index();
  TaskQuery task = words("parcel");
  EXPECT_EQ(paths(task).front(), "src/shipping.py");
  RankingOptions without;
  without.demotion = false;
  EXPECT_NE(paths(task, without).front(), "src/shipping.py");
  task.type = TaskType::kTest;
  EXPECT_EQ(paths(task).front(), "tests/test_shipping.py");
  task.type = TaskType::kDocs;
  EXPECT_EQ(paths(task).front(), "docs/shipping.md");
  for (const RankedFile& file : rank(task)) {
    EXPECT_EQ(file.is_test, index_->file(file.file).name == "tests/test_shipping.py");
    EXPECT_EQ(file.is_auxiliary, index_->file(file.file).name == "docs/shipping.md");
  }
}

TEST_F(FileRanking, WhatChangesWithTheBestFileIsLifted) {
  for (int i = 0; i < 3; ++i) {
    const std::string text = "x = " + std::to_string(i) + "\n";
    repository_.write("src/cart.py", text + "# parcel\n");
    repository_.write("src/quiet.py", text);
    repository_.commit("Step " + std::to_string(i));
  }
  commit_and_index("Fillers");
  const TaskQuery task = words("parcel");
  EXPECT_THAT(paths(task), ElementsAre("src/cart.py", "src/quiet.py"));
  EXPECT_DOUBLE_EQ(component(task, "src/quiet.py", "co-change"), 0.2);
  RankingOptions without;
  without.co_changes = without.test_co_changes = false;
  EXPECT_THAT(paths(task, without), ElementsAre("src/cart.py"));
}

TEST_F(FileRanking, WhatChangesWithTheTestsThatMatchIsLifted) {
  for (int i = 0; i < 3; ++i) {
    const std::string text = "x = " + std::to_string(i) + "\n";
    repository_.write("tests/test_quiet.py", text + "# parcel\n");
    repository_.write("src/quiet.py", text);
    repository_.commit("Step " + std::to_string(i));
  }
  commit_and_index("Fillers");
  EXPECT_DOUBLE_EQ(component(words("parcel"), "src/quiet.py", "test co-change"), 0.2);
}

TEST_F(FileRanking, WhatTheBestFileImportsIsLifted) {
  repository_.write("src/cart.py", "from src import quiet\n\n# parcel\n");
  repository_.write("src/quiet.py", "x = 1\n");
  repository_.write("src/__init__.py", "");
  commit_and_index();
  const TaskQuery task = words("parcel");
  EXPECT_THAT(paths(task), Contains("src/quiet.py"));
  EXPECT_GT(component(task, "src/quiet.py", "imported"), 0);
  RankingOptions without;
  without.imports = false;
  EXPECT_THAT(paths(task, without), Not(Contains("src/quiet.py")));
}

TEST_F(FileRanking, TheSecondStageLeavesTheBestTwoInTheirPlaces) {
  // The third file changes with the first all the time; the second does not.
  for (int i = 0; i < 4; ++i) {
    const std::string text = "x = " + std::to_string(i) + "\n";
    repository_.write("src/first.py", text + "# parcel parcel customs\n");
    repository_.write("src/third.py", text + "# customs\n" + std::string(40, '\n'));
    repository_.commit("Step " + std::to_string(i));
  }
  repository_.write("src/second.py", "# parcel\n");
  commit_and_index("The second");
  const TaskQuery task = words("parcel customs");
  RankingOptions first_stage;
  first_stage.co_changes = first_stage.test_co_changes = first_stage.imports = false;
  const auto before = paths(task, first_stage);
  const auto after = paths(task);
  ASSERT_GE(before.size(), 3U);
  EXPECT_EQ(std::vector(after.begin(), after.begin() + 2), std::vector(before.begin(), before.begin() + 2));
  EXPECT_GT(component(task, "src/third.py", "co-change"), 0);
}

TEST_F(FileRanking, NothingNewerThanTheSnapshotIsKnown) {
  repository_.write("src/rates.py", "x = 1\n");
  const std::string base = repository_.commit("Begin");
  repository_.write("src/rates.py", "x = 2  # parcel\n");
  repository_.commit("parcel: fixes #4711");
  repository_.write("src/filler0.py", "# parcel in the work tree\n");
  const std::string later = repository_.id("HEAD");
  index(later);
  TaskQuery task = words("parcel");
  task.issues = {"4711"};
  task.commits = {later.substr(0, 10)};
  EXPECT_THAT(paths(task), ElementsAre("src/rates.py"))
      << "the later snapshot knows it, the work tree nobody";
  index(base);
  EXPECT_THAT(paths(task), IsEmpty()) << "though the same database holds the later commit";
}

TEST_F(FileRanking, AScoreIsTheSumOfItsComponentsAndTheOrderIsThatOfTheScores) {
  repository_.write("src/cart.py", "from src import quiet\n\ndef parcel():\n    pass\n");
  repository_.write("src/quiet.py", "x = 1  # parcel\n");
  repository_.write("src/__init__.py", "");
  repository_.write("tests/test_cart.py", "# parcel parcel\n");
  repository_.write("README.md", "parcel\n");
  commit_and_index("parcel");
  const auto ranked = rank(words("parcel"));
  ASSERT_GE(ranked.size(), 4U);
  double last = 100;
  for (const RankedFile& file : ranked) {
    double sum = 0;
    for (const ScoreComponent& part : file.score.components) sum += part.value;
    EXPECT_NEAR(sum, file.score.total, 1e-12);
    EXPECT_LE(file.score.total, last + 1e-12);
    last = file.score.total;
  }
}

TEST_F(FileRanking, TheSameQuestionHasTheSameAnswerAndALimitCutsIt) {
  for (int i = 0; i < 8; ++i) {
    repository_.write("src/equal" + std::to_string(i) + ".py", "# parcel\n");
  }
  commit_and_index();
  const auto first = paths(words("parcel"));
  EXPECT_EQ(first.size(), 8U);
  EXPECT_TRUE(std::is_sorted(first.begin(), first.end()));
  EXPECT_EQ(paths(words("parcel")), first);
  RankingOptions limited;
  limited.limit = 3;
  EXPECT_EQ(paths(words("parcel"), limited), std::vector(first.begin(), first.begin() + 3));
}

TEST_F(FileRanking, EveryConstantIsInTheTableOnceWithAMeaning) {
  std::set<std::string_view> names;
  for (const RankingConstantRow& row : ranking_constant_rows()) {
    EXPECT_TRUE(names.insert(row.name).second) << row.name;
    EXPECT_FALSE(row.meaning.empty()) << row.name;
  }
  EXPECT_EQ(names.size() * sizeof(double), sizeof(RankingConstants)) << "one is missing";
}

TEST_F(FileRanking, AClassWithItsPackageMeansItsFile) {
  repository_.write("core/src/org/shop/Cart.java", "class Cart {}\n");
  repository_.write("core/src/org/other/Cart.java", "class Cart {}\n");
  commit_and_index();
  const TaskQuery task = words("NPE when org.shop.Cart.total is called");
  EXPECT_NEAR(component(task, "core/src/org/shop/Cart.java", "qualified name"), 0.2, 1e-9);
  EXPECT_EQ(component(task, "core/src/org/other/Cart.java", "qualified name"), 0);
}

TEST_F(FileRanking, DeclarationsStandBehindWhatTheyDeclare) {
  repository_.write("lib/cart.js", "export function discountOf(cart) { return cart.discount; }\n");
  repository_.write("lib/cart.d.ts", "export function discountOf(cart: Cart): number;\n");
  repository_.write("lib/alone.d.ts", "export function discountOf(other: Cart): number;\n");
  commit_and_index();
  RankingOptions even;
  even.constants.declarations_share = 1;
  const TaskQuery task = words("discountOf is wrong");
  const auto total = [&](const std::string& path, const RankingOptions& options) {
    for (const RankedFile& file : rank(task, options))
      if (index_->file(file.file).name == path) return file.score.total;
    return 0.0;
  };
  RankingOptions alone;
  alone.co_changes = alone.test_co_changes = alone.imports = false;
  RankingOptions alone_even = even;
  alone_even.co_changes = alone_even.test_co_changes = alone_even.imports = false;
  EXPECT_NEAR(total("lib/cart.d.ts", alone), 0.8 * total("lib/cart.d.ts", alone_even), 1e-9);
  EXPECT_NEAR(total("lib/alone.d.ts", alone), total("lib/alone.d.ts", alone_even), 1e-9);
}

}  // namespace
}  // namespace knapsack::code
