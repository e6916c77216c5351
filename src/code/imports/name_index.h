// NameIndex: from a name to the files that go by it, in ascending order.
//
// Filled, sealed once, then only read; a look-up is one hash and a binary search. Names are views: what they
// point to must outlive the index. Any thread may read a sealed one.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace knapsack::code {

class NameIndex {
 public:
  void add(std::string_view name, uint32_t file) { entries_.push_back({hash(name), name, file}); }
  void seal();

  std::span<const uint32_t> find(std::string_view name) const;
  bool contains(std::string_view name) const { return !find(name).empty(); }

 private:
  struct Entry {
    uint64_t hash = 0;
    std::string_view name;
    uint32_t file = 0;
  };
  static uint64_t hash(std::string_view name);

  std::vector<Entry> entries_;
  std::vector<uint32_t> files_;  // entries_[i].file, so that a run of them is a span
};

}  // namespace knapsack::code
