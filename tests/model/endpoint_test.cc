#include "model/endpoint.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "model/chat/chat_clients.h"
#include "support/support.h"

namespace knapsack::model {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

TEST(BaseUrl, IsReadInAllTheFormsThatPeopleWrite) {
  struct Case {
    const char* text;
    bool tls;
    const char* host;
    int port;
    const char* path;
    bool versioned;
  };
  for (const Case& each : {
           Case{"http://localhost:11434", false, "localhost", 11434, "", false},
           Case{"http://localhost:11434/", false, "localhost", 11434, "", false},
           Case{"https://api.example.com/v1", true, "api.example.com", 443, "", true},
           Case{"https://api.example.com/v1/", true, "api.example.com", 443, "", true},
           Case{"http://10.0.0.1/proxy/v1//", false, "10.0.0.1", 80, "/proxy", true},
           Case{"http://host/v10", false, "host", 80, "/v10", false},
           Case{"http://[::1]:8080/x", false, "::1", 8080, "/x", false},
           Case{"https://[fe80::1]", true, "fe80::1", 443, "", false},
       }) {
    const auto url = parse_base_url(each.text);
    ASSERT_OK(url);
    EXPECT_EQ(url->target.tls, each.tls) << each.text;
    EXPECT_EQ(url->target.host, each.host) << each.text;
    EXPECT_EQ(url->target.port, each.port) << each.text;
    EXPECT_EQ(url->path, each.path) << each.text;
    EXPECT_EQ(url->versioned, each.versioned) << each.text;
  }
}

TEST(BaseUrl, IsRefusedWithOneLineWhenItIsNone) {
  for (const char* text : {"", "localhost:11434", "ftp://host", "http://", "http:///v1", "http://:80",
                           "http://host:", "http://host:0", "http://host:65536", "http://host:1x",
                           "http://host:-1", "http://[::1", "http://[]", "http://[::1]x", "http://host?x=1",
                           "http://host/#x", "http://ho st", "http://host\r\nX: y", "http://h\xc3\xb6st"}) {
    const auto url = parse_base_url(text);
    ASSERT_FALSE(url.ok()) << text;
    EXPECT_EQ(exit_code(url.error().code), 2) << text;
    EXPECT_EQ(url.error().line().find('\n'), std::string::npos) << text;
  }
}

TEST(BaseUrl, WithAPasswordIsRefusedWithoutRepeatingIt) {
  const auto url = parse_base_url("https://me:hunter2@host/v1");
  ASSERT_FALSE(url.ok());
  EXPECT_THAT(url.error().line(), Not(HasSubstr("hunter2")));
  EXPECT_THAT(url.error().line(), HasSubstr("KNAPSACK_MODEL_KEY"));
}

TEST(Provider, IsChosenByThePathOrByName) {
  const auto plain = *parse_base_url("http://h");
  const auto versioned = *parse_base_url("http://h/v1");
  EXPECT_EQ(*choose_provider("auto", plain), Provider::kOllama);
  EXPECT_EQ(*choose_provider("auto", versioned), Provider::kOpenAi);
  EXPECT_EQ(*choose_provider("openai", plain), Provider::kOpenAi);
  EXPECT_EQ(*choose_provider("ollama", versioned), Provider::kOllama);
  const auto unknown = choose_provider("gpt", plain);
  ASSERT_FALSE(unknown.ok());
  EXPECT_THAT(unknown.error().line(), HasSubstr("auto, ollama or openai"));
}

Endpoint endpoint_of(const std::string& url, Provider provider,
                     const std::map<std::string, std::string>& variables) {
  ModelOptions options;
  options.model = "m";
  options.base_url = url;
  options.environment = variables;
  auto endpoint = make_endpoint(options, provider);
  EXPECT_OK(endpoint);
  return endpoint.ok() ? *endpoint : Endpoint();
}

TEST(Key, OfTheServiceTravelsOverTlsOrWithinThisMachineOnly) {
  const std::map<std::string, std::string> service = {{"OPENAI_API_KEY", "sk-service"}};
  EXPECT_EQ(endpoint_of("https://host/v1", Provider::kOpenAi, service).key, "sk-service");
  EXPECT_EQ(endpoint_of("http://localhost/v1", Provider::kOpenAi, service).key, "sk-service");
  EXPECT_EQ(endpoint_of("http://127.0.0.1:99/v1", Provider::kOpenAi, service).key, "sk-service");
  const Endpoint open = endpoint_of("http://host/v1", Provider::kOpenAi, service);
  EXPECT_EQ(open.key, "");
  EXPECT_THAT(open.key_note, HasSubstr("is not sent without TLS"));
  EXPECT_THAT(open.key_note, Not(HasSubstr("sk-service")));
}

TEST(Key, OfTheServiceIsNotGivenToOllama) {
  EXPECT_EQ(endpoint_of("https://host", Provider::kOllama, {{"OPENAI_API_KEY", "sk-service"}}).key, "");
}

TEST(Key, GivenToThisProgramByNameComesFirstAndGoesAnywhere) {
  const std::map<std::string, std::string> both = {{"OPENAI_API_KEY", "sk-service"},
                                                   {"KNAPSACK_MODEL_KEY", "own"}};
  EXPECT_EQ(endpoint_of("https://host/v1", Provider::kOpenAi, both).key, "own");
  EXPECT_EQ(endpoint_of("http://host/v1", Provider::kOpenAi, both).key, "own");
  EXPECT_EQ(endpoint_of("http://host", Provider::kOllama, both).key, "own");
}

TEST(Key, ThatWouldBreakTheHeaderIsRefusedWithoutRepeatingIt) {
  ModelOptions options;
  options.model = "m";
  options.base_url = "http://localhost";
  for (const char* key : {"two words", "line\r\nX-Injected: 1", "tab\t", "n\xc3\xb6"}) {
    options.environment["KNAPSACK_MODEL_KEY"] = key;
    const auto client = make_model_client(options);
    ASSERT_FALSE(client.ok()) << key;
    EXPECT_THAT(client.error().line(), HasSubstr("KNAPSACK_MODEL_KEY"));
    EXPECT_THAT(client.error().line(), Not(HasSubstr(key)));
  }
}

TEST(ModelOptions, WithoutAModelOrAWindowAreRefused) {
  ModelOptions options;
  options.base_url = "http://localhost";
  EXPECT_THAT(make_model_client(options).error().line(), HasSubstr("`model`"));
  options.model = "m";
  options.window = 0;
  EXPECT_THAT(make_model_client(options).error().line(), HasSubstr("0 tokens"));
}

TEST(RemoveKey, RemovesEveryOccurrence) {
  std::string text = "abcKEYKEYdKEY";
  remove_key(text, "KEY");
  EXPECT_EQ(text.find("KEY"), std::string::npos);
  EXPECT_THAT(text, HasSubstr("abc[redacted: model key]"));
  std::string untouched = "abc";
  remove_key(untouched, "");
  EXPECT_EQ(untouched, "abc");
}

}  // namespace
}  // namespace knapsack::model
