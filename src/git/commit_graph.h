// The graph of commits, loaded as far as it has been asked about. Private to git/.
//
// A commit that cannot be read, and the end of a shallow clone, have no parents here. One graph belongs to
// one thread.
#pragma once

#include <cstdint>
#include <cstring>
#include <functional>
#include <string>
#include <unordered_map>
#include <vector>

#include "git/objects.h"
#include "git/repository.h"

namespace knapsack {

class CommitGraph {
 public:
  using Node = uint32_t;
  struct Entry {
    git_oid id{};
    git_oid tree{};
    int64_t time = 0;
    std::vector<Node> parents;
    bool loaded = false;
    bool missing = false;   // cannot be read; `problems` says why
    bool boundary = false;  // the end of a shallow clone
  };

  explicit CommitGraph(const GitRepository& repository) : repository_(repository) {}

  Node node(const git_oid& id);
  const Entry& load(Node node);
  const git_oid& id(Node node) const { return entries_[node].id; }
  size_t size() const { return entries_.size(); }
  const std::vector<std::string>& problems() const { return problems_; }

  // The order in which history is told: true when `a` comes after `b`, by time and then by id.
  bool later_in_order(Node a, Node b) const {
    const Entry &x = entries_[a], &y = entries_[b];
    if (x.time != y.time) return x.time < y.time;
    return git_oid_cmp(&x.id, &y.id) > 0;
  }

  struct Side {
    std::vector<Node> commits;  // newest first
    bool truncated = false;
  };
  // What a merge brings: reachable from its other parents and not from its first.
  Side side_of(Node merge, size_t max_commits);

 private:
  struct IdHash {
    size_t operator()(const git_oid& id) const {
      size_t value;
      std::memcpy(&value, id.id, sizeof value);  // an id is a hash already
      return value;
    }
  };
  struct IdEqual {
    bool operator()(const git_oid& a, const git_oid& b) const { return git_oid_equal(&a, &b) != 0; }
  };

  const GitRepository& repository_;
  std::vector<Entry> entries_;
  std::unordered_map<git_oid, Node, IdHash, IdEqual> nodes_;
  std::vector<uint8_t> paint_;  // scratch of side_of, all zero between calls
  std::vector<std::string> problems_;
};

// Tells the commits reachable from one in the order that history.h promises.
class CommitOrder {
 public:
  CommitOrder(CommitGraph& graph, CommitGraph::Node start, size_t max_group);

  // False at the end.
  bool next(CommitGraph::Node& node);

 private:
  void reach(CommitGraph::Node node);
  void take_group();

  CommitGraph& graph_;
  size_t max_group_;
  std::vector<CommitGraph::Node> waiting_;  // a heap, newest on top
  std::vector<CommitGraph::Node> group_;    // of one time, in reverse order of telling
  std::vector<bool> reached_;
};

}  // namespace knapsack
