// PreparedQuery: a query with everything worked out that does not depend on a single unit.
//
// Refers to the terms of the query it was made from. A value; prepare() does all reading.
// Private to search/query/.
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "search/query/query.h"
#include "search/query/scorer.h"
#include "search/segments/index.h"

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

// A normaliser over the units of one segment.
class UnitNorms {
 public:
  // All arguments must outlive this.
  static Result<UnitNorms> open(const SegmentReader& segment, const Normaliser& normaliser,
                                const Scorer& scorer);

  // The value for each of `count` ascending units.
  void read(const uint32_t* units, size_t count, double* values) const;
  // The value by length, where a unit's length in one field decides it and is a byte; else empty. Its length:
  std::span<const double> by_length() const { return by_length_; }
  uint8_t length(uint32_t unit) const { return columns_[0].lengths.at<uint8_t>(unit); }

 private:
  struct Column {
    LengthColumn lengths;
    double factor;  // the slope times the weight of the field
  };
  double document_norm(uint32_t document) const;

  const SegmentReader* segment_ = nullptr;
  const Normaliser* normaliser_ = nullptr;
  Over over_ = Over::kUnits;
  std::vector<Column> columns_;
  std::vector<double> by_length_;
};

}  // namespace knapsack::search
