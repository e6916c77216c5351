// Everything a server can do wrong, in both protocols: what is made of it, in what time, after how many
// requests, and that the key stays where it is.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <sys/socket.h>

#include <atomic>
#include <chrono>
#include <thread>

#include "core/files/descriptor.h"
#include "model/chat/chat_clients.h"
#include "model/endpoint.h"
#include "model/model_client.h"
#include "support/model_server.h"
#include "support/replay_server.h"
#include "support/support.h"

namespace knapsack::model {
namespace {

using std::chrono::milliseconds;
using std::chrono::steady_clock;
using ::testing::HasSubstr;
using testing::Misbehaviour;
using testing::ModelServer;
using testing::ReceivedChat;

constexpr const char* kSentKey = "sk-knapsack-test-0123456789abcdef";

struct Row {
  const char* name;
  Misbehaviour how;
  ModelOutcome outcome;
  int requests;         // that the server sees
  const char* problem;  // a part of the line for people
  int deadline_ms = 20'000;
};

// The name and the row of each test.
const Row kRows[] = {
    {"Honest", Misbehaviour::kNone, ModelOutcome::kOk, 1, ""},
    {"Slow", Misbehaviour::kSlow, ModelOutcome::kTimeout, 1, "no complete answer in time", 2000},
    {"Drip", Misbehaviour::kDrip, ModelOutcome::kTimeout, 1, "no complete answer in time", 2000},
    {"DripHeaders", Misbehaviour::kDripHeaders, ModelOutcome::kTimeout, 1, "no complete answer in time",
     2000},
    {"CutBody", Misbehaviour::kCutBody, ModelOutcome::kMalformed, 2, "cut off"},
    {"Status500", Misbehaviour::kStatus500, ModelOutcome::kHttpError, 1, "status 500: out of memory"},
    {"Status429", Misbehaviour::kStatus429, ModelOutcome::kHttpError, 1, "try again later"},
    {"Status401", Misbehaviour::kStatus401, ModelOutcome::kHttpError, 1, "check the key in the environment"},
    {"WrongSchema", Misbehaviour::kWrongSchema, ModelOutcome::kMalformed, 2, "'verdict' is missing"},
    {"Prose", Misbehaviour::kProse, ModelOutcome::kOk, 1, ""},
    {"HugeBody", Misbehaviour::kHugeBody, ModelOutcome::kTooLarge, 1, "too large"},
    {"HugeHeaders", Misbehaviour::kHugeHeaders, ModelOutcome::kTooLarge, 1, "too large"},
    {"RedirectToSelf", Misbehaviour::kRedirectToSelf, ModelOutcome::kHttpError, 1, "which is not followed"},
    {"RedirectElsewhere", Misbehaviour::kRedirectElsewhere, ModelOutcome::kHttpError, 1,
     "a redirect to 'http://elsewhere.invalid/api/chat'"},
    {"NotJson", Misbehaviour::kNotJson, ModelOutcome::kMalformed, 2, "not JSON"},
    {"EmptyBody", Misbehaviour::kEmptyBody, ModelOutcome::kMalformed, 2, "nothing"},
    {"LengthTooShort", Misbehaviour::kLengthTooShort, ModelOutcome::kMalformed, 2, "not JSON"},
    {"LengthTooLong", Misbehaviour::kLengthTooLong, ModelOutcome::kMalformed, 2, "cut off"},
    {"ClosesAtOnce", Misbehaviour::kClosesAtOnce, ModelOutcome::kUnreachable, 1, "without an answer"},
    {"KeepsOpen", Misbehaviour::kKeepsOpen, ModelOutcome::kOk, 1, ""},
    {"NoLengthKeepsOpen", Misbehaviour::kNoLengthKeepsOpen, ModelOutcome::kTimeout, 1,
     "no complete answer in time", 2000},
    {"DeepJson", Misbehaviour::kDeepJson, ModelOutcome::kMalformed, 2, "not JSON"},
    {"NotUtf8", Misbehaviour::kNotUtf8, ModelOutcome::kMalformed, 2, "not JSON"},
    {"EchoesKey", Misbehaviour::kEchoesKey, ModelOutcome::kMalformed, 2, "not JSON"},
};

ChatRequest question(int deadline_ms = 20'000) {
  ChatRequest request;
  request.stage = "scope";
  request.system = "Judge the file.";
  request.user = "src/a.py: adds numbers";
  request.schema_name = "judgement";
  request.schema = {{"type", "object"},
                    {"properties", {{"verdict", {{"type", "string"}, {"enum", {"relevant", "irrelevant"}}}}}},
                    {"required", {"verdict"}},
                    {"additionalProperties", false}};
  request.answer_tokens = 100;
  request.deadline = milliseconds(deadline_ms);
  return request;
}

std::string relevant(const ReceivedChat&) {
  return R"({"verdict": "relevant"})";
}

std::unique_ptr<ModelClient> client_of(const ModelServer& server, bool openai) {
  ModelOptions options;
  options.model = "test-model";
  options.base_url = openai ? server.openai_url() : server.base_url();
  options.window = 4096;
  options.environment["KNAPSACK_MODEL_KEY"] = kSentKey;
  auto client = make_model_client(options);
  EXPECT_OK(client);
  return client.ok() ? std::move(*client) : nullptr;
}

void expect_no_key(const ChatAnswer& answer) {
  std::string everything = answer.problem + answer.text + answer.value.dump();
  for (const auto& call : answer.calls) {
    everything += call.stage + call.model + call.request + call.response + call.outcome;
  }
  EXPECT_EQ(everything.find(kSentKey), std::string::npos) << everything;
}

class Misbehaving : public ::testing::TestWithParam<std::tuple<Row, bool>> {};

TEST_P(Misbehaving, ServerIsSurvivedInTimeAndAccountedFor) {
  const auto& [row, openai] = GetParam();
  ModelServer server(relevant);
  server.misbehave(row.how);
  const auto client = client_of(server, openai);
  const auto began = steady_clock::now();
  const ChatAnswer answer = client->chat(question(row.deadline_ms));
  const auto took = std::chrono::duration_cast<milliseconds>(steady_clock::now() - began).count();

  EXPECT_EQ(to_string(answer.outcome), to_string(row.outcome)) << answer.problem;
  EXPECT_THAT(answer.problem, HasSubstr(row.problem));
  EXPECT_EQ(answer.problem.empty(), answer.ok());
  EXPECT_EQ(answer.problem.find('\n'), std::string::npos);
  EXPECT_EQ(server.requests(), row.requests);
  EXPECT_LT(took, 10 * row.deadline_ms) << "without a deadline some of these take for ever";
  if (row.outcome == ModelOutcome::kTimeout) {
    EXPECT_GE(took, row.deadline_ms);
  }
  if (answer.ok()) {
    EXPECT_EQ(answer.value, (nlohmann::json{{"verdict", "relevant"}}));
    EXPECT_GT(answer.prompt_tokens(), 0);
    EXPECT_GT(answer.completion_tokens(), 0);
  } else {
    EXPECT_TRUE(answer.value.is_null());
  }
  ASSERT_EQ(answer.calls.size(), static_cast<size_t>(row.requests));
  for (const auto& call : answer.calls) {
    EXPECT_EQ(call.stage, "scope");
    EXPECT_EQ(call.model, "test-model");
    EXPECT_THAT(call.request, HasSubstr("src/a.py: adds numbers"));
    EXPECT_EQ(call.outcome, to_string(row.outcome));
    EXPECT_GT(call.latency_micros, 0);
  }
  for (const auto& chat : server.received()) {
    EXPECT_EQ(chat.openai, openai);
    EXPECT_EQ(chat.authorization, std::string("Bearer ") + kSentKey);
  }
  expect_no_key(answer);
}

std::string row_name(const ::testing::TestParamInfo<std::tuple<Row, bool>>& info) {
  return std::string(std::get<0>(info.param).name) + (std::get<1>(info.param) ? "OpenAi" : "Ollama");
}

INSTANTIATE_TEST_SUITE_P(BothProtocols, Misbehaving,
                         ::testing::Combine(::testing::ValuesIn(kRows), ::testing::Bool()), row_name);

class Client : public ::testing::TestWithParam<bool> {};
INSTANTIATE_TEST_SUITE_P(BothProtocols, Client, ::testing::Bool(),
                         [](const auto& test) { return test.param ? "OpenAi" : "Ollama"; });

TEST_P(Client, UsesTheSecondAnswerWhenTheFirstWasMalformedAndSaysWhatWasWrong) {
  ModelServer server(relevant);
  server.misbehave(Misbehaviour::kWrongSchema, 1);
  const ChatAnswer answer = client_of(server, GetParam())->chat(question());
  EXPECT_TRUE(answer.ok()) << answer.problem;
  ASSERT_EQ(answer.calls.size(), 2u);
  EXPECT_EQ(answer.calls[0].outcome, "malformed");
  EXPECT_EQ(answer.calls[1].outcome, "ok");
  EXPECT_EQ(answer.prompt_tokens(), answer.calls[0].prompt_tokens + answer.calls[1].prompt_tokens);
  const auto received = server.received();
  ASSERT_EQ(received.size(), 2u);
  EXPECT_EQ(received[0].user, question().user);
  EXPECT_THAT(received[1].user, HasSubstr("'verdict' is missing"));
}

TEST_P(Client, KeepsOneDeadlineForBothAttempts) {
  ModelServer server([](const ReceivedChat&) {
    std::this_thread::sleep_for(milliseconds(1200));
    return std::string("no JSON at all");
  });
  const ChatAnswer answer = client_of(server, GetParam())->chat(question(2000));
  EXPECT_EQ(answer.outcome, ModelOutcome::kTimeout) << "with a deadline each, both would be malformed";
  EXPECT_EQ(answer.calls.size(), 2u);
}

TEST_P(Client, RefusesAPromptThatDoesNotFitBeforeItSendsAnything) {
  ModelServer server(relevant);
  ChatRequest request = question();
  for (int i = 0; i < 2000; ++i) request.user += " word" + std::to_string(i);
  const ChatAnswer answer = client_of(server, GetParam())->chat(request);
  EXPECT_EQ(answer.outcome, ModelOutcome::kRefused);
  EXPECT_THAT(answer.problem, HasSubstr("the model's window holds 4096"));
  EXPECT_EQ(server.requests(), 0);
  ASSERT_EQ(answer.calls.size(), 1u);
  EXPECT_EQ(answer.calls[0].outcome, "refused");
}

TEST_P(Client, IsUnreachableWhereNobodyListens) {
  std::string url;
  {
    const ModelServer gone(relevant);
    url = GetParam() ? gone.openai_url() : gone.base_url();
  }
  ModelOptions options;
  options.model = "m";
  options.base_url = url;
  auto client = make_model_client(options);
  ASSERT_OK(client);
  const ChatAnswer answer = (*client)->chat(question());
  EXPECT_EQ(answer.outcome, ModelOutcome::kUnreachable);
  EXPECT_THAT(answer.problem, HasSubstr(url + ": no connection"));
}

TEST_P(Client, TakesNoProxyFromTheEnvironment) {
  ModelServer server(relevant);
  ::setenv("http_proxy", "http://127.0.0.1:1", 1);
  ::setenv("HTTP_PROXY", "http://127.0.0.1:1", 1);
  const ChatAnswer answer = client_of(server, GetParam())->chat(question());
  ::unsetenv("http_proxy");
  ::unsetenv("HTTP_PROXY");
  EXPECT_TRUE(answer.ok()) << answer.problem;
}

TEST_P(Client, MayBeUsedByManyThreadsAtOnce) {
  ModelServer server([](const ReceivedChat& chat) {
    return nlohmann::json{{"verdict", chat.user.find("odd") == std::string::npos ? "irrelevant" : "relevant"}}
        .dump();
  });
  const auto client = client_of(server, GetParam());
  std::vector<std::thread> threads;
  std::atomic<int> right{0};
  for (int i = 0; i < 8; ++i) {
    threads.emplace_back([&, i] {
      ChatRequest request = question();
      request.user = i % 2 == 1 ? "odd" : "even";
      const ChatAnswer answer = client->chat(request);
      if (answer.ok() && answer.value["verdict"] == (i % 2 == 1 ? "relevant" : "irrelevant")) ++right;
    });
  }
  for (auto& thread : threads) thread.join();
  EXPECT_EQ(right, 8);
}

TEST(OllamaProtocol, SendsTheWindowAndTheSchemaSoThatNothingIsCutSilently) {
  ModelServer server(relevant);
  ASSERT_TRUE(client_of(server, false)->chat(question()).ok());
  const nlohmann::json body = server.received().at(0).body;
  EXPECT_EQ(body["stream"], false);
  EXPECT_EQ(body["format"], question().schema);
  EXPECT_EQ(body["options"]["temperature"], 0);
  EXPECT_EQ(body["options"]["num_ctx"], 4096);
  EXPECT_EQ(body["options"]["num_predict"], 100);
}

TEST(OllamaProtocol, DoesNotTrustAnAnswerToAPromptThatFilledTheWindow) {
  const std::string padding(4096 * 4, 'x');  // the server counts a token for four characters
  ModelServer server(relevant);
  ChatRequest request = question();
  request.user = padding;  // compresses well by our count
  const ChatAnswer answer = client_of(server, false)->chat(request);
  EXPECT_EQ(answer.outcome, ModelOutcome::kRefused);
  EXPECT_EQ(server.requests(), 1);
  EXPECT_THAT(answer.problem, HasSubstr("filled the model's whole window"));
}

TEST(OpenAiProtocol, AsksForStrictJsonAtTemperatureZero) {
  ModelServer server(relevant);
  ASSERT_TRUE(client_of(server, true)->chat(question()).ok());
  const nlohmann::json body = server.received().at(0).body;
  EXPECT_EQ(body["temperature"], 0);
  EXPECT_EQ(body["max_tokens"], 100);
  EXPECT_EQ(body["response_format"]["type"], "json_schema");
  EXPECT_EQ(body["response_format"]["json_schema"]["strict"], true);
  EXPECT_EQ(body["response_format"]["json_schema"]["name"], "judgement");
  EXPECT_EQ(body["response_format"]["json_schema"]["schema"], question().schema);
}

TEST_P(Client, AsksForWhatMattersMostFirst) {
  // Servers that hold a model to a schema have it write the members as they come.
  std::string bytes;
  const testing::ReplayServer server([&](const std::string& request) {
    bytes = request;
    return testing::Replay{"HTTP/1.1 500 No\r\nContent-Length: 0\r\n\r\n"};
  });
  ModelOptions options;
  options.model = "m";
  options.base_url = server.openai_url();
  if (!GetParam()) options.base_url.resize(options.base_url.size() - 3);
  ChatRequest request = question();
  const nlohmann::json text = {{"type", "string"}};
  request.schema = {{"type", "object"},
                    {"properties", {{"purpose", text}, {"api", text}, {"module", text}}},
                    {"required", {"purpose", "module"}}};
  (*make_model_client(options))->chat(request);
  EXPECT_LT(bytes.find("\"purpose\":{"), bytes.find("\"module\":{"));
  EXPECT_LT(bytes.find("\"module\":{"), bytes.find("\"api\":{")) << bytes;
}

TEST(OpenAiProtocol, KeepsLimitsThatStrictServersRefuseToItselfAndChecksThem) {
  ModelServer server([](const ReceivedChat&) { return R"({"names": ["far too long"]})"; });
  ChatRequest request = question();
  request.schema = {
      {"type", "object"},
      {"properties",
       {{"names", {{"type", "array"}, {"maxItems", 3}, {"items", {{"type", "string"}, {"maxLength", 5}}}}}}}};
  const ChatAnswer answer = client_of(server, true)->chat(request);
  EXPECT_EQ(answer.outcome, ModelOutcome::kMalformed);
  EXPECT_THAT(answer.problem, HasSubstr("/names/0: has 12 characters, at most 5 are allowed"));
  const std::string sent = server.received().at(0).schema.dump();
  EXPECT_EQ(sent.find("maxLength"), std::string::npos) << sent;
  EXPECT_THAT(sent, HasSubstr("maxItems")) << "that stops a model that repeats itself";
  EXPECT_THAT(sent, HasSubstr("names"));
}

TEST(Tls, RefusesACertificateThatNobodyVouchesForAndAcceptsATrustedOne) {
  const testing::TemporaryFolder folder;
  const auto files = testing::make_certificate(folder.path());
  ModelServer server(relevant, files.certificate, files.key);
  ModelOptions options;
  options.model = "m";
  options.environment["KNAPSACK_MODEL_KEY"] = kSentKey;
  for (const std::string& url : {server.base_url(), server.openai_url()}) {
    options.base_url = url;
    options.ca_file.clear();
    const ChatAnswer refused = (*make_model_client(options))->chat(question());
    EXPECT_EQ(refused.outcome, ModelOutcome::kUnreachable);
    EXPECT_THAT(refused.problem, HasSubstr("its certificate is not trusted here"));
    EXPECT_EQ(server.requests(), 0) << "nothing may be sent to a server that is not trusted";
  }
  for (const std::string& url : {server.base_url(), server.openai_url()}) {
    options.base_url = url;
    options.ca_file = files.certificate;
    const ChatAnswer trusted = (*make_model_client(options))->chat(question());
    EXPECT_TRUE(trusted.ok()) << trusted.problem;
  }
  EXPECT_EQ(server.requests(), 2);
}

TEST(Tls, RefusesATrustedCertificateOfAnotherHost) {
  const testing::TemporaryFolder folder;
  const auto made = testing::run_command(
      {"openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes",
       "-days", "2", "-subj", "/CN=other.invalid", "-addext", "subjectAltName=DNS:other.invalid", "-keyout",
       folder.file("k.pem"), "-out", folder.file("c.pem")},
      folder.path());
  ASSERT_EQ(made.exit_code, 0) << made.err;
  ModelServer server(relevant, folder.file("c.pem"), folder.file("k.pem"));
  ModelOptions options;
  options.model = "m";
  options.base_url = server.base_url();
  options.ca_file = folder.file("c.pem");
  const ChatAnswer answer = (*make_model_client(options))->chat(question());
  EXPECT_EQ(answer.outcome, ModelOutcome::kUnreachable) << answer.problem;
  EXPECT_EQ(server.requests(), 0);
}

TEST(Tls, EndsAHandshakeThatNeverComesToAnEnd) {
  // The system takes the connection; nobody reads what comes, and nobody answers.
  const Descriptor listener(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t size = sizeof address;
  ASSERT_EQ(::bind(listener.number(), reinterpret_cast<sockaddr*>(&address), size), 0);
  ASSERT_EQ(::listen(listener.number(), 1), 0);
  ASSERT_EQ(::getsockname(listener.number(), reinterpret_cast<sockaddr*>(&address), &size), 0);
  ModelOptions options;
  options.model = "m";
  options.base_url = "https://127.0.0.1:" + std::to_string(ntohs(address.sin_port));
  const ChatAnswer answer = (*make_model_client(options))->chat(question(1000));
  EXPECT_EQ(answer.outcome, ModelOutcome::kTimeout) << answer.problem;
}

}  // namespace
}  // namespace knapsack::model
