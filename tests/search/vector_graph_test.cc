// The graph of very many vectors against looking at all of them: how much it finds, whom it may find, and
// what becomes of a file that is damaged, old or of another model.
#include "search/vectors/vector_graph.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "core/byte_reader.h"
#include "core/files/memory_file_system.h"
#include "search/support_vectors.h"
#include "support/support.h"

namespace knapsack::search {
namespace {

using ::testing::IsEmpty;

constexpr char kRoot[] = "/vectors";
constexpr uint32_t kSize = 24;

class VectorGraphTest : public ::testing::Test {
 protected:
  void SetUp() override { ASSERT_OK(files_.make_directory(kRoot)); }

  VectorStore open(size_t exact_limit, VectorEncoding encoding = VectorEncoding::kInt8) {
    auto store = VectorStore::open(files_, kRoot, space_of("m", encoding, kSize), {exact_limit, false});
    EXPECT_OK(store);
    return *std::move(store);
  }
  static void add(VectorStore& store, const std::vector<VectorUnit>& units, uint32_t from, uint32_t to) {
    std::vector<float> vectors;
    std::vector<std::string_view> hashes;
    for (uint32_t unit = from; unit < to; ++unit) {
      const auto vector = clustered_vector(unit, kSize);
      vectors.insert(vectors.end(), vector.begin(), vector.end());
      hashes.push_back(units[unit].hash);
    }
    ASSERT_OK(store.add(hashes, vectors));
  }
  // Of the ten nearest, for vectors that are near others and are none of them.
  static double found_of_ten(VectorStore& exact, VectorStore& graph, const std::vector<VectorUnit>& units) {
    constexpr uint32_t kQueries = 100;
    size_t hits = 0;
    for (uint32_t query = 0; query < kQueries; ++query) {
      const auto vector = clustered_vector(5'000'000 + query, kSize);
      std::set<uint32_t> right;
      for (const UnitNeighbour& each : exact.nearest(units, vector, 10)) right.insert(each.unit);
      for (const UnitNeighbour& each : graph.nearest(units, vector, 10)) hits += right.count(each.unit);
    }
    return static_cast<double>(hits) / (10 * kQueries);
  }
  std::vector<std::string> graph_files(VectorEncoding encoding = VectorEncoding::kInt8) {
    std::vector<std::string> paths;
    const std::string folder = join_path(kRoot, VectorStore::folder_of(space_of("m", encoding, kSize)));
    const auto entries = files_.list(folder);
    EXPECT_OK(entries);
    for (const DirectoryEntry& entry : *entries) {
      if (entry.name.ends_with(kGraphFileEnding)) paths.push_back(join_path(folder, entry.name));
    }
    return paths;
  }

