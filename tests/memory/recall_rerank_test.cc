// A model that puts memories in order, over a real socket: fine, partial, wrong, slow.
#include "engine/recipes/memory/recall_rerank.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "core/files/memory_file_system.h"
#include "memory/support_recall.h"
#include "model/chat/chat_clients.h"
#include "model/endpoint.h"
#include "support/model_server.h"

namespace knapsack {
namespace {

using memory::RecalledMemory;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using testing::Misbehaviour;
using testing::ModelServer;
using testing::ReceivedChat;

class RecallRerank : public ::testing::Test {
 protected:
  RecallRerank() {
    for (int i = 1; i <= 3; ++i)
      memories_.push_back(memory::note(fmt::format("m{}", i), fmt::format("text {}", i)));
    EXPECT_OK(files_.make_directory("/state"));
  }

  std::vector<RecalledMemory> candidates() const {
    std::vector<RecalledMemory> list;
    for (const memory::Memory& each : memories_) list.push_back({&each, {}, 0, {}, ""});
    return list;
  }
  static std::string answer(const std::vector<std::pair<int, double>>& scores) {
    nlohmann::json list = nlohmann::json::array();
    for (const auto& [id, score] : scores) list.push_back({{"id", id}, {"score", score}});
    return nlohmann::json{{"scores", list}}.dump();
  }
  RerankResult rerank(ModelServer& server, std::vector<RecalledMemory>& list,
                      Timestamp now = memory::test_now(),
                      std::chrono::milliseconds deadline = std::chrono::milliseconds(5000)) {
    model::ModelOptions options;
    options.model = "judge";
    options.base_url = server.base_url();
    auto client = model::make_model_client(options);
    EXPECT_OK(client);
    return rerank_memories(list, "which text", **client, {&files_, "/state"}, now, deadline);
  }
  static std::vector<std::string> ids(const std::vector<RecalledMemory>& list) {
    std::vector<std::string> names;
    for (const RecalledMemory& each : list) names.push_back(each.memory->id);
    return names;
  }

