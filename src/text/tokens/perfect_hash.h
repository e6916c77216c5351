// PerfectHash: gives each key of a set that is known in advance a slot of its own ("hash and displace").
//
// Keys fall into small buckets by one half of their hash. Each bucket has a pilot, a number found when the
// table was built, that moves its keys to slots nobody else has. Looking up is therefore two loads and no
// loop, and whoever finds another key in the slot knows that the set does not have his. Constant data; any
// thread.
// Private to text/tokens/.
#pragma once

#include <cstdint>

namespace knapsack {

class PerfectHash {
 public:
  PerfectHash(const uint16_t* pilots, uint32_t bucket_count, uint32_t slot_count)
      : pilots_(pilots), bucket_count_(bucket_count), slot_count_(slot_count) {}

  uint32_t slot(uint64_t hash) const {
    return slot_with_pilot(hash, pilots_[bucket(hash, bucket_count_)], slot_count_);
  }

  // The two steps one by one, for who builds a table.
  static uint32_t bucket(uint64_t hash, uint32_t bucket_count) {
    return static_cast<uint32_t>(((hash & UINT32_MAX) * bucket_count) >> 32);
  }
  static uint32_t slot_with_pilot(uint64_t hash, uint16_t pilot, uint32_t slot_count) {
    const uint64_t moved = (hash ^ (pilot * 0x9E3779B97F4A7C15U)) * 0x243F6A8885A308D3U;
    return static_cast<uint32_t>(((moved >> 32) * slot_count) >> 32);
  }

 private:
  const uint16_t* pilots_;
  uint32_t bucket_count_;
  uint32_t slot_count_;
};

}  // namespace knapsack
