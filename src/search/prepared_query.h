// PreparedQuery: a query with everything worked out that does not depend on a single unit.
//
// Refers to the terms of the query it was made from. A value; prepare() does all reading.
#pragma once

#include <string_view>
#include <vector>

#include "search/index.h"
#include "search/query.h"
#include "search/scorer.h"

namespace knapsack::search {

struct PreparedTerm {
  std::string_view term;
  FieldMask fields = 0;
  double factor = 0;      // q(t) · idf(t) · (k1 + 1)
  size_t normaliser = 0;  // which one of PreparedQuery::normalisers
  size_t position = 0;    // of the term in the query
};

// k1·(1 − b + b·L/average) for the units of one combination of fields.
struct Normaliser {
  FieldMask fields = 0;
  double constant = 0;  // k1·(1 − b)
  double slope = 0;     // k1·b/average
};

struct PreparedQuery {
  std::vector<PreparedTerm>
      terms;  // in the order of the query, each once; only terms that some document holds
  std::vector<Normaliser> normalisers;
};

Result<PreparedQuery> prepare(const Index& index, const Query& query, const Scorer& scorer);

// The normaliser's value for every unit of the documents first…end of a segment, into `values`.
Status fill_norms(const SegmentReader& segment, const Normaliser& normaliser, const Scorer& scorer,
                  uint32_t first, uint32_t end, std::vector<double>& values);

}  // namespace knapsack::search
