// LiteralScanner: where any of many literals may stand in a text, found in one pass without regard to case.
//
// Four bytes of each literal, those that prose and code have least of, are kept as bits of a table of 8 KiB,
// so that a text is looked at with one multiplication and one load a byte, all of them independent of each
// other. Portable; a table that is built once and only read: any thread.
// Private to text/secrets/.
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <cstring>
#include <span>
#include <string_view>
#include <vector>

namespace knapsack {

class LiteralScanner {
 public:
  static constexpr size_t kWindow = 4;

  // Each of three bytes or more.
  explicit LiteralScanner(std::span<const std::string_view> literals);

  // Calls visit(literal, position) in the order of where their windows stand, which is nearly that of the
  // text.
  template <class Visit>
  void scan(std::string_view text, Visit visit) const {
    if (text.size() < kWindow) return;
    const char* bytes = text.data();
    const size_t last = text.size() - kWindow;
    for (size_t at = 0; at <= last; ++at) {
      const uint32_t window = folded(bytes + at);
      const uint32_t slot = slot_of(window);
      if ((bits_[slot / 64] >> (slot % 64) & 1U) != 0) visit_slot(text, at, window, slot, visit);
    }
  }

 private:
  struct Entry {
    uint32_t window = 0;
    uint16_t literal = 0;
    uint8_t offset = 0;  // of the window in the literal
    uint16_t next = 0;   // of the same slot; 0 for none
  };
  static constexpr uint32_t kSlotBits = 16;

  // Capitals and small letters alike; what else this joins is told apart when the literal is compared.
  static uint32_t folded(const char* bytes) {
    uint32_t window = 0;
    std::memcpy(&window, bytes, sizeof window);
    return window | 0x20202020U;
  }
  static uint32_t slot_of(uint32_t window) { return window * 0x9E3779B1U >> (32 - kSlotBits); }
  static bool stands_at(std::string_view text, size_t at, std::string_view literal);
  void add(uint32_t window, uint16_t literal, uint8_t offset);

  template <class Visit>
  void visit_slot(std::string_view text, size_t at, uint32_t window, uint32_t slot, Visit& visit) const {
    for (uint16_t i = first_[slot]; i != 0; i = entries_[i].next) {
      const Entry& entry = entries_[i];
      if (entry.window != window || at < entry.offset) continue;
      if (stands_at(text, at - entry.offset, literals_[entry.literal]))
        visit(entry.literal, at - entry.offset);
    }
  }

  std::vector<std::string_view> literals_;
  std::vector<Entry> entries_;
  std::array<uint64_t, (1U << kSlotBits) / 64> bits_{};
  std::vector<uint16_t> first_;
};

}  // namespace knapsack
