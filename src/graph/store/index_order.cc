#include "graph/store/index_order.h"

#include <algorithm>
#include <numeric>

namespace knapsack::graph {
namespace {

// An id with its first bytes as a number: almost all comparisons end there.
struct SortableId {
  uint64_t first = 0, second = 0;
  uint32_t number = 0;
};

uint64_t big_endian(std::string_view bytes) {
  uint64_t value = 0;
  for (size_t i = 0; i < sizeof value; ++i) {
    value = value << 8U | (i < bytes.size() ? static_cast<unsigned char>(bytes[i]) : 0U);
  }
  return value;
}

std::vector<uint32_t> numbers_by_id(const GraphIndex& index) {
  std::vector<SortableId> ids;
  ids.reserve(index.size());
  for (uint32_t number = 0; number < index.size(); ++number) {
    const std::string_view id = index.id(number);
    ids.push_back({big_endian(id), big_endian(id.substr(std::min<size_t>(id.size(), 8))), number});
  }
  std::sort(ids.begin(), ids.end(), [&](const SortableId& a, const SortableId& b) {
    if (a.first != b.first) return a.first < b.first;
    if (a.second != b.second) return a.second < b.second;
    return index.id(a.number) < index.id(b.number);
  });
  std::vector<uint32_t> numbers;
  numbers.reserve(ids.size());
  for (const SortableId& id : ids) numbers.push_back(id.number);
  return numbers;
}

void order_nodes(const GraphIndex& index, const std::vector<uint32_t>& old_numbers,
                 const std::vector<uint32_t>& new_numbers, OrderedIndex& ordered) {
  ordered.nodes.reserve(index.size());
  ordered.histories.reserve(index.size());
  for (const uint32_t old : old_numbers) {
    ordered.id_text += index.id(old);
    ordered.id_ends.push_back(static_cast<uint32_t>(ordered.id_text.size()));
    NodeRecord node = index.node(old);
    node.in_tail = 0;
    node.tail_node = 0;
    node.references_begin = static_cast<uint32_t>(ordered.references.size());
    for (const Reference& reference : index.references(old)) {
      ordered.references.push_back({new_numbers[reference.target], reference.kind, {}});
    }
    ordered.nodes.push_back(node);
    ordered.histories.push_back(index.history(old));
  }
}

// Visits each term of each node, with what the term is called in the two dictionaries together: the mapped
// one, and behind it that of the tail.
template <class Visit>
void visit_terms(const GraphIndex& index, const Visit& visit) {
  const IndexTables& base = index.base();
  for (uint32_t term = 0, at = 0; term < base.terms.size(); ++term) {
    for (; at < base.posting_ends[term]; ++at) {
      const Marked node = base.postings[at];
      if (node.number() < index.base_size() && index.node(node.number()).in_tail == 0)
        visit(term, node.number(), node.prominent());
    }
  }
  const TailTerms& tail = index.tail();
  const auto first = static_cast<uint32_t>(base.terms.size());
  for (size_t i = 0; i < tail.nodes.size(); ++i) {
    if (!index.is_current(i)) continue;
    const TailTerms::Node& node = tail.nodes[i];
    for (uint32_t at = node.begin; at < node.begin + node.count; ++at)
      visit(first + tail.terms[at].number(), node.number, tail.terms[at].prominent());
  }
}

void order_terms(const GraphIndex& index, const std::vector<uint32_t>& new_numbers, OrderedIndex& ordered) {
  std::vector<Term> names(index.base().terms.begin(), index.base().terms.end());
  names.insert(names.end(), index.tail().dictionary.begin(), index.tail().dictionary.end());
  std::vector<uint32_t> counts(names.size());
  visit_terms(index, [&](uint32_t term, uint32_t, bool) { ++counts[term]; });
  // Terms that no node has any more go; one that is in both dictionaries is one.
  std::vector<uint32_t> by_hash(names.size());
  std::iota(by_hash.begin(), by_hash.end(), 0);
  std::sort(by_hash.begin(), by_hash.end(), [&](uint32_t a, uint32_t b) { return names[a] < names[b]; });
  std::vector<uint32_t> places(names.size());
  for (const uint32_t term : by_hash) {
    if (counts[term] == 0) continue;
    if (ordered.terms.empty() || ordered.terms.back() != names[term]) {
      ordered.terms.push_back(names[term]);
      ordered.posting_ends.push_back(ordered.posting_ends.empty() ? 0 : ordered.posting_ends.back());
    }
    places[term] = static_cast<uint32_t>(ordered.terms.size() - 1);
    ordered.posting_ends.back() += counts[term];
  }
  std::vector<uint32_t> next(ordered.terms.size());
  for (size_t i = 1; i < next.size(); ++i) next[i] = ordered.posting_ends[i - 1];
  ordered.postings.resize(ordered.posting_ends.empty() ? 0 : ordered.posting_ends.back());
  visit_terms(index, [&](uint32_t term, uint32_t node, bool prominent) {
    ordered.postings[next[places[term]]++] = Marked::of(new_numbers[node], prominent);
  });
}

}  // namespace

OrderedIndex in_order(const GraphIndex& index) {
  OrderedIndex ordered;
  const std::vector<uint32_t> old_numbers = numbers_by_id(index);
  std::vector<uint32_t> new_numbers(index.size());
  for (uint32_t i = 0; i < old_numbers.size(); ++i) new_numbers[old_numbers[i]] = i;
  order_nodes(index, old_numbers, new_numbers, ordered);
  order_terms(index, new_numbers, ordered);
  return ordered;
}

}  // namespace knapsack::graph
