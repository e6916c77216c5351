// The constants by which stages choose files and parts: how far each rule reaches. `knapsack config --all`
// lists them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

namespace knapsack::stages {

// A name that fits more places than this says little about which one is meant.
inline constexpr size_t kMaxPlacesOfHint = 3;
inline constexpr size_t kMaxDefinitions = 5;
// How far down the ranking files are considered at all.
inline constexpr size_t kRankedFiles = 100;
// Frames far from the failure are the caller's business.
inline constexpr size_t kMaxFrames = 8;

// The best of the ranking are seeds: on real issues one of the first five is right nine times in ten.
inline constexpr size_t kRankedSeeds = 5;
// Neighbours that one seed may bring in by each relation, and that a tier keeps.
inline constexpr size_t kNeighboursOfSeed = 20;
inline constexpr size_t kKeptInTier = 30;
// Neighbours are those of the first seeds: the tenth seed's imports are everybody's.
inline constexpr size_t kExpandedSeeds = 10;
inline constexpr uint32_t kMinCoChanges = 2;

// Parts of these files are looked at one by one; of later ones only what matched.
inline constexpr size_t kDetailedFiles = 20;
// References are followed from the primary parts of the first files.
inline constexpr size_t kReferencingFiles = 8;
// How many of the matching parts of a file are chosen: all that the ranking names in the first files, where
// the second best is primary too, two in the next ones, and the best in all others.
inline constexpr size_t kDeepFiles = 10;
inline constexpr size_t kMiddleFiles = 40;
inline constexpr float kMinConfidence = 0.5F;
// A longer part is first shown where it matched.
inline constexpr uint32_t kFocusLines = 60;

struct StageConstantRow {
  std::string_view name;
  double value;
  std::string_view meaning;
};
std::span<const StageConstantRow> stage_constant_rows();

}  // namespace knapsack::stages
