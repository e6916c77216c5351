// Raw term frequencies of live units, for recipes that a Scorer cannot express, such as frequencies that are
// smoothed over neighbouring units.
#pragma once

#include <string_view>
#include <vector>

#include "search/segments/index.h"

namespace knapsack::search {

struct TermFrequency {
  DocumentId document;
  uint32_t unit = 0;  // counts from zero within its document
  uint32_t field = 0;
  uint32_t frequency = 0;
  bool operator==(const TermFrequency&) const = default;
};

// Where the term is among live documents, in ascending order of (document, unit, field).
Result<std::vector<TermFrequency>> term_frequencies(const Index& index, std::string_view term,
                                                    FieldMask fields = kAllFields);

}  // namespace knapsack::search
