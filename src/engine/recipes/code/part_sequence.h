// The parts of a packet in the order in which a growing budget shows them: units, and apart from them what
// their long comments say.
//
// A unit with a long comment is shown without most of it; what it spares is a part of its own, which stands
// where a unit would that is that much worse (UnitConstants::comment). So the code of the best units comes
// before their documentation, and their documentation before code that has little to do with the task.
// One thread.
// Private to engine/recipes/code/.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

#include "code/units/unit_constants.h"
#include "stages/stage_context.h"

namespace knapsack {

struct SequencePart {
  const stages::SelectedSymbol* unit = nullptr;
  bool is_comment = false;  // what the unit's comment spares, not the unit
};

// Best first, each list for itself.
struct OfferedUnits {
  std::vector<const stages::SelectedSymbol*> worthy;  // come before all others
  std::vector<const stages::SelectedSymbol*> others;
  std::vector<const stages::SelectedSymbol*> imports;
};

struct PartSequence {
  std::vector<SequencePart> parts;
  size_t until_stop = 0;  // parts of the worthy ones
};

struct PartPrices {
  std::function<uint64_t(const SequencePart&)> estimate;  // cheap to ask for
  std::function<uint64_t(const SequencePart&)> count;     // what it really takes
};

// `is_apart`: whether the comment of a unit is a part of its own.
PartSequence sequence_parts(const OfferedUnits& units,
                            const std::function<bool(const stages::SelectedSymbol&)>& is_apart,
                            const PartPrices& prices, const code::UnitConstants& constants);

}  // namespace knapsack
