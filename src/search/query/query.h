// top_k: the best documents for weighted terms, among the live ones of an index.
//
// A document matches when it holds any of the terms. The order is total and the same on every machine: higher
// score first, then smaller key. How documents are spread over segments changes neither scores nor order.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "search/query/scorer.h"
#include "search/segments/index.h"

namespace knapsack::search {

struct QueryTerm {
  std::string term;               // as it was indexed: lower-cased, stemmed where the field is
  FieldMask fields = kAllFields;  // where it may stand
  double weight = 1;              // q(t); terms of zero, negative or infinite weight are left out
  // n of the idf formula when it comes from elsewhere, such as another field or another index.
  std::optional<double> holding = std::nullopt;
};

using Query = std::vector<QueryTerm>;

struct UnitScore {
  uint32_t unit = 0;  // counts from zero within its document
  double score = 0;
  bool operator==(const UnitScore&) const = default;
};

struct Hit {
  std::string key;
  double score = 0;
  std::vector<UnitScore> units;  // the best ones, best first, at most Scorer::pool_units
  DocumentId document;
};

Result<std::vector<Hit>> top_k(const Index& index, const Query& query, const Scorer& scorer, size_t k);

// How much each term of the query (by position) gave to the score of a hit of that query; for `explain`.
// They add up to the score. A term that stands in the query twice gives once, at its first position.
Result<std::vector<double>> contributions(const Index& index, const Query& query, const Scorer& scorer,
                                          const Hit& hit);

}  // namespace knapsack::search
