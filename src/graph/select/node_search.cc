#include "graph/select/node_search.h"

#include <algorithm>
#include <cmath>
#include <unordered_map>

#include "graph/select/entities.h"
#include "graph/select/term_hits.h"

namespace knapsack::graph {
namespace {

std::vector<Term> terms_of(std::string_view query) {
  std::vector<Term> terms;
  WordReader words(query, term_word_options());
  for (Word word; terms.size() < kMaxRequestTerms && words.next(word);) {
    if (const Term term = term_of(word.text); term != kNoTerm) terms.push_back(term);
  }
  std::sort(terms.begin(), terms.end());
  terms.erase(std::unique(terms.begin(), terms.end()), terms.end());
  return terms;
}

}  // namespace

bool is_retired(State state) {
  return state == State::kArchived || state == State::kSuperseded || state == State::kDeprecated;
}

std::vector<FoundNode> find_nodes(const GraphIndex& index, std::string_view query, size_t limit) {
  double nodes = 0;
  for (const Layer layer : kLayers) nodes += static_cast<double>(index.count(layer));
  const std::vector<Term> terms = terms_of(query);
  const TermHits hits = find_terms(index, terms, [](uint32_t having) { return having > 0; });
  std::vector<double> idf;
  double all = 0;
  for (const uint32_t having : hits.nodes) {
    idf.push_back(std::log(1 + (nodes - having + 0.5) / (having + 0.5)));
    all += idf.back();
  }
  std::unordered_map<uint32_t, double> scores;
  for (const TermHit& hit : hits.hits) {
    if (!is_retired(index.node(hit.node).state))
      scores[hit.node] += idf[hit.term] * (hit.prominent ? 1 : kTextWeight);
  }
  for (const auto node : nodes_named(index, ids_in(query))) {
    if (node && index.node(*node).exists()) scores[*node] += all + 1;
  }
  std::vector<FoundNode> found;
  for (const auto& [node, score] : scores) found.push_back({node, score});
  std::sort(found.begin(), found.end(), [&](const FoundNode& a, const FoundNode& b) {
    return a.score != b.score ? a.score > b.score : index.id(a.node) < index.id(b.node);
  });
  if (found.size() > limit) found.resize(limit);
  return found;
}

}  // namespace knapsack::graph
