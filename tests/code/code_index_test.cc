// The code index end to end, below the program: a real repository, a real store, and the questions asked of
// it.
#include "code/ask/code_index.h"

#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>

#include "code/ask/code_references.h"
#include "code/ask/code_views.h"
#include "code/index/code_documents.h"
#include "code/index/curated_writer.h"
#include "code/index/indexer.h"
#include "search/query/query.h"
#include "store/sqlite/sqlite.h"
#include "support/repository_git.h"
#include "support/support.h"

namespace knapsack::code {
namespace {

using namespace knapsack::testing;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::UnorderedElementsAre;

constexpr const char* kCart =
    "from shop.items import price_of\n"
    "\n"
    "\n"
    "class Cart:\n"
    "    \"\"\"Things somebody wants.\"\"\"\n"
    "\n"
    "    def total(self, things):\n"
    "        # TODO: round half up, see #12\n"
    "        return sum(price_of(thing) for thing in things)\n";
constexpr const char* kItems = "def price_of(thing):\n    return thing.price\n";
constexpr const char* kCartTest =
    "from shop.cart import Cart\n"
    "\n"
    "\n"
    "def test_total():\n"
    "    assert Cart().total([]) == 0\n";

class CodeIndexTest : public ::testing::Test {
 protected:
  void SetUp() override {
    state_ = repository_.file(".knapsack");
    std::filesystem::create_directory(state_);
    repository_.write("src/shop/__init__.py", "");
    repository_.write("src/shop/cart.py", kCart);
    repository_.write("src/shop/items.py", kItems);
    repository_.write("tests/test_cart.py", kCartTest);
    repository_.write("logo.png", std::string("\x89PNG\0\0", 6));
    repository_.write(".gitignore", ".knapsack\n");
    first_ = repository_.commit("Carts with totals, for #12");
  }
  IndexReport index(const std::string& revision = "", bool full = false, bool brief = false) {
    IndexRequest request;
    request.workspace = std::filesystem::canonical(repository_.path());
    request.state_folder = state_;
    request.revision = revision;
    request.full = full;
    request.brief = brief;
    auto report = index_repository(*files_, request);
    EXPECT_OK(report);
    return report.ok() ? *std::move(report) : IndexReport();
  }
  std::unique_ptr<CodeIndex> open(const std::string& snapshot = kWorkTree) {
    auto opened = CodeIndex::open(*files_, state_, snapshot);
    EXPECT_OK(opened);
    return opened.ok() ? *std::move(opened) : nullptr;
  }
  static std::vector<std::string> paths(const CodeIndex& index, const std::vector<FileLink>& links) {
    std::vector<std::string> names;
    for (const FileLink& link : links) names.push_back(index.file(link.file).name);
    return names;
  }
  static std::vector<std::string> found(CodeIndex& index, const std::string& word) {
    std::vector<std::string> names;
    const auto bodies = index.collection(kCodeCollection);
    EXPECT_OK(bodies);
    const auto hits = search::top_k(**bodies, {{word, search::field_bit(kBodyField), 1, {}}}, {}, 100);
    EXPECT_OK(hits);
    for (const auto& hit : *hits) {
      for (const uint32_t file : index.files_of_key(hit.key)) names.push_back(index.file(file).name);
    }
    return names;
  }

  // So that no file is too fresh to tell whether it changed.
  void make_files_old() const {
    const auto an_hour_ago = std::filesystem::file_time_type::clock::now() - std::chrono::hours(1);
    for (const auto& entry : std::filesystem::recursive_directory_iterator(repository_.path())) {
      if (entry.is_regular_file()) std::filesystem::last_write_time(entry.path(), an_hour_ago);
    }
  }

