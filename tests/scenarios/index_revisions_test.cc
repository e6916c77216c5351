// Commits in the index: each is what a checkout of it would give, nothing newer shows in it, and fifty of
// them cost their differences.
#include <filesystem>
#include <set>

#include "scenarios/support_index_dump.h"
#include "scenarios/support_index_program.h"
#include "scenarios/support_little_shop.h"
#include "support/repository_fixture.h"
#include "support/repository_history.h"

namespace knapsack {
namespace {

using testing::dump_of;
using testing::fresh_dump;
using ::testing::HasSubstr;
using testing::index_report;
using ::testing::Not;
using testing::run_measured;
using testing::split_nul;
using testing::TestRepository;

const std::vector<std::string> kWords = {"the", "cart", "zebrafish", "quokka"};

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

// The lines of a snapshot that do not say which one it is.
std::string content_of(const std::string& dump) {
  return dump.substr(dump.find('\n') + 1);
}

TEST(IndexRevisions, FiftyCommitsCostTheirDifferencesAndHoldNothingNewer) {
  const TestRepository made;
  testing::RepositoryShape shape;
  shape.files = 45;
  shape.bytes = 45 * 1200;
  shape.mixed = true;
  const auto history = testing::make_history(testing::make_repository(shape), 70, 3);
  made.git({"fast-import", "--quiet"}, history.stream);
  made.git({"reset", "-q", "--hard", "main"});
  // Words that only a later commit and the work tree have.
  made.write("later/zebrafish.py", "def zebrafish():\n    return 'zebrafish'\n");
  made.clock = 1'900'000'000;
  made.commit("Add the zebrafish");
  made.write("later/quokka.py", "def quokka():\n    return 'quokka'\n");
  index_report(made.path());
  const std::string work_tree = dump_of(made.path(), code::kWorkTree, kWords);
  EXPECT_THAT(work_tree, HasSubstr("word \"zebrafish\" in 1 documents"));
  EXPECT_THAT(work_tree, HasSubstr("word \"quokka\" in 1 documents"));
  std::filesystem::remove_all(made.file(".knapsack"));

  auto commits = lines_of(made.git({"rev-list", "--topo-order", "main~1"}));
  ASSERT_GE(commits.size(), 50U);
  commits.resize(50);
  uint64_t parsed = 0;
  for (size_t i = 0; i < commits.size(); ++i) {
    const std::string& commit = commits[i * 7 % 50];  // now an older, now a newer one
    const auto report = index_report(made.path(), {"--rev", commit});
    EXPECT_EQ(report["snapshot"], commit);
    parsed += report["parsed"].get<uint64_t>();
  }
  // A blob counts once in each language that its names give it; extensions tell those apart here.
  std::set<std::string> contents;
  std::map<std::string, std::set<std::string>> ancestors;
  for (const std::string& commit : commits) {
    for (const std::string& entry : split_nul(made.git({"ls-tree", "-r", "-z", commit}))) {
      const size_t tab = entry.find('\t');
      const auto extension = std::filesystem::path(entry.substr(tab + 1)).extension().string();
      contents.insert(entry.substr(tab - 40, 40) + extension);
    }
    const auto reachable = lines_of(made.git({"rev-list", commit}));
    ancestors[commit] = {reachable.begin(), reachable.end()};
  }
  EXPECT_EQ(parsed, contents.size()) << "every content once, and never again";

  for (const std::string& commit : commits) {
    const std::string dump = dump_of(made.path(), commit, kWords);
    size_t known = 0;
    std::vector<std::string> files;
    for (const std::string& line : lines_of(dump)) {
      if (line.starts_with("commit ")) {
        ++known;
        EXPECT_TRUE(ancestors[commit].contains(line.substr(7, 40))) << line;
      }
      if (line.starts_with("file ")) files.push_back(line.substr(6, line.find('"', 6) - 6));
    }
    EXPECT_EQ(known, ancestors[commit].size());
    EXPECT_EQ(files, split_nul(made.git({"ls-tree", "-r", "-z", "--name-only", commit})));
    EXPECT_THAT(dump, HasSubstr("word \"zebrafish\" in 0 documents"));
    EXPECT_THAT(dump, HasSubstr("word \"quokka\" in 0 documents"));
    if (testing::cases_divisor() == 1 || commit == commits.front()) {
      EXPECT_SAME_DUMP(fresh_dump(made.path(), {"--rev", commit}, commit, kWords), dump);
    }
  }

  // A checkout of a commit gives the same as the commit itself.
  for (const size_t at : {0U, 17U, 49U}) {
    const TestRepository clone;
    clone.git({"fetch", "-q", "file://" + made.path(), "main"});
    clone.git({"checkout", "-q", "--detach", commits[at]});
    EXPECT_SAME_DUMP(content_of(fresh_dump(clone.path(), {}, code::kWorkTree, kWords)),
                     content_of(dump_of(made.path(), commits[at], kWords)));
  }
}

TEST(IndexRevisions, ViewsAnswerForTheCommitTheyAreAskedAbout) {
  const TestRepository made;
  testing::write_little_shop(made);
  const std::string first = made.commit("Begin the shop");
  made.write("src/shop/zebrafish.py", "def zebrafish():\n    return 1\n");
  made.write("src/shop/cart.py", "from shop.zebrafish import zebrafish\n\nCART = zebrafish()\n");
  made.commit("Add the zebrafish");
  made.write("src/shop/quokka.py", "from shop.zebrafish import zebrafish\nquokka = zebrafish()\n");
  index_report(made.path());
  index_report(made.path(), {"--rev", "HEAD~1"});
  const auto ask = [&](std::vector<std::string> words) {
    words.insert(words.end(), {"--format", "json"});
    const auto outcome = run_measured(words, made.path());
    EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
    return nlohmann::json::parse(outcome.out);
  };
  EXPECT_EQ(ask({"symbols", "zebrafish"})["symbols"].size(), 1U);
  EXPECT_EQ(ask({"symbols", "zebrafish", "--rev", "HEAD~1"})["symbols"].size(), 0U);
  EXPECT_EQ(ask({"refs", "zebrafish", "--rev", first})["uses"].size(), 0U);
  EXPECT_EQ(ask({"overview", "--rev", first.substr(0, 10)})["recent"].size(), 1U);
  EXPECT_EQ(ask({"history", "cart.py", "--rev", first})["commits"].size(), 1U);
  EXPECT_EQ(ask({"history", "cart.py"})["commits"].size(), 2U);
  for (const auto& words : std::vector<std::vector<std::string>>{
           {"overview"}, {"deps", "prices.py"}, {"outline", "cart.py"}, {"history", "prices.py"}}) {
    auto asked = words;
    asked.insert(asked.end(), {"--rev", first});
    EXPECT_THAT(ask(asked).dump(), Not(HasSubstr("zebrafish"))) << words.front();
  }
  testing::expect_refusal(run_measured({"outline", "zebrafish.py", "--rev", first}, made.path()), 1,
                          {"the index has no file zebrafish.py"});
  testing::expect_refusal(run_measured({"overview", "--rev", "HEAD"}, made.path()), 1,
                          {"is not indexed", "knapsack index --rev"});
}

}  // namespace
}  // namespace knapsack
