// What the score of a unit is the sum of. Code asks for a signal by its enumerator; its name is for people, and for what
// is kept of a session.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

#include "core/score.h"

namespace knapsack::code {

enum class UnitSignal : uint8_t {
  kFilePlace,
  kFileScore,
  kCoverage,
  kWords,
  kChunk,
  kNameWords,
  kNameShare,
  kName,
  kDottedName,
  kOwner,
  kHandedOn,
  kFrame,
  kLinked,
  kQuoted,
  kMessage,
  kType,
  kHead,
  kBetween,
  kDeclared,
  kTest,
  kCopy,
  kRepeat,
};

// In the order of the enumerators.
inline constexpr std::array<std::string_view, 22> kUnitSignalNames = {
    "file place",  "file score", "coverage",  "words", "chunk",  "name words", "name share", "name",
    "dotted name", "owner",      "handed on", "frame", "linked", "quoted",     "message",    "type",
    "head",        "between",    "declared",  "test",  "copy",   "repeat"};
static_assert(kUnitSignalNames.size() == static_cast<size_t>(UnitSignal::kRepeat) + 1);

constexpr std::string_view to_string(UnitSignal signal) {
  return kUnitSignalNames[static_cast<size_t>(signal)];
}

// Nothing for a component that is no signal of a unit.
constexpr std::optional<UnitSignal> find_unit_signal(std::string_view name) {
  const auto* found = std::find(kUnitSignalNames.begin(), kUnitSignalNames.end(), name);
  if (found == kUnitSignalNames.end()) return std::nullopt;
  return static_cast<UnitSignal>(found - kUnitSignalNames.begin());
}

inline bool has_signal(const Score& score, UnitSignal signal) {
  return std::any_of(score.components.begin(), score.components.end(),
                     [&](const ScoreComponent& each) { return each.name == to_string(signal); });
}

// What a signal added; 0 where it did not.
inline double value_of(const Score& score, UnitSignal signal) {
  for (const ScoreComponent& each : score.components)
    if (each.name == to_string(signal)) return each.value;
  return 0;
}

}  // namespace knapsack::code
