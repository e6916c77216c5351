// The order in which a rung of the ladder tries the parts of a packet.
//
// Low rungs go by the keys. Where there is room for more, a unit gains that stands beside one which a lower
// rung chose, and on still higher rungs one of a good file. Private to code/units/; one thread at a time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "code/units/unit_constants.h"
#include "code/units/unit_sequence.h"

namespace knapsack::code {

class RungOrder {
 public:
  RungOrder(std::span<const SequenceItem> items, const UnitConstants& constants);

  // The items from `first` to before `last`, on a rung of so many tokens.
  std::vector<size_t> on_rung(uint64_t budget, size_t first, size_t last,
                              const std::vector<bool>& taken) const;

 private:
  static constexpr size_t kNothing = static_cast<size_t>(-1);
  struct Neighbours {
    size_t above = kNothing, below = kNothing;
  };

  void find_neighbours();
  bool is_beside_taken(size_t item, const std::vector<bool>& taken) const;

  const std::span<const SequenceItem> items_;
  const UnitConstants& constants_;
  std::vector<Neighbours> neighbours_;
};

}  // namespace knapsack::code
