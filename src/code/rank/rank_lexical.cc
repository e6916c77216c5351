#include "code/index/code_documents.h"
#include "code/rank/ranking_signals.h"
#include "code/rank/word_forms.h"
#include "search/query/query.h"

namespace knapsack::code {

Result<LexicalScores> lexical_scores(RankingInput& input) {
  const RankingConstants& constants = input.constants;
  LexicalScores scores;
  scores.files.resize(input.index.files().size());
  scores.chunks.resize(input.index.files().size());
  search::Query query;
  KNAPSACK_TRY(const search::Index* code, input.index.collection(kCodeCollection));
  KNAPSACK_TRY(const auto terms, words_and_forms(*code, input.terms));
  for (const TaskTerm& term : terms) {
    query.push_back({term.text, search::field_bit(kBodyField), term.weight});
  }
  search::Scorer scorer;
  scorer.k1 = constants.body_k1;
  scorer.b = constants.body_b;
  scorer.pool_units = static_cast<size_t>(constants.pooled_chunks);
  KNAPSACK_TRY(const auto hits, search::top_k(*code, query, scorer, code->documents()));
  for (const search::Hit& hit : hits) {
    for (const uint32_t file : input.index.files_of_key(hit.key)) {
      scores.files[file] = hit.score;
      for (const search::UnitScore& unit : hit.units) scores.chunks[file].push_back({unit.unit, unit.score});
    }
  }
  normalise(scores.files);
  return scores;
}

}  // namespace knapsack::code
