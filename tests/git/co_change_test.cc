#include "git/co_change.h"

#include <map>
#include <random>

#include "support/support.h"

namespace knapsack {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::SizeIs;

constexpr int64_t kNow = 1'700'000'000;
constexpr int64_t kDay = 86'400;

Commit commit(int64_t time, const std::vector<std::string>& paths) {
  Commit made;
  made.commit_time = time;
  for (const auto& path : paths) made.files.push_back({path, "", FileChangeKind::kModified});
  return made;
}

CoChangeTable count(const std::vector<Commit>& commits, CoChangeOptions options = {}) {
  if (options.now == 0) options.now = kNow;
  CoChangeCounter counter(options);
  for (const auto& one : commits) counter.add(one);
  return counter.finish();
}

std::vector<std::pair<std::string, uint32_t>> near(const CoChangeTable& table, std::string_view path,
                                                   uint32_t minimum = 1) {
  std::vector<std::pair<std::string, uint32_t>> out;
  for (const auto& neighbour : table.neighbours(path, minimum))
    out.emplace_back(neighbour.path, neighbour.count);
  return out;
}

TEST(CoChange, CountsFilesThatChangedTogether) {
  const auto table =
      count({commit(kNow, {"a", "b", "c"}), commit(kNow, {"a", "b"}), commit(kNow, {"a", "d"})});
  EXPECT_THAT(near(table, "a"), ElementsAre(std::pair("b", 2u), std::pair("c", 1u), std::pair("d", 1u)));
  EXPECT_THAT(near(table, "a", 2), ElementsAre(std::pair("b", 2u)));
  EXPECT_THAT(near(table, "d"), ElementsAre(std::pair("a", 1u)));
  EXPECT_THAT(near(table, "nowhere"), IsEmpty());
  EXPECT_THAT(table.pairs(), SizeIs(4));
}

TEST(CoChange, OnlyCommitsOfTwoToFiftyFilesCount) {
  const auto files = [](int n) {
    std::vector<std::string> paths;
    for (int i = 0; i < n; ++i) paths.push_back("f" + std::to_string(i));
    return paths;
  };
  EXPECT_THAT(count({commit(kNow, files(1))}).pairs(), IsEmpty());
  EXPECT_THAT(count({commit(kNow, files(2))}).pairs(), SizeIs(1));
  EXPECT_THAT(count({commit(kNow, files(50))}).pairs(), SizeIs(50 * 49 / 2));
  EXPECT_THAT(count({commit(kNow, files(51))}).pairs(), IsEmpty());
  Commit merge = commit(kNow, files(2));
  merge.is_merge = true;
  EXPECT_THAT(count({merge}).pairs(), IsEmpty());
  Commit cut = commit(kNow, files(2));
  cut.files_truncated = true;
  EXPECT_THAT(count({cut}).pairs(), IsEmpty());
}

TEST(CoChange, AWeightHalvesEveryHundredAndEightyDays) {
  EXPECT_EQ(co_change_weight(0), kCoChangeUnit);
  EXPECT_EQ(co_change_weight(kDay - 1), kCoChangeUnit);
  EXPECT_EQ(co_change_weight(180 * kDay), kCoChangeUnit / 2);
  EXPECT_EQ(co_change_weight(720 * kDay), kCoChangeUnit / 16);
  EXPECT_EQ(co_change_weight(90 * kDay), 741'455u);  // 2^20 / √2
  EXPECT_EQ(co_change_weight(100 * 365 * kDay), 0u);
  EXPECT_EQ(co_change_weight(-5), kCoChangeUnit);
  for (int day = 1; day < 4000; ++day)
    EXPECT_LE(co_change_weight(day * kDay), co_change_weight((day - 1) * kDay)) << day;
}

TEST(CoChange, ALateNeighbourOutweighsAFrequentOldOne) {
  std::vector<Commit> commits = {commit(kNow - kDay, {"a", "new"})};
  for (int i = 0; i < 3; ++i) commits.push_back(commit(kNow - 1000 * kDay, {"a", "old"}));
  const auto table = count(commits);
  EXPECT_THAT(near(table, "a"), ElementsAre(std::pair("new", 1u), std::pair("old", 3u)));
}

TEST(CoChange, TimesFromOutsideCannotOverflow) {
  const auto table =
      count({commit(INT64_MAX, {"a", "b"}), commit(INT64_MIN, {"a", "c"}), commit(0, {"a", "d"})});
  EXPECT_THAT(near(table, "a"), ElementsAre(std::pair("b", 1u), std::pair("c", 1u), std::pair("d", 1u)));
  EXPECT_EQ(table.neighbours("a", 1)[0].weight, kCoChangeUnit);
  EXPECT_EQ(table.neighbours("a", 1)[1].weight, 0u);
}

Commit renaming(const std::string& from, const std::string& to, const std::vector<std::string>& others) {
  Commit made = commit(kNow, others);
  made.files.push_back({to, from, FileChangeKind::kRenamed});
  return made;
}

TEST(CoChange, AMovedFileCountsUnderItsNewestPath) {
  const auto table = count({commit(kNow, {"newest", "x"}), renaming("middle", "newest", {"y"}),
                            commit(kNow, {"middle", "x"}), renaming("oldest", "middle", {"x"}),
                            commit(kNow, {"oldest", "x"})});
  EXPECT_THAT(near(table, "newest"), ElementsAre(std::pair("x", 4u), std::pair("y", 1u)));
  EXPECT_THAT(near(table, "middle"), IsEmpty());
  EXPECT_THAT(near(table, "oldest"), IsEmpty());
}

TEST(CoChange, APathThatIsUsedAgainIsNotTheFileThatLeftIt) {
  Commit added = commit(kNow, {"x"});
  added.files.push_back({"a", "", FileChangeKind::kAdded});
  // Newest first: a new file "a"; before that the old "a" moved to "b".
  const auto table = count({added, renaming("a", "b", {"y"}), commit(kNow, {"a", "z"})});
  EXPECT_THAT(near(table, "a"), ElementsAre(std::pair("x", 1u)));
  EXPECT_THAT(near(table, "b"), ElementsAre(std::pair("y", 1u), std::pair("z", 1u)));
}

TEST(CoChange, TwoFilesThatSwapNamesKeepTheirHistories) {
  Commit swap = commit(kNow, {});
  swap.files.push_back({"b", "a", FileChangeKind::kRenamed});
  swap.files.push_back({"a", "b", FileChangeKind::kRenamed});
  const auto table = count({swap, commit(kNow, {"a", "x"}), commit(kNow, {"b", "y"})});
  EXPECT_THAT(near(table, "a"), ElementsAre(std::pair("b", 1u), std::pair("y", 1u)));
  EXPECT_THAT(near(table, "b"), ElementsAre(std::pair("a", 1u), std::pair("x", 1u)));
}

TEST(CoChange, OnlyWantedPathsTakePart) {
  CoChangeOptions options;
  options.keep = [](const std::string& path) { return path != "gone"; };
  const auto table =
      count({commit(kNow, {"a", "gone", "b"}), renaming("gone", "back", {"a"}), commit(kNow, {"a", "gone"})},
            options);
  EXPECT_THAT(near(table, "a"), ElementsAre(std::pair("back", 2u), std::pair("b", 1u)));
}

TEST(CoChange, AgreesWithCountingEveryPairByHand) {
  std::mt19937 random(7);
  std::vector<Commit> commits;
  std::map<std::pair<std::string, std::string>, std::pair<uint32_t, uint64_t>> expected;
  for (int i = 0; i < 3000; ++i) {
    std::vector<std::string> paths;
    for (unsigned n = random() % 60; n > 0; --n) paths.push_back("f" + std::to_string(random() % 200));
    std::sort(paths.begin(), paths.end());
    paths.erase(std::unique(paths.begin(), paths.end()), paths.end());
    const int64_t time = kNow - static_cast<int64_t>(random() % 2000) * kDay;
    commits.push_back(commit(time, paths));
    if (paths.size() < 2 || paths.size() > 50) continue;
    for (size_t x = 0; x < paths.size(); ++x) {
      for (size_t y = x + 1; y < paths.size(); ++y) {
        auto& sum = expected[{paths[x], paths[y]}];
        sum.first += 1;
        sum.second += co_change_weight(kNow - time);
      }
    }
  }
  for (const bool backwards : {false, true}) {
    if (backwards) std::reverse(commits.begin(), commits.end());
    const auto table = count(commits);
    EXPECT_EQ(table.pairs().size(), expected.size());
    for (const auto& pair : table.pairs()) {
      auto names = std::minmax(table.paths()[pair.a], table.paths()[pair.b]);
      const auto& [number, weight] = expected.at({names.first, names.second});
      EXPECT_EQ(pair.count, number);
      EXPECT_EQ(pair.weight, weight);
      EXPECT_LT(pair.a, pair.b);
    }
  }
}

}  // namespace
}  // namespace knapsack
