#include "graph/store/node_heading.h"

#include "graph/store/node_text.h"
#include "support/support.h"

namespace knapsack::graph {
namespace {

using nlohmann::json;

// The title line of a heading is that of the whole node.
TEST(NodeHeading, SaysWhatTheWholeNodeSaysInItsTitleLine) {
  const json nodes[] = {
      {{"id", "KG-FACT-1"}},
      {{"id", "KG-FACT-2"},
       {"title", "Ship it"},
       {"type", "fact"},
       {"status", "active"},
       {"summary", "long"}},
      {{"id", "RG-DEC-1"}, {"title", "Из файла"}, {"outcome", {{"status", "accepted"}, {"why", "cheap"}}}},
      {{"id", "RG-DEC-2"}, {"status", "draft"}, {"outcome", json::object()}},
      {{"id", "TG-TASK-1"}, {"title", 7}, {"status", {"a", "b"}}, {"outcome", "done"}},
      {{"id", "TG-TASK-2"}, {"title", "tab\there\nand \"quotes\""}, {"type", std::string(300, 'x')}},
  };
  for (const json& node : nodes) {
    const json heading = read_heading(node.dump());
    EXPECT_EQ(title_line(heading), title_line(node)) << node.dump();
    EXPECT_EQ(shown_title(heading), shown_title(node)) << node.dump();
    EXPECT_FALSE(heading.contains("summary"));
  }
}

TEST(NodeHeading, WhatIsNoNodeHasNone) {
  for (const std::string line : {"", "[1]", "7", "{\"id\": \"KG-1\"", "{\"id\": \"\xff\"}", "null"})
    EXPECT_TRUE(read_heading(line).is_null()) << line;
  EXPECT_TRUE(read_heading("{\"a\": " + std::string(5000, '[') + std::string(5000, ']') + "}").is_null());
}

}  // namespace
}  // namespace knapsack::graph
