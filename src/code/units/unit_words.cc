#include <algorithm>
#include <cmath>

#include "code/index/code_documents.h"
#include "code/rank/word_forms.h"
#include "code/units/unit_signals.h"
#include "core/string_hash.h"
#include "search/query/scorer.h"
#include "text/words/words.h"

namespace knapsack::code {
namespace {

constexpr double kK1 = 2;
constexpr double kB = 0.75;
// A task of which no unit has more than this share of the words is about something else.
constexpr double kMinCoverage = 0.05;

// How often each term of the task stands in a stretch of text, and how long the stretch is.
struct Counts {
  std::vector<std::pair<uint32_t, uint32_t>> terms;  // term, how often
  uint32_t words = 0;

  void add(uint32_t term) {
    const auto known =
        std::find_if(terms.begin(), terms.end(), [&](const auto& each) { return each.first == term; });
    if (known == terms.end()) {
      terms.emplace_back(term, 1);
    } else {
      ++known->second;
    }
  }
};

class WordCounter {
 public:
  explicit WordCounter(UnitInput& input) : input_(input) {
    signals_.coverage.resize(input.units.size());
    signals_.words.resize(input.units.size());
    signals_.chunk.resize(input.units.size());
    signals_.places.resize(input.files.size());
  }

  Result<WordSignals> run() {
    KNAPSACK_CHECK(weigh_terms());
    units_.resize(input_.units.size());
    for (size_t file = 0; file < input_.files.size(); ++file) KNAPSACK_CHECK(count_file(file));
    score_units();
    signals_.weights = weights_;
    return std::move(signals_);
  }

 private:
  // Terms that no file has say nothing about which unit is meant.
  Status weigh_terms() {
    KNAPSACK_TRY(const search::Index* code, input_.index.collection(kCodeCollection));
    KNAPSACK_TRY(const auto terms, words_and_forms(*code, input_.terms));
    for (const TaskTerm& term : terms) {
      KNAPSACK_TRY(const auto counts, code->counts(term.text, search::field_bit(kBodyField)));
      if (counts.documents == 0) continue;
      numbers_.emplace(term.text, static_cast<uint32_t>(weights_.size()));
      weights_.push_back(term.weight * search::inverse_frequency(static_cast<double>(code->documents()),
                                                                 static_cast<double>(counts.documents)));
    }
    const auto chunks = static_cast<double>(std::max<uint64_t>(code->units(), 1));
    average_chunk_ = std::max(1.0, static_cast<double>(code->total_length(kBodyField)) / chunks);
    return ok_status();
  }

  Status count_file(size_t number) {
    const OpenFile& file = input_.files[number];
    KNAPSACK_TRY(const auto rows, input_.index.chunks(file.file.file));
    std::vector<Counts> chunks(rows.size());
    size_t unit = 0, chunk = 0;
    uint32_t line = 0;
    size_t line_end = 0;
    WordReader reader(file.text, body_words());
    Word word;
    while (reader.next(word)) {
      if (line == 0 || word.begin >= line_end) {
        line = file.lines.line_of(word.begin);
        const std::string_view text = file.lines.line(line);
        line_end = static_cast<size_t>(text.data() - file.text.data()) + text.size() + 1;
        while (unit < file.units.size() && file.units[unit].lines.last < line) ++unit;
        while (chunk < rows.size() && rows[chunk].chunk.end_line < line) ++chunk;
      }
      const bool in_unit = unit < file.units.size() && file.units[unit].lines.first <= line;
      const bool in_chunk = chunk < rows.size() && rows[chunk].chunk.start_line <= line;
      if (in_unit) ++units_[file.first + unit].words;
      if (in_chunk) ++chunks[chunk].words;
      const auto found = numbers_.find(word.text);
      if (found == numbers_.end()) continue;
      if (in_unit) units_[file.first + unit].add(found->second);
      if (in_chunk) chunks[chunk].add(found->second);
      signals_.places[number].push_back({line, found->second});
    }
    std::vector<double> scores;
    for (const Counts& each : chunks) scores.push_back(bm25(each, average_chunk_));
    for (size_t i = 0, at = 0; i < file.units.size(); ++i) {
      const LineRange lines = file.units[i].lines;
      while (at < rows.size() && rows[at].chunk.end_line < lines.first) ++at;
      for (size_t c = at; c < rows.size() && rows[c].chunk.start_line <= lines.last; ++c) {
        double& best = signals_.chunk[file.first + i];
        best = std::max(best, scores[c]);
      }
    }
    return ok_status();
  }

  double bm25(const Counts& counts, double average) const {
    double score = 0;
    const double length = kK1 * (1 - kB + kB * counts.words / average);
    for (const auto& [term, often] : counts.terms)
      score += weights_[term] * often * (kK1 + 1) / (often + length);
    return score;
  }

  void score_units() {
    double all = 0, words = 0;
    for (const double weight : weights_) all += weight;
    for (const Counts& counts : units_) words += counts.words;
    const double average = std::max(1.0, words / static_cast<double>(std::max<size_t>(units_.size(), 1)));
    double best_coverage = kMinCoverage, best_chunk = 0;
    for (const double chunk : signals_.chunk) best_chunk = std::max(best_chunk, chunk);
    for (size_t i = 0; i < units_.size(); ++i) {
      double has = 0;
      for (const auto& [term, often] : units_[i].terms) has += weights_[term];
      signals_.coverage[i] = all > 0 ? has / all : 0;
      signals_.words[i] = bm25(units_[i], average);
      best_coverage = std::max(best_coverage, signals_.coverage[i]);
    }
    for (const OpenFile& file : input_.files) {
      double best = 0;
      const size_t end = file.first + file.units.size();
      for (size_t i = file.first; i < end; ++i) best = std::max(best, signals_.words[i]);
      for (size_t i = file.first; i < end; ++i) {
        signals_.coverage[i] /= best_coverage;
        if (best > 0) signals_.words[i] /= best;
        if (best_chunk > 0) signals_.chunk[i] /= best_chunk;
      }
    }
  }

  UnitInput& input_;
  std::unordered_map<std::string, uint32_t, StringHash, std::equal_to<>> numbers_;
  std::vector<double> weights_;  // of terms: weight in the task × how rare the word is
  double average_chunk_ = 1;
  std::vector<Counts> units_;
  WordSignals signals_;
};

}  // namespace

Result<WordSignals> word_signals(UnitInput& input) {
  return WordCounter(input).run();
}

}  // namespace knapsack::code
