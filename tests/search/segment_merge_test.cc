#include "search/segments/segment_merge.h"

#include <algorithm>

#include "search/support_corpus.h"

namespace knapsack::search {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

TEST(Merge, GivesTheBytesOfBuildingTheLiveDocumentsAfresh) {
  std::mt19937 random(21);
  for (int round = 0; round < 30; ++round) {
    MemoryFileSystem files;
    const Corpus corpus = random_corpus(random, 1 + random() % 200, 150);
    const size_t count = 1 + random() % 5;
    std::vector<Corpus> dealt(count);
    for (const auto& document : corpus) dealt[random() % count].push_back(document);
    Corpus kept;
    std::vector<MergeInput> inputs;
    for (const Corpus& one : dealt) {
      const auto segment = build_and_open(files, one);
      LiveSet live;
      for (const auto& document : one) {
        if (random() % 4 == 0) continue;
        kept.push_back(document);
        live.add(**segment->find_document(document.key));
      }
      inputs.push_back({segment, live});
    }
    std::shuffle(inputs.begin(), inputs.end(), random);
    const auto merged = merge_segments(files, kFolder, inputs);
    ASSERT_OK(merged);
    EXPECT_EQ(*merged, build(files, kept));
    EXPECT_OK((*open_segment(files, kFolder, *merged))->verify());
  }
}

TEST(Merge, TakesAKeyThatIsLiveTwiceFromTheLastInput) {
  MemoryFileSystem files;
  const Corpus older = {{"a", {{{0, "old"}}}}, {"b", {{{0, "same"}}}}};
  const Corpus newer = {{"a", {{{0, "new"}}, {{0, "new"}}}}};
  const auto merged = merge_segments(
      files, kFolder,
      {{build_and_open(files, older), LiveSet::all(2)}, {build_and_open(files, newer), LiveSet::all(1)}});
  ASSERT_OK(merged);
  EXPECT_EQ(*merged, build(files, {newer[0], older[1]}));
}

TEST(Merge, OfNothingIsAnEmptySegment) {
  MemoryFileSystem files;
  const std::string empty = build(files, {});
  EXPECT_EQ(*merge_segments(files, kFolder, {}), empty);
  const auto segment = build_and_open(files, {{"a", {{{0, "x"}}}}});
  EXPECT_EQ(*merge_segments(files, kFolder, {{segment, LiveSet()}}), empty);
}

TEST(Merge, RefusesALiveSetOfAnotherSegment) {
  MemoryFileSystem files;
  const auto segment = build_and_open(files, {{"a", {{{0, "x"}}}}});
  EXPECT_FALSE(merge_segments(files, kFolder, {{segment, LiveSet::all(2)}}).ok());
}

TEST(ChooseMerge, TakesManyOfOneSizeThenTheMostlyDead) {
  const SegmentSize small{100, 100}, large{1'000'000, 1'000'000}, dying{500'000, 100'000};
  EXPECT_THAT(choose_merge({}), IsEmpty());
  EXPECT_THAT(choose_merge({large, small, small}), IsEmpty());
  EXPECT_THAT(choose_merge({large, dying, small}), ElementsAre(1));
  EXPECT_THAT(choose_merge({small, large, small, small, small, small, small, small, small, dying}),
              ElementsAre(0, 2, 3, 4, 5, 6, 7, 8));
}

TEST(ChooseMerge, KeepsTheNumberOfSegmentsSmallWhileWritingLittle) {
  // A thousand batches of 500 units: what is left and how often a unit was rewritten on the way.
  std::vector<SegmentSize> segments;
  uint64_t rewritten = 0;
  size_t most = 0;
  for (int batch = 0; batch < 1000; ++batch) {
    segments.push_back({500, 500});
    for (auto chosen = choose_merge(segments); !chosen.empty(); chosen = choose_merge(segments)) {
      SegmentSize merged;
      for (size_t i = chosen.size(); i-- > 0;) {
        merged.units += segments[chosen[i]].live_units;
        segments.erase(segments.begin() + static_cast<long>(chosen[i]));
      }
      merged.live_units = merged.units;
      rewritten += merged.units;
      segments.push_back(merged);
    }
    most = std::max(most, segments.size());
  }
  EXPECT_LE(most, 24u);
  EXPECT_LE(rewritten, 4u * 1000 * 500);
}

}  // namespace
}  // namespace knapsack::search
