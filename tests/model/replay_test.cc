#include "model/replay.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/memory_file_system.h"
#include "model/endpoint.h"
#include "support/model_server.h"
#include "support/support.h"

namespace knapsack::model {
namespace {

using ::testing::HasSubstr;
using testing::Misbehaviour;
using testing::ModelServer;
using ::testing::Not;
using testing::ReceivedChat;

constexpr const char* kPath = "/w/recording.jsonl";
constexpr const char* kKey = "sk-knapsack-test-0123456789abcdef";

ChatRequest question(const std::string& user) {
  ChatRequest request;
  request.stage = "scope";
  request.system = "Repeat.";
  request.user = user;
  request.schema_name = "echo";
  request.schema = {{"type", "object"}, {"required", {"said"}}};
  return request;
}

std::string echo(const ReceivedChat& chat) {
  return nlohmann::json{{"said", chat.user}}.dump();
}

class Replay : public ::testing::Test {
 protected:
  Replay() : files_(std::make_shared<MemoryFileSystem>()), server_(echo) {
    files_->put("/w/placeholder", "");
  }

  std::unique_ptr<RecordingClient> recorder() {
    ModelOptions options;
    options.model = "m";
    options.base_url = server_.openai_url();
    options.environment["KNAPSACK_MODEL_KEY"] = kKey;
    auto client = RecordingClient::open(std::move(*make_model_client(options)), files_, kPath);
    EXPECT_OK(client);
    return std::move(*client);
  }
  std::unique_ptr<ReplayClient> player(const std::string& model = "m") {
    auto client = ReplayClient::open(*files_, kPath, model, 8192);
    EXPECT_OK(client);
    return client.ok() ? std::move(*client) : nullptr;
  }

  std::shared_ptr<MemoryFileSystem> files_;
  ModelServer server_;
};

TEST_F(Replay, AnswersAsTheModelDidWithoutTheModel) {
  const auto recording = recorder();
  const ChatAnswer one = recording->chat(question("one"));
  const ChatAnswer two = recording->chat(question("two"));
  ASSERT_OK(recording->written());
  const auto replay = player();
  const int asked = server_.requests();
  for (const auto& [user, recorded] : {std::pair{"two", &two}, std::pair{"one", &one}}) {
    const ChatAnswer replayed = replay->chat(question(user));
    EXPECT_TRUE(replayed.ok());
    EXPECT_EQ(replayed.value, recorded->value);
    EXPECT_EQ(replayed.text, recorded->text);
    EXPECT_EQ(replayed.calls, recorded->calls);
  }
  EXPECT_EQ(server_.requests(), asked);
}

TEST_F(Replay, SaysWhenARequestWasNotRecorded) {
  recorder()->chat(question("one"));
  const ChatAnswer answer = player()->chat(question("another"));
  EXPECT_EQ(answer.outcome, ModelOutcome::kNotRecorded);
  EXPECT_THAT(answer.problem, HasSubstr("/w/recording.jsonl has no answer to this request"));
  EXPECT_EQ(player("other-model")->chat(question("one")).outcome, ModelOutcome::kNotRecorded);
}

TEST_F(Replay, KeepsFailuresToo) {
  server_.misbehave(Misbehaviour::kWrongSchema);
  recorder()->chat(question("one"));
  const ChatAnswer answer = player()->chat(question("one"));
  EXPECT_EQ(answer.outcome, ModelOutcome::kMalformed);
  EXPECT_EQ(answer.calls.size(), 2u);
  EXPECT_THAT(answer.problem, HasSubstr("'said' is missing"));
}

TEST_F(Replay, AddsToARecordingThatIsThere) {
  recorder()->chat(question("one"));
  recorder()->chat(question("two"));
  EXPECT_TRUE(player()->chat(question("one")).ok());
  EXPECT_TRUE(player()->chat(question("two")).ok());
}

TEST_F(Replay, HoldsNoKeyEvenWhenTheServerRepeatsIt) {
  server_.misbehave(Misbehaviour::kEchoesKey);
  recorder()->chat(question("one"));
  EXPECT_THAT(*files_->read(kPath, 1'000'000), Not(HasSubstr(kKey)));
}

TEST_F(Replay, RefusesAFileThatIsNoRecordingNamingTheLine) {
  recorder()->chat(question("one"));
  const std::string good = *files_->read(kPath, 1'000'000);
  for (const char* bad : {"{}", "not JSON", R"({"hash": "x", "answer": {"outcome": "great"}})", "[]"}) {
    files_->put(kPath, good + bad + "\n");
    const auto replay = ReplayClient::open(*files_, kPath, "m", 8192);
    ASSERT_FALSE(replay.ok()) << bad;
    EXPECT_THAT(replay.error().line(), HasSubstr("line 2")) << bad;
  }
}

TEST(RequestHash, CoversWhatDecidesTheAnswerAndNothingElse) {
  const ChatRequest base = question("x");
  const std::string hash = request_hash("m", base);
  ChatRequest same = base;
  same.stage = "precision";
  same.deadline = std::chrono::milliseconds(1);
  EXPECT_EQ(request_hash("m", same), hash);
  EXPECT_NE(request_hash("n", base), hash);
  for (const auto& change : std::vector<std::function<void(ChatRequest&)>>{
           [](ChatRequest& r) { r.system += "."; }, [](ChatRequest& r) { r.user += "."; },
           [](ChatRequest& r) { r.schema["maxItems"] = 3; }, [](ChatRequest& r) { r.answer_tokens += 1; }}) {
    ChatRequest changed = base;
    change(changed);
    EXPECT_NE(request_hash("m", changed), hash);
  }
}

}  // namespace
}  // namespace knapsack::model
