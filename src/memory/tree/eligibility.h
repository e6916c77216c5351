// Eligibility: which memories may be recalled at all. The hard filters, asked wherever a memory comes from:
// search, artifacts, links, boxes, neighbours.
//
// A memory is out when its namespace is not readable, it is not active, it has expired, something supersedes
// it (whichever of the two says so), it is not valid at the time asked for, or it repeats a memory that is
// out. Read-only once made; any thread.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "memory/tree/memory.h"

namespace knapsack::memory {

struct EligibilityRules {
  std::vector<std::string> namespaces;  // that may be read; "" is the default one
  Timestamp at;                         // when memories must be valid
  // Asked for a time of the past: what was written after it was not known then.
  bool as_of_past = false;
  // What was superseded may be recalled too; successor() then says by what.
  bool history = false;
};

// Why a memory is out, in words for the ledger; empty for one that may be recalled.
using Verdict = std::string_view;

class Eligibility {
 public:
  // `memories` must outlive this.
  Eligibility(std::span<const Memory> memories, EligibilityRules rules);

  Verdict verdict(const Memory& memory) const { return verdicts_[position(memory)]; }
  bool allows(const Memory& memory) const { return verdict(memory).empty(); }
  // The memory that superseded it, by id; empty for one that holds.
  std::string_view successor(const Memory& memory) const { return successors_[position(memory)]; }
  // Whether even its existence may be told.
  bool is_readable(const Memory& memory) const;
  // An eligible memory by its id, as one of `name_space` calls it: there first, then in the shared one.
  const Memory* find(std::string_view name_space, std::string_view id) const;

 private:
  size_t position(const Memory& memory) const { return static_cast<size_t>(&memory - memories_.data()); }
  Verdict own_verdict(const Memory& memory) const;
  Verdict time_verdict(const Memory& memory) const;
  void mark_superseded();
  void mark_artifacts();

  std::span<const Memory> memories_;
  EligibilityRules rules_;
  std::vector<Verdict> verdicts_;
  std::vector<std::string_view> successors_;
  std::unordered_map<std::string, size_t> by_id_;  // namespace, zero byte, id
};

}  // namespace knapsack::memory
