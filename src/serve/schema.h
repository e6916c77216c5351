// The few shapes that the schemas of tools are made of. Every object is closed: what is not listed is
// refused. Pure functions.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <string>
#include <utility>
#include <vector>

#include "serve/service.h"

namespace knapsack::serve::schema {

using Property = std::pair<const char*, Json>;

// All properties with a name that ends in '!' are required; the mark is not part of the name.
Json object(std::initializer_list<Property> properties);

Json text(uint64_t most_characters, std::string description = "");
Json text_list(uint64_t most_items, uint64_t most_characters, std::string description = "");
Json one_of(std::vector<std::string> names, std::string fallback = "", std::string description = "");
Json flag(bool fallback, std::string description = "");
Json whole(uint64_t least, uint64_t most, uint64_t fallback, std::string description = "");
Json share(std::string description = "");  // 0 to 1
// Of the whole serialised reply. Every token of a schema is paid for by every session: the tool that comes
// first says so, the others follow it.
Json max_tokens(uint64_t fallback, std::string description = "");

// For replies, which need no limits.
Json any_text();
Json any_whole();
Json any_flag();
Json any_list();
Json texts();
Json rows(Json of);

}  // namespace knapsack::serve::schema
