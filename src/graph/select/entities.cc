#include "graph/select/entities.h"

#include <algorithm>
#include <cmath>
#include <unordered_set>

#include "core/ascii.h"
#include "graph/select/node_search.h"
#include "graph/select/term_hits.h"

namespace knapsack::graph {
namespace {

bool is_id_byte(char c) {
  return (ascii::is_word(c) && static_cast<unsigned char>(c) < 0x80) || c == '-' || c == '.';
}

struct RequestTerm {
  Term term = kNoTerm;
  std::string word;
  double share = 0;  // its idf as a share of the highest; 0 for a common word
};

std::vector<RequestTerm> request_terms(std::string text, const std::vector<NamedId>& ids,
                                       const std::vector<std::string>& intent_words) {
  for (const NamedId& named : ids)
    std::fill_n(text.begin() + static_cast<long>(named.begin), named.id.size(), ' ');
  std::vector<RequestTerm> terms;
  WordReader words(text, term_word_options());
  Word word;
  while (words.next(word) && terms.size() < kMaxRequestTerms) {
    const Term term = term_of(word.text);
    const auto decided = [&](const std::string& said) {
      return (" " + said + " ").find(" " + std::string(word.text) + " ") != std::string::npos;
    };
    const auto known = [&](const RequestTerm& other) { return other.term == term; };
    if (term == kNoTerm || std::any_of(intent_words.begin(), intent_words.end(), decided) ||
        std::any_of(terms.begin(), terms.end(), known)) {
      continue;
    }
    terms.push_back({term, std::string(word.text), 0});
  }
  std::sort(terms.begin(), terms.end(), [](const auto& a, const auto& b) { return a.term < b.term; });
  return terms;
}

double share_of(size_t having, size_t nodes) {
  const auto idf = [nodes](double n) {
    return std::log(1 + (static_cast<double>(nodes) - n + 0.5) / (n + 0.5));
  };
  const double share = idf(static_cast<double>(having)) / idf(1);
  return share < kCommonWord ? 0 : std::min(share, 1.0);
}

std::vector<Entity> entities_by_words(const GraphIndex& index, std::vector<RequestTerm> terms) {
  size_t nodes = 0;
  for (const Layer layer : kLayers) nodes += index.count(layer);
  std::vector<Term> wanted;
  for (const RequestTerm& each : terms) wanted.push_back(each.term);
  const TermHits all =
      find_terms(index, wanted, [&](uint32_t having) { return having > 0 && share_of(having, nodes) > 0; });
  for (size_t i = 0; i < terms.size(); ++i) terms[i].share = share_of(all.nodes[i], nodes);
  const std::vector<TermHit>& hits = all.hits;
  std::vector<Entity> found;
  double best = 0;
  for (size_t first = 0; first < hits.size();) {
    Entity entity;
    entity.node = hits[first].node;
    size_t at = first;
    for (; at < hits.size() && hits[at].node == entity.node; ++at) {
      const RequestTerm& term = terms[hits[at].term];
      entity.weight += term.share * (hits[at].prominent ? 1 : kTextWeight);
      entity.words.push_back(term.word);
    }
    first = at;
    if (entity.weight < kEntityWeight || is_retired(index.node(entity.node).state)) continue;
    best = std::max(best, entity.weight);
    found.push_back(std::move(entity));
  }
  found.erase(std::remove_if(found.begin(), found.end(),
                             [&](const Entity& each) { return each.weight < best * kShareOfBest; }),
              found.end());
  std::sort(found.begin(), found.end(), [&](const Entity& a, const Entity& b) {
    return a.weight != b.weight ? a.weight > b.weight : index.id(a.node) < index.id(b.node);
  });
  if (found.size() > kMaxWordEntities) found.resize(kMaxWordEntities);
  for (Entity& each : found) std::sort(each.words.begin(), each.words.end());
  return found;
}

}  // namespace

std::vector<NamedId> ids_in(std::string_view text) {
  std::vector<NamedId> ids;
  for (size_t at = 0; at + 3 < text.size(); ++at) {
    if (at > 0 && (ascii::is_word(text[at - 1]) || text[at - 1] == '-')) continue;
    size_t end = at;
    while (end < text.size() && is_id_byte(text[end])) ++end;
    const size_t scanned = end;
    // What ends a sentence is not part of a name.
    while (end > at && (text[end - 1] == '.' || text[end - 1] == '-' || text[end - 1] == '_')) --end;
    const std::string_view id = text.substr(at, end - at);
    if (valid_id(id)) ids.push_back({at, std::string(id)});
    at = std::max(at, scanned);
  }
  return ids;
}

std::vector<std::optional<uint32_t>> nodes_named(const GraphIndex& index, const std::vector<NamedId>& ids) {
  std::vector<std::string_view> names;
  for (const NamedId& named : ids) names.push_back(named.id);
  return index.find_any_case(names);
}

Entities find_entities(const GraphIndex& index, std::string_view request,
                       const std::vector<std::string>& intent_words) {
  Entities entities;
  const auto ids = ids_in(request);
  const auto nodes = nodes_named(index, ids);
  std::unordered_set<uint32_t> known;
  std::unordered_set<std::string_view> unknown;
  for (size_t i = 0; i < ids.size(); ++i) {
    if (!nodes[i] && unknown.insert(ids[i].id).second) entities.unknown_ids.push_back(ids[i].id);
    if (nodes[i] && known.insert(*nodes[i]).second) entities.found.push_back({*nodes[i], true, {}, 0});
  }
  for (Entity& each : entities_by_words(index, request_terms(std::string(request), ids, intent_words))) {
    if (!known.contains(each.node)) entities.found.push_back(std::move(each));
  }
  return entities;
}

}  // namespace knapsack::graph
