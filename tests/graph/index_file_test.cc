// The index file of a large graph: never different from reading the lines, whatever happened to either.
#include "graph/store/index_file.h"

#include <random>
#include <set>

#include "graph/select/term_hits.h"
#include "graph/store/graph_reader.h"
#include "graph/support_graph.h"
#include "support/support.h"

namespace knapsack::graph {
namespace {

using nlohmann::json;

constexpr const char* kPath = "/work/index";

class GraphIndexFile : public ::testing::Test {
 protected:
  void add_nodes(int from, int to, int rev = 1) {
    for (int i = from; i < to; ++i) {
      json node = {{"id", "KG-FACT-" + std::to_string(i)},
                   {"type", "fact"},
                   {"rev", rev},
                   {"title", "Fact " + std::to_string(i * rev)},
                   {"updated_at", "2026-01-01T00:00:00Z"},
                   {"summary", std::string(1000, 'x')},
                   {"relationships", {{{"rel", "near"}, {"target_id", "KG-FACT-" + std::to_string(i + 1)}}}}};
      lines_ += node.dump() + "\n";
    }
    files_.put("/work/graphs/kg_nodes.jsonl", lines_);
  }
  StoreView view() const { return *open_store(files_, "/work/graphs"); }
  // Ids, those with the word in their title marked.
  static std::set<std::string> nodes_with(const GraphIndex& index, const std::string& word) {
    const Term terms[] = {term_of(word)};
    const TermHits found = find_terms(index, terms, [](uint32_t) { return true; });
    EXPECT_EQ(found.nodes[0], found.hits.size()) << word;
    std::set<std::string> ids;
    for (const TermHit& hit : found.hits) {
      ids.insert(std::string(index.id(hit.node)) + (hit.prominent ? " title" : ""));
    }
    return ids;
  }
  // As the lines have it, with the index and without.
  void expect_same() const {
    const auto with = read_graph(files_, view(), kPath);
    const auto without = read_graph(files_, view(), "");
    ASSERT_OK(with);
    ASSERT_OK(without);
    EXPECT_EQ(fingerprint(with->index), fingerprint(without->index));
    EXPECT_EQ(with->index.problem_count, without->index.problem_count);
    EXPECT_EQ(with->index.problems, without->index.problems);
    for (uint32_t node = 0; node < without->index.size(); ++node) {
      const auto other = with->index.find(without->index.id(node));
      ASSERT_TRUE(other) << without->index.id(node);
      EXPECT_EQ(without->index.references(node).size(), with->index.references(*other).size());
      EXPECT_EQ(without->index.node(node).revisions, with->index.node(*other).revisions);
      EXPECT_EQ(without->index.history(node).line, with->index.history(*other).line);
    }
    for (const char* word : {"fact", "3", "17", "1199", "2400", "rev", "later", "xx", "absent"}) {
      EXPECT_EQ(nodes_with(with->index, word), nodes_with(without->index, word)) << word;
    }
  }
  void save() {
    const auto read = read_graph(files_, view(), "");
    ASSERT_OK(read);
    EXPECT_TRUE(read->worth_saving);
    ASSERT_OK(save_index(files_, kPath, read->index));
  }

  MemoryFileSystem files_;
  std::string lines_;
};

TEST_F(GraphIndexFile, IsUsedAndTellsTheSame) {
  add_nodes(0, 1200);
  lines_ += "broken\n";
  save();
  const auto again = read_graph(files_, view(), kPath);
  ASSERT_OK(again);
  EXPECT_FALSE(again->worth_saving) << "everything was known";
  expect_same();
}

TEST_F(GraphIndexFile, TakesLinesThatCameAfterIt) {
  add_nodes(0, 1200);
  save();
  add_nodes(1195, 1205, 2);
  lines_ += "{\"id\":\"KG-FACT-3\",\"title\":\"no rev\"}\nbroken\n{\"id\":\"KG-FACT-9999\"";
  files_.put("/work/graphs/kg_nodes.jsonl", lines_);
  expect_same();
  lines_ += ",\"title\":\"finished later\"}\n";
  files_.put("/work/graphs/kg_nodes.jsonl", lines_);
  expect_same();
}

TEST_F(GraphIndexFile, SavedAgainWithLinesThatCameAfterItTellsTheSame) {
  add_nodes(0, 1200);
  save();
  add_nodes(1000, 2400, 2);  // more than a megabyte, so it is worth saving
  const auto grown = read_graph(files_, view(), kPath);
  ASSERT_OK(grown);
  EXPECT_TRUE(grown->worth_saving);
  ASSERT_OK(save_index(files_, kPath, grown->index));
  EXPECT_FALSE(read_graph(files_, view(), kPath)->worth_saving);
  expect_same();
  const auto again = load_index(files_, kPath);
  ASSERT_OK(again);
  EXPECT_EQ(nodes_with(*again, "fact").size(), 2400U);
  EXPECT_EQ(nodes_with(*again, "1100"), std::set<std::string>()) << "was the title of a first revision";
  EXPECT_EQ(nodes_with(*again, "2200"), std::set<std::string>{"KG-FACT-1100 title"});
}

TEST_F(GraphIndexFile, IsNotBelievedOfAFileThatChangedOtherwise) {
  add_nodes(0, 1200);
  save();
  lines_.clear();
  add_nodes(5000, 6300);  // longer, and another
  expect_same();
  lines_.clear();
  add_nodes(0, 600);
  expect_same();
}

TEST_F(GraphIndexFile, DamagedAnywhereIsReadAsNone) {
  add_nodes(0, 1200);
  save();
  const std::string good = *files_.read(kPath, UINT64_MAX);
  std::mt19937 random(1);
  for (int i = 0; i < 300; ++i) {
    std::string bad = good;
    const size_t at = i < 40 ? static_cast<size_t>(i) : random() % bad.size();
    bad[at] = static_cast<char>(bad[at] ^ (1 << (random() % 8)));
    files_.put(kPath, bad);
    EXPECT_FALSE(load_index(files_, kPath).ok()) << at;
  }
  for (const size_t size : {size_t{0}, size_t{7}, size_t{31}, size_t{32}, good.size() - 1}) {
    files_.put(kPath, good.substr(0, size));
    EXPECT_FALSE(load_index(files_, kPath).ok()) << size;
  }
  expect_same();
}

}  // namespace
}  // namespace knapsack::graph
