// Scorer: the constants of one ranking recipe. Every recipe is data; the formulas are these.
//
//   F(t, u)  = Σ over the term's fields f of  field_weights[f] · (how often t is in f of unit u)
//   L(u)     = Σ over the term's fields f of  field_weights[f] · (tokens in f of unit u, or of its document)
//   idf(t)   = ln(1 + (N − n + 0.5) / (n + 0.5)),  n of N live documents (or units) hold t in those fields
//   S(u)     = Σ over query terms t of  q(t) · idf(t) · F·(k1 + 1) / (F + k1·(1 − b + b·L / average L))
//   S(d)     = the pooled scores of the units of document d
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "core/result.h"
#include "search/segments/segment_format.h"

namespace knapsack::search {

enum class Over : uint8_t { kDocuments, kUnits };

enum class Pooling : uint8_t {
  kHarmonic,  // the best pool_units units × (1, 1/2, 1/3, …)
  kMax,
  kSum,
};

struct Scorer {
  double k1 = 1.2;
  double b = 0.75;
  Over frequencies = Over::kDocuments;  // what n and N count
  Over lengths = Over::kUnits;
  std::array<double, kMaxFields> field_weights = {1, 1, 1, 1,
                                                  1, 1, 1, 1};  // zero: the field is not looked at
  Pooling pooling = Pooling::kHarmonic;
  size_t pool_units = 5;  // also how many of its best units a hit tells, whatever the pooling
};

// kUsage for constants that the formulas cannot take: k1 below zero, b outside 0…1, no units to pool,
// anything that is not finite.
Status check_scorer(const Scorer& scorer);

// n may come from elsewhere and is limited to N.
double inverse_frequency(double total, double holding);

}  // namespace knapsack::search
