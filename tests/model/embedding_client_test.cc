// Vectors from a server, in both protocols, and everything that can go wrong on the way.
#include "model/embeddings/embedding_client.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/embedding_server.h"
#include "support/support.h"

namespace knapsack::model {
namespace {

using std::chrono::milliseconds;
using std::chrono::steady_clock;
using testing::EmbeddingFault;
using testing::EmbeddingServer;
using ::testing::HasSubstr;

constexpr const char* kKey = "sk-knapsack-test-0123456789abcdef";

std::unique_ptr<EmbeddingClient> client_of(const EmbeddingServer& server, bool openai) {
  ModelOptions options;
  options.model = "test-embed";
  options.base_url = openai ? server.openai_url() : server.base_url();
  options.environment["KNAPSACK_MODEL_KEY"] = kKey;
  auto client = make_embedding_client(options);
  EXPECT_OK(client);
  return client.ok() ? std::move(*client) : nullptr;
}

class BothProtocols : public ::testing::TestWithParam<bool> {};
INSTANTIATE_TEST_SUITE_P(Embedding, BothProtocols, ::testing::Values(false, true),
                         [](const auto& row) { return row.param ? "OpenAi" : "Ollama"; });

TEST_P(BothProtocols, GivesOneVectorATextInTheirOrder) {
  EmbeddingServer server(32);
  if (GetParam()) server.reverse_order();
  const auto client = client_of(server, GetParam());
  const auto both = client->embed({"a car", "an invoice"}, milliseconds(20'000));
  ASSERT_TRUE(both.ok()) << both.problem;
  EXPECT_EQ(both.embeddings.dimensions, 32U);
  ASSERT_EQ(both.embeddings.numbers.size(), 64U);
  const auto second = client->embed({"an invoice"}, milliseconds(20'000));
  ASSERT_TRUE(second.ok()) << second.problem;
  EXPECT_TRUE(std::equal(second.embeddings.numbers.begin(), second.embeddings.numbers.end(),
                         both.embeddings.numbers.begin() + 32));
  EXPECT_EQ(server.bodies().front().at("model"), "test-embed");
  EXPECT_EQ(server.authorizations().front(), std::string("Bearer ") + kKey);
}

struct FaultRow {
  const char* name;
  EmbeddingFault fault;
  ModelOutcome outcome;
  int requests;
  const char* problem;
  int deadline_ms = 20'000;
};
const FaultRow kFaults[] = {
    {"Slow", EmbeddingFault::kSlow, ModelOutcome::kTimeout, 1, "no complete answer in time", 500},
    {"CutBody", EmbeddingFault::kCutBody, ModelOutcome::kMalformed, 2, "cut off"},
    {"Status500", EmbeddingFault::kStatus500, ModelOutcome::kHttpError, 1, "model not loaded"},
    {"FewerVectors", EmbeddingFault::kFewerVectors, ModelOutcome::kMalformed, 2, "1 vectors for 2 texts"},
    {"OtherDimensions", EmbeddingFault::kOtherDimensions, ModelOutcome::kMalformed, 2,
     "vector 1 has 15 numbers and vector 0 has 16"},
    {"NullNumber", EmbeddingFault::kNullNumber, ModelOutcome::kMalformed, 2,
     "vector 1 contains something that is not a number"},
    {"TooLargeNumber", EmbeddingFault::kTooLargeNumber, ModelOutcome::kMalformed, 2,
     "vector 1 contains something that is not a number"},
    {"TextNumber", EmbeddingFault::kTextNumber, ModelOutcome::kMalformed, 2,
     "vector 1 contains something that is not a number"},
    {"NoVectors", EmbeddingFault::kNoVectors, ModelOutcome::kMalformed, 2, "no list"},
    {"NotJson", EmbeddingFault::kNotJson, ModelOutcome::kMalformed, 2, "not JSON"},
    {"EmptyVector", EmbeddingFault::kEmptyVector, ModelOutcome::kMalformed, 2, "vector 1 is not a list"},
};

TEST_P(BothProtocols, EveryFaultIsAnOutcomeInTimeWithALineThatSaysWhat) {
  for (const FaultRow& row : kFaults) {
    EmbeddingServer server(16);
    server.misbehave(row.fault);
    const auto began = steady_clock::now();
    const auto answer = client_of(server, GetParam())->embed({"one", "two"}, milliseconds(row.deadline_ms));
    const auto took = std::chrono::duration_cast<milliseconds>(steady_clock::now() - began).count();
    EXPECT_EQ(answer.outcome, row.outcome) << row.name << ": " << answer.problem;
    EXPECT_THAT(answer.problem, HasSubstr(row.problem)) << row.name;
    EXPECT_EQ(server.requests(), row.requests) << row.name;
    EXPECT_TRUE(answer.embeddings.numbers.empty()) << row.name;
    EXPECT_EQ(answer.problem.find(kKey), std::string::npos) << row.name;
    if (row.outcome == ModelOutcome::kTimeout) {
      EXPECT_LT(took, 10 * row.deadline_ms) << row.name;
    }
  }
}

TEST(EmbeddingClient, NaNIsNotJson) {
  EmbeddingServer server(16);
  server.misbehave(EmbeddingFault::kNotANumber);
  const auto answer = client_of(server, false)->embed({"one"}, milliseconds(20'000));
  EXPECT_EQ(answer.outcome, ModelOutcome::kMalformed);
  EXPECT_THAT(answer.problem, HasSubstr("not JSON"));
}

TEST_P(BothProtocols, AnAnswerThatWasCutOnceIsAskedForAgain) {
  EmbeddingServer server(16);
  server.misbehave(EmbeddingFault::kCutBody, 1);
  const auto answer = client_of(server, GetParam())->embed({"one"}, milliseconds(20'000));
  EXPECT_TRUE(answer.ok()) << answer.problem;
  EXPECT_EQ(server.requests(), 2);
}

TEST(EmbeddingClient, AServerThatIsNotThereIsUnreachable) {
  std::string url;
  {
    const EmbeddingServer server;
    url = server.base_url();
  }
  ModelOptions options;
  options.model = "m";
  options.base_url = url;
  auto client = make_embedding_client(options);
  ASSERT_OK(client);
  const auto answer = (*client)->embed({"one"}, milliseconds(5'000));
  EXPECT_EQ(answer.outcome, ModelOutcome::kUnreachable);
  EXPECT_THAT(answer.problem, HasSubstr("no connection"));
}

TEST(EmbeddingClient, NeedsANameAndAnAddress) {
  for (const auto& [model, url] : {std::pair{"", "http://localhost:1"}, std::pair{"m", ""}}) {
    ModelOptions options;
    options.model = model;
    options.base_url = url;
    const auto client = make_embedding_client(options);
    ASSERT_FALSE(client.ok());
    EXPECT_EQ(client.error().code, ErrorCode::kUsage);
    EXPECT_THAT(client.error().next, HasSubstr("`embed_model`"));
  }
}

TEST(ReadEmbeddings, RefusesAnswersThatNumberTheirVectorsWrongly) {
  const auto read = [](const std::string& data) {
    return read_embeddings("{\"data\": " + data + "}", Provider::kOpenAi, 2);
  };
  EXPECT_OK(read(R"([{"index": 1, "embedding": [1]}, {"index": 0, "embedding": [2]}])"));
  EXPECT_OK(read(R"([{"embedding": [1]}, {"embedding": [2]}])"));
  for (const char* data : {R"([{"index": 0, "embedding": [1]}, {"index": 0, "embedding": [2]}])",
                           R"([{"index": 2, "embedding": [1]}, {"index": 0, "embedding": [2]}])",
                           R"([{"index": -1, "embedding": [1]}, {"index": 0, "embedding": [2]}])",
                           R"([{"index": "0", "embedding": [1]}, {"index": 1, "embedding": [2]}])",
                           R"([[1], [2]])", R"([null, null])", R"({"0": [1]})", "[]"}) {
    EXPECT_FALSE(read(data).ok()) << data;
  }
}

}  // namespace
}  // namespace knapsack::model
