#include "graph/entities.h"

#include <algorithm>
#include <bitset>
#include <cmath>

namespace knapsack::graph {
namespace {

bool is_word_byte(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
         static_cast<unsigned char>(c) >= 0x80;
}

bool is_id_byte(char c) {
  return (is_word_byte(c) && static_cast<unsigned char>(c) < 0x80) || c == '-' || c == '.';
}

struct RequestTerm {
  Term term = kNoTerm;
  std::string word;
  uint32_t nodes = 0;  // that have it
  double share = 0;    // its idf as a share of the highest
};

struct TermHit {
  uint32_t node;
  uint32_t term;
  bool prominent;
};

std::vector<RequestTerm> request_terms(std::string text, const std::vector<NamedId>& ids,
                                       const std::vector<std::string>& intent_words) {
  for (const NamedId& named : ids)
    std::fill_n(text.begin() + static_cast<long>(named.begin), named.id.size(), ' ');
  std::vector<RequestTerm> terms;
  TermReader reader;
  WordReader words(text, TermReader::word_options());
  Word word;
  while (words.next(word) && terms.size() < kMaxRequestTerms) {
    const Term term = reader.term_of(word);
    const auto decided = [&](const std::string& said) {
      return (" " + said + " ").find(" " + std::string(word.text) + " ") != std::string::npos;
    };
    const auto known = [&](const RequestTerm& other) { return other.term == term; };
    if (term == kNoTerm || std::any_of(intent_words.begin(), intent_words.end(), decided) ||
        std::any_of(terms.begin(), terms.end(), known)) {
      continue;
    }
    terms.push_back({term, std::string(word.text), 0, 0});
  }
  std::sort(terms.begin(), terms.end(), [](const auto& a, const auto& b) { return a.term < b.term; });
  return terms;
}

// Which nodes have which terms: one pass over all of them. A bitmap on some bits of the hash turns away all
// but a few in a nanosecond.
std::vector<TermHit> find_hits(const GraphIndex& index, std::vector<RequestTerm>& terms) {
  constexpr size_t kFilterBits = 1U << 16U;
  const auto slot = [](Term term) { return (term >> 20U) % kFilterBits; };
  const auto filter = std::make_unique<std::bitset<kFilterBits>>();
  for (const RequestTerm& each : terms) filter->set(slot(each.term));
  std::vector<TermHit> hits;
  for (uint32_t number = 0; number < index.size(); ++number) {
    if (!index.node(number).exists()) continue;
    for (const Term marked : index.terms(number)) {
      const Term term = marked & ~kProminent;
      if (!filter->test(slot(term))) continue;
      const auto found =
          std::lower_bound(terms.begin(), terms.end(), term,
                           [](const RequestTerm& each, Term wanted) { return each.term < wanted; });
      if (found == terms.end() || found->term != term) continue;
      const auto which = static_cast<uint32_t>(found - terms.begin());
      // The same word in the text and in the title: terms are sorted, so the two stand side by side.
      if (!hits.empty() && hits.back().node == number && hits.back().term == which) {
        hits.back().prominent = true;
        continue;
      }
      hits.push_back({number, which, (marked & kProminent) != 0});
      ++found->nodes;
    }
  }
  return hits;
}

void weigh(std::vector<RequestTerm>& terms, size_t nodes) {
  const auto idf = [nodes](double having) {
    return std::log(1 + (static_cast<double>(nodes) - having + 0.5) / (having + 0.5));
  };
  for (RequestTerm& term : terms) {
    const double share = idf(term.nodes) / idf(1);
    term.share = share < kCommonWord ? 0 : std::min(share, 1.0);
  }
}

bool is_retired(State state) {
  return state == State::kArchived || state == State::kSuperseded || state == State::kDeprecated;
}

std::vector<Entity> entities_by_words(const GraphIndex& index, std::vector<RequestTerm> terms) {
  const auto hits = find_hits(index, terms);
  size_t nodes = 0;
  for (const Layer layer : kLayers) nodes += index.count(layer);
  weigh(terms, nodes);
  std::vector<Entity> found;
  double best = 0;
  for (size_t first = 0; first < hits.size();) {
    Entity entity;
    entity.node = hits[first].node;
    size_t at = first;
    for (; at < hits.size() && hits[at].node == entity.node; ++at) {
      const RequestTerm& term = terms[hits[at].term];
      if (term.share == 0) continue;
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
    if (at > 0 && (is_word_byte(text[at - 1]) || text[at - 1] == '-')) continue;
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

Entities find_entities(const GraphIndex& index, std::string_view request,
                       const std::vector<std::string>& intent_words) {
  Entities entities;
  const auto ids = ids_in(request);
  for (const NamedId& named : ids) {
    const auto node = index.find_any_case(named.id);
    if (!node) {
      auto& unknown = entities.unknown_ids;
      if (std::find(unknown.begin(), unknown.end(), named.id) == unknown.end()) unknown.push_back(named.id);
      continue;
    }
    const bool again = std::any_of(entities.found.begin(), entities.found.end(),
                                   [&](const Entity& each) { return each.node == *node; });
    if (!again) entities.found.push_back({*node, true, {}, 0});
  }
  const size_t named = entities.found.size();
  for (Entity& each : entities_by_words(index, request_terms(std::string(request), ids, intent_words))) {
    const auto end = entities.found.begin() + static_cast<long>(named);
    const bool known = std::any_of(entities.found.begin(), end,
                                   [&](const Entity& other) { return other.node == each.node; });
    if (!known) entities.found.push_back(std::move(each));
  }
  return entities;
}

}  // namespace knapsack::graph
