// What a search leaves in the ledger: what was asked, and a row for every result and for what was not shown.
// Private to engine/recipes/search/.
#pragma once

#include <vector>

#include "engine/api/search_requests.h"
#include "engine/run_record.h"

namespace knapsack {

// Its id follows from the request, the settings, the answer and the time.
RunRecord describe_search(const SearchRequest& request, const SearchReply& reply, const Settings& settings,
                          const std::string& workspace, Timestamp now);

std::vector<Decision> search_decisions(const SearchRequest& request, const SearchReply& reply);

}  // namespace knapsack
