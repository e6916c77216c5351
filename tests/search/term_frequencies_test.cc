#include "search/query/term_frequencies.h"

#include <cmath>

#include "search/support_corpus.h"

namespace knapsack::search {
namespace {

using ::testing::ElementsAre;

TEST(TermFrequencies, ComeInOrderFromLiveDocumentsOnly) {
  MemoryFileSystem files;
  const Corpus corpus = {
      {"b", {{{0, "x"}, {0, "x"}, {3, "x"}}, {}, {{0, "x"}}}},
      {"a", {{{1, "x"}}}},
      {"c", {{{0, "x"}}}},
  };
  const auto segment = build_and_open(files, corpus);
  LiveSet live = LiveSet::all(3);
  live.remove(2);
  const auto index = Index::open({{segment, live}});
  ASSERT_OK(index);
  const auto all = term_frequencies(*index, "x");
  ASSERT_OK(all);
  EXPECT_THAT(*all, ElementsAre(TermFrequency{{0, 0}, 0, 1, 1}, TermFrequency{{0, 1}, 0, 0, 2},
                                TermFrequency{{0, 1}, 0, 3, 1}, TermFrequency{{0, 1}, 2, 0, 1}));
  EXPECT_THAT(*term_frequencies(*index, "x", field_bit(3)), ElementsAre(TermFrequency{{0, 1}, 0, 3, 1}));
  EXPECT_TRUE(term_frequencies(*index, "absent")->empty());
}

// A recipe that no Scorer expresses: a term counts for the neighbours of its unit too, half as much at each
// step, and n counts units after that. Sessions are documents, so nothing crosses their borders.
TEST(TermFrequencies, AreEnoughToSmoothOverNeighbours) {
  MemoryFileSystem files;
  const Corpus sessions = {
      {"monday", {{{0, "went"}}, {{0, "yoga"}, {0, "class"}}, {{0, "nice"}}, {{0, "bye"}}, {{0, "really"}}}},
      {"tuesday", {{{0, "yoga"}}}},
      {"wednesday", {{{0, "rain"}}}},
  };
  const Index index = index_of(files, sessions);
  std::map<std::pair<std::string, uint32_t>, double> smoothed;
  const auto frequencies = term_frequencies(index, "yoga");
  ASSERT_OK(frequencies);
  for (const TermFrequency& one : *frequencies) {
    for (int distance = -2; distance <= 2; ++distance) {
      const int unit = static_cast<int>(one.unit) + distance;
      if (unit < 0 || unit >= static_cast<int>(index.unit_count(one.document))) continue;
      smoothed[{std::string(*index.key(one.document)), static_cast<uint32_t>(unit)}] +=
          one.frequency * std::pow(0.5, std::abs(distance));
    }
  }
  using Unit = std::pair<std::string, uint32_t>;
  EXPECT_THAT(smoothed, ElementsAre(std::pair(Unit("monday", 0), 0.5), std::pair(Unit("monday", 1), 1.0),
                                    std::pair(Unit("monday", 2), 0.5), std::pair(Unit("monday", 3), 0.25),
                                    std::pair(Unit("tuesday", 0), 1.0)));
  EXPECT_EQ(index.units(), 7u);
  EXPECT_EQ(*index.unit_length({0, 0}, 1, 0), 2u);
}

}  // namespace
}  // namespace knapsack::search