  MemoryFileSystem files_;
};

TEST_F(VectorGraphTest, FindsNineteenOfTwentyAndOnlyAmongThoseThatAreAskedFor) {
  const auto count = static_cast<uint32_t>(20'000 / testing::cases_divisor());
  const auto units = units_up_to(count);
  auto store = open(count / 20);
  add(store, units, 0, count);
  EXPECT_TRUE(store.wants_graph());
  ASSERT_OK(store.build_graph());
  EXPECT_FALSE(store.wants_graph());
  auto graph = open(count / 20);  // from its file
  EXPECT_TRUE(graph.has_graph());
  auto exact = open(count);
  EXPECT_FALSE(exact.has_graph());
  EXPECT_THAT(graph_files(), IsEmpty()) << "a store that does without one removes it";
  const double all = found_of_ten(exact, graph, units);
  EXPECT_GE(all, 0.95);
  std::vector<VectorUnit> some;
  for (uint32_t i = 0; i < count; i += 3) some.push_back(units[i]);
  EXPECT_GE(found_of_ten(exact, graph, some), 0.95);
  for (uint32_t query = 0; query < 20; ++query) {
    const auto near = graph.nearest(some, clustered_vector(query, kSize), 50);
    EXPECT_EQ(near.size(), 50U);
    for (size_t i = 0; i < near.size(); ++i) {
      EXPECT_EQ(near[i].unit % 3, 0U);
      if (i > 0) {
        EXPECT_GE(near[i - 1].score, near[i].score);
      }
    }
  }
  RecordProperty("recall_at_10", std::to_string(all));
}

TEST_F(VectorGraphTest, ScoresAreThoseOfAnExactScan) {
  for (const VectorEncoding encoding : {VectorEncoding::kInt8, VectorEncoding::kFloat32}) {
    const auto units = units_up_to(600);
    auto store = open(100, encoding);
    add(store, units, 0, 600);
    ASSERT_OK(store.build_graph());
    auto exact = open(100, encoding);
    const std::vector<VectorUnit> few(units.begin(), units.begin() + 100);
    const auto vector = clustered_vector(9, kSize);
    for (const UnitNeighbour& near : store.nearest(units, vector, 20)) {
      const std::vector<VectorUnit> one = {units[near.unit]};
      EXPECT_EQ(exact.nearest(one, vector, 1).front().score, near.score);
    }
    EXPECT_EQ(exact.nearest(few, vector, 20).size(), 20U) << "few are all looked at";
  }
}

TEST_F(VectorGraphTest, LinksDecideWhatIsFound) {
  const auto units = units_up_to(300);
  auto store = open(100);
  add(store, units, 0, 300);
  ASSERT_OK(store.build_graph());
  EXPECT_EQ(store.nearest(units, clustered_vector(1, kSize), 10).size(), 10U);
  std::string no_links, hashes;  // nobody is linked with anybody, and a search begins and ends at the first
  append_number(no_links, uint32_t{300});
  append_number(no_links, uint32_t{0});
  no_links.append(300, '\0');
  for (int i = 0; i < 300; ++i) append_number(no_links, uint32_t{0});
  for (const VectorUnit& unit : units) hashes += unit.hash;
  const VectorSpace space = space_of("m", VectorEncoding::kInt8, kSize);
  ASSERT_OK(files_.remove(graph_files().front()));
  ASSERT_OK(
      write_graph_file(files_, join_path(kRoot, VectorStore::folder_of(space)), space, hashes, no_links));
  auto lonely = open(100);
  const auto found = lonely.nearest(units, clustered_vector(1, kSize), 10);
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found.front().unit, 0U);
}

TEST_F(VectorGraphTest, VectorsThatCameLaterAreFoundOneByOneUntilTheyAreMany) {
  const auto units = units_up_to(1'000);
  auto store = open(400);
  add(store, units, 0, 900);
  ASSERT_OK(store.build_graph());
  add(store, units, 900, 1'000);
  EXPECT_FALSE(store.wants_graph()) << "a hundred more";
  for (uint32_t unit = 900; unit < 1'000; ++unit)
    EXPECT_EQ(store.nearest(units, clustered_vector(unit, kSize), 1).front().unit, unit);
  const auto more = units_up_to(1'001);
  add(store, more, 1'000, 1'001);
  EXPECT_TRUE(store.wants_graph());
  ASSERT_OK(store.build_graph());
  EXPECT_EQ(graph_files().size(), 1U);
}

TEST_F(VectorGraphTest, TheSameVectorsGiveTheSameGraphWhicheverFilesTheyCameIn) {
  const auto units = units_up_to(500);
  auto store = open(100);
  add(store, units, 0, 500);
  ASSERT_OK(store.build_graph());
  const auto first = graph_files();
  MemoryFileSystem others;
  ASSERT_OK(others.make_directory(kRoot));
  std::swap(files_, others);
  auto again = open(100);
  for (uint32_t from = 500; from > 0; from -= 50) add(again, units, from - 50, from);
  ASSERT_OK(again.build_graph());
  EXPECT_EQ(graph_files(), first) << "named by what is in it";
}

TEST_F(VectorGraphTest, ADamagedFileIsRemovedAndMadeAnew) {
  const auto units = units_up_to(300);
  {
    auto store = open(100);
    add(store, units, 0, 300);
    ASSERT_OK(store.build_graph());
  }
  const std::string path = graph_files().front();
  const auto whole = files_.read(path, 1U << 24U);
  ASSERT_OK(whole);
  for (size_t at = 0; at < whole->size(); at += 997) {
    std::string damaged = *whole;
    damaged[at] = static_cast<char>(damaged[at] ^ 0x04);
    ASSERT_OK(files_.replace(path, damaged));
    auto store = open(100);
    EXPECT_FALSE(store.has_graph()) << at;
    EXPECT_TRUE(store.wants_graph()) << at;
    EXPECT_THAT(graph_files(), IsEmpty()) << at;
    EXPECT_EQ(store.nearest(units, clustered_vector(7, kSize), 1).front().unit, 7U);
  }
  for (size_t size = 0; size < whole->size(); size += 1'999) {
    ASSERT_OK(files_.replace(path, whole->substr(0, size)));
    EXPECT_FALSE(open(100).has_graph()) << size;
  }
  auto store = open(100);
  ASSERT_OK(store.build_graph());
  EXPECT_EQ(graph_files(), std::vector<std::string>{path}) << "the same as before";
}

TEST_F(VectorGraphTest, AGraphOfVectorsThatAreGoneOrOfAnotherModelIsNotUsed) {
  const auto units = units_up_to(300);
  auto store = open(100);
  add(store, units, 0, 200);
  ASSERT_OK(store.build_graph());
  const std::string path = graph_files().front();
  const auto bytes = files_.read(path, 1U << 24U);
  ASSERT_OK(bytes);
  VectorSpace changed = space_of("m", VectorEncoding::kInt8, kSize);
  changed.probe = vector_of("what the new model makes of it", kSize);
  EXPECT_FALSE(open_graph_file(files_, parent_path(path), path.substr(path.rfind('/') + 1), changed).ok());
  // The vectors of the graph are gone, others came.
  const auto entries = files_.list(parent_path(path));
  ASSERT_OK(entries);
  for (const DirectoryEntry& entry : *entries)
    ASSERT_OK(files_.remove(join_path(parent_path(path), entry.name)));
  auto other = open(100);
  add(other, units, 100, 300);
  ASSERT_OK(files_.replace(path, *bytes));
  const auto again = open(100);
  EXPECT_FALSE(again.has_graph());
  EXPECT_TRUE(again.wants_graph());
}

TEST_F(VectorGraphTest, LinksThatLeadNowhereAreRefused) {
  const auto vectors = [] {
    static const std::vector<float> numbers(4 * 2, 0.5F);
    GraphVectors made;
    made.tables.push_back({VectorEncoding::kFloat32, 2, 4, numbers.data(), nullptr, nullptr});
    for (uint32_t row = 0; row < 4; ++row) made.places.push_back({0, row});
    return made;
  };
  const auto bytes = [](const std::vector<uint32_t>& numbers, const std::string& levels) {
    std::string out;
    append_number(out, numbers[0]);
    append_number(out, numbers[1]);
    out += levels;
    for (size_t i = 2; i < numbers.size(); ++i) append_number(out, numbers[i]);
    return out;
  };
  const std::string flat(4, '\0');
  EXPECT_OK(VectorGraph::read(bytes({4, 0, 1, 1, 1, 0, 0, 0}, flat), vectors()));
  const std::pair<const char*, std::string> wrong[] = {
      {"another number of nodes", bytes({3, 0, 0, 0, 0, 0}, flat)},
      {"an entry that is no node", bytes({4, 4, 0, 0, 0, 0}, flat)},
      {"a link to no node", bytes({4, 0, 1, 4, 0, 0, 0}, flat)},
      {"more links than there can be", bytes({4, 0, 33, 0, 0, 0}, flat)},
      {"an end that is too early", bytes({4, 0, 0, 0, 0}, flat)},
      {"bytes behind the end", bytes({4, 0, 0, 0, 0, 0, 0}, flat)},
      {"a level above the entry's", bytes({4, 0, 0, 0, 0, 0, 0}, std::string("\0\1\0\0", 4))},
      {"a link on a level where its target is not",
       bytes({4, 0, 0, 1, 1, 0, 0, 0}, std::string("\1\0\0\0", 4))},
      {"nothing", ""}};
  for (const auto& [what, links] : wrong) EXPECT_FALSE(VectorGraph::read(links, vectors()).ok()) << what;
  auto empty = VectorGraph::build({});
  ASSERT_OK(empty);
  EXPECT_EQ(empty->nearest(VectorProbe(std::vector<float>{1, 0}), 3, {})->size(), 0U);
}

}  // namespace
}  // namespace knapsack::search
