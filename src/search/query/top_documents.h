// TopDocuments: pools the scores of units into scores of documents and keeps the k best.
//
// Documents that cannot be among the best are passed over without being pooled; what is kept is exact. One
// thread.
// Private to search/query/.
#pragma once

#include <limits>
#include <span>
#include <vector>

#include "search/query/query.h"
#include "search/query/window_scorer.h"

namespace knapsack::search {

class TopDocuments {
 public:
  // The arguments must outlive this; k is at least 1.
  TopDocuments(const Index& index, const Scorer& scorer, size_t k);

  Status add(uint32_t part, const WindowScorer& window);
  // Best first. Called once, last.
  std::vector<Hit> take();

 private:
  size_t next_candidate(std::span<const double> scores, size_t at) const;
  bool may_be_among_best(std::span<const double> units) const;
  Status add_document(DocumentId id, std::span<const double> units);
  void collect_best(std::span<const double> units);
  double pool(std::span<const double> units) const;

  const Index& index_;
  const Scorer& scorer_;
  size_t k_;
  double bound_;  // a document's score is at most this many times that of its best unit
  // A document can only be among the best when one of its units has this score, which is above zero.
  double least_ = std::numeric_limits<double>::min();
  std::vector<UnitScore> best_;  // units of the document at hand, best first
  std::vector<Hit> hits_;        // a heap, the worst on top
};

}  // namespace knapsack::search