  TestRepository repository_;
  std::string state_, first_;
  std::unique_ptr<FileSystem> files_ = make_disk_file_system();
};

TEST_F(CodeIndexTest, ListsWhatItReadsAndWhatItLeavesAlone) {
  const IndexReport report = index();
  EXPECT_TRUE(report.changed);
  EXPECT_EQ(report.files, 6u);
  EXPECT_EQ(report.sources, 5u);
  EXPECT_THAT(report.listed, ElementsAre(std::pair("binary", 1u)));
  EXPECT_EQ(report.commits, 1u);
  EXPECT_EQ(report.commit_id, first_);
  EXPECT_FALSE(index().changed);
}

TEST_F(CodeIndexTest, ReadsNothingThatLooksAsItDidUnlessItIsTooFreshToTell) {
  index();
  EXPECT_EQ(index().examined, 6u) << "a change within a tick of the files' clock would not show";
  make_files_old();
  EXPECT_EQ(index().examined, 6u);
  EXPECT_EQ(index().examined, 0u);
}

TEST_F(CodeIndexTest, ABriefRunReadsNothingAndSaysNothingWhereNothingChanged) {
  EXPECT_EQ(index("", false, true).parsed, 5u) << "the first run is never brief";
  make_files_old();
  EXPECT_EQ(index("", false, true).examined, 6u);
  const IndexReport brief = index("", false, true);
  EXPECT_FALSE(brief.changed);
  EXPECT_EQ(brief.examined, 0u);
  EXPECT_EQ(brief.files, 0u);
  EXPECT_EQ(index().files, 6u);
}

// A run that looks at no more than it must sees every kind of change.
TEST_F(CodeIndexTest, ABriefRunSeesEveryChange) {
  const std::pair<const char*, std::function<void()>> changes[] = {
      {"an edit of the same length",
       [&] { repository_.write("src/shop/items.py", "def price_if(thing):\n    return thing.price\n"); }},
      {"a new file", [&] { repository_.write("src/shop/new.py", "x = 1\n"); }},
      {"a file that is gone", [&] { std::filesystem::remove(repository_.file("src/shop/new.py")); }},
      {"a file in the place of another",
       [&] {
         std::filesystem::rename(repository_.file("tests/test_cart.py"),
                                 repository_.file("tests/test_basket.py"));
       }},
      {"a rule that leaves a file out", [&] { repository_.write(".gitignore", ".knapsack\nlogo.png\n"); }},
      {"a commit", [&] { repository_.commit("All of it"); }},
      {"a packed branch",
       [&] {
         repository_.git({"pack-refs", "--all"});
         repository_.write("src/shop/items.py", "x = 2\n");
         repository_.commit("Less");
       }},
      {"a lost segment",
       [&] {
         for (const auto& entry : std::filesystem::directory_iterator(state_ + "/segments"))
           std::filesystem::remove(entry.path());
       }},
      {"an older version",
       [&] {
         auto writer = CuratedWriter::open(*files_, state_, {});
         ASSERT_OK(writer);
         ASSERT_OK(writer->transaction([&] { return writer->set_meta("facts version", "older"); }));
       }},
  };
  index();
  for (const auto& [name, change] : changes) {
    make_files_old();
    index();
    ASSERT_EQ(index("", false, true).files, 0u) << "before " << name;
    change();
    EXPECT_GT(index("", false, true).files, 0u) << name;
    EXPECT_FALSE(index().changed) << name << ": the brief run left something to do";
  }
}

TEST_F(CodeIndexTest, AnswersAboutSymbolsByNameAndByTheirParents) {
  index();
  const auto known = open();
  const auto symbols = known->find_symbols("Cart.total");
  ASSERT_OK(symbols);
  ASSERT_EQ(symbols->size(), 1u);
  EXPECT_EQ(known->file(symbols->at(0).file).name, "src/shop/cart.py");
  EXPECT_EQ(symbols->at(0).row.symbol.start_line, 7u);
  EXPECT_GT(symbols->at(0).row.tokens.o200k, 10u);
  EXPECT_EQ(known->find_symbols("Cart::total")->size(), 1u);
  EXPECT_EQ(known->find_symbols("total")->size(), 1u);
  EXPECT_THAT(*known->find_symbols("Basket.total"), IsEmpty());
  EXPECT_EQ(*similar_name(*known, "totl"), "total");
}

TEST_F(CodeIndexTest, FindsWhatEndsInAMarkByItsNameWithoutIt) {
  repository_.write("app/cart.rb",
                    "class Basket\n  def close!\n  end\n  def open?\n  end\n  def open\n  end\nend\n");
  index();
  const auto known = open();
  const auto names = [&](const char* name) {
    const auto symbols = known->find_symbols(name);
    EXPECT_OK(symbols);
    std::vector<std::string> found;
    for (const IndexedSymbol& each : *symbols) found.push_back(each.row.symbol.qualified_name);
    return found;
  };
  EXPECT_THAT(names("close!"), ElementsAre("Basket.close!"));
  EXPECT_THAT(names("close"), ElementsAre("Basket.close!"));
  EXPECT_THAT(names("Basket#close"), ElementsAre("Basket.close!"));
  EXPECT_THAT(names("open?"), ElementsAre("Basket.open?"));
  EXPECT_THAT(names("open"), ElementsAre("Basket.open"));
  EXPECT_THAT(names("close?"), IsEmpty());
}

TEST_F(CodeIndexTest, FollowsImportsBothWays) {
  index();
  const auto known = open();
  const uint32_t cart = *known->find_file("src/shop/cart.py");
  EXPECT_THAT(paths(*known, *known->imports_of(cart)), ElementsAre("src/shop/items.py"));
  EXPECT_THAT(paths(*known, *known->importers_of(cart)), ElementsAre("tests/test_cart.py"));
  const uint32_t seeds[] = {*known->find_file("src/shop/items.py")};
  const auto near = neighbourhood(*known, seeds, 2, 10);
  ASSERT_OK(near);
  ASSERT_EQ(near->size(), 3u);
  EXPECT_EQ(near->at(2).distance, 2u);
  EXPECT_EQ(known->file(near->at(2).file).name, "tests/test_cart.py");
  EXPECT_EQ(neighbourhood(*known, seeds, 1, 10)->size(), 2u);
  EXPECT_EQ(neighbourhood(*known, seeds, 2, 1)->size(), 1u);
}

TEST_F(CodeIndexTest, FindsWhoUsesANameAndWhatIsMeant) {
  index();
  const auto known = open();
  const auto uses = references_to(*known, "price_of");
  ASSERT_OK(uses);
  ASSERT_FALSE(uses->empty());
  EXPECT_EQ(known->file(uses->at(0).file).name, "src/shop/cart.py");
  EXPECT_EQ(uses->at(0).enclosing, "Cart.total");
  EXPECT_EQ(known->file(uses->at(0).target_file).name, "src/shop/items.py");
  EXPECT_GT(uses->at(0).confidence, 0.8F);
  const auto edges = references_of(*known, *known->find_file("src/shop/cart.py"));
  ASSERT_OK(edges);
  ASSERT_EQ(edges->size(), 1u);
  EXPECT_EQ(edges->at(0).name, "price_of");
  EXPECT_THAT(*references_to(*known, "no_such_name"), IsEmpty());
}

TEST_F(CodeIndexTest, FollowsNothingMoreOnceWhatIsAffectedIsCut) {
  std::string many = "def base():\n    return 1\n";
  for (int i = 0; i < 2100; ++i) {
    const std::string name = "user_" + std::to_string(i);
    many += "\n\ndef " + name + "():\n    return base()\n";
  }
  repository_.write("src/many.py", many + "\n\nuser_0()\n");
  index();
  const auto view = view_impact(*open(), "base", 3);
  ASSERT_OK(view);
  EXPECT_TRUE(view->is_cut);
  EXPECT_GT(view->users.size(), 1900u);
  for (const ImpactLine& user : view->users) ASSERT_EQ(user.distance, 1u) << user.name;
}

TEST_F(CodeIndexTest, LinksTestsToTheirSubjects) {
  index();
  const auto known = open();
  const auto subject = view_deps(*known, *known->find_file("src/shop/cart.py"), 1);
  ASSERT_OK(subject);
  ASSERT_EQ(subject->tests.size(), 1u);
  EXPECT_EQ(subject->tests[0].path, "tests/test_cart.py");
  EXPECT_GT(subject->tests[0].confidence, 0.8F);
  const auto test = view_deps(*known, *known->find_file("tests/test_cart.py"), 1);
  ASSERT_OK(test);
  ASSERT_FALSE(test->subjects.empty());
  EXPECT_EQ(test->subjects[0].path, "src/shop/cart.py");
}

TEST_F(CodeIndexTest, OutlinesAFileWithItsRemarks) {
  index();
  const auto known = open();
  const auto outline = view_outline(*known, *known->find_file("src/shop/cart.py"));
  ASSERT_OK(outline);
  EXPECT_EQ(outline->language, "python");
  EXPECT_EQ(outline->symbols.size(), 2u);
  ASSERT_EQ(outline->remarks.size(), 1u);
  EXPECT_THAT(outline->remarks[0].issues, ElementsAre(12u));
  const auto picture = view_outline(*known, *known->find_file("logo.png"));
  ASSERT_OK(picture);
  EXPECT_EQ(picture->file_class, "binary");
  EXPECT_THAT(picture->symbols, IsEmpty());
}

TEST_F(CodeIndexTest, TellsTheHistoryOfAFileThroughItsRenames) {
  repository_.git({"mv", "src/shop/cart.py", "src/shop/basket.py"});
  repository_.commit("Call it a basket");
  repository_.write("src/shop/basket.py", std::string(kCart) + "\n\nEMPTY = Cart()\n");
  repository_.write("src/shop/items.py", std::string(kItems) + "\n\nFREE = 0\n");
  repository_.commit("Empty baskets are free");
  index();
  const auto known = open();
  const auto history = view_history(*known, *known->find_file("src/shop/basket.py"));
  ASSERT_OK(history);
  ASSERT_EQ(history->commits.size(), 3u);
  EXPECT_EQ(history->commits[0].subject, "Empty baskets are free");
  EXPECT_EQ(history->commits[2].path, "src/shop/cart.py");
  ASSERT_FALSE(history->co_changes.empty());
  EXPECT_EQ(history->co_changes[0].path, "src/shop/items.py");
  EXPECT_EQ(history->co_changes[0].count, 2u);
}

TEST_F(CodeIndexTest, SeesOneChangedFileAndParsesNothingElse) {
  index();
  repository_.write("src/shop/items.py", std::string(kItems) + "\n\ndef free_thing():\n    return 0\n");
  const IndexReport report = index();
  EXPECT_TRUE(report.changed);
  EXPECT_EQ(report.parsed, 1u);
  const auto known = open();
  EXPECT_EQ(known->find_symbols("free_thing")->size(), 1u);
  EXPECT_THAT(found(*known, "free_thing"), ElementsAre("src/shop/items.py"));
}

TEST_F(CodeIndexTest, ForgetsWhatIsGoneAndFindsItAgainWithoutParsing) {
  index();
  std::filesystem::rename(repository_.file("src/shop/items.py"), repository_.file("items.kept"));
  EXPECT_EQ(index().removed, 1u);
  auto known = open();
  EXPECT_FALSE(known->find_file("src/shop/items.py"));
  EXPECT_THAT(*known->find_symbols("price_of"), IsEmpty());
  EXPECT_THAT(*known->imports_of(*known->find_file("src/shop/cart.py")), IsEmpty());
  known.reset();
  std::filesystem::rename(repository_.file("items.kept"), repository_.file("src/shop/items.py"));
  EXPECT_EQ(index().parsed, 0u);
  EXPECT_EQ(open()->find_symbols("price_of")->size(), 1u);
}

TEST_F(CodeIndexTest, KnowsNothingNewerThanTheCommit) {
  repository_.write("src/shop/later.py", "def laterword():\n    pass\n");
  const std::string second = repository_.commit("Something laterword");
  index();
  const IndexReport report = index(first_);
  EXPECT_EQ(report.parsed, 0u);
  EXPECT_EQ(report.commits, 1u);
  const auto past = open(first_);
  EXPECT_FALSE(past->find_file("src/shop/later.py"));
  EXPECT_THAT(*past->find_symbols("laterword"), IsEmpty());
  EXPECT_THAT(found(*past, "laterword"), IsEmpty());
  EXPECT_THAT(*references_to(*past, "laterword"), IsEmpty());
  const auto commits = past->collection(kCommitCollection);
  ASSERT_OK(commits);
  EXPECT_EQ((*commits)->documents(), 1u);
  EXPECT_THAT(found(*open(), "laterword"), ElementsAre("src/shop/later.py"));
  const auto missing = CodeIndex::open(*files_, state_, second);
  ASSERT_FALSE(missing.ok());
  EXPECT_THAT(missing.error().line(), HasSubstr("knapsack index --rev"));
}

TEST_F(CodeIndexTest, BuildsALostSegmentAnew) {
  index();
  ASSERT_EQ(found(*open(), "price_of").size(), 2u);
  for (const auto& entry : std::filesystem::directory_iterator(state_ + "/segments")) {
    std::filesystem::remove(entry.path());
  }
  const auto broken = open()->collection(kCodeCollection);
  ASSERT_FALSE(broken.ok());
  const IndexReport report = index();
  EXPECT_FALSE(report.notes.empty());
  EXPECT_EQ(found(*open(), "price_of").size(), 2u);
  EXPECT_TRUE(index().notes.empty());
}

TEST_F(CodeIndexTest, LearnsEverythingAnewWhenAsked) {
  index();
  EXPECT_EQ(index("", true).parsed, 5u);
  EXPECT_EQ(open()->find_symbols("price_of")->size(), 1u);
  EXPECT_FALSE(index().changed);
}

TEST_F(CodeIndexTest, GoesOnWithWhatAKilledRunHadCommitted) {
  const pid_t child = ::fork();
  if (child == 0) {
    IndexRequest request;
    request.workspace = std::filesystem::canonical(repository_.path());
    request.state_folder = state_;
    request.jobs = 1;
    request.batch_bytes = 1;  // one file at a time
    request.progress = [](const IndexProgress& progress) {
      if (progress.parsed == 4) ::_exit(9);  // as a kill would, in the middle of the fourth
    };
    const auto report = index_repository(*files_, request);
    ::_exit(report.ok() ? 0 : 1);
  }
  int status = 0;
  ::waitpid(child, &status, 0);
  ASSERT_EQ(WEXITSTATUS(status), 9);
  const IndexReport report = index();
  EXPECT_GE(report.parsed, 1u);
  EXPECT_LE(report.parsed, 3u) << "of five; what was committed is not parsed again";
  EXPECT_EQ(found(*open(), "price_of").size(), 2u);
}

TEST_F(CodeIndexTest, LearnsAnewWhatAnOlderVersionLearntAndKeepsNothingOfIt) {
  index();
  index(first_);
  {
    auto writer = CuratedWriter::open(*files_, state_, {});
    ASSERT_OK(writer);
    ASSERT_OK(writer->transaction([&] { return writer->set_meta("facts version", "older"); }));
  }
  const IndexReport report = index(first_);
  EXPECT_EQ(report.parsed, 5u);
  EXPECT_THAT(report.notes, ::testing::Contains(HasSubstr("work tree was indexed by another version")));
  EXPECT_FALSE(CodeIndex::open(*files_, state_, kWorkTree).ok());
  EXPECT_EQ(index(first_).parsed, 0u);
  EXPECT_EQ(index().parsed, 0u) << "the same contents are known again, by the rules of today";
  EXPECT_EQ(found(*open(), "price_of").size(), 2u);
}

TEST_F(CodeIndexTest, BeginsAnewWhereAnOlderVersionKeptSecrets) {
  index();
  {
    sqlite::OpenOptions options;
    options.mode = sqlite::OpenMode::kCreate;
    auto database = sqlite::Database::open(state_ + "/curated.db", options);
    ASSERT_OK(database);
    ASSERT_OK(database->execute("PRAGMA user_version=2"));
  }
  EXPECT_FALSE(CodeIndex::open(*files_, state_, kWorkTree).ok()) << "nobody reads it until it is made anew";
  const IndexReport report = index();
  EXPECT_THAT(report.notes, ::testing::Contains(HasSubstr("which kept secrets")));
  EXPECT_GT(report.parsed, 0u);
  EXPECT_EQ(found(*open(), "price_of").size(), 2u);
}

TEST_F(CodeIndexTest, IsNotReadWhereSomethingElseIsInThePlaceOfATable) {
  index();
  {
    sqlite::OpenOptions options;
    options.mode = sqlite::OpenMode::kReadWrite;
    auto database = sqlite::Database::open(state_ + "/curated.db", options);
    ASSERT_OK(database);
    // One that never ends would make whoever asks for a row hang.
    ASSERT_OK(database->execute(
        "DROP TABLE meta; CREATE VIEW meta AS SELECT 'facts version' AS key, '0' AS value"));
  }
  const auto refused = CodeIndex::open(*files_, state_, kWorkTree);
  ASSERT_FALSE(refused.ok());
  EXPECT_EQ(refused.error().code, ErrorCode::kCorrupt);
  EXPECT_THAT(refused.error().line(), HasSubstr("it holds meta, which is not"));
  EXPECT_THAT(refused.error().next, HasSubstr("knapsack index"));
  EXPECT_THAT(index().notes, ::testing::Contains(HasSubstr("was rebuilt")));
  EXPECT_EQ(found(*open(), "price_of").size(), 2u);
}

TEST_F(CodeIndexTest, WritesAndRemovesNothingBehindALink) {
  TemporaryFolder outside;
  outside.write("new.txt", "somebody's");
  outside.write(std::string(32, 'a') + ".segment", "of another workspace");
  std::filesystem::create_directory_symlink(outside.path(), state_ + "/segments");
  IndexRequest request;
  request.workspace = std::filesystem::canonical(repository_.path());
  request.state_folder = state_;
  const auto refused = index_repository(*files_, request);
  ASSERT_FALSE(refused.ok());
  EXPECT_THAT(refused.error().line(), HasSubstr(state_ + "/segments is a symbolic link"));
  EXPECT_THAT(refused.error().next, HasSubstr("remove the link"));
  const auto entries = files_->list(outside.path());
  ASSERT_OK(entries);
  EXPECT_EQ(entries->size(), 2u) << "nothing came and nothing went";
}

TEST_F(CodeIndexTest, SaysThatThereAreOlderCommits) {
  repository_.write("src/shop/items.py", "FREE = 0\n");
  repository_.commit("Everything is free");
  IndexRequest request;
  request.workspace = std::filesystem::canonical(repository_.path());
  request.state_folder = state_;
  request.history = 1;
  auto report = index_repository(*files_, request);
  ASSERT_OK(report);
  EXPECT_EQ(report->commits, 1u);
  EXPECT_TRUE(report->older_commits);
  request.history = 2;
  report = index_repository(*files_, request);
  ASSERT_OK(report);
  EXPECT_EQ(report->commits, 2u);
  EXPECT_FALSE(report->older_commits);
  EXPECT_TRUE(report->changed) << "a longer history is a change";
}

TEST_F(CodeIndexTest, OverviewCountsWhatIsThere) {
  index();
  const auto known = open();
  const auto overview = view_overview(*known);
  ASSERT_OK(overview);
  EXPECT_EQ(overview->files, 6u);
  EXPECT_EQ(overview->test_files, 1u);
  ASSERT_FALSE(overview->languages.empty());
  EXPECT_EQ(overview->languages[0].language, "python");
  EXPECT_EQ(overview->languages[0].files, 4u);
  EXPECT_EQ(overview->most_imported.size(), 2u);
  ASSERT_EQ(overview->recent.size(), 1u);
}

}  // namespace
}  // namespace knapsack::code
