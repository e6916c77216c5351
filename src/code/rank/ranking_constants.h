// The constants of the ranking of files for a task: one table, found by experiment and round on purpose
// (docs/scoring.md says what each signal gains).
//
// Plain data; no thread rule.
#pragma once

#include <span>
#include <string_view>

namespace knapsack::code {

struct RankingConstants {
  // What an occurrence of a word counts, by where in the task it stands.
  double title = 3;
  double inline_code = 2;
  double prose = 1;
  double code_block = 0.2;

  // BM25 over chunks.
  double body_k1 = 2;
  double body_b = 0.75;
  double pooled_chunks = 5;
  // BM25 over names of files and definitions.
  double name_k1 = 1.2;
  double name_b = 0.5;
  // BM25 over commit messages, and how the best commits vote for the files they changed.
  double message_k1 = 1.2;
  double message_b = 0.75;
  double voting_commits = 50;
  double voting_files = 20;  // commits of more files say nothing
  double voting_power = 3;

  // What each signal adds at its best; the lexical one is 1.
  double file_name = 0.1;
  double short_file_name = 0.1;  // more in a short task, the more the shorter
  double short_terms = 15;       // a task of so few terms is short; one of twice as many half as much
  double short_forms = 1;        // other forms of its words, in a short task, as a share of the word
  double definition = 0.3;
  double history = 0.3;
  double trace = 0.6;
  double path = 0.3;
  double reference = 0.4;
  double qualified = 0.2;
  double meaning = 1;  // short questions only
  double meaning_alone = 0.5;

  // What is left of the score of a file that is not what most tasks are about.
  double test_share = 0.2;
  double auxiliary_share = 0.5;
  double prose_share = 0.2;
  double declarations_share = 0.8;

  // The second stage.
  double kept_files = 2;
  double co_change = 0.2;
  double test_co_change = 0.2;
  double import = 0.1;
};

struct RankingConstantRow {
  std::string_view name;
  double RankingConstants::*value;
  std::string_view meaning;
};
std::span<const RankingConstantRow> ranking_constant_rows();

}  // namespace knapsack::code
