// JSON's templates, compiled once for all tests.
//
// Most tests read JSON, and each group of them that is compiled together would make the reader, the writer and the values
// anew, in both orders of keys: half of its code and a third of its time. Part of the precompiled header of the tests;
// json_once.cc has the only copy.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

namespace knapsack::testing {
using JsonOfText = nlohmann::detail::iterator_input_adapter<std::string::const_iterator>;
using JsonOfCharacters = nlohmann::detail::iterator_input_adapter<const char*>;
}  // namespace knapsack::testing

#define KNAPSACK_JSON_OF(declare, Json)                                             \
  declare class nlohmann::detail::serializer<Json>;                                 \
  declare class nlohmann::detail::json_sax_dom_parser<Json>;                        \
  declare class nlohmann::detail::json_sax_dom_callback_parser<Json>;               \
  declare class nlohmann::detail::lexer<Json, knapsack::testing::JsonOfText>;       \
  declare class nlohmann::detail::lexer<Json, knapsack::testing::JsonOfCharacters>; \
  declare class nlohmann::detail::parser<Json, knapsack::testing::JsonOfText>;      \
  declare class nlohmann::detail::parser<Json, knapsack::testing::JsonOfCharacters>

#define KNAPSACK_JSON_TEMPLATES(declare)                     \
  declare class nlohmann::basic_json<>;                      \
  declare class nlohmann::basic_json<nlohmann::ordered_map>; \
  KNAPSACK_JSON_OF(declare, nlohmann::json);                 \
  KNAPSACK_JSON_OF(declare, nlohmann::ordered_json)

KNAPSACK_JSON_TEMPLATES(extern template);