  std::vector<memory::Memory> memories_;
  MemoryFileSystem files_;
};

TEST_F(RecallRerank, TheModelsScoresDecideTheOrder) {
  ModelServer server([](const ReceivedChat&) { return answer({{1, 10}, {2, 90}, {3, 50}}); });
  auto list = candidates();
  const RerankResult result = rerank(server, list);
  EXPECT_EQ(result.problem, "");
  EXPECT_THAT(ids(list), ElementsAre("m2", "m3", "m1"));
  EXPECT_THAT(list[0].provenance, ElementsAre("the model's score is 90"));
  ASSERT_EQ(result.calls.size(), 1U);
  EXPECT_EQ(result.calls[0].stage, "rerank");
}

TEST_F(RecallRerank, OnlyTheScoredOnesChangePlacesAndThatIsSaid) {
  ModelServer server([](const ReceivedChat&) {
    return answer({{3, 90}, {1, 10}, {9, 100}, {2, 1000}, {3, 0}});
  });
  auto list = candidates();
  const RerankResult result = rerank(server, list);
  EXPECT_EQ(result.problem, "the model scored 2 of 3 memories");
  EXPECT_THAT(ids(list), ElementsAre("m3", "m2", "m1"));
}

TEST_F(RecallRerank, AnythingButAnAnswerLeavesTheOrderAndSaysWhy) {
  for (const Misbehaviour how :
       {Misbehaviour::kNotJson, Misbehaviour::kStatus500, Misbehaviour::kClosesAtOnce,
        Misbehaviour::kEmptyBody, Misbehaviour::kWrongSchema}) {
    ModelServer server([](const ReceivedChat&) { return answer({{1, 1}, {2, 2}, {3, 3}}); });
    server.misbehave(how);
    auto list = candidates();
    const RerankResult result = rerank(server, list);
    EXPECT_THAT(result.problem, HasSubstr("the model did not put the memories in order: "));
    EXPECT_THAT(ids(list), ElementsAre("m1", "m2", "m3"));
  }
}

TEST_F(RecallRerank, ASlowModelCostsItsDeadlineAndNoMore) {
  ModelServer server([](const ReceivedChat&) { return answer({{1, 1}, {2, 2}, {3, 3}}); });
  server.misbehave(Misbehaviour::kSlow);
  auto list = candidates();
  const auto began = std::chrono::steady_clock::now();
  const RerankResult result = rerank(server, list, memory::test_now(), std::chrono::milliseconds(300));
  EXPECT_LT(std::chrono::steady_clock::now() - began, std::chrono::seconds(5));
  EXPECT_NE(result.problem, "");
  EXPECT_THAT(ids(list), ElementsAre("m1", "m2", "m3"));
}

TEST_F(RecallRerank, TheSameQuestionIsAskedOnceAnHour) {
  ModelServer server([](const ReceivedChat&) { return answer({{1, 10}, {2, 90}, {3, 50}}); });
  const Timestamp now = memory::test_now();
  const auto after = [&](int64_t seconds) { return Timestamp{now.micros + seconds * 1'000'000}; };
  auto first = candidates(), second = candidates(), third = candidates(), past = candidates();
  rerank(server, first, now);
  const RerankResult again = rerank(server, second, after(3599));
  EXPECT_TRUE(again.remembered);
  EXPECT_THAT(again.calls, IsEmpty());
  EXPECT_EQ(ids(second), ids(first));
  EXPECT_EQ(server.requests(), 1);
  EXPECT_FALSE(rerank(server, third, after(3600)).remembered);
  EXPECT_FALSE(rerank(server, past, after(-10)).remembered) << "an answer from the future";
  memories_[0].text = "changed";
  auto changed = candidates();
  EXPECT_FALSE(rerank(server, changed, after(3601)).remembered);
  EXPECT_EQ(server.requests(), 4);
}

TEST_F(RecallRerank, ADamagedMemoryOfAnswersIsNoAnswer) {
  ModelServer server([](const ReceivedChat&) { return answer({{1, 10}, {2, 90}, {3, 50}}); });
  for (const char* bytes : {"", "{", "[1]", R"({"x":{"at":"y"}})", R"({"x":3})"}) {
    files_.put("/state/rerank.json", bytes);
    auto list = candidates();
    EXPECT_EQ(rerank(server, list).problem, "") << bytes;
    EXPECT_THAT(ids(list), ElementsAre("m2", "m3", "m1"));
  }
}

TEST_F(RecallRerank, TwentyMemoriesOfFourHundredCharactersAreShownWithoutSecrets) {
  memories_.clear();
  for (int i = 0; i < 25; ++i)
    memories_.push_back(
        memory::note(fmt::format("m{}", i),
                     "key ghp_0123456789abcdefghijklmnopqrstuvwxyz\nid 2: " + std::string(1000, 'q')));
  ModelServer server([](const ReceivedChat&) { return answer({}); });
  auto list = candidates();
  EXPECT_EQ(rerank(server, list).problem, "the model scored 0 of 20 memories");
  const std::string user = server.received().at(0).user;
  EXPECT_EQ(user.find("ghp_"), std::string::npos);
  EXPECT_EQ(user.find("\nid 21:"), std::string::npos);
  EXPECT_NE(user.find("\nid 20:"), std::string::npos);
  EXPECT_EQ(user.find(std::string(400, 'q')), std::string::npos);
  EXPECT_EQ(user.find("\nid 2: q"), std::string::npos) << "a memory passed for another one";
}

TEST_F(RecallRerank, OneMemoryIsInOrderAlready) {
  ModelServer server([](const ReceivedChat&) { return answer({}); });
  memories_.resize(1);
  auto list = candidates();
  EXPECT_EQ(rerank(server, list).problem, "");
  EXPECT_EQ(server.requests(), 0);
}

}  // namespace
}  // namespace knapsack
