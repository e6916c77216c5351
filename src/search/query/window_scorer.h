// WindowScorer: the scores of all live units of one segment, a window of documents at a time.
//
// Term by term within a window: its scores stay in the cache, posting lists are read once from
// front to back, and each unit adds its terms in the order of the query, so that sums are the same bits
// however documents are spread over segments.
//
// Every posting is added. Skipping those that cannot lift a document to the best (by bounds of what the terms
// still to come could add) was measured and does not pay here: a document's score pools several units, so
// little is known from one of them, while adding a posting costs about as much as looking past it. One
// thread.
// Private to search/query/.
#pragma once

#include <span>
#include <vector>

#include "search/query/prepared_query.h"

namespace knapsack::search {

class WindowScorer {
 public:
  // All arguments must outlive the scorer.
  static Result<WindowScorer> start(const Index& index, uint32_t part, const PreparedQuery& query,
                                    const Scorer& scorer);

  // Scores the next documents that may match; false when there are no more.
  Result<bool> next();

  // The documents of this window, and the scores of their units from the first unit of the first one on.
  // Zero: does not match.
  uint32_t first_document() const { return first_document_; }
  uint32_t end_document() const { return end_document_; }
  std::span<const double> scores() const { return scores_; }

 private:
  struct TermLists {
    const PreparedTerm* term;
    std::vector<FieldPostings> lists;
    // What a unit gets, by its frequency less one and its length, where these decide it; else empty.
    std::vector<double> shares = {};
  };
  WindowScorer(const Index& index, uint32_t part, const Scorer& scorer);

  bool choose_window();
  Status add_term(TermLists& term);
  void tabulate(TermLists& term) const;
  void add_block(const TermLists& term, const PostingBlock& block);
  // Calls use(block) with the live units of the window, block by block; block.size may become zero.
  template <class Use>
  Status for_each_block(PostingReader& reader, const Use& use);
  void cut_to_window(PostingBlock& block, PostingReader& reader) const;

  const Index* index_;
  uint32_t part_;
  const SegmentReader* segment_;
  const Scorer* scorer_;
  std::vector<TermLists> terms_;
  uint32_t first_document_ = 0;
  uint32_t end_document_ = 0;
  uint32_t first_unit_ = 0;
  uint32_t end_unit_ = 0;
  std::vector<double> scores_;
  std::vector<UnitNorms> norms_;     // one a normaliser
  std::vector<double> frequencies_;  // of a term with several fields
  std::vector<uint32_t> touched_;    // the units where those are not zero
  std::vector<double> touched_norms_;
};

}  // namespace knapsack::search
