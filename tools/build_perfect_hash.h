// Builds what text/tokens/perfect_hash.h looks up.
#pragma once

#include <cstdint>
#include <vector>

namespace knapsack::tools {

struct BuiltPerfectHash {
  uint32_t slot_count = 0;
  std::vector<uint16_t> pilots;
  std::vector<uint32_t> slots;  // the slot of each key, in the order of the keys
};

// Throws std::runtime_error where two keys have the same hash or no pilot fits.
BuiltPerfectHash build_perfect_hash(const std::vector<uint64_t>& hashes);

}  // namespace knapsack::tools
