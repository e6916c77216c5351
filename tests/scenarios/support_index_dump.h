// The whole of a snapshot as text, through the same query API that retrieval uses.
//
// Equal content gives equal text: there are no row numbers, times or segment names in it, and everything that
// has no order of its own is sorted. Different content gives different text.
#pragma once

#include <string>
#include <vector>

#include "code/index/curated_rows.h"
#include "core/result.h"

namespace knapsack::testing {

// `words` are looked up in every collection, beside the names of the first symbols.
Result<std::string> dump_index(const std::string& workspace, const std::string& snapshot = code::kWorkTree,
                               const std::vector<std::string>& words = {"the", "test", "total", "return"});

// The first lines in which two dumps differ, for a failure that can be read; empty for equal ones.
std::string first_difference(const std::string& expected, const std::string& actual);

}  // namespace knapsack::testing
