// What a model is asked to say of a file, and what is made of its answer.
//
// An answer is valid when it keeps the schema; names of a public API that do not occur in the file are left
// out, since a model may describe what is there and not add to it. Pure functions; any thread.
// Private to engine/recipes/code/.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string_view>

#include "code/index/curated_rows.h"
#include "store/ledger/ledger.h"

namespace knapsack {

// Of the answer, in the subset that text/json_schema.h checks.
const nlohmann::json& enrichment_schema();

// The answer with only those names of `public_api` that occur in `text`.
nlohmann::json keep_names_of(nlohmann::json answer, std::string_view text);

// The row that a stored enrichment stands for; nothing when it is not a valid one.
std::optional<code::FileMetadata> metadata_of(const Enrichment& enrichment);

}  // namespace knapsack
