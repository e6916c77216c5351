#include "memory/recall/recall_walk.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <unordered_map>

namespace knapsack::memory {
namespace {

struct Edge {
  size_t to = 0;
  double strength = 1;
  std::string how;
  bool link = false;
};

class Walk {
 public:
  Walk(std::span<const Memory> memories, const Eligibility& eligibility)
      : memories_(memories), eligibility_(eligibility) {
    for (size_t i = 0; i < memories_.size(); ++i) {
      if (!eligibility_.allows(memories_[i]) || memories_[i].kind == Kind::kArtifact) continue;
      add_to_groups(i);
    }
    const auto earlier = [&](size_t a, size_t b) {
      return std::tie(memories_[a].created, a) < std::tie(memories_[b].created, b);
    };
    for (auto* groups : {&by_entity_, &by_box_, &by_time_}) {
      for (auto& [name, members] : *groups) std::sort(members.begin(), members.end(), earlier);
    }
  }

  std::vector<WalkStep> run(const std::vector<WalkStart>& starts) {
    for (const WalkStart& start : starts) {
      const auto position = static_cast<size_t>(start.memory - memories_.data());
      reach(position, {start.memory, start.score, 0, 1, ""});
    }
    std::vector<size_t> last = order_;
    for (int hop = 1; hop <= kMaxHops && order_.size() < kMaxReached; ++hop) {
      reached_now_.clear();
      for (const size_t from : last) follow(from, hop);
      last = reached_now_;
    }
    std::vector<WalkStep> steps;
    std::sort(order_.begin(), order_.end());
    for (const size_t position : order_) steps.push_back(best_.at(position));
    std::stable_sort(steps.begin(), steps.end(),
                     [](const WalkStep& a, const WalkStep& b) { return a.score > b.score; });
    return steps;
  }

 private:
  using Groups = std::unordered_map<std::string, std::vector<size_t>>;

  void add_to_groups(size_t position) {
    const Memory& memory = memories_[position];
    const auto name = [&](const std::string& of) { return memory.name_space + '\0' + of; };
    if (!memory.entity.empty()) by_entity_[name(memory.entity)].push_back(position);
    if (!memory.session.empty()) by_box_[name(memory.session)].push_back(position);
    if (memory.created) by_time_[memory.name_space].push_back(position);
    for (const Link& link : memory.links) {
      if (const Memory* target = eligibility_.find(memory.name_space, link.target_id); target != nullptr) {
        linked_from_[static_cast<size_t>(target - memories_.data())].emplace_back(position, &link);
      }
    }
  }

  void reach(size_t position, WalkStep step) {
    const auto [known, is_new] = best_.try_emplace(position, step);
    if (is_new) {
      order_.push_back(position);
      reached_now_.push_back(position);
    } else if (step.score > known->second.score && known->second.hops > 0) {
      step.linked = step.linked || known->second.linked;
      known->second = std::move(step);
      reached_now_.push_back(position);
    }
  }

  void follow(size_t from, int hop) {
    const WalkStep origin = best_.at(from);
    for (const Edge& edge : edges_of(from)) {
      if (order_.size() >= kMaxReached && !best_.contains(edge.to)) continue;
      const double factor = kHopDecay * edge.strength;
      if (factor <= 0) continue;
      reach(edge.to, {&memories_[edge.to], origin.score * factor, hop, origin.decay * factor,
                      fmt::format("{} from {}", edge.how, memories_[from].id),
                      hop == 1 && edge.link && edge.strength >= kTellingLink});
    }
  }

  std::vector<Edge> edges_of(size_t from) const {
    const Memory& memory = memories_[from];
    std::vector<Edge> edges;
    for (const Link& link : memory.links) {
      const Memory* target = eligibility_.find(memory.name_space, link.target_id);
      if (target == nullptr || target == &memory || target->kind == Kind::kArtifact) continue;
      edges.push_back({static_cast<size_t>(target - memories_.data()), std::clamp(link.strength, 0.0, 1.0),
                       fmt::format("linked ({})", link.type), true});
    }
    if (const auto back = linked_from_.find(from); back != linked_from_.end()) {
      for (const auto& [source, link] : back->second) {
        edges.push_back(
            {source, std::clamp(link->strength, 0.0, 1.0), fmt::format("links here ({})", link->type), true});
      }
    }
    const auto name = [&](const std::string& of) { return memory.name_space + '\0' + of; };
    if (!memory.entity.empty())
      add_nearest(by_entity_, name(memory.entity), from, kMaxOfEntity, kEntityStrength,
                  "about " + memory.entity, edges);
    if (!memory.session.empty())
      add_nearest(by_box_, name(memory.session), from, kMaxOfBox, kBoxStrength, "of " + memory.session,
                  edges);
    add_nearest(by_time_, memory.name_space, from, 2, kTimeStrength, "beside it in time", edges);
    return edges;
  }

  // Half of them before it in time, half after it.
  static void add_nearest(const Groups& groups, const std::string& name, size_t from, size_t most,
                          double strength, const std::string& how, std::vector<Edge>& edges) {
    const auto group = groups.find(name);
    if (group == groups.end()) return;
    const std::vector<size_t>& members = group->second;
    const auto self = std::find(members.begin(), members.end(), from);
    if (self == members.end()) return;
    const auto at = static_cast<size_t>(self - members.begin());
    const size_t first = at - std::min(at, most / 2);
    const size_t last = std::min(members.size(), at + most / 2 + 1);
    for (size_t i = first; i < last; ++i) {
      if (i != at) edges.push_back({members[i], strength, how});
    }
  }

  std::span<const Memory> memories_;
  const Eligibility& eligibility_;
  Groups by_entity_, by_box_, by_time_;
  std::unordered_map<size_t, std::vector<std::pair<size_t, const Link*>>> linked_from_;
  std::unordered_map<size_t, WalkStep> best_;
  std::vector<size_t> order_;        // everything that was reached
  std::vector<size_t> reached_now_;  // in this hop, or better than before
};

}  // namespace

std::vector<WalkStep> walk_memories(std::span<const Memory> memories, const Eligibility& eligibility,
                                    const std::vector<WalkStart>& starts) {
  return Walk(memories, eligibility).run(starts);
}

}  // namespace knapsack::memory
