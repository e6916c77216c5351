// Adding to files that people write: the layout that comes out, that nothing else changes, and taking it
// back.
#include "clients/jsonc_edit.h"

#include <nlohmann/json.hpp>
#include <random>

#include "support/support.h"

namespace knapsack::clients {
namespace {

using nlohmann::ordered_json;

const ordered_json kServer = {{"command", "knapsack"}, {"args", {"mcp"}}};

std::string added(const std::string& text,
                  const std::vector<std::string>& path = {"mcpServers", "knapsack"}) {
  const auto insertions = add_member(text, "f", path, kServer);
  if (!insertions.ok()) return insertions.error().line();
  return with_insertions(text, *insertions);
}

TEST(JsoncEdit, FollowsTheLayoutOfTheFile) {
  const std::pair<const char*, const char*> cases[] = {
      {"",
       "{\n  \"mcpServers\": {\n    \"knapsack\": {\n      \"command\": \"knapsack\",\n      \"args\": "
       "[\"mcp\"]\n    "
       "}\n  }\n}\n"},
      {"{}",
       "{\n  \"mcpServers\": {\n    \"knapsack\": {\n      \"command\": \"knapsack\",\n      \"args\": "
       "[\"mcp\"]\n    "
       "}\n  }\n}"},
      {R"({"a":1})", R"({"a":1,"mcpServers":{"knapsack":{"command":"knapsack","args":["mcp"]}}})"},
      {R"({"mcpServers": {"x": {}}})",
       R"({"mcpServers": {"x": {}, "knapsack": {"command": "knapsack", "args": ["mcp"]}}})"},
      {"{\n\t\"mcpServers\": {\n\t\t\"x\": {}\n\t}\n}\n",
       "{\n\t\"mcpServers\": {\n\t\t\"x\": {},\n\t\t\"knapsack\": {\n\t\t\t\"command\": "
       "\"knapsack\",\n\t\t\t\"args\": "
       "[\"mcp\"]\n\t\t}\n\t}\n}\n"},
      {"{\r\n    \"mcpServers\": {\r\n    }\r\n}\r\n",
       "{\r\n    \"mcpServers\": {\r\n        \"knapsack\": {\r\n            \"command\": \"knapsack\",\r\n  "
       "          "
       "\"args\": [\"mcp\"]\r\n        }\r\n    }\r\n}\r\n"},
      {"{\n  \"mcpServers\": {\n    \"x\": {}, // last\n    // and more\n  },\n}\n",
       "{\n  \"mcpServers\": {\n    \"x\": {}, // last\n    \"knapsack\": {\n      \"command\": "
       "\"knapsack\",\n      "
       "\"args\": [\"mcp\"]\n    }\n    // and more\n  },\n}\n"},
      {"{\n  \"mcpServers\": {\n    \"x\": {} // last\n  }\n}\n",
       "{\n  \"mcpServers\": {\n    \"x\": {}, // last\n    \"knapsack\": {\n      \"command\": "
       "\"knapsack\",\n      "
       "\"args\": [\"mcp\"]\n    }\n  }\n}\n"},
  };
  for (const auto& [before, after] : cases) EXPECT_EQ(added(before), after);
}

TEST(JsoncEdit, ACommentWithoutALineBreakDoesNotSwallowWhatIsAdded) {
  for (const std::string before :
       {"// x", "// x\xEF\xBB\xBF", "\xEF\xBB\xBF// x", "/* x */", "\xEF\xBB\xBF"}) {
    const std::string after = added(before);
    const auto document = scan_jsonc(after, "f");
    ASSERT_OK(document);
    EXPECT_FALSE(document->is_blank) << after;
  }
}

TEST(JsoncEdit, RefusesAPlaceThatHoldsSomethingElse) {
  EXPECT_EQ(added("[]"), "f:1: the top level is not an object; correct it first");
  EXPECT_EQ(added("{\n \"mcpServers\": []}"), "f:2: \"mcpServers\" is not an object; correct it first");
  const auto element = add_element("{\"hooks\": {\"A\": {}}}", "f", {"hooks", "A"}, kServer);
  ASSERT_FALSE(element.ok());
  EXPECT_EQ(element.error().what, "f:1: \"A\" is not an array");
}

TEST(JsoncEdit, AddsElementsToArraysThatAreThereAndToNewOnes) {
  for (const std::string before :
       {"{}", "{\"hooks\": {}}", "{\"hooks\": {\"A\": []}}", "{\"hooks\": {\"A\": [1, 2,]}}",
        "{\n  \"hooks\": {\n    \"A\": [\n      {\"b\": 1}\n    ]\n  }\n}\n"}) {
    const auto insertions = add_element(before, "f", {"hooks", "A"}, kServer);
    ASSERT_OK(insertions);
    const std::string after = with_insertions(before, *insertions);
    const auto document = scan_jsonc(after, "f");
    ASSERT_OK(document);
    const auto list = to_json(after, *document->root.find("hooks")->find("A"));
    EXPECT_EQ(list.back(), kServer) << after;
    std::string restored;
    ASSERT_TRUE(without_insertions(after, *insertions, restored));
    EXPECT_EQ(restored, before);
  }
}

TEST(JsoncEdit, TakesOutOneThingAndItsComma) {
  const std::pair<const char*, const char*> cases[] = {
      {R"({"a": 1, "k": 2, "b": 3})", R"({"a": 1, "b": 3})"},
      {R"({"a": 1, "k": 2})", R"({"a": 1})"},
      {R"({"k": 2, "b": 3})", R"({ "b": 3})"},
      {R"({"k": 2})", "{}"},
      {R"({"k": 2,})", "{}"},
      {"{\n  \"a\": 1, // one\n  \"k\": 2\n}", "{\n  \"a\": 1 // one\n}"},
  };
  for (const auto& [before, after] : cases) {
    const std::string text = before;
    const auto document = scan_jsonc(text, "f");
    ASSERT_OK(document);
    size_t index = 0;
    while (document->root.members[index].key != "k") ++index;
    EXPECT_EQ(without_member(text, document->root, index), after);
  }
}

// Random layouts: whatever white space, comments and commas a file has, an addition is there afterwards, all
// else is as it was, and taking it back gives the same bytes.
class RandomLayout {
 public:
  explicit RandomLayout(unsigned seed) : random_(seed) {
    line_break_ = random_() % 3 == 0 ? "\r\n" : "\n";
    comments_ = random_() % 2 == 0;
  }

