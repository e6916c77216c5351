#include "text/secrets/redact.h"

#include "support/support.h"

namespace knapsack {
namespace {

std::string redacted(std::string text) {
  redact_secrets(text);
  return text;
}

TEST(Redaction, ReplacesKnownShapesOnly) {
  const std::string token(36, 'a');
  const std::pair<std::string, std::string> cases[] = {
      {"key AKIAIOSFODNN7EXAMPLE.", "key [redacted: AWS access key]."},
      {"ghp_" + token, "[redacted: GitHub token]"},
      {"ghs_" + token + " gh_ github_pat_" + token, "[redacted: GitHub token] gh_ [redacted: GitHub token]"},
      {"ASIAIOSFODNN7EXAMPLE", "[redacted: AWS access key]"},
      {"AIza" + token, "[redacted: Google API key]a"},
      {"eyJ" + token + ".eyJ" + token + "." + token, "[redacted: JSON web token]"},
      {"xoxb-1234567890-abc", "[redacted: Slack token]"},
      {"sk-proj-abcdefghijklmnopqrstuvwx", "[redacted: API key]"},
      {"postgres://bob:s3cret@db/x", "postgres://bob:[redacted: password in a URL]@db/x"},
      {"-----BEGIN RSA PRIVATE KEY-----\nabc\n-----END RSA PRIVATE KEY-----\nrest",
       "[redacted: private key]\nrest"},
      {"-----BEGIN PRIVATE KEY-----\n" + token + "\nthen prose goes on",
       "[redacted: private key]\nthen prose goes on"},
      {"-----BEGIN PRIVATE KEY----- is how it begins", "-----BEGIN PRIVATE KEY----- is how it begins"},
      {"redis://:s3cret@cache/0", "redis://:[redacted: password in a URL]@cache/0"},
      {"password: s3cr3tpa55", "password: [redacted: password]"},
      {"https://bob:${PASSWORD}@db/x", "https://bob:${PASSWORD}@db/x"},
      {"ghp_" + std::string(36, 'x'), "ghp_" + std::string(36, 'x')},
      {"https://example.org:8080/a@b", "https://example.org:8080/a@b"},
      {"task-force sk-short AKIA ghp_short", "task-force sk-short AKIA ghp_short"},
      {"_ k V I ://", "_ k V I ://"},
      {"sk", "sk"},
      {"", ""},
  };
  for (const auto& [text, expected] : cases) EXPECT_EQ(redacted(text), expected);
}

// The shortest and the longest of each shape, and what is one character off.
TEST(Redaction, KnowsTheLimitsOfEachShape) {
  const auto run = [](size_t length) { return std::string(length, 'Q'); };
  const std::string wide = "\u00e9";
  std::string user, password;
  for (int i = 0; i < 64; ++i) user += wide;
  for (int i = 0; i < 256; ++i) password += wide;
  const std::pair<std::string, bool> cases[] = {
      {"AKIA" + run(16), true},
      {"AKIA" + run(15), false},
      {"AKIA" + run(17), false},
      {"ghp_" + run(36), true},
      {"ghp_" + run(35), false},
      {"github_pat_" + run(22), true},
      {"github_pat_" + run(21), false},
      {"xoxp-" + run(10), true},
      {"xoxp-" + run(9), false},
      {"sk-" + run(20), true},
      {"sk-" + run(19), false},
      {"disk-" + run(20), false},
      {"AIza" + run(35), true},
      {"AIza" + run(34), false},
      {"eyJ" + run(10) + ".eyJ" + run(10) + "." + run(10), true},
      {"eyJ" + run(9) + ".eyJ" + run(10) + "." + run(10), false},
      {"ftp://a:bcd@", true},
      {"ftp://a:bc@", false},
      {"ftp://a:b\v\"c'd@", true},
      {"ftp://a:b cd@", false},
      {"ftp://a:b/cd@", false},
      {"ftp://:bcd@", true},
      {"ftp://ftp://a:bcd@", true},
      {"ftp://" + user + ":" + password + "@", true},
      {"ftp://" + user + "x:" + password + "@", false},
      {"ftp://" + user + ":" + password + "x@", false},
  };
  for (const auto& [text, secret] : cases) {
    for (const std::string& around : {std::string(), std::string(" "), std::string("\n")})
      EXPECT_EQ(redacted(around + text + around) != around + text + around, secret) << text;
  }
}

TEST(Redaction, CountsEveryReplacement) {
  std::string text = "AKIAIOSFODNN7EXAMPLE AKIAIOSFODNN7EXAMPL2 https://a:bcd@e";
  EXPECT_EQ(redact_secrets(text), 3U);
  EXPECT_EQ(redact_secrets(text), 0U) << "what was replaced is no secret: " << text;
}

TEST(Redaction, SaysHowManyInWords) {
  std::string text = "AKIA" + std::string(16, 'Q') + " and AKIA" + std::string(16, 'R') + "\n[redacted]\n";
  EXPECT_EQ(redact_secrets(text), 2U);
  EXPECT_EQ(count_redacted(text), 2U);
  EXPECT_EQ(count_redacted(text.substr(text.find(" and"))), 1U);
  EXPECT_EQ(redacted_line(1, "the code"), "1 secret in the code was replaced by [redacted]");
  EXPECT_EQ(redacted_line(2, "memories"), "2 secrets in memories were replaced by [redacted]");
}

TEST(Redaction, TakesLinearTime) {
  std::string text;
  for (int i = 0; i < 20'000; ++i) text += "-----BEGIN PRIVATE KEY----- eyJ sk- :// gh_ password: ";
  EXPECT_EQ(redacted(text), text);
  for (const char* part : {"eyJ-", "eyJ.", "a://b:c", "password=", "-----BEGIN PRIVATE KEY-----A", "bearer ",
                           "sk-", "key:'", "-----BEGIN PRIVATE KEY-----\n"}) {
    std::string many;
    while (many.size() < 1'000'000) many += part;
    redact_secrets(many);
    redact_secrets(many, SecretContext::kCode);
  }
}

// A string of a program is a value, a bare word a name; in configuration both are values.
TEST(Redaction, TellsNamesFromValuesByWhatTheTextIs) {
  const std::string line = "api_key = a8F3kd0Zq71Lm92x\n";
  std::string code = line, configuration = line;
  EXPECT_EQ(redact_secrets(code, SecretContext::kCode), 0U);
  EXPECT_EQ(redact_secrets(configuration), 1U);
  EXPECT_EQ(configuration, "api_key = [redacted: secret value]\n");
}

// gdb prints arguments behind each other.
TEST(Redaction, BehindACommaOnlyAQuotedTextIsAValue) {
  std::string frame = "open (path=0x55 \"/mosquitto/config/passwd\", mode=0x55555559d2fb \"rt\")";
  EXPECT_EQ(redact_secrets(frame), 0U);
  std::string list = "[\"password\", \"tr0ub4dor&3x\"]";
  EXPECT_EQ(redact_secrets(list), 1U);
}

TEST(Redaction, OfANamedTextGoesByItsName) {
  std::string value = "tr0ub4dor&3x", other = value;
  EXPECT_EQ(redact_named("db_password", value), 1U);
  EXPECT_EQ(value, "[redacted: password]");
  EXPECT_EQ(redact_named("summary", other), 0U);
}

}  // namespace
}  // namespace knapsack
