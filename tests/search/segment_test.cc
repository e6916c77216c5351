#include <algorithm>

#include "search/query/term_frequencies.h"
#include "search/segments/segment_builder.h"
#include "search/support_corpus.h"

namespace knapsack::search {
namespace {

using ::testing::ElementsAre;

// Everything a segment says, as plain data: key, unit, field and term to frequency; and unit lengths.
using Contents = std::map<std::tuple<std::string, uint32_t, uint32_t, std::string>, uint32_t>;

Contents contents_of(const Corpus& corpus) {
  Contents contents;
  for (const auto& document : corpus) {
    for (uint32_t unit = 0; unit < document.units.size(); ++unit) {
      for (const auto& token : document.units[unit])
        ++contents[{document.key, unit, token.field, token.term}];
    }
  }
  return contents;
}

Contents contents_of(const Index& index) {
  Contents contents;
  for (uint32_t part = 0; part < index.parts(); ++part) {
    TermCursor cursor = index.segment(part).term_cursor();
    while (*cursor.next()) {
      const auto frequencies = term_frequencies(index, cursor.term());
      EXPECT_OK(frequencies);
      for (const TermFrequency& one : *frequencies) {
        const std::string key(*index.key(one.document));
        contents[{key, one.unit, one.field, cursor.term()}] = one.frequency;
      }
    }
  }
  return contents;
}

TEST(Segment, HoldsExactlyWhatWasAdded) {
  std::mt19937 random(5);
  for (const size_t documents : {1, 10, 400}) {
    MemoryFileSystem files;
    const Corpus corpus = random_corpus(random, documents, 300);
    const Index index = index_of(files, corpus);
    EXPECT_EQ(contents_of(index), contents_of(corpus));
    const SegmentReader& segment = index.segment(0);
    ASSERT_EQ(segment.documents(), corpus.size());
    uint64_t total = 0;
    for (const PlainDocument& document : corpus) {
      const auto number = segment.find_document(document.key);
      ASSERT_OK(number);
      ASSERT_TRUE(number->has_value()) << document.key;
      const DocumentId id{0, **number};
      EXPECT_EQ(*index.key(id), document.key);
      ASSERT_EQ(index.unit_count(id), document.units.size());
      for (uint32_t unit = 0; unit < document.units.size(); ++unit) {
        for (uint32_t field = 0; field < kMaxFields; ++field) {
          const auto tokens = std::count_if(document.units[unit].begin(), document.units[unit].end(),
                                            [&](const PlainToken& token) { return token.field == field; });
          EXPECT_EQ(*index.unit_length(id, unit, field), static_cast<uint32_t>(tokens));
          total += static_cast<uint64_t>(tokens);
        }
      }
    }
    uint64_t stored = 0;
    for (size_t field = 0; field < kMaxFields; ++field) stored += index.total_length(field);
    EXPECT_EQ(stored, total);
    EXPECT_OK(segment.verify());
  }
}

TEST(Segment, FindsNothingThatIsNotThere) {
  MemoryFileSystem files;
  std::mt19937 random(6);
  const auto segment = build_and_open(files, random_corpus(random, 50, 100));
  for (const std::string& term :
       {std::string(), std::string("w"), std::string("zzzz"), std::string("w1\0", 3),
        std::string(10'000, 'w'), std::string("\xFF\xFF")}) {
    const auto info = segment->find_term(term);
    ASSERT_OK(info);
    for (const ListInfo& list : info->fields) EXPECT_EQ(list.units, 0u);
  }
  for (const std::string& key :
       {std::string(), std::string("key"), std::string("\xFF"), std::string("zzz")}) {
    const auto found = segment->find_document(key);
    ASSERT_OK(found);
    EXPECT_FALSE(found->has_value()) << key;
  }
}

TEST(Segment, HasTheSameBytesInWhateverOrderDocumentsCome) {
  std::mt19937 random(7);
  MemoryFileSystem files;
  Corpus corpus = random_corpus(random, 200, 200);
  const std::string name = build(files, corpus);
  for (int round = 0; round < 5; ++round) {
    std::shuffle(corpus.begin(), corpus.end(), random);
    EXPECT_EQ(build(files, corpus), name);
  }
  // And other bytes for anything else.
  corpus[0].units.push_back({{0, "more"}});
  EXPECT_NE(build(files, corpus), name);
}

TEST(Segment, KeepsTheLastOfDocumentsWithTheSameKey) {
  MemoryFileSystem files;
  const PlainDocument old_one{"key", {{{0, "old"}}, {{0, "old"}}}}, other{"other", {{{0, "word"}}}};
  const PlainDocument new_one{"key", {{{0, "new"}}}};
  EXPECT_EQ(build(files, {old_one, other, new_one}), build(files, {other, new_one}));
}

TEST(Segment, TakesAnyBytesAsKeysAndTerms) {
  MemoryFileSystem files;
  const std::string nul("a\0b", 3);
  const Corpus corpus = {
      {"", {{{0, nul}, {0, ""}}}},
      {nul, {{{7, "\xFF\xFE"}, {7, std::string(kMaxTermBytes, 'x')}}}},
      {"\xFF", {{{0, "a"}, {0, "a\x01"}, {0, std::string(300, 'a')}}}},
  };
  const Index index = index_of(files, corpus);
  EXPECT_EQ(contents_of(index), contents_of(corpus));
}

TEST(Segment, CutsTermsThatAreTooLongWhenWritingAndWhenAsked) {
  MemoryFileSystem files;
  const std::string longest(kMaxTermBytes, 'x');
  const Index index = index_of(files, {{"key", {{{0, longest + "one"}, {0, longest + "two"}}}}});
  const auto found = term_frequencies(index, longest + "three");
  ASSERT_OK(found);
  ASSERT_EQ(found->size(), 1u);
  EXPECT_EQ((*found)[0].frequency, 2u);
}

TEST(Segment, OfNothingIsASegmentToo) {
  MemoryFileSystem files;
  const Index index = index_of(files, {});
  EXPECT_EQ(index.documents(), 0u);
  EXPECT_EQ(index.units(), 0u);
  EXPECT_OK(index.segment(0).verify());
  EXPECT_TRUE(top_k(index, {{"word"}}, {}, 10)->empty());
  const Index without_units = index_of(files, {{"a", {}}, {"b", {}}});
  EXPECT_EQ(without_units.documents(), 2u);
  EXPECT_TRUE(top_k(without_units, {{"word"}}, {}, 10)->empty());
}

TEST(Segment, CountsDocumentsAndUnitsOfATerm) {
  MemoryFileSystem files;
  const Index index = index_of(
      files, {{"a", {{{0, "x"}}, {{0, "x"}, {1, "x"}}, {{1, "x"}}}}, {"b", {{{1, "x"}}}}, {"c", {}}});
  const auto counts = [&](FieldMask fields) {
    const auto found = index.counts("x", fields);
    return std::pair(found->documents, found->units);
  };
  EXPECT_EQ(counts(field_bit(0)), std::pair(uint64_t{1}, uint64_t{2}));
  EXPECT_EQ(counts(field_bit(1)), std::pair(uint64_t{2}, uint64_t{3}));
  EXPECT_EQ(counts(kAllFields), std::pair(uint64_t{2}, uint64_t{4}));
  EXPECT_EQ(counts(field_bit(5)), std::pair(uint64_t{0}, uint64_t{0}));
}

TEST(Segment, KeepsLengthsOfEveryWidth) {
  MemoryFileSystem files;
  Corpus corpus = {{"a", {PlainUnit(3, {0, "x"}), PlainUnit(300, {1, "x"}), PlainUnit(70'000, {2, "x"})}},
                   {"b", {{}}}};
  const Index index = index_of(files, corpus);
  EXPECT_EQ(*index.unit_length({0, 0}, 0, 0), 3u);
  EXPECT_EQ(*index.unit_length({0, 0}, 1, 1), 300u);
  EXPECT_EQ(*index.unit_length({0, 0}, 2, 2), 70'000u);
  EXPECT_EQ(*index.unit_length({0, 0}, 2, 0), 0u);
  EXPECT_EQ(*index.unit_length({0, 1}, 0, 2), 0u);
  EXPECT_EQ(*index.unit_length({0, 1}, 0, 7), 0u);
}

TEST(SegmentBuilder, IsEmptyAfterWritingAndTellsItsMemory) {
  MemoryFileSystem files;
  ASSERT_OK(files.make_directory(kFolder));
  SegmentBuilder builder;
  builder.begin_document("key");
  builder.begin_unit();
  for (int i = 0; i < 10'000; ++i) builder.add(0, word(static_cast<size_t>(i)));
  EXPECT_GT(builder.memory_bytes(), 100'000u);
  ASSERT_OK(builder.write(files, kFolder));
  EXPECT_EQ(builder.documents(), 0u);
  const auto empty = builder.write(files, kFolder);
  ASSERT_OK(empty);
  EXPECT_EQ((*open_segment(files, kFolder, *empty))->documents(), 0u);
}

}  // namespace
}  // namespace knapsack::search
