// IdTable: ids that are added one by one, numbered in that order, and found by their hash.
//
// All text lies in one string and nothing is allocated for an id, because a large graph adds half a million
// references in a second. Views are good until the next id is added. Reading is safe from any thread.
// Private to graph/store/.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace knapsack::graph {

class IdTable {
 public:
  uint32_t size() const { return static_cast<uint32_t>(ends_.size()); }
  std::string_view id(uint32_t number) const {
    const size_t begin = number == 0 ? 0 : ends_[number - 1];
    return std::string_view(text_).substr(begin, ends_[number] - begin);
  }

  std::optional<uint32_t> find(std::string_view id, uint64_t hash) const {
    if (slots_.empty()) return std::nullopt;
    for (size_t at = hash & mask();; at = (at + 1) & mask()) {
      const Slot& slot = slots_[at];
      if (slot.number == kEmpty) return std::nullopt;
      if (slot.hash == hash && this->id(slot.number) == id) return slot.number;
    }
  }

  // The id must not be there yet.
  uint32_t add(std::string_view id, uint64_t hash) {
    // At most half full: then a search meets an empty slot after one or two others.
    if ((ends_.size() + 1) * 2 > slots_.size()) grow();
    const uint32_t number = size();
    text_ += id;
    ends_.push_back(text_.size());
    place({hash, number});
    return number;
  }

 private:
  static constexpr uint32_t kEmpty = UINT32_MAX;
  struct Slot {
    uint64_t hash = 0;
    uint32_t number = kEmpty;
  };

  size_t mask() const { return slots_.size() - 1; }
  void place(const Slot& slot) {
    size_t at = slot.hash & mask();
    while (slots_[at].number != kEmpty) at = (at + 1) & mask();
    slots_[at] = slot;
  }
  void grow() {
    std::vector<Slot> old = std::move(slots_);
    slots_.assign(old.empty() ? 64 : old.size() * 2, Slot());
    for (const Slot& slot : old) {
      if (slot.number != kEmpty) place(slot);
    }
  }

  std::string text_;
  std::vector<size_t> ends_;
  std::vector<Slot> slots_;  // a power of two
};

}  // namespace knapsack::graph
