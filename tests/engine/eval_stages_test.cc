// The stages of search as `eval --memory` applies them.
#include "engine/eval/eval_stages.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/eval/eval_memory.h"

namespace knapsack {
namespace {

using ::testing::ElementsAre;

std::vector<memory::Memory> memories_of(const std::vector<std::string>& texts) {
  std::vector<memory::Memory> memories(texts.size());
  for (size_t i = 0; i < texts.size(); ++i) memories[i].text = texts[i];
  return memories;
}

TEST(EvalStages, EachStageReordersAsItSays) {
  const auto memories = memories_of({"budget budget budget", "a hard budget", "budget budget budget!"});
  const std::vector<memory::RankedMemory> ranked = {{0, 1.0}, {2, 0.99}, {1, 0.95}};
  const std::vector<memory::RankedMemory> alone = {{1, 9}, {0, 2}};
  const auto apply = [&](std::string_view stage) {
    return apply_search_stage(stage, "hard budget", memories, ranked, alone);
  };
  EXPECT_THAT(apply("rerank"), ElementsAre(1, 0, 2)) << "it holds both words, side by side";
  EXPECT_THAT(apply("mmr"), ElementsAre(0, 1, 2)) << "the third repeats the first";
  EXPECT_THAT(apply("fused-sum"), ElementsAre(1, 0, 2));
  EXPECT_THAT(apply("fused-rrf"), ElementsAre(0, 1, 2)) << "first and second beat first and third";
}

TEST(EvalStages, NothingIsLostBelowTheDepthThatIsReordered) {
  const auto memories = memories_of(std::vector<std::string>(300, "the same words"));
  std::vector<memory::RankedMemory> ranked;
  for (size_t i = 0; i < memories.size(); ++i) ranked.push_back({i, 300.0 - static_cast<double>(i)});
  for (const SearchStageRow& stage : search_stages()) {
    auto positions = apply_search_stage(stage.name, "words", memories, ranked, ranked);
    std::sort(positions.begin(), positions.end());
    ASSERT_EQ(positions.size(), 300U) << stage.name;
    for (size_t i = 0; i < positions.size(); ++i) EXPECT_EQ(positions[i], i) << stage.name;
  }
}

TEST(EvalStages, AreAmongTheMethodsOfMemories) {
  std::vector<std::string_view> names;
  for (const EvalMethod& method : memory_eval_methods()) names.push_back(method.name);
  for (const SearchStageRow& stage : search_stages()) EXPECT_THAT(names, ::testing::Contains(stage.name));
}

}  // namespace
}  // namespace knapsack
