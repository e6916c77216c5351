#include "build_perfect_hash.h"

#include <algorithm>
#include <limits>
#include <numeric>
#include <stdexcept>

#include "text/tokens/perfect_hash.h"

namespace knapsack::tools {
namespace {

// Nine slots of ten are used and a bucket has four keys: pilots then stay far below 16 bits.
constexpr double kLoad = 0.9;
constexpr double kKeysPerBucket = 4;

}  // namespace

BuiltPerfectHash build_perfect_hash(const std::vector<uint64_t>& hashes) {
  const auto keys = static_cast<double>(hashes.size());
  BuiltPerfectHash built;
  built.slot_count = static_cast<uint32_t>(keys / kLoad) + 1;
  built.pilots.resize(static_cast<size_t>(keys / kKeysPerBucket) + 1);
  built.slots.resize(hashes.size());

  std::vector<std::vector<uint32_t>> buckets(built.pilots.size());
  for (uint32_t i = 0; i < hashes.size(); ++i) {
    buckets[PerfectHash::bucket(hashes[i], static_cast<uint32_t>(buckets.size()))].push_back(i);
  }
  // The large buckets first, while there is room to choose from.
  std::vector<size_t> order(buckets.size());
  std::iota(order.begin(), order.end(), size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](size_t a, size_t b) { return buckets[a].size() > buckets[b].size(); });

  std::vector<bool> taken(built.slot_count);
  const auto place = [&](const std::vector<uint32_t>& bucket, uint16_t pilot) {
    for (size_t i = 0; i < bucket.size(); ++i) {
      const uint32_t slot = PerfectHash::slot_with_pilot(hashes[bucket[i]], pilot, built.slot_count);
      if (taken[slot]) {
        while (i > 0) taken[built.slots[bucket[--i]]] = false;
        return false;
      }
      taken[slot] = true;
      built.slots[bucket[i]] = slot;
    }
    return true;
  };
  for (const size_t number : order) {
    uint32_t pilot = 0;
    while (!place(buckets[number], static_cast<uint16_t>(pilot))) {
      if (++pilot > std::numeric_limits<uint16_t>::max()) throw std::runtime_error("no perfect hash found");
    }
    built.pilots[number] = static_cast<uint16_t>(pilot);
  }
  return built;
}

}  // namespace knapsack::tools
