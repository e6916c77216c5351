#include "engine/recipes/code/part_sequence.h"

#include <limits>
#include <optional>
#include <queue>
#include <string_view>
#include <unordered_map>

#include "code/units/unit_constants.h"
#include "code/units/unit_sequence.h"
#include "code/units/unit_signal.h"
#include "stages/symbol_tiers.h"

namespace knapsack {
namespace {

using stages::SelectedSymbol;

// A comment whose unit is placed already.
struct WaitingComment {
  double key = 0;
  size_t unit = 0;  // where its unit stands
  // The best first; of two alike the one whose unit comes first.
  bool operator<(const WaitingComment& other) const {
    return key != other.key ? key < other.key : unit > other.unit;
  }
};

// A trace leads to what the code does, not to what is said of it.
double key_of_comment(const SelectedSymbol& unit, const code::UnitConstants& constants) {
  return unit.key - constants.comment - code::value_of(unit.score, code::UnitSignal::kFrame);
}

class PartOrder {
 public:
  PartOrder(const std::function<bool(const SelectedSymbol&)>& is_apart, const code::UnitConstants& constants)
      : is_apart_(is_apart), constants_(constants) {}

  void add(const std::vector<const SelectedSymbol*>& units) {
    std::priority_queue<WaitingComment> waiting;
    const auto place = [&] {
      const size_t unit = waiting.top().unit;
      waiting.pop();
      parts.push_back({parts[unit].unit, true});
      units_of.push_back(unit);
    };
    for (const SelectedSymbol* unit : units) {
      while (!waiting.empty() && waiting.top().key > unit->key) place();
      if (is_apart_(*unit)) waiting.push({key_of_comment(*unit, constants_), parts.size()});
      parts.push_back({unit, false});
      units_of.emplace_back();
    }
    while (!waiting.empty()) place();
  }

  std::vector<SequencePart> parts;
  std::vector<std::optional<size_t>> units_of;  // of comments, where their units stand

 private:
  const std::function<bool(const SelectedSymbol&)>& is_apart_;
  const code::UnitConstants& constants_;
};

double key_of(const SequencePart& part, const code::UnitConstants& constants) {
  if (part.is_comment) return key_of_comment(*part.unit, constants);
  // What somebody asked for by its name comes first, whatever its score, and where a trace ends behind that.
  const bool is_first = part.unit->named || stages::leads_trace(*part.unit, constants);
  return is_first ? std::numeric_limits<double>::infinity() : part.unit->key;
}

}  // namespace

PartSequence sequence_parts(const OfferedUnits& units,
                            const std::function<bool(const SelectedSymbol&)>& is_apart,
                            const PartPrices& prices, const code::UnitConstants& constants) {
  PartOrder order(is_apart, constants);
  order.add(units.worthy);
  const size_t worthy = order.parts.size();
  order.add(units.others);
  const size_t ranked = order.parts.size();
  for (const SelectedSymbol* unit : units.imports) order.parts.push_back({unit, false});
  order.units_of.resize(order.parts.size());

  std::vector<code::SequenceItem> items;
  std::unordered_map<std::string_view, uint32_t> files;
  for (size_t i = 0; i < order.parts.size(); ++i) {
    const SequencePart& part = order.parts[i];
    const uint32_t file = files.emplace(part.unit->path, static_cast<uint32_t>(files.size())).first->second;
    items.push_back({file, prices.estimate(part), i >= ranked, order.units_of[i], key_of(part, constants),
                     code::value_of(part.unit->score, code::UnitSignal::kFileScore), part.unit->lines.first});
  }
  const auto count = [&](size_t item) { return prices.count(order.parts[item]); };
  const code::UnitSequence sequence = code::sequence_units(items, worthy, count, constants);
  PartSequence made;
  made.until_stop = sequence.until_stop;
  for (const size_t step : sequence.steps) made.parts.push_back(order.parts[step]);
  return made;
}

}  // namespace knapsack
