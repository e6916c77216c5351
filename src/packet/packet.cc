#include "packet/packet.h"

#include <algorithm>
#include <array>

namespace knapsack {

std::string_view to_string(PreambleKind kind) {
  constexpr std::array<std::string_view, 6> kNames = {"constitution", "read_order", "task",
                                                      "not_read",     "request",    "teams"};
  return kNames[static_cast<size_t>(kind)];
}

bool Packet::has_items() const {
  return std::any_of(sections.begin(), sections.end(),
                     [](const PacketSection& section) { return !section.items.empty(); });
}

uint64_t Packet::omitted_count() const {
  uint64_t count = left_out_before;
  for (const auto& section : sections) {
    for (const auto& item : section.items) count += item.shown ? 0 : item.candidate.stands_for;
  }
  return count;
}

uint64_t Packet::unplaced_count() const {
  uint64_t count = 0;
  for (const auto& section : sections) {
    for (const auto& item : section.items) count += item.shown ? 0 : 1;
  }
  return count;
}

uint64_t Packet::reduced_count() const {
  uint64_t count = 0;
  for (const auto& section : sections) {
    for (const auto& item : section.items) count += item.shown && !item.in_full() ? 1 : 0;
  }
  return count;
}

}  // namespace knapsack
