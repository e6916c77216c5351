// Damaged files: named as such or harmless, never a crash, never a read outside the file. Run with the
// address sanitizer to see the last part.
#include <algorithm>

#include "search/query/term_frequencies.h"
#include "search/segments/segment_merge.h"
#include "search/support_corpus.h"
#include "search/support_seal.h"

namespace knapsack::search {
namespace {

Corpus small_corpus() {
  Corpus corpus;
  for (int i = 0; i < 150; ++i) {
    PlainDocument document{"doc" + std::to_string(i), {{}, {}}};
    for (auto& unit : document.units) {
      unit.push_back({0, "common"});
      unit.push_back({1, word(static_cast<size_t>(i % 30))});
    }
    corpus.push_back(document);
  }
  return corpus;
}

std::string segment_bytes(const Corpus& corpus) {
  MemoryFileSystem files;
  return *files.read(join_path(kFolder, segment_file_name(build(files, corpus))), UINT64_MAX);
}

const Query kQuery = {
    {"common", kAllFields, 1}, {word(3), field_bit(1), 2}, {word(7), kAllFields, 1}, {"absent"}};

// Opens the bytes and does with them everything that can be done. What was asked came back, or an error.
Result<std::vector<Hit>> use_everything(const std::string& bytes) {
  KNAPSACK_TRY(const auto segment, SegmentReader::open(bytes_in_memory(bytes), "damaged.segment"));
  LiveSet some = LiveSet::all(segment->documents());
  if (segment->documents() > 0) some.remove(segment->documents() / 2);
  KNAPSACK_TRY(const Index partial, Index::open({{segment, some}}));
  KNAPSACK_CHECK(top_k(partial, kQuery, {}, 5));
  KNAPSACK_CHECK(term_frequencies(partial, "common"));
  KNAPSACK_CHECK(segment->find_document("doc77"));
  MemoryFileSystem files;
  KNAPSACK_CHECK(merge_segments(files, kFolder, {{segment, some}}));
  KNAPSACK_TRY(const Index index, Index::open({{segment, LiveSet::all(segment->documents())}}));
  KNAPSACK_TRY(std::vector<Hit> hits, top_k(index, kQuery, {}, 5));
  for (const Hit& hit : hits) KNAPSACK_CHECK(contributions(index, kQuery, {}, hit));
  return hits;
}

std::vector<std::string> found_keys(const std::vector<Hit>& hits) {
  std::vector<std::string> all;
  for (const Hit& hit : hits) all.push_back(hit.key);
  return all;
}

TEST(DamagedSegment, IsDetectedWhereverAByteIsFlipped) {
  const std::string good = segment_bytes(small_corpus());
  const auto expected = use_everything(good);
  ASSERT_OK(expected);
  ASSERT_EQ(expected->size(), 5u);
  for (size_t at = 0; at < good.size(); ++at) {
    std::string bytes = good;
    bytes[at] = static_cast<char>(bytes[at] ^ (1 << at % 8));
    const auto opened = SegmentReader::open(bytes_in_memory(bytes), "damaged.segment");
    const Status status = opened.ok() ? (*opened)->verify() : Status(opened.error());
    ASSERT_FALSE(status.ok()) << "byte " << at;
    EXPECT_EQ(status.error().code, ErrorCode::kCorrupt);
    EXPECT_NE(status.error().what.find("damaged.segment"), std::string::npos);
    // A query may not need the damaged page; if it answers, the answer is the right one.
    if (const auto hits = use_everything(bytes); hits.ok()) {
      ASSERT_EQ(found_keys(*hits), found_keys(*expected)) << "byte " << at;
    }
  }
}

TEST(DamagedSegment, IsDetectedWhereverItIsCutOff) {
  const std::string good = segment_bytes(small_corpus());
  for (size_t size = 0; size < good.size(); ++size) {
    const auto opened = SegmentReader::open(bytes_in_memory(good.substr(0, size)), "short.segment");
    ASSERT_FALSE(opened.ok()) << size;
    EXPECT_EQ(opened.error().code, ErrorCode::kCorrupt);
  }
  EXPECT_FALSE(SegmentReader::open(bytes_in_memory(good + "x"), "long.segment").ok());
}

TEST(DamagedSegment, WithFittingChecksumsIsNeverReadOutOfRange) {
  const std::string good = segment_bytes(small_corpus());
  size_t refused = 0;
  for (size_t at = 0; at < good.size(); ++at) {
    for (const char value :
         {'\0', '\x7F', '\xFF', static_cast<char>(good[at] + 1), static_cast<char>(good[at] ^ 0x80)}) {
      std::string bytes = good;
      bytes[at] = value;
      refused += use_everything(seal_again(bytes)).ok() ? 0 : 1;
    }
  }
  EXPECT_GT(refused, good.size() / 4);
}

TEST(DamagedSegment, WithManyRandomChangesIsNeverReadOutOfRange) {
  std::mt19937 random(31);
  const std::string good = segment_bytes(random_corpus(random, 40, 80));
  ASSERT_OK(use_everything(good));
  for (int round = 0; round < 3000; ++round) {
    std::string bytes = good;
    for (size_t i = 0; i < 1 + random() % 8; ++i)
      bytes[random() % bytes.size()] = static_cast<char>(random());
    (void)use_everything(seal_again(bytes)).ok();
  }
}

TEST(DamagedSegment, OfAnotherVersionIsNamedAsThat) {
  std::string bytes = segment_bytes({});
  bytes[8] = 9;
  const auto opened = SegmentReader::open(bytes_in_memory(bytes), "future.segment");
  ASSERT_FALSE(opened.ok());
  EXPECT_NE(opened.error().what.find("version"), std::string::npos) << opened.error().line();
}

}  // namespace
}  // namespace knapsack::search
