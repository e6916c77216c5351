#include "store/sqlite/fts_ranking.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/support.h"

namespace knapsack {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

class FtsRankingTest : public ::testing::Test {
 protected:
  void SetUp() override {
    auto made = FtsRanking::create();
    ASSERT_OK(made);
    fts_ = std::make_unique<FtsRanking>(*std::move(made));
    ASSERT_OK(fts_->add(0, "cart.py", "the cart adds prices"));
    ASSERT_OK(fts_->add(3, "price.py", "prices prices prices"));
    ASSERT_OK(fts_->add(7, "shop.py", "opens at nine"));
  }
  std::vector<uint32_t> best(const std::vector<std::string>& words) {
    auto found = fts_->best(words);
    EXPECT_OK(found);
    return found.ok() ? *found : std::vector<uint32_t>{};
  }
  std::unique_ptr<FtsRanking> fts_;
};

TEST_F(FtsRankingTest, DocumentsWithMoreOfTheWordsComeFirst) {
  EXPECT_THAT(best({"price"}), ElementsAre(3, 0));
  EXPECT_THAT(best({"price", "cart"}), ElementsAre(0, 3));
}

TEST_F(FtsRankingTest, AnyTextIsAWord) {
  EXPECT_THAT(best({}), IsEmpty());
  EXPECT_THAT(best({"NEAR(", "\"", "*", "name:", "opens\" OR \"cart"}), IsEmpty());
  EXPECT_THAT(best({"\"opens\""}), ElementsAre(7));
}

}  // namespace
}  // namespace knapsack
