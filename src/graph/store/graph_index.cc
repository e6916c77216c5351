#include "graph/store/graph_index.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

#include <algorithm>

#include "core/ascii.h"

namespace knapsack::graph {
namespace {

std::string_view base_id(const IndexTables& tables, size_t number) {
  const uint32_t begin = number == 0 ? 0 : tables.id_ends[number - 1];
  return tables.id_text.substr(begin, tables.id_ends[number] - begin);
}

}  // namespace

GraphIndex::GraphIndex(IndexTables tables, std::span<const NodeRecord> nodes, ContentSum sum)
    : base_(std::move(tables)), nodes_(nodes.begin(), nodes.end()), sum_(sum) {
  for (const NodeRecord& node : nodes_) counts_[static_cast<size_t>(node.layer)] += node.exists() ? 1 : 0;
}

const NodeHistory& GraphIndex::history(uint32_t number) const {
  if (number >= base_size()) return tail_histories_[number - base_size()];
  const auto changed = changed_histories_.find(number);
  return changed == changed_histories_.end() ? base_.histories[number] : changed->second;
}

NodeHistory& GraphIndex::change_history(uint32_t number) {
  if (number >= base_size()) return tail_histories_[number - base_size()];
  return changed_histories_.try_emplace(number, base_.histories[number]).first->second;
}

std::string_view GraphIndex::id(uint32_t number) const {
  return number < base_size() ? base_id(base_, number)
                              : tail_ids_.id(number - static_cast<uint32_t>(base_size()));
}

std::span<const Reference> GraphIndex::references(uint32_t number) const {
  const NodeRecord& node = nodes_[number];
  const std::span<const Reference> all = node.in_tail != 0 ? std::span(tail_references_) : base_.references;
  return all.subspan(node.references_begin, node.references_count);
}

std::optional<uint32_t> GraphIndex::find(std::string_view id, uint64_t hash) const {
  size_t low = 0, high = base_size();
  while (low < high) {
    const size_t middle = low + (high - low) / 2;
    if (base_id(base_, middle) < id) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  if (low < base_size() && base_id(base_, low) == id) return static_cast<uint32_t>(low);
  const auto found = tail_ids_.find(id, hash);
  return found ? std::optional(*found + static_cast<uint32_t>(base_size())) : std::nullopt;
}

std::optional<uint32_t> GraphIndex::find_any_case(std::string_view id) const {
  return find_any_case(std::span(&id, 1)).front();
}

std::vector<std::optional<uint32_t>> GraphIndex::find_any_case(std::span<const std::string_view> ids) const {
  std::vector<std::optional<uint32_t>> found;
  std::unordered_map<std::string, std::optional<uint32_t>> in_lower_case;  // not there as they are written
  for (const std::string_view written : ids) {
    const auto exact = find(written);
    found.push_back(exact && nodes_[*exact].exists() ? exact : std::nullopt);
    if (!found.back()) in_lower_case.try_emplace(ascii::lower(written));
  }
  if (in_lower_case.empty()) return found;
  for (uint32_t number = 0; number < nodes_.size(); ++number) {
    if (!nodes_[number].exists()) continue;
    const auto wanted = in_lower_case.find(ascii::lower(id(number)));
    if (wanted == in_lower_case.end()) continue;
    std::optional<uint32_t>& best = wanted->second;
    if (!best || id(number) < id(*best)) best = number;
  }
  for (size_t i = 0; i < ids.size(); ++i) {
    if (!found[i]) found[i] = in_lower_case.at(ascii::lower(ids[i]));
  }
  return found;
}

uint32_t GraphIndex::intern(std::string_view id, uint64_t hash) {
  if (const auto known = find(id, hash)) return *known;
  const auto number = static_cast<uint32_t>(nodes_.size());
  tail_ids_.add(id, hash);
  nodes_.emplace_back();
  tail_histories_.emplace_back();
  return number;
}

void GraphIndex::add_to_sum(uint32_t number, uint64_t content, bool remove) {
  const std::string_view text = id(number);
  const XXH128_hash_t hash = XXH3_128bits_withSeed(text.data(), text.size(), content);
  sum_.low += remove ? 0 - hash.low64 : hash.low64;
  sum_.high += remove ? 0 - hash.high64 : hash.high64;
}

GraphIndex::TermNumbers GraphIndex::number_terms(const std::vector<Term>& dictionary) {
  TermNumbers numbers;
  numbers.reserve(dictionary.size());
  for (const Term term : dictionary) {
    const auto [place, fresh] = tail_.numbers.emplace(term, static_cast<uint32_t>(tail_.dictionary.size()));
    if (fresh) tail_.dictionary.push_back(term);
    numbers.push_back(place->second);
  }
  return numbers;
}

std::vector<uint32_t> GraphIndex::add(const DigestBatch& batch, const TermNumbers& terms) {
  std::vector<uint32_t> unsettled;
  for (const LineDigest& line : batch.lines) {
    const uint32_t number = intern(batch.id(line), line.id_hash);
    NodeHistory& history = change_history(number);
    if (history.revisions.count == 0) ++counts_[static_cast<size_t>(line.layer)];
    history.revisions.add(line);
    nodes_[number].revisions = history.revisions.count;
    if (history.revisions.latest().offset == line.offset) {
      learn(number, line, batch, terms);
    } else if (!(history.revisions.latest() == history.line)) {
      unsettled.push_back(number);
    }
  }
  // A later line may have settled it.
  std::sort(unsettled.begin(), unsettled.end());
  unsettled.erase(std::unique(unsettled.begin(), unsettled.end()), unsettled.end());
  unsettled.erase(
      std::remove_if(unsettled.begin(), unsettled.end(),
                     [&](uint32_t n) { return history(n).line == history(n).revisions.latest(); }),
      unsettled.end());
  for (const Problem& problem : batch.problems) {
    if (problems.size() < kKeptProblems) problems.push_back(problem);
  }
  problem_count += batch.problems.size();
  return unsettled;
}

void GraphIndex::learn(uint32_t number, const LineDigest& line, const DigestBatch& batch,
                       const TermNumbers& terms) {
  const auto references_begin = static_cast<uint32_t>(tail_references_.size());
  for (uint32_t i = 0; i < line.references_count; ++i) {
    const NamedReference& named = batch.references[line.references_begin + i];
    tail_references_.push_back({intern(batch.view(named.begin, named.size), named.hash), named.kind, {}});
  }
  NodeHistory& history = change_history(number);  // after intern(), which may move both
  if (history.line.length > 0) add_to_sum(number, history.content, true);
  add_to_sum(number, line.content, false);
  history.line = {line.offset, line.length, 0};
  history.content = line.content;
  history.rev = line.rev;
  history.has_rev = line.has_rev ? 1 : 0;
  history.created = line.created;
  NodeRecord& node = nodes_[number];
  node.updated = line.updated;
  node.layer = line.layer;
  node.state = line.state;
  node.weighty = line.weighty ? 1 : 0;
  node.in_tail = 1;
  node.tail_node = static_cast<uint32_t>(tail_.nodes.size());
  node.references_begin = references_begin;
  node.references_count = line.references_count;
  tail_.nodes.push_back({number, static_cast<uint32_t>(tail_.terms.size()), line.terms_count});
  for (uint32_t i = 0; i < line.terms_count; ++i) {
    const Marked& term = batch.terms[line.terms_begin + i];
    tail_.terms.push_back(Marked::of(terms[term.number()], term.prominent()));
  }
}

}  // namespace knapsack::graph
