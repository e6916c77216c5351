#include "model/chat/batches.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>

#include "support/support.h"

namespace knapsack::model {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

ChatRequest request_with(const std::string& user, uint64_t answer_tokens) {
  ChatRequest request;
  request.system = "Judge each candidate.";
  request.user = user;
  request.schema = {{"type", "object"}};
  request.answer_tokens = answer_tokens;
  return request;
}

TEST(Batches, AreOneWhenEverythingFits) {
  const std::vector<std::string> items = {"a\n", "b\n", "c\n"};
  const Batches split = split_batches(items, 100, 4096, 20);
  EXPECT_THAT(split.batches, ElementsAre(ElementsAre(0, 1, 2)));
  EXPECT_THAT(split.too_large, IsEmpty());
}

TEST(Batches, AreNoneForNoItems) {
  EXPECT_THAT(split_batches({}, 100, 4096, 20).batches, IsEmpty());
}

TEST(Batches, KeepTheOrderAndNeverHoldMoreItemsThanAsked) {
  const std::vector<std::string> items(7, "x\n");
  const Batches split = split_batches(items, 100, 4096, 20, 64, 3);
  EXPECT_THAT(split.batches, ElementsAre(ElementsAre(0, 1, 2), ElementsAre(3, 4, 5), ElementsAre(6)));
}

TEST(Batches, NameAnItemThatFitsNowhereAndGoOnWithTheOthers) {
  std::string huge;
  for (int i = 0; i < 5000; ++i) huge += " word" + std::to_string(i);
  const std::vector<std::string> items = {"a\n", huge, "b\n"};
  const Batches split = split_batches(items, 100, 4096, 20);
  EXPECT_THAT(split.batches, ElementsAre(ElementsAre(0, 2)));
  EXPECT_THAT(split.too_large, ElementsAre(1));
}

TEST(Batches, ReportEverythingWhenTheFixedPartFillsTheWindow) {
  const std::vector<std::string> items = {"a", "b"};
  const Batches split = split_batches(items, 4096, 4096, 20);
  EXPECT_THAT(split.batches, IsEmpty());
  EXPECT_THAT(split.too_large, ElementsAre(0, 1));
}

// Whatever the items are, each batch makes a prompt that is sent, and no two neighbours could have been one.
TEST(Batches, MakePromptsThatFitAndAreNotCutShorterThanNeeded) {
  std::mt19937 random(20261115);
  const char* const pieces[] = {
      "src/module_", "    return value;\n", "жук ", "{}();", "\t\t", "漢字", " a", "\n\n", "0x7fff", "//"};
  constexpr uint64_t kPerItem = 30;
  constexpr uint64_t kFixedAnswer = 64;
  const int cases = std::max(1, 200 / testing::cases_divisor());
  for (int round = 0; round < cases; ++round) {
    const uint64_t window = 300 + random() % 3000;
    std::vector<std::string> items(random() % 60);
    for (auto& item : items) {
      const size_t length = random() % (round % 4 == 0 ? 400 : 40);
      for (size_t i = 0; i < length; ++i) item += pieces[random() % std::size(pieces)];
      item += "\n";
    }
    const uint64_t fixed = prompt_tokens(request_with("Task: x\n", 0));
    const Batches split = split_batches(items, fixed, window, kPerItem, kFixedAnswer);
    std::vector<size_t> seen = split.too_large;
    const auto prompt_of = [&](const std::vector<size_t>& places) {
      std::string user = "Task: x\n";
      for (const size_t place : places) user += items[place];
      return request_with(user, kFixedAnswer + kPerItem * places.size());
    };
    for (size_t b = 0; b < split.batches.size(); ++b) {
      const auto& batch = split.batches[b];
      ASSERT_FALSE(batch.empty());
      EXPECT_TRUE(fits(prompt_of(batch), window)) << "round " << round;
      seen.insert(seen.end(), batch.begin(), batch.end());
    }
    std::sort(seen.begin(), seen.end());
    std::vector<size_t> all(items.size());
    for (size_t i = 0; i < all.size(); ++i) all[i] = i;
    EXPECT_EQ(seen, all) << "every item is in one batch or reported";
    for (const size_t place : split.too_large) {
      // Seams and rounding are all that may keep an item out that would just fit.
      ChatRequest alone = prompt_of({place});
      alone.answer_tokens += 16;
      EXPECT_FALSE(fits(alone, window)) << "round " << round;
    }
  }
}

TEST(Fits, IsExactAtTheEdge) {
  const ChatRequest request = request_with("some text", 100);
  const uint64_t needed = prompt_tokens(request) + 100;
  EXPECT_TRUE(fits(request, needed));
  EXPECT_FALSE(fits(request, needed - 1));
  EXPECT_FALSE(fits(request, 100));
  EXPECT_FALSE(fits(request, 0));
}

TEST(Fits, CountsSystemTextUserTextSchemaAndAMargin) {
  ChatRequest request = request_with("user text", 100);
  const uint64_t before = prompt_tokens(request);
  EXPECT_GT(before, count_tokens(request.system) + count_tokens(request.user) + kTemplateTokens);
  request.schema["description"] = "a long description of what the answer is about";
  const uint64_t with_schema = prompt_tokens(request);
  EXPECT_GT(with_schema, before);
  request.system += " And be brief about it.";
  EXPECT_GT(prompt_tokens(request), with_schema);
}

TEST(RoomLeft, IsRoomThatReallyIsThere) {
  for (const uint64_t window : {200u, 256u, 1000u, 5000u}) {
    ChatRequest request = request_with("start\n", 50);
    const uint64_t room = room_left(request, window);
    std::string word = " apple";  // one token
    for (uint64_t i = 0; i < room; ++i) request.user += word;
    EXPECT_TRUE(fits(request, window)) << window;
    for (int i = 0; i < 8; ++i) request.user += word;
    EXPECT_FALSE(fits(request, window)) << window;
  }
  EXPECT_EQ(room_left(request_with("x", 100), 100), 0u);
}

}  // namespace
}  // namespace knapsack::model
