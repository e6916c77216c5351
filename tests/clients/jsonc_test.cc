// The scanner: what it accepts, where it says things are, and that it survives anything.
#include "clients/jsonc.h"

#include <nlohmann/json.hpp>
#include <random>

#include "support/support.h"

namespace knapsack::clients {
namespace {

using ::testing::HasSubstr;

TEST(Jsonc, ReadsCommentsAndCommasThatPlainJsonDoesNotHave) {
  const std::string text =
      "\xEF\xBB\xBF// top\n{ /* a */ \"a\" : [1, 2, /* b */ ], // c\r\n \"b\": {\"x\": \"//no\"}, }\n";
  const auto document = scan_jsonc(text, "f");
  ASSERT_OK(document);
  EXPECT_EQ(to_json(text, document->root).dump(), R"({"a":[1,2],"b":{"x":"//no"}})");
}

TEST(Jsonc, SaysWhereEachValueStands) {
  const std::string text = "{\n  \"a\": [10, \"x\"]\n}";
  const auto document = scan_jsonc(text, "f");
  ASSERT_OK(document);
  const JsonNode* list = document->root.find("a");
  ASSERT_NE(list, nullptr);
  EXPECT_EQ(text.substr(list->begin, list->end - list->begin), "[10, \"x\"]");
  EXPECT_EQ(text.substr(list->elements[1].begin, list->elements[1].end - list->elements[1].begin), "\"x\"");
  EXPECT_EQ(document->root.members[0].begin, 4U);
}

TEST(Jsonc, OfANameThatIsThereTwiceTheLastCounts) {
  const std::string text = R"({"a": 1, "a": 2})";
  const auto document = scan_jsonc(text, "f");
  ASSERT_OK(document);
  EXPECT_EQ(to_json(text, *document->root.find("a")), 2);
}

TEST(Jsonc, KnowsABlankFile) {
  for (const char* text : {"", " \n\t", "\xEF\xBB\xBF", "// nothing yet", "/* */ // x\n"}) {
    const auto document = scan_jsonc(text, "f");
    ASSERT_OK(document);
    EXPECT_TRUE(document->is_blank) << text;
  }
}

TEST(Jsonc, RefusesWhatIsNoJsonWithItsLineAndColumn) {
  const std::pair<const char*, const char*> cases[] = {
      {"{", "f:1:2: "},
      {"{\"a\": 1", "',' or '}'"},
      {"{\"a\" 1}", "':' is expected"},
      {"{a: 1}", "a name in quotes"},
      {"{\n \"a\": tru\n}", "f:2:7: this is not JSON value"},
      {"{\"a\": \"x\n\"}", "does not end on its line"},
      {"[1,,2]", "this is not JSON value"},
      {"{} {}", "there is more"},
      {"/* open", "never ends"},
      {"{\"a\": 01}", "this is not JSON value"},
      {"{'a': 1}", "a name in quotes"},
      {"{\"a\": \"\\q\"}", "this is not JSON value"},
      {"{\"a\": \"\xff\"}", "this is not JSON value"},
  };
  for (const auto& [text, says] : cases) {
    const auto document = scan_jsonc(text, "f");
    ASSERT_FALSE(document.ok()) << text;
    EXPECT_THAT(document.error().line(), HasSubstr(says)) << text;
    EXPECT_EQ(document.error().code, ErrorCode::kConfig);
  }
}

TEST(Jsonc, RefusesNestingThatNobodyWrites) {
  const auto document = scan_jsonc(std::string(1'000'000, '['), "f");
  ASSERT_FALSE(document.ok());
  EXPECT_THAT(document.error().line(), HasSubstr("nested too deeply"));
}

nlohmann::ordered_json random_value(std::mt19937& random, int depth) {
  switch (random() % (depth > 3 ? 4 : 6)) {
    case 0:
      return static_cast<int>(random() % 1000) - 500;
    case 1:
      return random() % 2 == 0;
    case 2:
      return nullptr;
    case 3:
      return std::string(random() % 2 == 0 ? "a \"b\" // c" : "пр\\ивет\n");
    case 4: {
      auto list = nlohmann::ordered_json::array();
      for (unsigned i = random() % 4; i > 0; --i) list.push_back(random_value(random, depth + 1));
      return list;
    }
    default: {
      auto object = nlohmann::ordered_json::object();
      for (unsigned i = random() % 4; i > 0; --i)
        object["k" + std::to_string(random() % 9)] = random_value(random, depth + 1);
      return object;
    }
  }
}

// Differential: what a JSON library writes, this reads the same.
TEST(Jsonc, ReadsWhatAJsonLibraryWrites) {
  std::mt19937 random(7);
  for (int i = 0; i < 2000 / testing::cases_divisor(); ++i) {
    const auto value = random_value(random, 0);
    const std::string text = value.dump(static_cast<int>(random() % 4) - 1);
    const auto document = scan_jsonc(text, "f");
    ASSERT_OK(document);
    EXPECT_EQ(to_json(text, document->root), value) << text;
  }
}

// Differential: of plain JSON that was damaged, both accept the same.
TEST(Jsonc, AcceptsNoDamagedJsonThatALibraryRefuses) {
  std::mt19937 random(11);
  for (int i = 0; i < 3000 / testing::cases_divisor(); ++i) {
    std::string text = random_value(random, 0).dump(static_cast<int>(random() % 3) - 1);
    constexpr std::string_view kBytes = "{}[]:\"\\ 0-.e\n";
    for (unsigned n = random() % 3; n > 0 && !text.empty(); --n)
      text[random() % text.size()] = kBytes[random() % kBytes.size()];
    const auto document = scan_jsonc(text, "f");
    const auto other = nlohmann::ordered_json::parse(text, nullptr, false, true);  // comments are fine
    if (!other.is_discarded()) {
      ASSERT_TRUE(document.ok()) << text << "\n" << document.error().line();
      EXPECT_EQ(to_json(text, document->root), other) << text;
    } else if (document.ok() && !document->is_blank) {
      // Only a comma before a closing bracket may make the difference.
      const std::string rewritten = to_json(text, document->root).dump();
      EXPECT_FALSE(nlohmann::json::parse(rewritten, nullptr, false).is_discarded()) << text;
      EXPECT_NE(text.find(','), std::string::npos) << text;
    }
  }
}

}  // namespace
}  // namespace knapsack::clients