  std::string file() {
    std::string text = random_() % 4 == 0 ? "\xEF\xBB\xBF" : "";
    text += blank();
    const unsigned shape = random_() % 5;
    std::string servers = shape == 0 ? "" : "\"mcpServers\"" + blank() + ":" + blank() + object(2);
    std::string others = random_() % 2 == 0 ? "" : "\"other\":" + blank() + object(1);
    std::vector<std::string> parts;
    for (std::string& part : std::vector<std::string>{std::move(servers), std::move(others)})
      if (!part.empty()) parts.push_back(std::move(part));
    if (random_() % 2 == 0) std::reverse(parts.begin(), parts.end());
    return text + list(parts) + blank();
  }

 private:
  std::string blank() {
    std::string text;
    for (unsigned i = random_() % 4; i > 0; --i) {
      switch (random_() % (comments_ ? 6 : 4)) {
        case 0:
          text += line_break_;
          break;
        case 1:
          text += "\t";
          break;
        case 4:
          text += "/* c" + line_break_ + " */";
          break;
        case 5:
          text += "// x, {" + line_break_;
          break;
        default:
          text += "  ";
      }
    }
    return text;
  }

  std::string list(const std::vector<std::string>& parts) {
    std::string text = "{" + blank();
    for (size_t i = 0; i < parts.size(); ++i) {
      text += parts[i] + blank();
      if (i + 1 < parts.size() || random_() % 3 == 0) text += "," + blank();
    }
    return text + "}";
  }

  std::string object(int depth) {
    std::vector<std::string> parts;
    for (unsigned i = random_() % 4; i > 0; --i) {
      std::string value = depth > 0 && random_() % 2 == 0 ? object(depth - 1) : "[1," + blank() + "\"}//\"]";
      parts.push_back("\"s" + std::to_string(i) + "\"" + blank() + ":" + blank() + value);
    }
    return list(parts);
  }

  std::mt19937 random_;
  std::string line_break_;
  bool comments_;
};

TEST(JsoncEdit, KeepsEveryOtherByteWhateverTheLayout) {
  for (unsigned seed = 0; seed < 4000U / static_cast<unsigned>(testing::cases_divisor()); ++seed) {
    const std::string before = RandomLayout(seed).file();
    const auto parsed = scan_jsonc(before, "f");
    ASSERT_TRUE(parsed.ok()) << before << "\n" << parsed.error().line();
    const auto insertions = add_member(before, "f", {"mcpServers", "knapsack"}, kServer);
    ASSERT_TRUE(insertions.ok()) << before;
    const std::string after = with_insertions(before, *insertions);

    const auto document = scan_jsonc(after, "f");
    ASSERT_TRUE(document.ok()) << before << "\n->\n" << after << "\n" << document.error().line();
    auto meaning = to_json(after, document->root);
    EXPECT_EQ(meaning["mcpServers"]["knapsack"], kServer) << after;
    meaning["mcpServers"].erase("knapsack");
    auto expected = to_json(before, parsed->root);
    if (!expected.contains("mcpServers")) meaning.erase("mcpServers");
    EXPECT_EQ(nlohmann::json(meaning), nlohmann::json(expected)) << after;

    std::string restored;
    ASSERT_TRUE(without_insertions(after, *insertions, restored));
    EXPECT_EQ(restored, before);

    // The other way out, for files that were edited since.
    const JsonNode* servers = document->root.find("mcpServers");
    ASSERT_NE(servers, nullptr);
    const std::string removed = without_member(after, *servers, servers->members.size() - 1);
    const auto without = scan_jsonc(removed, "f");
    ASSERT_TRUE(without.ok()) << after << "\n->\n" << removed << "\n" << without.error().line();
    EXPECT_EQ(without->root.find("mcpServers")->find("knapsack"), nullptr);
  }
}

}  // namespace
}  // namespace knapsack::clients
