// Kill -9 during a retrieval: the same command with the same task id goes on where it was, and gives the
// packet of an undisturbed run.
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <random>
#include <thread>

#include "scenarios/support_little_shop.h"
#include "scenarios/support_retrieval.h"
#include "support/model_server.h"

namespace knapsack {
namespace {

using testing::answer_of;
using ::testing::HasSubstr;
using testing::ModelServer;
using testing::Outcome;
using testing::ReceivedChat;
using testing::retrieve_words;
using testing::run_measured;
using testing::RunningProgram;
using testing::TestRepository;

constexpr const char* kTask = "`Cart.total` in src/shop/cart.py rounds wrong, see also price_of";

// Takes its time, then finds every second candidate relevant.
std::string judge_slowly(const ReceivedChat& chat, std::chrono::milliseconds time) {
  std::this_thread::sleep_for(time);
  const size_t list = chat.user.find("CANDIDATES\n");
  if (list == std::string::npos) {
    return R"({"intent": "Round right", "files": [], "symbols": ["push"], "concepts": ["rounding"]})";
  }
  const bool files = chat.schema.dump().find("irrelevant") != std::string::npos;
  nlohmann::json verdicts = nlohmann::json::array();
  for (size_t at = chat.user.find("\nid ", list); at != std::string::npos;
       at = chat.user.find("\nid ", at + 1)) {
    const int id = std::stoi(chat.user.substr(at + 4));
    const char* verdict =
        files ? (id % 2 == 0 ? "relevant" : "irrelevant") : (id % 2 == 0 ? "primary" : "supporting");
    verdicts.push_back({{"id", id}, {"verdict", verdict}, {"reason", "even or odd"}});
  }
  return nlohmann::json{{"verdicts", verdicts}}.dump();
}

class RetrieveKilled : public ::testing::Test {
 protected:
  void SetUp() override {
    testing::write_little_shop(made_);
    testing::write_generated(made_, 250);
    made_.commit("Begin the shop");
    testing::index_report(made_.path());
  }

  static std::vector<std::string> rules(const std::string& id) {
    return retrieve_words(kTask, {"--task-id", id, "-v"}, "6000");
  }
  static std::vector<std::string> model(const std::string& id, const ModelServer& server) {
    return {"retrieve",
            kTask,
            "--stages",
            "scope,precision",
            "--context-window",
            "6000",
            "--reserved-tokens",
            "0",
            "--model",
            "slow",
            "--base-url",
            server.base_url(),
            "--now",
            "2026-11-15T08:00:00Z",
            "--task-id",
            id,
            "-v"};
  }
  // Starts it, kills it after a random part of `duration`, runs it again; how many of the second runs went on
  // with what the first had kept.
  int check_rounds(int rounds, double duration, const std::string& expected,
                   const std::function<std::vector<std::string>(const std::string&)>& words) {
    std::mt19937 random(20261115);
    int resumed = 0, killed = 0;
    for (int round = 0; round < rounds; ++round) {
      SCOPED_TRACE(round);
      const auto command = words("killed-" + std::to_string(round));
      const double delay = std::uniform_real_distribution<>(0, duration)(random);
      RunningProgram program(command, made_.path());
      ::usleep(static_cast<useconds_t>(delay * 1e6));
      program.kill_now();
      killed += program.finish().exit_code == 128 + 9 ? 1 : 0;
      const Outcome again = run_measured(command, made_.path());
      EXPECT_EQ(again.exit_code, 0) << again.err;
      EXPECT_EQ(again.out, expected);
      resumed += again.err.find("kept from before") != std::string::npos ? 1 : 0;
      if (HasFailure()) break;
    }
    EXPECT_GT(killed, rounds / 3) << "most runs should have been cut short";
    return resumed;
  }

