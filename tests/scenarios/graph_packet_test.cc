// What `graph pack` says of a request: why it took an intent, which words made entities, what is missing.
#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "support/support.h"

namespace knapsack {
namespace {

using nlohmann::json;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

class GraphRequest : public ::testing::Test {
 protected:
  void SetUp() override {
    folder_.write(".git/HEAD", "ref: refs/heads/main\n");
    ASSERT_EQ(run({"graph", "init"}).exit_code, 0);
    for (int i = 1; i <= 12; ++i)
      put({{"id", fmt::format("KG-FACT-{}", i)},
           {"type", "fact"},
           {"title", fmt::format("Of the importer, number {}", i)}});
  }
  testing::ProgramResult run(std::vector<std::string> arguments, const std::string& input = "") {
    arguments.insert(arguments.end(), {"--now", "2026-11-15T08:00:00Z"});
    return testing::run_program(arguments, folder_.path(), {}, input);
  }
  void put(const json& node) {
    const auto result = run({"graph", "put", "-"}, node.dump());
    ASSERT_EQ(result.exit_code, 0) << result.err;
  }
  json pack(const std::string& request, std::vector<std::string> more = {}) {
    more.insert(more.begin(), {"graph", "pack", "--dry-run", "--format", "json", "--request-text", request});
    const auto result = run(more);
    EXPECT_EQ(result.exit_code, 0) << result.err;
    return json::parse(result.out);
  }
  static std::vector<std::string> ids(const json& rows) {
    std::vector<std::string> all;
    for (const json& row : rows) all.push_back(row.at("id"));
    return all;
  }

  testing::TemporaryFolder folder_;
};

TEST_F(GraphRequest, IsToldWhichWordsDecidedItsIntent) {
  EXPECT_EQ(pack("fix the crash of it")["intent_reason"], "by the words: fix, crash");
  EXPECT_EQ(pack("fix the crash of it")["intent"], "debug");
  EXPECT_EQ(pack("the prefix")["intent"], "explain") << "\"fix\" inside a word is none";
  EXPECT_EQ(pack("hello")["intent"], "explain") << "no marker at all";
}

TEST_F(GraphRequest, MatchesTheTypeOfANodeAndNoStopWord) {
  put({{"id", "KG-DEF-1"}, {"type", "definition"}, {"title", "Of something"}});
  EXPECT_THAT(ids(pack("show every definition", {"--intent", "explain"})["entities"]),
              ElementsAre("KG-DEF-1"));
  EXPECT_THAT(ids(pack("of the", {"--intent", "explain"})["entities"]), IsEmpty());
}

TEST_F(GraphRequest, ListsEveryConditionThatHeldAndSuggestsOnlyThen) {
  const json lacking = pack("fix the crash of it");
  EXPECT_EQ(lacking["critical_info_missing"], true);
  EXPECT_THAT(lacking["critical_reasons"],
              ElementsAre("the request names no node and shares no distinctive word with one",
                          "no task bears on the request", "no knowledge bears on the request"));
  EXPECT_EQ(lacking["clarify_suggestion"]["questions"].size(), 3U);
  const json whole = pack("plan KG-FACT-1");
  EXPECT_EQ(whole["critical_info_missing"], false);
  EXPECT_THAT(whole["critical_reasons"], IsEmpty());
  EXPECT_FALSE(whole.contains("clarify_suggestion")) << "nothing is missing";
  EXPECT_FALSE(pack("fix the crash of it", {"--intent", "explain"}).contains("clarify_suggestion"));
}

TEST_F(GraphRequest, ShowsTwentyRecentChangesUnlessToldOtherwise) {
  for (int i = 20; i < 50; ++i) {
    const json line = {{"id", fmt::format("KG-FACT-{}", i)},
                       {"type", "fact"},
                       {"title", fmt::format("Number {}", i)},
                       {"rev", 1},
                       {"updated_at", "2026-11-15T08:00:00Z"}};
    folder_.write("graphs/kg_nodes.jsonl", folder_.read("graphs/kg_nodes.jsonl") + line.dump() + "\n");
  }
  EXPECT_EQ(pack("explain KG-FACT-1")["recent_deltas"].size(), 20U);
  EXPECT_EQ(pack("explain KG-FACT-1", {"--max-deltas", "7"})["recent_deltas"].size(), 7U);
}

TEST_F(GraphRequest, IsAnsweredWithTheRevisionThatShowPrints) {
  const auto append = [&](const json& line) {
    folder_.write("graphs/kg_nodes.jsonl", folder_.read("graphs/kg_nodes.jsonl") + line.dump() + "\n");
  };
  append({{"id", "KG-FACT-90"},
          {"type", "fact"},
          {"title", "Alabaster"},
          {"rev", 1},
          {"updated_at", "2026-03-01T00:00:00Z"}});
  append({{"id", "KG-FACT-90"},
          {"type", "fact"},
          {"title", "Basalt"},
          {"rev", 2},
          {"updated_at", "2026-02-01T00:00:00Z"}});
  const auto title = [&] {
    const json shown = json::parse(run({"graph", "show", "KG-FACT-90", "--format", "json"}).out);
    const json packed = pack("explain KG-FACT-90")["knowledge_snapshot"];
    EXPECT_EQ(packed.at(0)["title"], shown["title"]);
    return shown["title"].get<std::string>();
  };
  EXPECT_EQ(title(), "Basalt") << "all have a number: the highest";
  append(
      {{"id", "KG-FACT-90"}, {"type", "fact"}, {"title", "Chalk"}, {"updated_at", "2025-01-01T00:00:00Z"}});
  EXPECT_EQ(title(), "Alabaster") << "one has none: the newest update";
}

}  // namespace
}  // namespace knapsack
