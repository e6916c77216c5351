// choose_memories: how many of what was found are taken, and where a story is asked for, what happened around them.
#include <fmt/format.h>

#include <algorithm>
#include <unordered_map>
#include <unordered_set>

#include "memory/recall/recall.h"
#include "memory/recall/recall_walk.h"

namespace knapsack::memory {
namespace {

size_t most_results(const RecallOptions& options) {
  size_t most = options.max_results;
  if (options.mode == RecallMode::kMinimal) most = std::min(most, options.minimal_results);
  if (options.mode == RecallMode::kGraph) most *= kGraphFactor;
  return std::min(most, kMaxTaken);
}

// What was reached joins what was found; a memory that was both keeps its own score.
void add_walk(Recalled& recalled, const RecallSource& source, size_t seeds) {
  std::vector<WalkStart> starts;
  for (size_t i = 0; i < std::min(seeds, recalled.memories.size()); ++i) {
    if (!recalled.memories[i].dropped.empty()) break;
    starts.push_back({recalled.memories[i].memory, std::max(0.0, recalled.memories[i].score.total)});
  }
  std::unordered_map<const Memory*, size_t> places;
  for (size_t i = 0; i < recalled.memories.size(); ++i) places.emplace(recalled.memories[i].memory, i);
  std::unordered_set<const Memory*> linked;
  for (const WalkStep& step : walk_memories(source.memories, source.eligibility, starts)) {
    if (step.hops == 0) continue;
    if (step.linked) linked.insert(step.memory);
    const bool readable = std::find(source.namespaces.begin(), source.namespaces.end(),
                                    step.memory->name_space) != source.namespaces.end();
    if (!readable) continue;
    std::string how = fmt::format("{} {} away, decay {:.3g}: {}", step.hops, step.hops == 1 ? "hop" : "hops",
                                  step.decay, step.how);
    const auto [place, is_new] = places.try_emplace(step.memory, recalled.memories.size());
    if (is_new) {
      recalled.memories.push_back({step.memory,
                                   {step.score, {{"walk", step.score}}},
                                   0,
                                   {std::move(how)},
                                   "",
                                   std::string(source.eligibility.successor(*step.memory))});
    } else if (place->second >= starts.size()) {
      RecalledMemory& known = recalled.memories[place->second];
      known.provenance.push_back(std::move(how));
      known.dropped.clear();
      if (step.score > known.score.total) {
        known.score.components.push_back({"walk", step.score - known.score.total});
        known.score.total = step.score;
      }
    }
  }
  std::stable_sort(recalled.memories.begin() + static_cast<long>(starts.size()), recalled.memories.end(),
                   [&](const RecalledMemory& a, const RecalledMemory& b) {
                     if (a.dropped.empty() != b.dropped.empty()) return a.dropped.empty();
                     // What somebody linked comes before what happens to share a word.
                     const bool a_linked = linked.contains(a.memory), b_linked = linked.contains(b.memory);
                     if (a_linked != b_linked) return a_linked;
                     return a.score.total > b.score.total;
                   });
}

}  // namespace

void choose_memories(Recalled& recalled, const RecallSource& source, const RecallOptions& options) {
  const size_t most = most_results(options);
  if (options.mode == RecallMode::kGraph) {
    recalled.by_time = true;
    add_walk(recalled, source, options.max_results);
  }
  for (size_t i = most; i < recalled.memories.size(); ++i) {
    if (!recalled.memories[i].dropped.empty()) continue;
    recalled.memories[i].dropped =
        fmt::format("only the best {} are taken in {}", most, to_string(options.mode));
  }
}

}  // namespace knapsack::memory
