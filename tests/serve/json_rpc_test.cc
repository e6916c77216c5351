#include "serve/mcp/json_rpc.h"

#include <random>

#include "support/support.h"

namespace knapsack::serve::rpc {
namespace {

using ::testing::HasSubstr;

template <class Kind>
Kind only(std::string_view bytes) {
  const Parsed parsed = parse(bytes);
  EXPECT_EQ(parsed.messages.size(), 1U);
  EXPECT_FALSE(parsed.batch);
  const auto* const found = std::get_if<Kind>(&parsed.messages.front());
  EXPECT_NE(found, nullptr) << bytes;
  return found == nullptr ? Kind{} : *found;
}

TEST(JsonRpc, ReadsRequestsNotificationsAndResponses) {
  const auto request = only<Request>(R"({"jsonrpc":"2.0","id":"a","method":"m","params":{"x":1}})");
  EXPECT_EQ(request.id, "a");
  EXPECT_EQ(request.method, "m");
  EXPECT_EQ(request.params.at("x"), 1);
  EXPECT_EQ(only<Request>(R"({"jsonrpc":"2.0","id":-5,"method":"m"})").params, Json::object());
  EXPECT_EQ(only<Notification>(R"({"jsonrpc":"2.0","method":"n"})").method, "n");
  only<Response>(R"({"jsonrpc":"2.0","id":1,"result":null})");
  only<Response>(R"({"jsonrpc":"2.0","id":1,"error":{}})");
}

struct Refusal {
  const char* bytes;
  int code;
  Json id;
};

TEST(JsonRpc, RefusesWhatIsNoMessageUnderTheIdThatItHas) {
  for (const Refusal& each :
       std::vector<Refusal>{{"", kParseError, nullptr},
                            {"{", kParseError, nullptr},
                            {"\xff", kParseError, nullptr},
                            {R"("text")", kInvalidRequest, nullptr},
                            {"[]", kInvalidRequest, nullptr},
                            {"{}", kInvalidRequest, nullptr},
                            {R"({"jsonrpc":2,"id":4,"method":"m"})", kInvalidRequest, 4},
                            {R"({"jsonrpc":"2.0","id":4})", kInvalidRequest, 4},
                            {R"({"jsonrpc":"2.0","id":4,"method":[]})", kInvalidRequest, 4},
                            {R"({"jsonrpc":"2.0","id":4.0,"method":"m"})", kInvalidRequest, nullptr},
                            {R"({"jsonrpc":"2.0","id":null,"method":"m"})", kInvalidRequest, nullptr},
                            {R"({"jsonrpc":"2.0","id":4,"method":"m","params":[]})", kInvalidParams, 4},
                            {R"({"jsonrpc":"2.0","id":4,"method":"m","params":null})", kInvalidParams, 4}}) {
    const auto malformed = only<Malformed>(each.bytes);
    EXPECT_EQ(malformed.failure.code, each.code) << each.bytes;
    EXPECT_EQ(malformed.id, each.id) << each.bytes;
    EXPECT_FALSE(malformed.failure.message.empty());
  }
}

TEST(JsonRpc, LimitsDepthAndSizeBeforeItParses) {
  const auto nested = [](size_t levels) {
    return R"({"jsonrpc":"2.0","id":1,"method":"m","params":)" + std::string(levels, '[') +
           std::string(levels, ']') + "}";
  };
  EXPECT_THAT(only<Malformed>(nested(kMaxMessageDepth)).failure.message, HasSubstr("deep"));
  EXPECT_THAT(only<Malformed>(nested(kMaxMessageDepth - 1)).failure.message, HasSubstr("params"));
  EXPECT_THAT(only<Malformed>(std::string(1'000'000, '[')).failure.message, HasSubstr("deep"));
  EXPECT_THAT(only<Malformed>(std::string(kMaxMessageBytes + 1, ' ')).failure.message, HasSubstr("bytes"));
}

TEST(JsonRpc, ABatchKeepsItsOrderAndItsMistakes) {
  const Parsed parsed = parse(R"([{"jsonrpc":"2.0","id":1,"method":"a"},7,{"jsonrpc":"2.0","method":"b"}])");
  EXPECT_TRUE(parsed.batch);
  ASSERT_EQ(parsed.messages.size(), 3U);
  EXPECT_TRUE(std::holds_alternative<Request>(parsed.messages[0]));
  EXPECT_TRUE(std::holds_alternative<Malformed>(parsed.messages[1]));
  EXPECT_TRUE(std::holds_alternative<Notification>(parsed.messages[2]));
}

TEST(JsonRpc, AnswersAreOneLineWhateverTheyHold) {
  const Json hostile = {{"text", "line\nbreak \xff \x01"}, {"id", "\r\n"}};
  for (const std::string& line :
       {result_text("a\nb", hostile), failure_text(nullptr, {kInternalError, "x\ny"}),
        notification_text("n", hostile)}) {
    EXPECT_EQ(line.find('\n'), std::string::npos);
    EXPECT_TRUE(Json::accept(line));
  }
}

// Any change of a good message is read or refused, never anything else.
TEST(JsonRpc, SurvivesRandomDamage) {
  const std::string good =
      R"({"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"search","arguments":{"query":"\u00e4"}}})";
  std::mt19937_64 random(5);
  for (int i = 0; i < 20'000 / testing::cases_divisor(); ++i) {
    std::string bytes = good;
    for (size_t changes = 1 + random() % 4; changes > 0; --changes) {
      const size_t at = random() % bytes.size();
      if (random() % 2 == 0) {
        bytes[at] = static_cast<char>(random());
      } else {
        bytes.erase(at, random() % 5);
        if (bytes.empty()) bytes = "x";
      }
    }
    EXPECT_EQ(parse(bytes).messages.empty(), false);
  }
}

}  // namespace
}  // namespace knapsack::serve::rpc
