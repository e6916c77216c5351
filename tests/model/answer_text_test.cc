#include "model/answer_text.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <nlohmann/json.hpp>

#include "support/support.h"

namespace knapsack::model {
namespace {

using nlohmann::json;

const json kSchema = {{"type", "object"},
                      {"properties", {{"a", {{"type", "integer"}}}}},
                      {"required", {"a"}},
                      {"additionalProperties", false}};

TEST(ReadAnswer, FindsTheOneObjectInWhateverIsAroundIt) {
  for (const char* text :
       {R"({"a": 1})", "  {\"a\": 1}\n", "```json\n{\"a\": 1}\n```", "Sure: {\"a\": 1} as you asked.",
        "<think>so {be it}</think>{\"a\": 1}", "{ not this } but {\"a\": 1}", "a } b {\"a\": 1} c {",
        "\"quoted { brace\" then {\"a\":1}"}) {
    const auto answer = read_answer(text, kSchema);
    ASSERT_OK(answer);
    EXPECT_EQ(*answer, (json{{"a", 1}})) << text;
  }
}

TEST(ReadAnswer, ReadsTextsWithBracesInside) {
  const json schema = {{"type", "object"}};
  const auto answer = read_answer(R"(Here: {"a": "} \" {", "b": {"c": []}} done)", schema);
  ASSERT_OK(answer);
  EXPECT_EQ(answer->at("a"), "} \" {");
}

TEST(ReadAnswer, SaysWhatIsWrong) {
  const std::pair<const char*, const char*> cases[] = {
      {"", "an empty answer"},
      {"I would rather not.", "not JSON"},
      {"{\"a\": 1", "not JSON"},
      {"{\"a\": 1} or {\"a\": 2}", "more than one JSON object"},
      {"{\"b\": 1}", "the answer: 'a' is missing"},
      {"{\"a\": \"1\"}", "/a: must be of type integer"},
      {"[1]", "the answer: must be of type object"},
      {"null", "the answer: must be of type object"},
      {"{\"a\": 1, \"\xff\": 2}", "not JSON"},
  };
  for (const auto& [text, problem] : cases) {
    const auto answer = read_answer(text, kSchema);
    ASSERT_FALSE(answer.ok()) << text;
    EXPECT_EQ(answer.error().what, problem) << text;
  }
}

