// Entities: the nodes that a request is about.
//
// An id that the request names is one, in any case. So is a node that shares distinctive words with it: each
// word weighs its idf, ln(1 + (N - n + 0.5) / (n + 0.5)) for n of N nodes; in full where it stands in the
// title, a tag or the type, half where only in the text. Stop words, the words that decided the intent, and
// words that are common in this graph weigh nothing. Pure functions; any thread.
// Private to graph/select/.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "graph/store/graph_index.h"

namespace knapsack::graph {

// As shares of the idf of a word that a single node has.
inline constexpr double kCommonWord = 0.25;      // below this a word is common and weighs nothing
inline constexpr double kEntityWeight = 0.5;     // what the words of an entity weigh together at least
inline constexpr double kShareOfBest = 1.0 / 3;  // … and at least this share of the best match
inline constexpr double kTextWeight = 0.5;       // of a word that stands in the text only
inline constexpr size_t kMaxWordEntities = 50;
inline constexpr size_t kMaxRequestTerms = 256;

struct Entity {
  uint32_t node = 0;
  bool by_id = false;
  std::vector<std::string> words;  // of the request, that it shares; empty when it was named
  double weight = 0;               // of these words; as a share of the idf of a word that one node has
};

struct Entities {
  std::vector<Entity> found;  // named ones first, in the order of the request; then by weight and id
  std::vector<std::string> unknown_ids;  // that the request names and the graph does not have
};

Entities find_entities(const GraphIndex& index, std::string_view request,
                       const std::vector<std::string>& intent_words);

// The ids in a text, each once, in order, with where they stand.
struct NamedId {
  size_t begin = 0;
  std::string id;
};
std::vector<NamedId> ids_in(std::string_view text);
// The node of each, in any case.
std::vector<std::optional<uint32_t>> nodes_named(const GraphIndex& index, const std::vector<NamedId>& ids);

}  // namespace knapsack::graph
