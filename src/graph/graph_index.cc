#include "graph/graph_index.h"

#include <algorithm>

namespace knapsack::graph {
namespace {

std::string_view base_id(const IndexTables& tables, size_t number) {
  const uint32_t begin = number == 0 ? 0 : tables.id_ends[number - 1];
  return tables.id_text.substr(begin, tables.id_ends[number] - begin);
}

bool equal_any_case(std::string_view a, std::string_view b) {
  const auto lower = [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; };
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [&](char x, char y) { return lower(x) == lower(y); });
}

}  // namespace

GraphIndex::GraphIndex(IndexTables tables, std::vector<NodeRecord> nodes)
    : base_(std::move(tables)), nodes_(std::move(nodes)) {
  for (const NodeRecord& node : nodes_) counts_[static_cast<size_t>(node.layer)] += node.exists() ? 1 : 0;
}

std::string_view GraphIndex::id(uint32_t number) const {
  return number < base_.id_ends.size() ? base_id(base_, number) : tail_ids_[number - base_.id_ends.size()];
}

std::span<const Reference> GraphIndex::references(uint32_t number) const {
  const NodeRecord& node = nodes_[number];
  const std::span<const Reference> all = node.in_tail != 0 ? std::span(tail_references_) : base_.references;
  return all.subspan(node.references_begin, node.references_count);
}

std::span<const Term> GraphIndex::terms(uint32_t number) const {
  const NodeRecord& node = nodes_[number];
  const std::span<const Term> all = node.in_tail != 0 ? std::span(tail_terms_) : base_.terms;
  return all.subspan(node.terms_begin, node.terms_count);
}

std::optional<uint32_t> GraphIndex::find(std::string_view id) const {
  size_t low = 0, high = base_.id_ends.size();
  while (low < high) {
    const size_t middle = low + (high - low) / 2;
    if (base_id(base_, middle) < id) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  if (low < base_.id_ends.size() && base_id(base_, low) == id) return static_cast<uint32_t>(low);
  const auto found = tail_numbers_.find(id);
  return found == tail_numbers_.end() ? std::nullopt : std::optional(found->second);
}

std::optional<uint32_t> GraphIndex::find_any_case(std::string_view id) const {
  if (const auto exact = find(id); exact && nodes_[*exact].exists()) return exact;
  std::optional<uint32_t> best;
  for (uint32_t number = 0; number < nodes_.size(); ++number) {
    if (!nodes_[number].exists() || !equal_any_case(this->id(number), id)) continue;
    if (!best || this->id(number) < this->id(*best)) best = number;
  }
  return best;
}

uint32_t GraphIndex::intern(std::string_view id) {
  if (const auto known = find(id)) return *known;
  const auto number = static_cast<uint32_t>(nodes_.size());
  tail_numbers_.emplace(tail_ids_.emplace_back(id), number);
  nodes_.emplace_back();
  return number;
}

std::vector<uint32_t> GraphIndex::add(const DigestBatch& batch) {
  std::vector<uint32_t> unsettled;
  for (const LineDigest& line : batch.lines) {
    const uint32_t number = intern(batch.id(line));
    Revisions& revisions = nodes_[number].revisions;
    if (revisions.count == 0) ++counts_[static_cast<size_t>(line.layer)];
    revisions.add(line);
    if (revisions.latest().offset == line.offset) {
      learn(number, line, batch);
    } else if (!(revisions.latest() == nodes_[number].line)) {
      unsettled.push_back(number);
    }
  }
  // A later line may have settled it.
  std::sort(unsettled.begin(), unsettled.end());
  unsettled.erase(std::unique(unsettled.begin(), unsettled.end()), unsettled.end());
  unsettled.erase(std::remove_if(unsettled.begin(), unsettled.end(),
                                 [&](uint32_t n) { return nodes_[n].line == nodes_[n].revisions.latest(); }),
                  unsettled.end());
  for (const Problem& problem : batch.problems) {
    if (problems.size() < kKeptProblems) problems.push_back(problem);
  }
  problem_count += batch.problems.size();
  return unsettled;
}

void GraphIndex::learn(uint32_t number, const LineDigest& line, const DigestBatch& batch) {
  const auto references_begin = static_cast<uint32_t>(tail_references_.size());
  for (uint32_t i = 0; i < line.references_count; ++i) {
    const NamedReference& named = batch.references[line.references_begin + i];
    tail_references_.push_back({intern(batch.view(named.begin, named.size)), named.kind, {}});
  }
  NodeRecord& node = nodes_[number];  // after intern(), which may move the nodes
  node.line = {line.offset, line.length, 0};
  node.content = line.content;
  node.rev = line.rev;
  node.has_rev = line.has_rev ? 1 : 0;
  node.updated = line.updated;
  node.created = line.created;
  node.layer = line.layer;
  node.state = line.state;
  node.weighty = line.weighty ? 1 : 0;
  node.in_tail = 1;
  node.references_begin = references_begin;
  node.references_count = line.references_count;
  node.terms_begin = static_cast<uint32_t>(tail_terms_.size());
  node.terms_count = line.terms_count;
  const auto first = batch.terms.begin() + line.terms_begin;
  tail_terms_.insert(tail_terms_.end(), first, first + line.terms_count);
}

}  // namespace knapsack::graph