TEST(ReadAnswer, GivesUpOnHostileTextInLinearTime) {
  const auto began = std::chrono::steady_clock::now();
  const std::string unclosed(200'000, '{');
  std::string nested;
  for (int i = 0; i < 40'000; ++i) nested += "{\"a\":";
  std::string pairs;
  for (int i = 0; i < 40'000; ++i) pairs += "{x}";
  for (const std::string& text : {unclosed, nested, pairs}) {
    EXPECT_FALSE(read_answer(text, kSchema).ok());
  }
  EXPECT_LT(std::chrono::steady_clock::now() - began, std::chrono::seconds(5));
}

TEST(ReadAnswer, AcceptsTheDeepestNestingThatItPromisesAndNothingDeeper) {
  const auto nested = [](int depth) { return std::string(depth, '[') + std::string(depth, ']'); };
  EXPECT_TRUE(parse_bounded_json(nested(kMaxAnswerDepth)).ok());
  EXPECT_FALSE(parse_bounded_json(nested(kMaxAnswerDepth + 1)).ok());
  // A second value does not hide behind a first, shallow one.
  EXPECT_FALSE(parse_bounded_json("[]" + nested(100'000)).ok());
}

const json kItem = {
    {"type", "object"}, {"properties", {{"id", {{"type", {"number", "string"}}}}}}, {"required", {"id"}}};

TEST(ReadListed, KeepsTheItemsBeforeACutAndThoseBesideUnusableOnes) {
  struct Case {
    const char* text;
    json items;
    bool all;
  };
  const Case cases[] = {
      {R"({"v": [{"id": 1}, {"id": "2", "more": [3]}]})", {{{"id", 1}}, {{"id", "2"}, {"more", {3}}}}, true},
      {R"({"v": [{"id": 1}, {"id": 2}, {"i)", {{{"id", 1}}, {{"id", 2}}}, false},
      {R"({"v": [{"id": 1}, {"id": 2, "reason": "cut in the mid)", {{{"id", 1}}}, false},
      {R"({"v": [{"id": 1})", {{{"id", 1}}}, false},
      {R"({"v": [{"id": true}, {"id": 2}]})", {{{"id", 2}}}, false},
      {R"([{"id": 7}])", {{{"id", 7}}}, true},
      {R"({"v": []})", json::array(), true},
      {R"(<think>{"v": [{"id": 9}]} hm</think> {"v": [{"id": 1}]})", {{{"id", 1}}}, true},
      {R"({"v": [{"id": 1, "reason": "a ] and a } in it"}, {"id": 2}]})",
       {{{"id", 1}, {"reason", "a ] and a } in it"}}, {{"id", 2}}},
       true},
  };
  for (const Case& each : cases) {
    bool all = !each.all;
    const auto answer = read_listed(each.text, "v", kItem, all);
    ASSERT_OK(answer);
    EXPECT_EQ(answer->at("v"), each.items) << each.text;
    EXPECT_EQ(all, each.all) << each.text;
  }
}

TEST(ReadListed, SaysWhatIsWrong) {
  const std::pair<const char*, const char*> cases[] = {
      {"", "an empty answer"},
      {"I would rather not.", "no list of v"},
      {R"({"w": []})", "no list of v"},
      {R"({"v": )", "no list of v"},
      {R"({"v": [{"id")", "no usable item in the list of v"},
      {R"({"v": [{"x": 1}]})", "no usable item in the list of v"}};
  for (const auto& [text, problem] : cases) {
    bool all = true;
    const auto answer = read_listed(text, "v", kItem, all);
    ASSERT_FALSE(answer.ok()) << text;
    EXPECT_EQ(answer.error().what, problem) << text;
  }
}

TEST(ReadCutAnswer, TakesWhatWasWholeBeforeTheCut) {
  const nlohmann::json names = {{"type", "array"}, {"items", {{"type", "string"}}}};
  const nlohmann::json schema = {
      {"type", "object"},
      {"properties", {{"intent", {{"type", "string"}}}, {"files", names}, {"symbols", names}}},
      {"required", {"intent", "files", "symbols"}},
      {"additionalProperties", false}};
  const std::string whole = R"({"intent": "fix, it", "files": ["a.py", "b\"],.py"], "symbols": ["f", "g"]})";
  const auto read = [&](const std::string& text) { return read_cut_answer(text, schema); };
  EXPECT_EQ(
      *read(R"({"intent": "fix, it", "files": ["a.py", "b_with_b_wi)"),
      (nlohmann::json{{"intent", "fix, it"}, {"files", {"a.py"}}, {"symbols", nlohmann::json::array()}}));
  EXPECT_EQ((*read(R"({"intent": "fix", "fil)"))["intent"], "fix");
  EXPECT_EQ((*read(R"(Sure: {"intent": "fix", "files": [)"))["files"], nlohmann::json::array());
  EXPECT_FALSE(read(R"({"intent": "fix th)").ok()) << "nothing was whole";
  EXPECT_FALSE(read(R"({"intent": 3, "files": [)").ok()) << "not what was asked for";
  EXPECT_FALSE(read("no JSON").ok());
  // Cut anywhere, it is read or refused, and what is read is true.
  for (size_t cut = 0; cut < whole.size(); ++cut) {
    const auto answer = read(whole.substr(0, cut));
    if (answer.ok()) {
      EXPECT_EQ((*answer)["intent"], "fix, it") << cut;
    }
  }
  EXPECT_FALSE(read("{" + std::string(100'000, '[')).ok());
}

}  // namespace
}  // namespace knapsack::model
