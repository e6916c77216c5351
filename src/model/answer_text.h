// Reading what a model wrote: the one JSON object in it, if it keeps the schema.
//
// Models like to wrap JSON in prose or a code fence; that is forgiven as long as there is exactly one object
// to be meant. Any bytes are accepted; time is linear in them. Pure functions; any thread.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>

#include "core/result.h"

namespace knapsack::model {

// An answer nests no deeper than this; what does is not one.
inline constexpr int kMaxAnswerDepth = 64;
// How many opening braces in prose are tried before giving up.
inline constexpr int kMaxSalvageTries = 64;

// Any JSON value, or kCorrupt: not JSON, not UTF-8 or nested too deep.
Result<nlohmann::json> parse_bounded_json(std::string_view text);

// The answer in `text`, valid by `schema`; otherwise kCorrupt with one line that says what is wrong with it.
Result<nlohmann::json> read_answer(std::string_view text, const nlohmann::json& schema);

// The same of an answer that was cut off, from what it says before the cut: whole values only. Members that are
// missing and must be there are empty texts and lists.
Result<nlohmann::json> read_cut_answer(std::string_view text, const nlohmann::json& schema);

// The items of the list `name` in an answer, those that keep `item_schema`, as {name: [...]}. The answer may
// be cut off anywhere. kCorrupt where there is none. `all` says whether the answer was whole and nothing else
// was in the list.
Result<nlohmann::json> read_listed(std::string_view text, const std::string& name,
                                   const nlohmann::json& item_schema, bool& all);

}  // namespace knapsack::model
