// Checking JSON against the part of JSON Schema that we ask models and callers to keep.
//
// Known: type (one name or several), properties, required, additionalProperties (true or false), enum, items,
// minItems, maxItems, minLength and maxLength (in code points), minimum, maximum; default and description,
// which demand nothing. A schema with anything else is refused by check_schema() rather than half-checked.
// Pure functions; any thread.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>

#include "core/result.h"

namespace knapsack {

// Whether this is a schema that find_mismatch() understands completely.
Status check_schema(const nlohmann::json& schema);

// Nothing when the value keeps the schema; otherwise one line that names the first place where it does not:
// "/files/3/verdict: must be one of "relevant", "irrelevant"". The schema has passed check_schema().
std::optional<std::string> find_mismatch(const nlohmann::json& value, const nlohmann::json& schema);

}  // namespace knapsack
