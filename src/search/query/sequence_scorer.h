// SequenceScorer: BM25 over units that follow each other, where a word counts in the units beside it too.
//
// People do not repeat what was just said: the turn that answers "when is the release?" is "on Friday". So
// the frequencies of a term are spread over the neighbours of the unit that holds it before they are scored:
//
//   F(t, i) = Σ over units j of the same sequence, |i − j| ≤ 2, of  near[|i − j|] · (how often t is in j)
//   idf(t)  = ln(1 + (N − n + 0.5) / (n + 0.5)),  n of N units have F(t, i) > 0: counted after the spreading
//   S(i)    = Σ over terms t of  q(t) · idf(t) · F·(k1 + 1) / (F + k1·(1 − b + b·L(i) / average L))
//
// L(i) is the length of all units that reach i. A unit that hands on (a question) gives the unit after it its
// words at the weight `hand_on`. Units may come from any segments; only those given exist for it, so that a
// filter is nothing but a shorter list. It remembers terms: one thread.
#pragma once

#include <array>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "search/segments/index.h"

namespace knapsack::search {

struct SequenceUnit {
  DocumentId document;
  uint32_t unit = 0;      // counts from zero within its document
  uint32_t sequence = 0;  // units of one sequence stand side by side
  bool hands_on = false;
};

struct SequenceConstants {
  double k1 = 1.2;
  double b = 0.75;
  std::vector<double> near = {1, 0.5, 0.25};  // by distance; one number: no neighbours
  double hand_on = 1;                         // zero: a question is a unit like all others
  std::array<double, kMaxFields> field_weights = {1, 1, 1, 1, 1, 1, 1, 1};
};

// Forms of one word, which count as the same term.
using TermForms = std::vector<std::string>;

struct SequenceTerm {
  TermForms forms;
  double weight = 1;  // q(t)
};

struct SmoothedTerm {
  double idf = 0;                   // zero for a term that no unit holds
  std::vector<uint32_t> positions;  // of the units that it reaches, ascending
  std::vector<double> frequencies;  // F of each
};

class SequenceScorer {
 public:
  // `index` must outlive the scorer. A unit's position in `units` is its name from here on.
  static Result<SequenceScorer> open(const Index& index, std::vector<SequenceUnit> units,
                                     SequenceConstants constants = {});

  size_t size() const { return units_.size(); }
  // Lasts as long as the scorer.
  Result<const SmoothedTerm*> smooth(const TermForms& forms);
  // At least the idf that smooth() would find, by counting alone: whoever needs a rare word need not look at
  // all that a common one reaches.
  Result<double> highest_idf(const std::string& form) const;
  // One score a unit; zero: none of the terms reaches it.
  Result<std::vector<double>> score(std::span<const SequenceTerm> terms);

 private:
  struct Reach {
    uint32_t first = 0;  // positions, both included
    uint32_t last = 0;
  };
  SequenceScorer(const Index& index, std::vector<SequenceUnit> units, SequenceConstants constants)
      : index_(&index), units_(std::move(units)), constants_(std::move(constants)) {}
  void find_positions();
  Status measure_lengths();
  Reach reach_of(size_t position) const;
  double weight_between(size_t from, size_t to) const;
  void put_in_order(std::vector<uint32_t>& positions) const;

  const Index* index_;
  std::vector<SequenceUnit> units_;
  SequenceConstants constants_;
  FieldMask fields_ = 0;
  std::vector<std::vector<uint32_t>> positions_;  // by segment, then by unit of the segment
  std::vector<double> norms_;                     // k1·(1 − b + b·L/average) of each unit
  std::map<TermForms, std::unique_ptr<const SmoothedTerm>> terms_;
  std::vector<double> sums_;  // all zero between calls
};

}  // namespace knapsack::search
