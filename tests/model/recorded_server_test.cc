// What a real server sent (llama.cpp's, with a model of 135 million parameters), replayed byte for byte, whole and spoilt.
// tests/model/record_model_server.py makes the recordings.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "model/chat/chat_clients.h"
#include "model/embeddings/embedding_client.h"
#include "model/model_client.h"
#include "support/replay_server.h"
#include "support/support.h"

namespace knapsack::model {
namespace {

using nlohmann::json;
using std::chrono::milliseconds;
using testing::body_of;
using ::testing::HasSubstr;
using ::testing::Not;
using testing::recorded;
using testing::Replay;
using testing::ReplayServer;
using testing::with_body;

// Every question that the program asked while it was recorded.
constexpr const char* kQuestions[] = {"judge_1", "judge_2", "judge_3", "enrich_1", "rerank_1", "capture_1"};

// The question of a recording.
ChatRequest asked_in(const std::string& name) {
  const json body = json::parse(body_of(recorded(name + ".request")));
  ChatRequest request;
  request.stage = name;
  request.system = body.at("messages")[0].at("content");
  request.user = body.at("messages")[1].at("content");
  const json& format = body.at("response_format").at("json_schema");
  request.schema_name = format.at("name");
  request.schema = format.at("schema");
  request.answer_tokens = body.at("max_tokens");
  for (const char* list : {"verdicts", "scores"}) {
    if (!request.schema.at("properties").contains(list)) continue;
    request.list = list;
    request.item_schema = request.schema["properties"][list]["items"];
  }
  request.takes_cut = request.schema_name == "task_intent";
  request.deadline = milliseconds(20'000);
  return request;
}

ChatAnswer ask(const ReplayServer& server, const ChatRequest& request) {
  ModelOptions options;
  options.model = "smollm2";
  options.base_url = server.openai_url();
  auto client = make_model_client(options);
  EXPECT_OK(client);
  return (*client)->chat(request);
}

// The names of a message's headers, in order.
std::vector<std::string> header_names(const std::string& message) {
  std::vector<std::string> names;
  for (size_t at = message.find("\r\n") + 2; message.compare(at, 2, "\r\n") != 0;
       at = message.find("\r\n", at) + 2)
    names.push_back(message.substr(at, message.find(':', at) - at));
  return names;
}

void expect_one_line(const std::string& problem) {
  EXPECT_FALSE(problem.empty());
  EXPECT_THAT(problem, Not(HasSubstr("\n")));
}

TEST(RecordedServer, IsAskedInTheProtocolThatItAnswered) {
  for (const std::string name : kQuestions) {
    SCOPED_TRACE(name);
    const ReplayServer server(recorded(name + ".response"));
    ask(server, asked_in(name));
    const std::string then = recorded(name + ".request"), now = server.requests().at(0);
    EXPECT_EQ(now.substr(0, now.find("\r\n")), then.substr(0, then.find("\r\n")));
    EXPECT_EQ(header_names(now), header_names(then));
    EXPECT_EQ(json::parse(body_of(now)), json::parse(body_of(then)));
  }
}

TEST(RecordedServer, TokensAreCountedAsItSays) {
  for (const std::string name : kQuestions) {
    SCOPED_TRACE(name);
    const ReplayServer server(recorded(name + ".response"));
    const ChatAnswer answer = ask(server, asked_in(name));
    const json usage = json::parse(body_of(recorded(name + ".response"))).at("usage");
    EXPECT_EQ(answer.calls.at(0).prompt_tokens, usage.at("prompt_tokens"));
    EXPECT_EQ(answer.calls.at(0).completion_tokens, usage.at("completion_tokens"));
  }
}

TEST(RecordedServer, EveryVerdictOfItsJudgementIsRead) {
  for (const std::string name : {"judge_2", "judge_3", "capture_1"}) {
    SCOPED_TRACE(name);
    const ReplayServer server(recorded(name + ".response"));
    const ChatAnswer answer = ask(server, asked_in(name));
    ASSERT_TRUE(answer.ok()) << answer.problem;
    const json said = json::parse(body_of(recorded(name + ".response")));
    const std::string text = said["choices"][0]["message"]["content"];
    EXPECT_EQ(answer.value, json::parse(text)) << "nothing of it is lost";
    EXPECT_EQ(server.requests().size(), 1U);
  }
}

TEST(RecordedServer, VerdictsBeforeTheLimitOfTokensAreKept) {
  const ReplayServer server(recorded("truncated_1.response"));
  ChatRequest request = asked_in("judge_2");
  const json said = json::parse(body_of(recorded("truncated_1.response")));
  ASSERT_EQ(said["choices"][0]["finish_reason"], "length");
  const ChatAnswer answer = ask(server, request);
  ASSERT_TRUE(answer.ok()) << answer.problem;
  EXPECT_TRUE(answer.partial);
  EXPECT_GE(answer.value["verdicts"].size(), 1U);
  EXPECT_EQ(answer.calls.at(0).outcome, "partial");
  // Asked for as one object, the same words are none.
  request.list.clear();
  const ChatAnswer whole = ask(server, request);
  EXPECT_EQ(whole.outcome, ModelOutcome::kMalformed);
  EXPECT_THAT(whole.problem, HasSubstr("the model ran out of room"));
}

TEST(RecordedServer, CutAnywhereIsNeverTakenForAnAnswer) {
  for (const std::string name : {"judge_1", "judge_2", "rerank_1"}) {
    const std::string bytes = recorded(name + ".response");
    for (size_t cut = 0; cut < bytes.size(); cut += std::max<size_t>(1, bytes.size() / 12)) {
      SCOPED_TRACE(name + " cut at " + std::to_string(cut));
      const ReplayServer server(bytes.substr(0, cut));
      const ChatAnswer answer = ask(server, asked_in(name));
      EXPECT_FALSE(answer.ok());
      EXPECT_TRUE(answer.value.is_null());
      expect_one_line(answer.problem);
      EXPECT_LE(answer.calls.size(), 2U);
    }
  }
}

TEST(RecordedServer, BytesThatComeTooSlowlyEndAtTheDeadline) {
  const std::string bytes = recorded("judge_2.response");
  const ReplayServer server([&](const std::string&) { return Replay{bytes, milliseconds(200)}; });
  ChatRequest request = asked_in("judge_2");
  request.deadline = milliseconds(700);
  const ChatAnswer answer = ask(server, request);
  EXPECT_EQ(answer.outcome, ModelOutcome::kTimeout);
  expect_one_line(answer.problem);
}

TEST(RecordedServer, ItsRefusalsAreOneLineInItsOwnWords) {
  const std::pair<const char*, const char*> rows[] = {
      {"not_found_1", "status 404: File Not Found; check the base URL and the model's name"},
      {"no_key_1", "status 401: Invalid API Key; set KNAPSACK_MODEL_KEY to the key it wants"},
      {"too_long_1", "exceeds the available context size"}};
  for (const auto& [name, line] : rows) {
    SCOPED_TRACE(name);
    const ReplayServer server(recorded(std::string(name) + ".response"));
    const ChatAnswer answer = ask(server, asked_in("judge_2"));
    EXPECT_EQ(answer.outcome, ModelOutcome::kHttpError);
    EXPECT_THAT(answer.problem, HasSubstr(line));
    expect_one_line(answer.problem);
    EXPECT_EQ(server.requests().size(), 1U) << "asking again would bring the same";
  }
}

TEST(RecordedServer, AStreamThatNobodyAskedForIsNoAnswer) {
  ASSERT_THAT(recorded("streamed_1.response"), HasSubstr("text/event-stream"));
  const ReplayServer server(recorded("streamed_1.response"));
  const ChatAnswer answer = ask(server, asked_in("judge_2"));
  EXPECT_EQ(answer.outcome, ModelOutcome::kMalformed);
  EXPECT_THAT(answer.problem, HasSubstr("the server's answer: not JSON"));
}

// The recorded head with other bodies.
TEST(RecordedServer, WhatIsNotItsProtocolIsSaidInOneLine) {
  const std::string head = recorded("judge_2.response");
  const json right = json::parse(body_of(head));
  const auto with_message = [&](const json& message, const char* reason) {
    json body = right;
    body["choices"][0]["message"] = message;
    body["choices"][0]["finish_reason"] = reason;
    return body.dump();
  };
  json no_choices = right;
  no_choices["choices"] = json::array();
  const std::tuple<const char*, std::string, const char*> rows[] = {
      {"no choices", no_choices.dump(), "no choices"},
      {"a refusal",
       with_message({{"role", "assistant"}, {"content", nullptr}, {"refusal", "I cannot."}}, "stop"),
       "the model declined to answer"},
      {"null", with_message({{"role", "assistant"}, {"content", nullptr}}, "stop"),
       "no text in message.content"},
      {"prose", with_message({{"role", "assistant"}, {"content", "I would rather not."}}, "stop"),
       "no list of verdicts"},
      {"a page", "<html>It works!</html>", "not JSON"},
      {"nothing", "", "nothing"}};
  for (const auto& [name, body, line] : rows) {
    SCOPED_TRACE(name);
    const ReplayServer server(with_body(head, body));
    const ChatAnswer answer = ask(server, asked_in("judge_2"));
    EXPECT_EQ(answer.outcome, ModelOutcome::kMalformed);
    EXPECT_THAT(answer.problem, HasSubstr(line));
    expect_one_line(answer.problem);
    EXPECT_EQ(server.requests().size(), 2U);
  }
}

TEST(RecordedServer, ReasonsOfAnyLengthAndAnotherContentTypeDoNoHarm) {
  std::string head = recorded("judge_2.response");
  json body = json::parse(body_of(head));
  json verdicts = json::parse(body["choices"][0]["message"]["content"].get<std::string>());
  for (json& each : verdicts["verdicts"]) each["reason"] = std::string(210, 'x');
  body["choices"][0]["message"]["content"] = verdicts.dump();
  const size_t type = head.find("application/json");
  ASSERT_NE(type, std::string::npos);
  head.replace(type, 16, "text/plain");
  const ReplayServer server(with_body(head, body.dump()));
  ChatRequest request = asked_in("judge_2");
  request.item_schema["additionalProperties"] = true;
  const ChatAnswer answer = ask(server, request);
  ASSERT_TRUE(answer.ok()) << answer.problem;
  EXPECT_EQ(answer.value["verdicts"].size(), verdicts["verdicts"].size());
}

TEST(RecordedServer, AModelThatUsedItsRoomUpForThoughtsIsAskedWithoutALimit) {
  const std::string head = recorded("judge_2.response");
  json thought = json::parse(body_of(head));
  thought["choices"][0]["message"] = {
      {"role", "assistant"}, {"content", ""}, {"reasoning_content", "Let me see."}};
  thought["choices"][0]["finish_reason"] = "length";
  int asked = 0;
  const ReplayServer server(
      [&](const std::string&) { return Replay{asked++ == 0 ? with_body(head, thought.dump()) : head}; });
  const ChatAnswer answer = ask(server, asked_in("judge_2"));
  EXPECT_TRUE(answer.ok()) << answer.problem;
  ASSERT_EQ(server.requests().size(), 2U);
  const json first = json::parse(body_of(server.requests()[0])),
             second = json::parse(body_of(server.requests()[1]));
  EXPECT_TRUE(first.contains("max_tokens"));
  EXPECT_FALSE(second.contains("max_tokens"));
  EXPECT_EQ(second["messages"], first["messages"]) << "nothing was wrong with the question";
}

TEST(OpenAiProtocol, AServerThatRefusesALimitIsAskedWithoutAndNotToldAgain) {
  const std::string refusal = with_body(
      recorded("too_long_1.response"),
      R"({"error": {"message": "Unsupported parameter: 'max_tokens' is not supported with this model.", "code": 400}})");
  const ReplayServer server([&](const std::string& request) {
    const bool limited = request.find("\"max_tokens\"") != std::string::npos;
    return Replay{limited ? refusal : recorded("judge_2.response")};
  });
  ModelOptions options;
  options.model = "m";
  options.base_url = server.openai_url();
  const auto client = make_model_client(options);
  ASSERT_OK(client);
  const ChatAnswer first = (*client)->chat(asked_in("judge_2"));
  EXPECT_TRUE(first.ok()) << first.problem;
  EXPECT_EQ(first.calls.size(), 2U);
  EXPECT_EQ(first.calls[0].outcome, "http_error");
  EXPECT_THAT(body_of(server.requests()[1]), Not(HasSubstr("maxItems")));
  EXPECT_TRUE((*client)->chat(asked_in("judge_2")).ok());
  EXPECT_EQ(server.requests().size(), 3U) << "it is known now";
}

TEST(RecordedServer, GivesAVectorAndSaysWhereItHasNone) {
  ModelOptions options;
  options.model = "smollm2";
  const ReplayServer right(recorded("embedding_1.response"));
  options.base_url = right.openai_url();
  const EmbeddingAnswer answer = (*make_embedding_client(options))->embed({"restart"}, milliseconds(20'000));
  ASSERT_TRUE(answer.ok()) << answer.problem;
  EXPECT_EQ(answer.embeddings.dimensions, 576U);
  EXPECT_EQ(answer.embeddings.numbers.size(), 576U);
  const json then = json::parse(body_of(recorded("embedding_1.request")));
  EXPECT_EQ(json::parse(body_of(right.requests().at(0)))["input"], then["input"]);
  const ReplayServer none(recorded("no_embeddings_1.response"));
  options.base_url = none.openai_url();
  const EmbeddingAnswer refused = (*make_embedding_client(options))->embed({"restart"}, milliseconds(20'000));
  EXPECT_EQ(refused.outcome, ModelOutcome::kHttpError);
  EXPECT_THAT(refused.problem, HasSubstr("does not support embeddings"));
  expect_one_line(refused.problem);
}

}  // namespace
}  // namespace knapsack::model
