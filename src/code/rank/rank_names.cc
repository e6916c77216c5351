#include <algorithm>
#include <map>

#include "code/index/code_documents.h"
#include "code/rank/ranking_signals.h"
#include "code/rank/word_forms.h"
#include "search/query/scorer.h"
#include "search/query/term_frequencies.h"

namespace knapsack::code {
namespace {

using search::DocumentId;

struct DocumentLess {
  bool operator()(const DocumentId& a, const DocumentId& b) const {
    return a.part != b.part ? a.part < b.part : a.document < b.document;
  }
};

// BM25 with frequencies and lengths over whole documents.
using DocumentScores = std::map<DocumentId, double, DocumentLess>;
Result<DocumentScores> score_documents(RankingInput& input, const search::Index& names, uint32_t field) {
  KNAPSACK_TRY(const search::Index* code, input.index.collection(kCodeCollection));
  const RankingConstants& constants = input.constants;
  DocumentScores scores;
  if (names.documents() == 0) return scores;
  const double average = static_cast<double>(std::max<uint64_t>(names.total_length(field), 1)) /
                         static_cast<double>(names.documents());
  for (const TaskTerm& term : input.terms.names) {
    KNAPSACK_TRY(const auto found, search::term_frequencies(names, term.text, search::field_bit(field)));
    if (found.empty()) continue;
    KNAPSACK_TRY(const double holding, files_holding(*code, term));
    const double factor = term.weight *
                          search::inverse_frequency(static_cast<double>(code->documents()), holding) *
                          (constants.name_k1 + 1);
    for (size_t i = 0; i < found.size();) {
      const DocumentId document = found[i].document;
      double frequency = 0;
      for (; i < found.size() && found[i].document == document; ++i) frequency += found[i].frequency;
      double length = 0;
      for (uint32_t unit = 0; unit < names.unit_count(document); ++unit) {
        KNAPSACK_TRY(const uint32_t words, names.unit_length(document, unit, field));
        length += words;
      }
      scores[document] +=
          factor * frequency /
          (frequency + constants.name_k1 * (1 - constants.name_b + constants.name_b * length / average));
    }
  }
  return scores;
}

}  // namespace

Result<double> files_holding(const search::Index& code, const TaskTerm& term) {
  uint64_t most = 0;
  const auto count = [&](const std::string& word) -> Status {
    KNAPSACK_TRY(const auto counts, code.counts(word, search::field_bit(kBodyField)));
    most = std::max(most, counts.documents);
    return ok_status();
  };
  for (const std::string& word : term.written) KNAPSACK_CHECK(count(word));
  for (const std::string& word : words_of_stem(term.text)) KNAPSACK_CHECK(count(word));
  return static_cast<double>(most);
}

Result<FileScores> file_name_scores(RankingInput& input) {
  KNAPSACK_TRY(const search::Index* paths, input.index.collection(kPathCollection));
  KNAPSACK_TRY(const DocumentScores scores, score_documents(input, *paths, kFileNameField));
  FileScores files(input.index.files().size());
  for (const auto& [document, score] : scores) {
    KNAPSACK_TRY(const std::string_view path, paths->key(document));
    if (const auto file = input.index.find_file(path)) files[*file] = score;
  }
  normalise(files);
  return files;
}

Result<FileScores> definition_scores(RankingInput& input) {
  KNAPSACK_TRY(const search::Index* code, input.index.collection(kCodeCollection));
  KNAPSACK_TRY(const DocumentScores scores, score_documents(input, *code, kDefinitionField));
  FileScores files(input.index.files().size());
  for (const auto& [document, score] : scores) {
    KNAPSACK_TRY(const std::string_view key, code->key(document));
    for (const uint32_t file : input.index.files_of_key(key)) files[file] = score;
  }
  normalise(files);
  return files;
}

}  // namespace knapsack::code
