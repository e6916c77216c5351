// TokenCounter: how many tokens a text is, by one of four counters.
//
// A counter measures *units* that add up over pieces (bytes, code points, BPE tokens); a token is a fixed
// number of units. Packing works in units, so that rounding happens once, over the whole output. For the
// exact counters units add up where a piece ends with a line feed and the next begins with neither white
// space nor '/'. Counters hold no state: any thread may use the same one.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/result.h"

namespace knapsack {

class BpeEncoding;

class TokenCounter {
 public:
  virtual ~TokenCounter() = default;

  virtual std::string_view name() const = 0;
  virtual uint64_t units_per_token() const = 0;
  virtual uint64_t units(std::string_view text) const = 0;
  // What an exact counter counts by, whose units are tokens; null for an approximate one.
  virtual const BpeEncoding* encoding() const { return nullptr; }
  // Counts real tokens, which takes a hundred times as long as an estimate: worth remembering
  // (unit_memory.h).
  virtual bool is_exact() const { return encoding() != nullptr; }

  uint64_t to_tokens(uint64_t units) const { return (units + units_per_token() - 1) / units_per_token(); }
  uint64_t count(std::string_view text) const { return to_tokens(units(text)); }
};

// The counters by name: chars4, bytes4, cl100k, o200k. An unknown name is a usage error that lists these.
Result<const TokenCounter*> find_token_counter(std::string_view name);
std::vector<std::string> token_counter_names();

}  // namespace knapsack
