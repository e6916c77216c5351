// What `search` prints: lines for people, or one JSON document (docs/search.md has its fields).
// Private to engine/recipes/search/.
#pragma once

#include <string>

#include "engine/api/search_requests.h"
#include "engine/settings/settings.h"

namespace knapsack {

std::string search_text(const SearchReply& reply, const SearchSettings& settings, bool explain);
std::string search_json(const SearchReply& reply, const SearchRequest& request,
                        const SearchSettings& settings);

}  // namespace knapsack
