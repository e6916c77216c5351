// The constants of the ranking of memories for a question: one table, found by experiment and round on
// purpose (docs/scoring.md says what each stage gains).
//
// Plain data; no thread rule.
#pragma once

#include <span>
#include <string_view>

namespace knapsack::memory {

struct RankingConstants {
  // BM25 over frequencies that neighbours share (search/query/sequence_scorer.h).
  double k1 = 1.2;
  double b = 0.75;
  double beside = 0.4;
  double two_away = 0.25;
  double hand_on = 1;

  // Words of the best units that are searched for as well.
  double feedback_units = 20;
  double feedback_terms = 20;
  double feedback_weight = 0.15;
  double feedback_idf = 1.5;
  double feedback_holders = 2;

  // Factors.
  double speaker = 1.25;
  double question = 0.8;
  double time_words = 1.2;
  double date = 1;  // 1 + this × how well the day fits

  double coverage = 0.3;  // 1 + this × the share of the question's words; switched off

  // Meaning, where there are vectors: share of the best words + meaning × nearness ^ meaning_power.
  double meaning = 1;
  double meaning_power = 1;
  double meaning_floor = 0.02;
  double meaning_alone = 0.065;

  // What is left of the score of a direct neighbour of a memory that was just taken.
  double spread = 0.9;
  double spread_units = 150;
};

struct RankingConstantRow {
  std::string_view name;
  double RankingConstants::*value;
  std::string_view meaning;
};
// All of them, in the order of the struct.
std::span<const RankingConstantRow> ranking_constant_rows();

}  // namespace knapsack::memory