  TestRepository made_;
};

TEST_F(RetrieveKilled, SixtyTimesAtRandomMomentsGivesTheUndisturbedPacket) {
  const Outcome undisturbed = run_measured(rules("undisturbed"), made_.path());
  ASSERT_EQ(undisturbed.exit_code, 0) << undisturbed.err;
  ASSERT_THAT(undisturbed.out, HasSubstr("src/shop/cart.py"));
  check_rounds(60 / testing::cases_divisor(), undisturbed.seconds, undisturbed.out, rules);
}

TEST_F(RetrieveKilled, BetweenStagesWithASlowModelGoesOnWithTheStagesThatWereKept) {
  ModelServer server(
      [](const ReceivedChat& chat) { return judge_slowly(chat, std::chrono::milliseconds(60)); });
  const auto words = [&](const std::string& id) { return model(id, server); };
  const Outcome undisturbed = run_measured(words("undisturbed"), made_.path());
  ASSERT_EQ(undisturbed.exit_code, 0) << undisturbed.err;
  ASSERT_EQ(undisturbed.err.find("degraded"), std::string::npos);
  const int resumed =
      check_rounds(20 / testing::cases_divisor(), undisturbed.seconds, undisturbed.out, words);
  EXPECT_GT(resumed, 0) << "some kills must land behind a stage";
}

TEST_F(RetrieveKilled, JustBehindTheFirstStageAsksTheModelNothingTwice) {
  std::atomic<int> precision_asked = 0;
  std::atomic<bool> hold = true;
  ModelServer server([&](const ReceivedChat& chat) {
    const bool precision = chat.schema.dump().find("type_context") != std::string::npos;
    if (precision) ++precision_asked;
    while (precision && hold) std::this_thread::sleep_for(std::chrono::milliseconds(5));
    return judge_slowly(chat, std::chrono::milliseconds(0));
  });
  RunningProgram program(model("cut", server), made_.path());
  while (precision_asked == 0 && program.running()) ::usleep(1000);
  program.kill_now();
  EXPECT_EQ(program.finish().exit_code, 128 + 9);
  hold = false;
  const int before = server.requests();
  const Outcome again = run_measured(model("cut", server), made_.path());
  EXPECT_EQ(again.exit_code, 0) << again.err;
  EXPECT_THAT(again.err, HasSubstr("stage scope: kept from before"));
  const auto received = server.received();
  for (size_t i = static_cast<size_t>(before); i < received.size(); ++i) {
    EXPECT_THAT(received[i].schema.dump(), HasSubstr("type_context"))
        << "only the second stage was left to ask about";
  }
  EXPECT_EQ(again.out, run_measured(model("whole", server), made_.path()).out);
}

TEST_F(RetrieveKilled, OneTaskAtATimeTheSecondIsToldToWait) {
  std::atomic<bool> hold = true;
  std::atomic<int> asked = 0;
  ModelServer server([&](const ReceivedChat& chat) {
    ++asked;
    while (hold) std::this_thread::sleep_for(std::chrono::milliseconds(5));
    return judge_slowly(chat, std::chrono::milliseconds(0));
  });
  RunningProgram first(model("both", server), made_.path());
  while (asked == 0 && first.running()) ::usleep(1000);
  const Outcome second = run_measured(model("both", server), made_.path());
  testing::expect_refusal(second, 1,
                          {"another run works on task both; wait for it, or choose another --task-id"});
  hold = false;
  const Outcome finished = first.finish();
  EXPECT_EQ(finished.exit_code, 0) << finished.err;
  EXPECT_EQ(run_measured(model("both", server), made_.path()).out, finished.out);
}

TEST_F(RetrieveKilled, ADegradedAnswerIsAFailureOnlyWhenStrict) {
  ModelServer server(
      [](const ReceivedChat& chat) { return judge_slowly(chat, std::chrono::milliseconds(0)); });
  server.misbehave(testing::Misbehaviour::kStatus500);
  const Outcome lenient = run_measured(model("lenient", server), made_.path());
  EXPECT_EQ(lenient.exit_code, 0) << lenient.err;
  auto words = model("strict", server);
  words.push_back("--strict");
  const Outcome strict = run_measured(words, made_.path());
  EXPECT_EQ(strict.exit_code, 1);
  EXPECT_EQ(strict.out, lenient.out) << "the packet is there all the same";
}

}  // namespace
}  // namespace knapsack
