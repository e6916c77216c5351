// GraphIndex: every node of the graph at its latest revision, as ranking sees it.
//
// Nodes are numbers. An id that is only mentioned has a number too, and does not exist until a line for it
// comes. What was read from an index file stays mapped; lines that came after it are held beside. Reading is
// safe from any thread, adding is not.
#pragma once

#include <array>
#include <deque>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "core/file_system.h"
#include "graph/digest.h"
#include "graph/revisions.h"

namespace knapsack::graph {

struct Reference {
  uint32_t target = 0;
  ReferenceKind kind = ReferenceKind::kLink;
  uint8_t unused[3] = {};
};

// Written to index files as it is: no pointers, no padding, a multiple of 8 bytes.
struct NodeRecord {
  Revisions revisions;
  LinePlace line;  // that the rest was learnt from
  uint64_t content = 0;
  int64_t rev = 0;
  int64_t updated = kNoTime;
  int64_t created = kNoTime;
  uint32_t references_begin = 0, references_count = 0;
  uint32_t terms_begin = 0, terms_count = 0;
  Layer layer = Layer::kKnowledge;
  State state = State::kUnknown;
  uint8_t weighty = 0;  // these three are 0 or 1; a bool from a file could be neither
  uint8_t has_rev = 0;
  uint8_t in_tail = 0;  // references and terms are beside the mapped ones
  uint8_t unused[3] = {};

  bool exists() const { return revisions.count > 0; }
};
static_assert(sizeof(NodeRecord) == 128);

// How much of a file an index has seen; whole lines only.
struct FileStamp {
  uint64_t covered = 0;
  uint64_t lines = 0;
  uint64_t inode = 0;
  int64_t mtime_nanos = 0;
  uint64_t ending = 0;  // hash of the last bytes that are covered
};

// What of the index is mapped or was put in order for a file. Ids ascend.
struct IndexTables {
  std::span<const uint32_t> id_ends;
  std::string_view id_text;
  std::span<const Reference> references;
  std::span<const Term> terms;
  std::shared_ptr<const FileBytes> bytes;  // that all of these lie in
};

class GraphIndex {
 public:
  GraphIndex() = default;
  GraphIndex(IndexTables tables, std::vector<NodeRecord> nodes);

  size_t size() const { return nodes_.size(); }
  const NodeRecord& node(uint32_t number) const { return nodes_[number]; }
  std::string_view id(uint32_t number) const;
  std::span<const Reference> references(uint32_t number) const;
  std::span<const Term> terms(uint32_t number) const;
  std::optional<uint32_t> find(std::string_view id) const;
  // The same without regard to case, where exactly as written there is none.
  std::optional<uint32_t> find_any_case(std::string_view id) const;
  size_t count(Layer layer) const { return counts_[static_cast<size_t>(layer)]; }

  // Takes lines in the order of their file. Where an older line turns out to be the latest one, it must be
  // read again: these nodes are returned, and learn() is called for each.
  std::vector<uint32_t> add(const DigestBatch& batch);
  void learn(uint32_t number, const LineDigest& line, const DigestBatch& batch);

  std::array<FileStamp, kLayers.size()> stamps;
  std::vector<Problem> problems;  // the first kKeptProblems
  uint64_t problem_count = 0;
  static constexpr size_t kKeptProblems = 1000;

 private:
  uint32_t intern(std::string_view id);

  IndexTables base_;
  std::vector<NodeRecord> nodes_;
  std::deque<std::string> tail_ids_;
  std::unordered_map<std::string_view, uint32_t> tail_numbers_;
  std::vector<Reference> tail_references_;
  std::vector<Term> tail_terms_;
  std::array<size_t, kLayers.size()> counts_{};
};

}  // namespace knapsack::graph
