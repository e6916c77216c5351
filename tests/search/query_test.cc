#include "search/query/query.h"

#include <cmath>
#include <ctime>
#include <limits>
#include <set>
#include <thread>

#include "search/segments/segment_merge.h"
#include "search/support_corpus.h"

namespace knapsack::search {
namespace {

using ::testing::ElementsAre;

std::vector<std::string> keys(const std::vector<Hit>& hits) {
  std::vector<std::string> all;
  for (const Hit& hit : hits) all.push_back(hit.key);
  return all;
}

Query random_query(std::mt19937& random, size_t vocabulary, const Scorer& scorer) {
  Query query;
  FieldMask visible = 0;
  for (uint32_t field = 0; field < kMaxFields; ++field) {
    if (scorer.field_weights[field] > 0) visible |= field_bit(field);
  }
  const FieldMask masks[] = {kAllFields, field_bit(0), field_bit(1),
                             static_cast<FieldMask>(field_bit(0) | field_bit(3))};
  std::set<std::string> used;  // the reference counts each term as it comes
  for (size_t i = 0; i < 1 + random() % 12; ++i) {
    const size_t number = random() % (vocabulary + 5);
    if (!used.insert(word(number)).second) continue;
    QueryTerm term{word(number), masks[random() % 4], 0.25 * static_cast<double>(1 + random() % 8),
                   std::nullopt};
    if (random() % 6 == 0) term.holding = random() % 2 == 0 ? 0 : 1;
    if ((term.fields & visible) != 0) query.push_back(term);
  }
  return query;
}

Scorer random_scorer(std::mt19937& random) {
  Scorer scorer;
  scorer.k1 = std::array<double, 4>{0, 1.2, 2, 10}[random() % 4];
  scorer.b = std::array<double, 4>{0, 0.5, 0.75, 1}[random() % 4];
  scorer.frequencies = random() % 2 == 0 ? Over::kDocuments : Over::kUnits;
  scorer.lengths = random() % 3 == 0 ? Over::kDocuments : Over::kUnits;
  if (random() % 2 == 0) scorer.field_weights = {1, 0.5, 1, 3, 1, 1, 1, 1};
  scorer.pooling = std::array<Pooling, 4>{Pooling::kHarmonic, Pooling::kHarmonic, Pooling::kMax,
                                          Pooling::kSum}[random() % 4];
  scorer.pool_units = 1 + random() % 6;
  return scorer;
}

TEST(TopK, ScoresLikeTheFormulasDo) {
  std::mt19937 random(11);
  for (int round = 0; round < 60; ++round) {
    MemoryFileSystem files;
    const Corpus corpus = random_corpus(random, 1 + random() % 300, 150);
    const Index index = index_of(files, corpus);
    for (int i = 0; i < 5; ++i) {
      const Scorer scorer = random_scorer(random);
      const Query query = random_query(random, 150, scorer);
      const size_t k = random() % 4 == 0 ? 1000 : 1 + random() % 20;
      const auto hits = top_k(index, query, scorer, k);
      ASSERT_OK(hits);
      expect_best(*hits, reference_scores(corpus, query, scorer), scorer, k);
    }
    if (HasFatalFailure()) return;
  }
}

TEST(TopK, ScoresOnlyLiveDocumentsAsIfTheOthersWereNotThere) {
  std::mt19937 random(12);
  for (int round = 0; round < 40; ++round) {
    MemoryFileSystem files;
    const Corpus corpus = random_corpus(random, 200, 100);
    std::vector<std::shared_ptr<const SegmentReader>> segments;
    const size_t count = 1 + random() % 4;
    std::vector<Corpus> dealt(count);
    for (const auto& document : corpus) dealt[random() % count].push_back(document);
    for (const Corpus& one : dealt) segments.push_back(build_and_open(files, one));
    Corpus living;
    std::vector<std::string> living_keys;
    for (const auto& document : corpus) {
      if (random() % 3 != 0) continue;
      living.push_back(document);
      living_keys.push_back(document.key);
    }
    auto live = find_live(segments, living_keys);
    ASSERT_OK(live);
    ASSERT_TRUE(live->missing.empty());
    std::vector<Index::Part> parts;
    for (size_t i = 0; i < count; ++i) parts.push_back({segments[i], live->live[i]});
    const auto index = Index::open(std::move(parts));
    ASSERT_OK(index);
    EXPECT_EQ(index->documents(), living.size());
    for (int i = 0; i < 5; ++i) {
      const Scorer scorer = random_scorer(random);
      const Query query = random_query(random, 100, scorer);
      const auto hits = top_k(*index, query, scorer, 30);
      ASSERT_OK(hits);
      expect_best(*hits, reference_scores(living, query, scorer), scorer, 30);
    }
    if (HasFatalFailure()) return;
  }
}

TEST(TopK, GivesTheSameBitsHoweverDocumentsAreSpreadOverSegments) {
  std::mt19937 random(13);
  MemoryFileSystem files;
  const Corpus corpus = random_corpus(random, 500, 120);
  const Index one = index_of(files, corpus);
  const Index many = index_of_many(files, corpus, 7, random);
  for (int i = 0; i < 50; ++i) {
    const Scorer scorer = random_scorer(random);
    const Query query = random_query(random, 120, scorer);
    const auto from_one = top_k(one, query, scorer, 25), from_many = top_k(many, query, scorer, 25);
    ASSERT_OK(from_one);
    ASSERT_OK(from_many);
    ASSERT_EQ(keys(*from_one), keys(*from_many));
    for (size_t rank = 0; rank < from_one->size(); ++rank) {
      EXPECT_EQ((*from_one)[rank].score, (*from_many)[rank].score);
      EXPECT_EQ((*from_one)[rank].units, (*from_many)[rank].units);
    }
  }
}

TEST(TopK, OrdersTiesByKey) {
  MemoryFileSystem files;
  Corpus corpus;
  for (const char* key : {"d", "b", "e", "a", "c"}) corpus.push_back({key, {{{0, "same"}}}});
  std::mt19937 random(14);
  for (const Index& index : {index_of(files, corpus), index_of_many(files, corpus, 3, random)}) {
    EXPECT_THAT(keys(*top_k(index, {{"same"}}, {}, 3)), ElementsAre("a", "b", "c"));
    EXPECT_THAT(keys(*top_k(index, {{"same"}}, {}, 10)), ElementsAre("a", "b", "c", "d", "e"));
  }
}

TEST(TopK, AnswersEmptyQueriesAndZeroResultsWithNothing) {
  MemoryFileSystem files;
  const Index index = index_of(files, {{"a", {{{0, "word"}}}}});
  EXPECT_TRUE(top_k(index, {}, {}, 10)->empty());
  EXPECT_TRUE(top_k(index, {{"absent"}}, {}, 10)->empty());
  EXPECT_TRUE(top_k(index, {{"word"}}, {}, 0)->empty());
  EXPECT_TRUE(top_k(index, {{"word", field_bit(5)}}, {}, 10)->empty());
  EXPECT_TRUE(top_k(index, {{"word", 0}}, {}, 10)->empty());
  const auto no_segments = Index::open({});
  ASSERT_OK(no_segments);
  EXPECT_TRUE(top_k(*no_segments, {{"word"}}, {}, 10)->empty());
}

TEST(TopK, LeavesOutTermsWhoseWeightIsNotPositive) {
  MemoryFileSystem files;
  const Index index = index_of(files, {{"a", {{{0, "word"}}}}, {"b", {{{0, "other"}}}}});
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  for (const double weight : {0.0, -1.0, kInfinity, -kInfinity, std::nan("")}) {
    EXPECT_THAT(keys(*top_k(index, {{"word", kAllFields, weight}, {"other"}}, {}, 10)), ElementsAre("b"))
        << weight;
  }
}

TEST(TopK, AddsTheWeightsOfATermThatComesTwice) {
  MemoryFileSystem files;
  const Index index = index_of(files, {{"a", {{{0, "word"}}}}, {"b", {{{0, "other"}}}}});
  const auto twice = top_k(index, {{"word", kAllFields, 1}, {"word", kAllFields, 2}}, {}, 10);
  const auto once = top_k(index, {{"word", kAllFields, 3}}, {}, 10);
  EXPECT_EQ((*twice)[0].score, (*once)[0].score);
}

TEST(TopK, DoesNotSeeFieldsWithoutWeight) {
  MemoryFileSystem files;
  const Index index = index_of(files, {{"a", {{{0, "word"}}}}, {"b", {{{1, "word"}}}}});
  Scorer scorer;
  scorer.field_weights[0] = 0;
  EXPECT_THAT(keys(*top_k(index, {{"word"}}, scorer, 10)), ElementsAre("b"));
}

TEST(TopK, RefusesConstantsThatTheFormulasCannotTake) {
  MemoryFileSystem files;
  const Index index = index_of(files, {{"a", {{{0, "word"}}}}});
  std::vector<Scorer> wrong(6);
  wrong[0].k1 = -1;
  wrong[1].k1 = std::nan("");
  wrong[2].b = 1.5;
  wrong[3].field_weights[2] = -1;
  wrong[4].field_weights[2] = std::nan("");
  wrong[5].pool_units = 0;
  for (const Scorer& scorer : wrong) {
    const auto hits = top_k(index, {{"word"}}, scorer, 10);
    ASSERT_FALSE(hits.ok());
    EXPECT_EQ(hits.error().code, ErrorCode::kUsage);
  }
}

TEST(TopK, ScoresDocumentsLargerThanAWindow) {
  // 20,000 units in one document and many small ones around it: windows must follow document boundaries.
  std::mt19937 random(15);
  Corpus corpus;
  for (int i = 0; i < 500; ++i)
    corpus.push_back({"small" + std::to_string(i), {{{0, word(random() % 20)}}, {{0, word(random() % 20)}}}});
  PlainDocument large{"middle", {}};
  for (int i = 0; i < 20'000; ++i) large.units.push_back({{0, word(random() % 20)}});
  corpus.push_back(large);
  for (int i = 0; i < 9000; ++i)
    corpus.push_back({"n" + std::to_string(i), {{{0, word(random() % 20)}}, {{0, word(random() % 20)}}}});
  MemoryFileSystem files;
  const Index index = index_of(files, corpus);
  for (const Pooling pooling : {Pooling::kHarmonic, Pooling::kSum}) {
    Scorer scorer;
    scorer.pooling = pooling;
    const Query query = {{word(1)}, {word(2), kAllFields, 2}, {word(3)}};
    const auto hits = top_k(index, query, scorer, 40);
    ASSERT_OK(hits);
    expect_best(*hits, reference_scores(corpus, query, scorer), scorer, 40);
  }
}

// Common words in units of very different lengths, some of them often in one unit: for the shortcuts that
// only long posting lists take.
Corpus corpus_of_common_words(std::mt19937& random, size_t documents) {
  Corpus corpus;
  for (size_t i = 0; i < documents; ++i) {
    PlainDocument document{"k" + std::to_string(random()) + "-" + std::to_string(i), {}};
    for (size_t units = 1 + random() % 4; units > 0; --units) {
      PlainUnit unit;
      for (size_t words = 1 + random() % (1 + random() % 60); words > 0; --words) {
        const size_t number = std::min(random() % 8, random() % 8);
        for (size_t times = random() % 40 == 0 ? 1 + random() % 12 : 1; times > 0; --times) {
          unit.push_back({0, word(number)});
        }
      }
      document.units.push_back(unit);
    }
    corpus.push_back(document);
  }
  return corpus;
}

TEST(TopK, ScoresLongPostingListsLikeTheFormulasDo) {
  std::mt19937 random(18);
  MemoryFileSystem files;
  const Corpus corpus = corpus_of_common_words(random, 6000);
  const Index index = index_of(files, corpus);
  ASSERT_GT(index.counts(word(0), kAllFields)->units, 10'000U);
  for (int i = 0; i < 8; ++i) {
    const Scorer scorer = random_scorer(random);
    const Query query = random_query(random, 8, scorer);
    const auto hits = top_k(index, query, scorer, 30);
    ASSERT_OK(hits);
    expect_best(*hits, reference_scores(corpus, query, scorer), scorer, 30);
    if (HasFatalFailure()) return;
  }
}

// In one segment the lists are long, in many they are short.
TEST(TopK, GivesTheSameBitsForLongPostingListsAndShortOnes) {
  std::mt19937 random(19);
  MemoryFileSystem files;
  const Corpus corpus = corpus_of_common_words(random, 6000);
  const Index one = index_of(files, corpus);
  const Index many = index_of_many(files, corpus, 12, random);
  for (int i = 0; i < 40; ++i) {
    const Scorer scorer = random_scorer(random);
    const Query query = random_query(random, 8, scorer);
    const auto from_one = top_k(one, query, scorer, 50), from_many = top_k(many, query, scorer, 50);
    ASSERT_OK(from_one);
    ASSERT_OK(from_many);
    ASSERT_EQ(keys(*from_one), keys(*from_many));
    for (size_t rank = 0; rank < from_one->size(); ++rank) {
      ASSERT_EQ((*from_one)[rank].score, (*from_many)[rank].score);
      ASSERT_EQ((*from_one)[rank].units, (*from_many)[rank].units);
    }
  }
}

// What was counted before is remembered, by term and fields.
TEST(TopK, AnswersTheSameWhenAskedAgain) {
  std::mt19937 random(20);
  MemoryFileSystem files;
  const Corpus corpus = random_corpus(random, 200, 60);
  const auto segment = build_and_open(files, corpus);
  LiveSet live;
  for (uint32_t i = 0; i < segment->documents(); i += 2) live.add(i);
  const auto asked = Index::open({{segment, live}});
  ASSERT_OK(asked);
  for (int i = 0; i < 2000; ++i) {
    const std::string term = word(random() % 60);
    const auto fields = static_cast<FieldMask>(random() % 16);
    const auto fresh = Index::open({{segment, live}});
    const auto expected = fresh->counts(term, fields), counted = asked->counts(term, fields);
    ASSERT_EQ(counted->documents, expected->documents) << term << ' ' << int{fields};
    ASSERT_EQ(counted->units, expected->units) << term << ' ' << int{fields};
  }
}

TEST(TopK, IsBoundedForAHundredThousandTerms) {
  std::mt19937 random(16);
  MemoryFileSystem files;
  const Corpus corpus = random_corpus(random, 2000, 30'000);
  const Index index = index_of(files, corpus);
  Query query;
  for (size_t i = 0; i < 100'000; ++i) query.push_back({word(i)});
  const std::clock_t begin = std::clock();  // processor time: other work on the machine must not decide
  const auto hits = top_k(index, query, {}, 10);
  const double took = static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC;
  ASSERT_OK(hits);
  EXPECT_EQ(hits->size(), 10u);
  EXPECT_LT(took, 20.0);  // far below a second with optimisation; room for sanitizers
}

TEST(TopK, AnswersManyThreadsAtOnce) {
  std::mt19937 random(17);
  MemoryFileSystem files;
  const Index index = index_of_many(files, random_corpus(random, 300, 50), 3, random);
  const Query query = {{word(1)}, {word(7)}, {word(20)}};
  std::vector<std::vector<Hit>> answers(4);
  std::vector<std::thread> threads;
  for (auto& answer : answers) threads.emplace_back([&] { answer = *top_k(index, query, {}, 20); });
  for (auto& thread : threads) thread.join();
  for (const auto& answer : answers) EXPECT_EQ(keys(answer), keys(answers[0]));
  EXPECT_EQ(answers[0].size(), 20u);
}

TEST(Contributions, AddUpToTheScore) {
  std::mt19937 random(18);
  MemoryFileSystem files;
  const Index index = index_of_many(files, random_corpus(random, 300, 60), 2, random);
  size_t explained = 0;
  for (int i = 0; i < 30; ++i) {
    const Scorer scorer = random_scorer(random);
    Query query = random_query(random, 60, scorer);
    query.push_back(query.empty() ? QueryTerm{word(1)} : query[0]);
    const auto hits = top_k(index, query, scorer, 5);
    ASSERT_OK(hits);
    for (const Hit& hit : *hits) {
      const auto given = contributions(index, query, scorer, hit);
      ASSERT_OK(given);
      ASSERT_EQ(given->size(), query.size());
      double sum = 0;
      for (const double one : *given) sum += one;
      EXPECT_NEAR(sum, hit.score, 1e-9 * hit.score);
      ++explained;
    }
  }
  EXPECT_GT(explained, 50u);
}

TEST(Index, RefusesALiveSetOfAnotherSegment) {
  MemoryFileSystem files;
  const auto segment = build_and_open(files, {{"a", {}}});
  const auto index = Index::open({{segment, LiveSet::all(2)}});
  ASSERT_FALSE(index.ok());
  EXPECT_EQ(index.error().code, ErrorCode::kCorrupt);
}

TEST(FindLive, TellsWhichKeysNoSegmentHoldsAndTakesTheLastOfSeveral) {
  MemoryFileSystem files;
  const auto first = build_and_open(files, {{"a", {{{0, "x"}}}}, {"b", {{{0, "x"}}}}});
  const auto second = build_and_open(files, {{"b", {{{0, "y"}}}}, {"c", {{{0, "x"}}}}});
  const auto live = find_live({first, second}, {"c", "zz", "b", "a", "yy"});
  ASSERT_OK(live);
  EXPECT_THAT(live->missing, ElementsAre("zz", "yy"));
  EXPECT_EQ(live->live[0].size(), 1u);
  EXPECT_EQ(live->live[1].size(), 2u);
  const auto index = Index::open({{first, live->live[0]}, {second, live->live[1]}});
  ASSERT_OK(index);
  EXPECT_EQ(keys(*top_k(*index, {{"x"}}, {}, 10)), (std::vector<std::string>{"a", "c"}));
}

}  // namespace
}  // namespace knapsack::search
