#include "graph/select/term_hits.h"

#include <algorithm>
#include <tuple>

namespace knapsack::graph {
namespace {

std::span<const Marked> mapped_nodes(const IndexTables& tables, Term term) {
  const auto found = std::lower_bound(tables.terms.begin(), tables.terms.end(), term);
  if (found == tables.terms.end() || *found != term) return {};
  const auto at = static_cast<size_t>(found - tables.terms.begin());
  const uint32_t begin = at == 0 ? 0 : tables.posting_ends[at - 1];
  return tables.postings.subspan(begin, tables.posting_ends[at] - begin);
}

// Calls for each hit in the tail, in no order that means anything.
template <class Visit>
void visit_tail(const GraphIndex& index, std::span<const Term> terms, const Visit& visit) {
  const TailTerms& tail = index.tail();
  constexpr uint32_t kNone = UINT32_MAX;
  std::vector<uint32_t> asked(tail.dictionary.size(), kNone);
  bool any = false;
  for (uint32_t term = 0; term < terms.size(); ++term) {
    const auto number = tail.numbers.find(terms[term]);
    if (number == tail.numbers.end()) continue;
    asked[number->second] = term;
    any = true;
  }
  for (size_t i = 0; any && i < tail.nodes.size(); ++i) {
    if (!index.is_current(i)) continue;
    const TailTerms::Node& node = tail.nodes[i];
    for (const Marked& term : std::span(tail.terms).subspan(node.begin, node.count)) {
      if (asked[term.number()] != kNone) visit({node.number, asked[term.number()], term.prominent()});
    }
  }
}

}  // namespace

TermHits find_terms(const GraphIndex& index, std::span<const Term> terms,
                    const std::function<bool(uint32_t)>& wanted) {
  TermHits found;
  found.nodes.assign(terms.size(), 0);
  std::vector<TermHit> in_tail;
  visit_tail(index, terms, [&](const TermHit& hit) {
    ++found.nodes[hit.term];
    in_tail.push_back(hit);
  });
  const auto is_mapped = [&](const Marked& node) {
    return node.number() < index.base_size() && index.node(node.number()).in_tail == 0;
  };
  std::vector<bool> chosen;
  for (uint32_t term = 0; term < terms.size(); ++term) {
    const auto nodes = mapped_nodes(index.base(), terms[term]);
    found.nodes[term] += static_cast<uint32_t>(
        index.base_is_stale() ? std::count_if(nodes.begin(), nodes.end(), is_mapped) : std::ssize(nodes));
    chosen.push_back(wanted(found.nodes[term]));
    if (!chosen.back()) continue;
    for (const Marked& node : nodes) {
      if (is_mapped(node)) found.hits.push_back({node.number(), term, node.prominent()});
    }
  }
  for (const TermHit& hit : in_tail) {
    if (chosen[hit.term]) found.hits.push_back(hit);
  }
  std::sort(found.hits.begin(), found.hits.end(), [](const TermHit& a, const TermHit& b) {
    return std::tie(a.node, a.term) < std::tie(b.node, b.term);
  });
  return found;
}

}  // namespace knapsack::graph
