// The one resolver of latest revisions, through what `show` and packs see.
#include "graph/store/revisions.h"

#include "graph/store/graph_reader.h"
#include "graph/support_graph.h"
#include "support/support.h"

namespace knapsack {
namespace {

using nlohmann::json;
using testing::GraphWorkspace;

// The title that each line would give the node; the one that wins.
std::string winner(const std::vector<std::pair<json, const char*>>& revs_and_updates) {
  GraphWorkspace work;
  int number = 0;
  for (const auto& [rev, updated] : revs_and_updates) {
    json node = {{"id", "KG-FACT-1"}, {"title", "line " + std::to_string(++number)}, {"type", "fact"}};
    if (!rev.is_null()) node["rev"] = rev;
    if (updated != nullptr) node["updated_at"] = updated;
    work.add_line("kg_nodes.jsonl", node.dump());
  }
  const auto shown = work.engine()->graph_show({{}, "KG-FACT-1"});
  EXPECT_OK(shown);
  return json::parse(shown->json)["title"];
}

constexpr const char* kEarly = "2026-01-01T00:00:00Z";
constexpr const char* kLate = "2026-02-01T00:00:00Z";

TEST(GraphRevisions, AllWithIntegersTheHighestIsTheLatest) {
  EXPECT_EQ(winner({{2, kEarly}, {10, kEarly}, {9, kLate}}), "line 2");
  EXPECT_EQ(winner({{-1, kEarly}, {0, kEarly}}), "line 2");
  EXPECT_EQ(winner({{3, nullptr}, {1, kLate}}), "line 1");
}

TEST(GraphRevisions, OneWithoutRevTheNewestUpdateIsTheLatest) {
  EXPECT_EQ(winner({{5, kEarly}, {nullptr, kLate}, {7, kEarly}}), "line 2");
  EXPECT_EQ(winner({{5, kLate}, {nullptr, kEarly}}), "line 1");
}

TEST(GraphRevisions, BooleansTextsAndFractionsAreNoIntegers) {
  for (const json& odd :
       {json(true), json("9"), json(9.0), json(9.5), json::array(), json(18446744073709551615ULL)}) {
    EXPECT_EQ(winner({{1, kLate}, {odd, kEarly}}), "line 1") << odd;
    EXPECT_EQ(winner({{100, kEarly}, {odd, kLate}}), "line 2") << odd;
  }
}

TEST(GraphRevisions, StillTiedTheLastLineIsTheLatest) {
  EXPECT_EQ(winner({{2, kLate}, {2, kEarly}}), "line 2");
  EXPECT_EQ(winner({{nullptr, kEarly}, {nullptr, kEarly}}), "line 2");
  EXPECT_EQ(winner({{nullptr, nullptr}, {nullptr, nullptr}}), "line 2");
  EXPECT_EQ(winner({{nullptr, nullptr}, {nullptr, kEarly}, {nullptr, nullptr}}), "line 2");
}

TEST(GraphRevisions, AMissingRevThatComesLastBringsAnOlderLineBack) {
  // Line 2 leads by rev until line 3 has none; then line 1 has the newest update, and its words must be
  // known.
  GraphWorkspace work;
  work.add({{"id", "KG-FACT-1"}, {"title", "alabaster"}, {"rev", 1}, {"updated_at", kLate}});
  work.add({{"id", "KG-FACT-1"}, {"title", "basalt"}, {"rev", 2}, {"updated_at", kEarly}});
  EXPECT_EQ(testing::ids(work.pack("the basalt")["entities"]).size(), 1U);
  work.add_line("kg_nodes.jsonl",
                R"({"id": "KG-FACT-1", "title": "chalk", "updated_at": "2025-01-01T00:00:00Z"})");
  EXPECT_EQ(testing::ids(work.pack("the alabaster")["entities"]).size(), 1U);
  EXPECT_EQ(testing::ids(work.pack("the basalt")["entities"]).size(), 0U);
}

}  // namespace
}  // namespace knapsack
