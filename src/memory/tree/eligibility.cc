#include "memory/tree/eligibility.h"

#include <algorithm>

#include "memory/tree/tree.h"

namespace knapsack::memory {
namespace {

constexpr Verdict kNotReadable = "its namespace is not read";
constexpr Verdict kNotActive = "its status is not active";
constexpr Verdict kExpired = "it has expired";
constexpr Verdict kSuperseded = "another memory supersedes it";
constexpr Verdict kNotYetValid = "it is not valid yet";
constexpr Verdict kNoLongerValid = "it is no longer valid";
constexpr Verdict kNotYetWritten = "it was written later";
constexpr Verdict kSourceIsOut = "the memory that it repeats is not active";

std::string key_of(std::string_view name_space, std::string_view id) {
  return std::string(name_space).append(1, '\0').append(id);
}

// A memory that is not to be trusted, or that somebody took back, speaks for nothing any more.
bool may_supersede(const Memory& memory) {
  return memory.status != Status::kForgotten && memory.status != Status::kQuarantined;
}

}  // namespace

Eligibility::Eligibility(std::span<const Memory> memories, EligibilityRules rules)
    : memories_(memories), rules_(std::move(rules)) {
  for (const Memory& memory : memories_) {
    verdicts_.push_back(own_verdict(memory));
    successors_.emplace_back(memory.superseded_by);
    by_id_.emplace(key_of(memory.name_space, memory.id), position(memory));
  }
  mark_superseded();
  mark_artifacts();
}

bool Eligibility::is_readable(const Memory& memory) const {
  return std::find(rules_.namespaces.begin(), rules_.namespaces.end(), memory.name_space) !=
         rules_.namespaces.end();
}

Verdict Eligibility::own_verdict(const Memory& memory) const {
  if (!is_readable(memory)) return kNotReadable;
  if (memory.status == Status::kSuperseded && rules_.history) return time_verdict(memory);
  if (memory.status != Status::kActive) return kNotActive;
  if (!memory.superseded_by.empty() && !rules_.history) return kSuperseded;
  return time_verdict(memory);
}

Verdict Eligibility::time_verdict(const Memory& memory) const {
  if (memory.expires && *memory.expires <= rules_.at) return kExpired;
  if (memory.valid_from && *memory.valid_from > rules_.at) return kNotYetValid;
  if (memory.valid_until && *memory.valid_until <= rules_.at) return kNoLongerValid;
  const bool later = rules_.as_of_past && !memory.valid_from && memory.created && *memory.created > rules_.at;
  return later ? kNotYetWritten : Verdict();
}

// The successor alone may know. It counts whether or not it may be recalled itself: what it replaced does not
// become true again when it expires.
void Eligibility::mark_superseded() {
  for (const Memory& memory : memories_) {
    if (memory.supersedes.empty() || !is_readable(memory) || !may_supersede(memory)) continue;
    if (rules_.as_of_past && memory.created && *memory.created > rules_.at) continue;
    for (const std::string& id : memory.supersedes) {
      const auto old = by_id_.find(key_of(memory.name_space, id));
      if (old == by_id_.end() || old->second == position(memory)) continue;
      if (successors_[old->second].empty()) successors_[old->second] = memory.id;
      if (verdicts_[old->second].empty() && !rules_.history) verdicts_[old->second] = kSuperseded;
    }
  }
}

void Eligibility::mark_artifacts() {
  for (const Memory& memory : memories_) {
    Verdict& verdict = verdicts_[position(memory)];
    if (memory.kind != Kind::kArtifact || !verdict.empty()) continue;
    const auto source = by_id_.find(key_of(memory.name_space, memory.source_memory));
    const bool holds = source != by_id_.end() && memories_[source->second].kind != Kind::kArtifact &&
                       verdicts_[source->second].empty();
    if (!holds) verdict = kSourceIsOut;
  }
}

const Memory* Eligibility::find(std::string_view name_space, std::string_view id) const {
  for (const std::string_view where : {name_space, kSharedNamespace}) {
    const auto found = by_id_.find(key_of(where, id));
    if (found != by_id_.end() && verdicts_[found->second].empty()) return &memories_[found->second];
  }
  return nullptr;
}

}  // namespace knapsack::memory
