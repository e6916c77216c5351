#include "serve/reply_fit.h"

#include <random>

#include "serve/support_service.h"

namespace knapsack::serve {
namespace {

using ::testing::HasSubstr;
using testing::ServedWorkspace;

class ReplyFit : public ::testing::Test {
 protected:
  Result<ToolReply> fit(uint64_t max, const MakeDraft& make) {
    arguments_ = {{"max_tokens", max}};
    return fit_budget(call(), make);
  }
  Result<ToolReply> rows(uint64_t max, size_t count) {
    arguments_ = {{"max_tokens", max}};
    return fit_rows(call(), count, [&](size_t shown) {
      std::string text;
      for (size_t i = 0; i < shown; ++i) text += "a row of a list\n";
      return make_reply(call(), text, {{"left_out", count - shown}});
    });
  }
  // A packet of blocks of `block` tokens, of which there are at most `all`.
  MakeDraft blocks(uint64_t block, uint64_t all) {
    return [this, block, all](uint64_t budget, bool for_real) -> Result<Draft> {
      const uint64_t shown = std::min(all, budget / block);
      std::string text;
      for (uint64_t i = 0; i < shown * block; ++i) text += " word";
      ++(for_real ? deeds_ : tries_);
      return Draft{make_reply(call(), text, Json::object()), shown * block, shown == all};
    };
  }
  uint64_t size(const ToolReply& reply) { return call().tokens_of(reply); }
  Call call() { return {*engine_, arguments_, caller_, serialise_, **counter_, workspace_}; }

  ServedWorkspace served_;
  std::unique_ptr<Engine> engine_ = *served_.service().engine();
  Json arguments_;
  Caller caller_;
  Serialise serialise_ = ServedWorkspace::serialise;
  Result<const TokenCounter*> counter_ = find_token_counter("o200k");
  std::string workspace_ = "/workspace";
  int tries_ = 0;
  int deeds_ = 0;
};

TEST_F(ReplyFit, WhatFitsWholeIsMadeTwiceOnly) {
  const auto reply = fit(16000, blocks(10, 20));
  ASSERT_OK(reply);
  EXPECT_EQ(tries_, 1);
  EXPECT_EQ(deeds_, 1);
}

TEST_F(ReplyFit, FineBlocksFillTheReplyInFewTries) {
  for (const uint64_t max : {300, 1000, 4000, 16000, 100000}) {
    tries_ = 0;
    const auto reply = fit(max, blocks(1, 1'000'000));
    ASSERT_OK(reply);
    EXPECT_LE(size(*reply), max);
    EXPECT_GE(size(*reply), max * 95 / 100);
    EXPECT_LE(tries_, 4) << max;
  }
}

TEST_F(ReplyFit, CoarseBlocksNeverPushAReplyOver) {
  std::mt19937_64 random(3);
  for (int i = 0; i < 300; ++i) {
    const uint64_t max = 200 + random() % 5000;
    const auto reply = fit(max, blocks(1 + random() % 800, 1 + random() % 50));
    ASSERT_OK(reply);
    EXPECT_LE(size(*reply), max);
  }
}

TEST_F(ReplyFit, APacketThatIgnoresItsBudgetIsAnErrorThatSaysWhatIsNeeded) {
  const auto stubborn = [&](uint64_t, bool) -> Result<Draft> {
    std::string text;
    for (int i = 0; i < 1000; ++i) text += " rule";
    return Draft{make_reply(call(), text, Json::object()), 1000, false};
  };
  const auto reply = fit(500, stubborn);
  ASSERT_FALSE(reply.ok());
  EXPECT_THAT(reply.error().line(), HasSubstr("max_tokens 500 is too small"));
  EXPECT_THAT(reply.error().line(), HasSubstr("at least 20"));  // both copies and the frame
}

TEST_F(ReplyFit, WhatGrowsBetweenTryingAndDoingIsMadeAgainSmaller) {
  const auto growing = [&](uint64_t budget, bool for_real) -> Result<Draft> {
    if (for_real) ++deeds_;
    std::string text;
    for (uint64_t i = 0; i < budget * (for_real && deeds_ == 1 ? 2 : 1); ++i) text += " word";
    return Draft{make_reply(call(), text, Json::object()), budget, false};
  };
  const auto reply = fit(1000, growing);
  ASSERT_OK(reply);
  EXPECT_LE(size(*reply), 1000U);
  EXPECT_EQ(deeds_, 2);
}

TEST_F(ReplyFit, TryingStopsWhenNobodyWaitsAnyMore) {
  std::stop_source stop;
  stop.request_stop();
  caller_.stop = stop.get_token();
  EXPECT_FALSE(fit(1000, blocks(1, 100)).ok());
  EXPECT_EQ(tries_ + deeds_, 0);
}

TEST_F(ReplyFit, AListLosesRowsFromItsEndAndNoMoreThanItMust) {
  for (const uint64_t max : {200, 333, 1000, 5000}) {
    const auto reply = rows(max, 1000);
    ASSERT_OK(reply);
    EXPECT_LE(size(*reply), max);
    const auto left_out = reply->structured.at("left_out").get<size_t>();
    ASSERT_GT(left_out, 0U);
    const auto wider = rows(1'000'000, 1000 - left_out + 1);
    ASSERT_OK(wider);
    EXPECT_GT(size(*wider) + 2, max) << "one more row would have fitted";
  }
  const auto whole = rows(100'000, 10);
  ASSERT_OK(whole);
  EXPECT_EQ(whole->structured.at("left_out"), 0);
}

}  // namespace
}  // namespace knapsack::serve
