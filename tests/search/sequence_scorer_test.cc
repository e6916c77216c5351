#include "search/query/sequence_scorer.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "search/support_corpus.h"

namespace knapsack::search {
namespace {

// The formulas of the header, straight from the text.
struct Reference {
  std::vector<std::vector<std::string>> texts;  // by position
  std::vector<SequenceUnit> units;
  SequenceConstants constants;

  double weight(size_t from, size_t to) const {
    const size_t distance = from < to ? to - from : from - to;
    if (units[from].sequence != units[to].sequence || distance >= constants.near.size()) return 0;
    if (to == from + 1 && units[from].hands_on && constants.hand_on > 0) return constants.hand_on;
    return constants.near[distance];
  }
  std::vector<double> score(const std::vector<SequenceTerm>& terms) const {
    const size_t n = texts.size();
    std::vector<double> lengths(n), scores(n);
    double average = 0;
    for (size_t i = 0; i < n; ++i) {
      for (size_t j = 0; j < n; ++j) {
        const size_t distance = i < j ? j - i : i - j;
        if (units[i].sequence == units[j].sequence && distance < constants.near.size())
          lengths[i] += static_cast<double>(texts[j].size());
      }
      average += lengths[i] / static_cast<double>(n);
    }
    for (const SequenceTerm& term : terms) {
      std::vector<double> frequency(n);
      size_t holding = 0;
      for (size_t i = 0; i < n; ++i) {
        for (size_t j = 0; j < n; ++j) {
          for (const std::string& word : texts[j]) {
            const bool same = std::find(term.forms.begin(), term.forms.end(), word) != term.forms.end();
            if (same) frequency[i] += weight(j, i);
          }
        }
        holding += frequency[i] > 0 ? 1 : 0;
      }
      const double idf =
          std::log(1 + (static_cast<double>(n - holding) + 0.5) / (static_cast<double>(holding) + 0.5));
      for (size_t i = 0; i < n; ++i) {
        if (frequency[i] == 0) continue;
        scores[i] += term.weight * idf * frequency[i] * (constants.k1 + 1) /
                     (frequency[i] + constants.k1 * (1 - constants.b + constants.b * lengths[i] / average));
      }
    }
    return scores;
  }
};

TEST(SequenceScorer, AgreesWithItsFormulasOnRandomSequences) {
  std::mt19937 random(7);
  for (int round = 0; round < 60; ++round) {
    const size_t count = 1 + random() % 40;
    Corpus corpus;
    Reference reference;
    for (size_t i = 0; i < count; ++i) {
      auto& text = reference.texts.emplace_back();
      PlainUnit unit;
      for (size_t w = random() % 6; w > 0; --w) {
        text.push_back(word(random() % 8));
        unit.push_back({0, text.back()});
      }
      corpus.push_back({"k" + std::to_string(1000 + i), {unit}});
      const uint32_t sequence = i == 0 ? 0 : reference.units.back().sequence + (random() % 4 == 0 ? 1 : 0);
      reference.units.push_back({{0, static_cast<uint32_t>(i)}, 0, sequence, random() % 3 == 0});
    }
    if (round % 3 == 1) reference.constants.near = {1};
    if (round % 3 == 2) reference.constants.hand_on = 0;
    MemoryFileSystem files;
    const Index index = index_of(files, corpus);
    auto scorer = SequenceScorer::open(index, reference.units, reference.constants);
    ASSERT_OK(scorer);
    const std::vector<SequenceTerm> terms = {
        {{word(0)}, 1}, {{word(1), word(2), word(1)}, 0.5}, {{"nowhere"}, 1}};
    const auto scores = scorer->score(terms);
    ASSERT_OK(scores);
    const auto expected = reference.score(terms);
    for (size_t i = 0; i < count; ++i) EXPECT_NEAR((*scores)[i], expected[i], 1e-9) << "round " << round;
  }
}

TEST(SequenceScorer, UnitsThatAreNotGivenDoNotExist) {
  MemoryFileSystem files;
  const Index index = index_of(files, {{"a", {{{0, "x"}}}}, {"b", {{{0, "y"}}}}, {"c", {{{0, "z"}}}}});
  auto scorer = SequenceScorer::open(index, {{{0, 1}, 0, 0, false}, {{0, 2}, 0, 0, false}});
  ASSERT_OK(scorer);
  const auto hidden = scorer->score(std::vector<SequenceTerm>{{{"x"}, 1}});
  ASSERT_OK(hidden);
  EXPECT_THAT(*hidden, ::testing::ElementsAre(0, 0));
  const auto smoothed = scorer->smooth({"y"});
  ASSERT_OK(smoothed);
  EXPECT_THAT((*smoothed)->positions, ::testing::ElementsAre(0, 1));
  EXPECT_THAT((*smoothed)->frequencies, ::testing::ElementsAre(1, 0.5));
}

TEST(SequenceScorer, OfNoUnitsScoresNothing) {
  MemoryFileSystem files;
  const Index index = index_of(files, {{"a", {{{0, "x"}}}}});
  auto scorer = SequenceScorer::open(index, {});
  ASSERT_OK(scorer);
  const auto scores = scorer->score(std::vector<SequenceTerm>{{{"x"}, 1}});
  ASSERT_OK(scores);
  EXPECT_TRUE(scores->empty());
}

}  // namespace
}  // namespace knapsack::search
