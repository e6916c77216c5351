// The same graph, the same bytes; the order of lines is no part of a graph.
#include <algorithm>
#include <random>

#include "graph/support_graph.h"
#include "support/support.h"
#include "text/tokens/token_counter.h"

namespace knapsack {
namespace {

using nlohmann::json;
using testing::GraphWorkspace;

constexpr const char* kWords[] = {"import", "carrier", "manifest", "retry",
                                  "offset", "queue",   "status",   "batch"};

struct RandomGraph {
  std::vector<json> nodes;
  std::string request;
};

RandomGraph make_graph(uint32_t seed) {
  std::mt19937 random(seed);
  const auto below = [&](size_t limit) {
    return std::uniform_int_distribution<size_t>(0, limit - 1)(random);
  };
  const size_t count = 1 + below(40);
  const char* prefixes[] = {"KG-FACT-", "RG-DEC-", "TG-TASK-"};
  const auto id = [&](size_t number) { return prefixes[number % 3] + std::to_string(number); };
  RandomGraph graph;
  for (size_t i = 0; i < count; ++i) {
    const size_t revisions = 1 + below(3);
    for (size_t rev = 1; rev <= revisions; ++rev) {
      json node = {{"id", id(i)},
                   {"rev", rev},
                   {"type", i % 3 == 0   ? "fact"
                            : i % 3 == 1 ? "decision"
                                         : "task"},
                   {"title", std::string(kWords[below(8)]) + " " + kWords[below(8)]},
                   {"updated_at", "2026-11-" + std::to_string(10 + below(6)) + "T00:00:00Z"}};
      if (below(3) == 0) node["tags"] = {"risk"};
      if (i % 3 == 1) {
        node["outcome"] = {{"status", below(2) == 0 ? "accepted" : "superseded"},
                           {"supersedes", {id(below(count))}}};
        node["refs"] = {{"kg_refs", {id(below(count))}}};
      }
      if (i % 3 == 2) {
        node["status"] = below(2) == 0 ? "in_progress" : "done";
        node["dependencies"] = {id(below(count))};
        node["blocks"] = {id(below(count))};
      }
      graph.nodes.push_back(std::move(node));
    }
  }
  graph.request = std::string("continue the ") + kWords[below(8)] + " of " + id(below(count));
  return graph;
}

json pack_of(const RandomGraph& graph) {
  GraphWorkspace work;
  for (const json& node : graph.nodes) work.add(node);
  return work.pack(graph.request);
}

TEST(GraphDeterminism, AThousandRandomGraphsGiveTheSameBytesTwice) {
  const int cases = 1000 / testing::cases_divisor();
  for (int seed = 0; seed < cases; ++seed) {
    const RandomGraph graph = make_graph(static_cast<uint32_t>(seed));
    ASSERT_EQ(pack_of(graph).dump(), pack_of(graph).dump()) << seed;
  }
}

TEST(GraphDeterminism, ShuffledLinesGiveTheSameSelection) {
  const int cases = 300 / testing::cases_divisor();
  for (int seed = 0; seed < cases; ++seed) {
    RandomGraph graph = make_graph(static_cast<uint32_t>(seed));
    const json before = pack_of(graph);
    std::mt19937 random(static_cast<uint32_t>(seed));
    std::shuffle(graph.nodes.begin(), graph.nodes.end(), random);
    ASSERT_EQ(before.dump(), pack_of(graph).dump()) << seed;
  }
}

TEST(GraphBudget, HoldsForEveryBudgetFormatAndCounter) {
  const int cases = 1500 / testing::cases_divisor();
  std::mt19937 random(7);
  const char* counters[] = {"chars4", "bytes4", "cl100k", "o200k"};
  size_t full = 0, empty = 0, reduced = 0;
  for (int i = 0; i < cases; ++i) {
    const RandomGraph graph = make_graph(static_cast<uint32_t>(i));
    GraphWorkspace work;
    for (json node : graph.nodes) {
      node["summary"] = node["description"] =
          std::string(random() % 300, 'x') + "\n## heading\n```\n" + std::string(kWords[i % 8]);
      work.add(node);
    }
    GraphPackRequest request;
    request.request = graph.request;
    request.dry_run = true;
    request.format = i % 2 == 0 ? "md" : "prompt";
    const uint64_t budget = i % 5 == 0 ? random() % 100 : random() % 4000;
    request.budget = budget;
    request.settings["graph.tokenizer"] = counters[i % 4];
    const auto reply = work.try_pack(request);
    ASSERT_OK(reply);
    const uint64_t counted = (*find_token_counter(counters[i % 4]))->count(reply->output);
    ASSERT_LE(counted, budget) << i << "\n" << reply->output;
    ASSERT_EQ(counted, reply->packet.used) << i;
    empty += reply->output.empty() ? 1 : 0;
    size_t shown = 0, in_full = 0, all = 0;
    for (const auto& section : reply->packet.sections) {
      for (const auto& item : section.items) {
        if (!item.candidate.dropped.empty()) continue;
        ++all;
        shown += item.shown ? 1 : 0;
        in_full += item.in_full() ? 1 : 0;
      }
    }
    full += in_full == all ? 1 : 0;
    reduced += shown > in_full ? 1 : 0;
  }
  EXPECT_GT(full, 0U);
  EXPECT_GT(empty, 0U);
  EXPECT_GT(reduced, 0U);
}

}  // namespace
}  // namespace knapsack
