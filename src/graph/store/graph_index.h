// GraphIndex: every node of the graph at its latest revision, as ranking sees it.
//
// Nodes are numbers. An id that is only mentioned has a number too, and does not exist until a line for it
// comes. What was read from an index file stays mapped; lines that came after it are held beside, in the
// tail. Reading is safe from any thread, adding is not.
#pragma once

#include <array>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "core/files/file_system.h"
#include "graph/store/digest.h"
#include "graph/store/id_table.h"
#include "graph/store/revisions.h"

namespace knapsack::graph {

struct Reference {
  uint32_t target = 0;
  ReferenceKind kind = ReferenceKind::kLink;
  uint8_t unused[3] = {};
};

// What every request looks at in every node, and therefore small. This and NodeHistory are written to index
// files as they are: no pointers, no padding, multiples of 8 bytes.
struct NodeRecord {
  int64_t updated = kNoTime;
  uint32_t references_begin = 0, references_count = 0;
  uint32_t revisions = 0;  // 0: only mentioned
  uint32_t tail_node = 0;  // where in_tail
  Layer layer = Layer::kKnowledge;
  State state = State::kUnknown;
  uint8_t weighty = 0;  // these two are 0 or 1; a bool from a file could be neither
  uint8_t in_tail = 0;  // references and terms are in the tail
  uint8_t unused[4] = {};

  bool exists() const { return revisions > 0; }
};
static_assert(sizeof(NodeRecord) == 32);

// What is asked of few nodes.
struct NodeHistory {
  Revisions revisions;
  LinePlace line;  // that the rest was learnt from
  uint64_t content = 0;
  int64_t rev = 0;
  int64_t created = kNoTime;
  uint64_t has_rev = 0;
};
static_assert(sizeof(NodeHistory) == 104);

// How much of a file an index has seen; whole lines only.
struct FileStamp {
  uint64_t covered = 0;
  uint64_t lines = 0;
  uint64_t inode = 0;
  int64_t mtime_nanos = 0;
  uint64_t ending = 0;  // hash of the last bytes that are covered
};

// What is mapped. Ids and terms ascend; the nodes of a term in any order.
struct IndexTables {
  std::span<const uint32_t> id_ends;
  std::string_view id_text;
  std::span<const NodeHistory> histories;
  std::span<const Reference> references;
  std::span<const Term> terms;
  std::span<const uint32_t> posting_ends;  // of each term
  std::span<const Marked> postings;        // nodes
  std::shared_ptr<const FileBytes> bytes;  // that all of these lie in
};

// The words of the nodes that were learnt from lines.
struct TailTerms {
  struct Node {
    uint32_t number = 0;
    uint32_t begin = 0, count = 0;  // in terms
  };
  std::vector<Node> nodes;    // some of them learnt anew since: GraphIndex::is_current() tells
  std::vector<Marked> terms;  // by the numbers of the dictionary
  std::vector<Term> dictionary;
  std::unordered_map<Term, uint32_t> numbers;
};

// A sum over all nodes, which does not depend on their order.
struct ContentSum {
  uint64_t low = 0, high = 0;
  bool operator==(const ContentSum&) const = default;
};

class GraphIndex {
 public:
  GraphIndex() = default;
  GraphIndex(IndexTables tables, std::span<const NodeRecord> nodes, ContentSum sum);

  size_t size() const { return nodes_.size(); }
  const NodeRecord& node(uint32_t number) const { return nodes_[number]; }
  const NodeHistory& history(uint32_t number) const;
  std::string_view id(uint32_t number) const;
  std::span<const Reference> references(uint32_t number) const;
  std::optional<uint32_t> find(std::string_view id) const { return find(id, hash_of_id(id)); }
  // The same without regard to case, where exactly as written there is none.
  std::optional<uint32_t> find_any_case(std::string_view id) const;
  // Each of these, in their order: all nodes are looked at once, however many there are.
  std::vector<std::optional<uint32_t>> find_any_case(std::span<const std::string_view> ids) const;
  size_t count(Layer layer) const { return counts_[static_cast<size_t>(layer)]; }
  const ContentSum& content_sum() const { return sum_; }

  // The mapped tables: nodes that are in_tail are no longer as these say.
  const IndexTables& base() const { return base_; }
  size_t base_size() const { return base_.id_ends.size(); }
  const TailTerms& tail() const { return tail_; }
  bool is_current(size_t tail_node) const {
    const NodeRecord& node = nodes_[tail_.nodes[tail_node].number];
    return node.in_tail != 0 && node.tail_node == tail_node;
  }
  // A mapped node was learnt anew, so that lists of mapped nodes hold some that are in_tail.
  bool base_is_stale() const { return !changed_histories_.empty(); }

  // Numbers here for the terms of a digester.
  using TermNumbers = std::vector<uint32_t>;
  TermNumbers number_terms(const std::vector<Term>& dictionary);
  // Takes lines in the order of their file. Where an older line turns out to be the latest one, it must be
  // read again: these nodes are returned, and learn() is called for each.
  std::vector<uint32_t> add(const DigestBatch& batch, const TermNumbers& terms);
  void learn(uint32_t number, const LineDigest& line, const DigestBatch& batch, const TermNumbers& terms);

  std::array<FileStamp, kLayers.size()> stamps;
  std::vector<Problem> problems;  // the first kKeptProblems
  uint64_t problem_count = 0;
  static constexpr size_t kKeptProblems = 1000;

 private:
  std::optional<uint32_t> find(std::string_view id, uint64_t hash) const;
  uint32_t intern(std::string_view id, uint64_t hash);
  NodeHistory& change_history(uint32_t number);
  void add_to_sum(uint32_t number, uint64_t content, bool remove);

  IndexTables base_;
  std::vector<NodeRecord> nodes_;
  std::unordered_map<uint32_t, NodeHistory> changed_histories_;  // of mapped nodes
  std::vector<NodeHistory> tail_histories_;                      // of those that came after them
  IdTable tail_ids_;
  std::vector<Reference> tail_references_;
  TailTerms tail_;
  std::array<size_t, kLayers.size()> counts_{};
  ContentSum sum_;
};

}  // namespace knapsack::graph
