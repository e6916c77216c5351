#include "search/query/query.h"

#include <numeric>

#include "search/query/prepared_query.h"
#include "search/query/top_documents.h"
#include "search/query/window_scorer.h"

namespace knapsack::search {

Result<std::vector<Hit>> top_k(const Index& index, const Query& query, const Scorer& scorer, size_t k) {
  KNAPSACK_TRY(const PreparedQuery prepared, prepare(index, query, scorer));
  if (k == 0 || prepared.terms.empty()) return std::vector<Hit>();
  TopDocuments top(index, scorer, k);
  for (uint32_t part = 0; part < index.parts(); ++part) {
    KNAPSACK_TRY(WindowScorer window, WindowScorer::start(index, part, prepared, scorer));
    while (true) {
      KNAPSACK_TRY(const bool more, window.next());
      if (!more) break;
      KNAPSACK_CHECK(top.add(part, window));
    }
  }
  return top.take();
}

Result<std::vector<double>> contributions(const Index& index, const Query& query, const Scorer& scorer,
                                          const Hit& hit) {
  KNAPSACK_TRY(const PreparedQuery prepared, prepare(index, query, scorer));
  const auto [part, document] = hit.document;
  const SegmentReader& segment = index.segment(part);
  const uint32_t begin = segment.first_unit(document), end = segment.first_unit(document + 1);
  // What share of a unit's score reached the document's.
  std::vector<double> shares(end - begin, scorer.pooling == Pooling::kSum ? 1 : 0);
  if (scorer.pooling == Pooling::kHarmonic) {
    for (size_t i = 0; i < hit.units.size(); ++i) shares[hit.units[i].unit] = 1 / static_cast<double>(i + 1);
  }
  if (scorer.pooling == Pooling::kMax && !hit.units.empty()) shares[hit.units[0].unit] = 1;

  std::vector<double> given(query.size(), 0);
  std::vector<uint32_t> units(end - begin);
  std::iota(units.begin(), units.end(), begin);
  std::vector<double> norms(end - begin), frequencies;
  PostingBlock block;
  for (const PreparedTerm& term : prepared.terms) {
    KNAPSACK_TRY(const UnitNorms unit_norms,
                 UnitNorms::open(segment, prepared.normalisers[term.normaliser], scorer));
    unit_norms.read(units.data(), units.size(), norms.data());
    frequencies.assign(end - begin, 0);
    KNAPSACK_TRY(std::vector<FieldPostings> lists, index.postings(part, term.term, term.fields));
    for (FieldPostings& list : lists) {
      if (!list.reader.skip_to(begin)) return segment.damaged("a posting list is not whole");
      while (!list.reader.done() && list.reader.next_unit() < end) {
        if (!list.reader.decode(block)) return segment.damaged("a posting list is not whole");
        for (size_t i = 0; i < block.size; ++i) {
          if (block.units[i] < begin || block.units[i] >= end) continue;
          frequencies[block.units[i] - begin] += scorer.field_weights[list.field] * block.frequencies[i];
        }
        list.reader.advance(block);
      }
    }
    for (size_t unit = 0; unit < frequencies.size(); ++unit) {
      if (frequencies[unit] == 0) continue;
      given[term.position] +=
          shares[unit] * term.factor * frequencies[unit] / (frequencies[unit] + norms[unit]);
    }
  }
  return given;
}

}  // namespace knapsack::search
