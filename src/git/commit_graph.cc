#include "git/commit_graph.h"

#include <algorithm>

namespace knapsack {
namespace {

constexpr uint8_t kMain = 1, kSide = 2, kWaiting = 4, kListed = 8;
// How far a merge's two lines are followed back in search of where they parted. Beyond it the merge brought
// more than anybody would read as one change.
constexpr size_t kMaxPainted = 5'000;
constexpr size_t kMaxGraphProblems = 100;

}  // namespace

CommitGraph::Node CommitGraph::node(const git_oid& id) {
  const auto [found, added] = nodes_.try_emplace(id, static_cast<Node>(entries_.size()));
  if (added) {
    entries_.emplace_back();
    entries_.back().id = id;
  }
  return found->second;
}

const CommitGraph::Entry& CommitGraph::load(Node node) {
  if (entries_[node].loaded) return entries_[node];
  entries_[node].loaded = true;
  const git_oid id = entries_[node].id;
  const auto objects = objects_of(repository_);
  const auto commit = objects.ok() ? (*objects)->read_commit(id) : Result<GitCommitHandle>(objects.error());
  if (!commit.ok()) {
    entries_[node].missing = true;
    if (problems_.size() < kMaxGraphProblems) problems_.push_back(commit.error().line());
    return entries_[node];
  }
  std::vector<Node> parents;
  const bool boundary = repository_.is_shallow() && repository_.is_shallow_boundary(git_hex(id));
  const unsigned count = boundary ? 0 : git_commit_parentcount(commit->get());
  for (unsigned i = 0; i < count; ++i) parents.push_back(this->node(*git_commit_parent_id(commit->get(), i)));
  Entry& entry = entries_[node];
  entry.tree = *git_commit_tree_id(commit->get());
  entry.time = git_commit_time(commit->get());
  entry.parents = std::move(parents);
  entry.boundary = boundary;
  return entry;
}

// Both lines are followed newest first, each commit painted with the lines that reach it, until no waiting
// commit is the side's alone.
CommitGraph::Side CommitGraph::side_of(Node merge, size_t max_commits) {
  Side side;
  const auto later = [this](Node a, Node b) { return later_in_order(a, b); };
  std::vector<Node> heap, painted;
  size_t side_waiting = 0;  // waiting commits that only the side reaches
  const auto paint = [&](Node node, uint8_t colour) {
    load(node);
    paint_.resize(entries_.size(), 0);
    uint8_t& mark = paint_[node];
    const uint8_t before = mark & (kMain | kSide);
    if ((before | colour) == before) return;
    if (before == 0) painted.push_back(node);
    mark |= colour;
    if ((mark & kWaiting) != 0) {
      if (before == kSide) --side_waiting;
      return;
    }
    mark |= kWaiting;
    if (mark == (kSide | kWaiting)) ++side_waiting;
    heap.push_back(node);
    std::push_heap(heap.begin(), heap.end(), later);
  };
  const std::vector<Node> parents = load(merge).parents;
  for (size_t i = 0; i < parents.size(); ++i) paint(parents[i], i == 0 ? kMain : kSide);
  size_t followed = 0;
  while (side_waiting > 0) {
    if (++followed > kMaxPainted) {
      side.truncated = true;
      side.commits.clear();  // whose they are is not settled
      break;
    }
    std::pop_heap(heap.begin(), heap.end(), later);
    const Node node = heap.back();
    heap.pop_back();
    paint_[node] &= static_cast<uint8_t>(~kWaiting);
    const uint8_t colour = paint_[node] & (kMain | kSide);
    if (colour == kSide) {
      --side_waiting;
      if ((paint_[node] & kListed) == 0) side.commits.push_back(node);
      paint_[node] |= kListed;
    }
    for (size_t i = 0; i < entries_[node].parents.size(); ++i) paint(entries_[node].parents[i], colour);
  }
  // A commit listed before the main line reached it (clocks that disagree) does not belong.
  std::erase_if(side.commits,
                [this](Node node) { return (paint_[node] & kMain) != 0 || entries_[node].missing; });
  for (const Node node : painted) paint_[node] = 0;
  if (side.commits.size() > max_commits) {
    side.commits.resize(max_commits);
    side.truncated = true;
  }
  return side;
}

CommitOrder::CommitOrder(CommitGraph& graph, CommitGraph::Node start, size_t max_group)
    : graph_(graph), max_group_(max_group) {
  reach(start);
}

void CommitOrder::reach(CommitGraph::Node node) {
  if (reached_.size() <= node) reached_.resize(std::max<size_t>(graph_.size(), node + 1));
  if (reached_[node]) return;
  reached_[node] = true;
  if (graph_.load(node).missing) return;
  waiting_.push_back(node);
  std::push_heap(waiting_.begin(), waiting_.end(),
                 [this](auto a, auto b) { return graph_.later_in_order(a, b); });
}

// Takes every commit of the newest waiting time, those reached through one another included, and sorts them
// so that children come before parents. Rebases and imports give long runs of commits one time.
void CommitOrder::take_group() {
  const auto later = [this](auto a, auto b) { return graph_.later_in_order(a, b); };
  const int64_t time = graph_.load(waiting_.front()).time;
  std::vector<CommitGraph::Node> members;
  const auto take_waiting = [&] {
    while (!waiting_.empty() && graph_.load(waiting_.front()).time == time) {
      std::pop_heap(waiting_.begin(), waiting_.end(), later);
      members.push_back(waiting_.back());
      waiting_.pop_back();
    }
  };
  take_waiting();
  for (size_t i = 0; i < members.size() && members.size() < max_group_; ++i) {
    const auto parents = graph_.load(members[i]).parents;
    for (const auto parent : parents) {
      if (graph_.load(parent).time == time) reach(parent);
    }
    take_waiting();
  }
  std::unordered_map<CommitGraph::Node, size_t> children;  // within the group, not yet told
  for (const auto member : members) children.emplace(member, 0);
  for (const auto member : members) {
    for (const auto parent : graph_.load(member).parents) {
      if (const auto found = children.find(parent); found != children.end()) ++found->second;
    }
  }
  std::vector<CommitGraph::Node> ready;
  for (const auto member : members) {
    if (children[member] == 0) ready.push_back(member);
  }
  std::make_heap(ready.begin(), ready.end(), later);
  while (!ready.empty()) {
    std::pop_heap(ready.begin(), ready.end(), later);
    const auto node = ready.back();
    ready.pop_back();
    group_.push_back(node);
    for (const auto parent : graph_.load(node).parents) {
      const auto found = children.find(parent);
      if (found == children.end() || --found->second > 0) continue;
      ready.push_back(parent);
      std::push_heap(ready.begin(), ready.end(), later);
    }
  }
  std::reverse(group_.begin(), group_.end());
}

bool CommitOrder::next(CommitGraph::Node& node) {
  if (group_.empty()) {
    if (waiting_.empty()) return false;
    take_group();
  }
  node = group_.back();
  group_.pop_back();
  const auto parents = graph_.load(node).parents;
  for (const auto parent : parents) reach(parent);
  return true;
}

}  // namespace knapsack
