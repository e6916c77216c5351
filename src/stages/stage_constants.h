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
// Neighbours that a seed which the task names may bring in by each relation: all, short of what no packet
// and no ledger has a use for.
inline constexpr size_t kMaxNeighbours = 2000;
// Files that are read to see how they use a symbol of the task, and definitions that they may use.
inline constexpr size_t kMaxUseFiles = 500;
// Places of use that a task which changes the symbol is shown, and the confidence from which one counts.
inline constexpr size_t kMaxUseUnits = 200;
inline constexpr float kMinUseConfidence = 0.35F;
// Neighbours that any other seed may bring in by each relation, and that a tier keeps.
inline constexpr size_t kNeighboursOfSeed = 20;
inline constexpr size_t kKeptInTier = 30;
// So many of the first files are named where they are code too large to be read.
inline constexpr uint32_t kLargeFiles = 30;
// Neighbours are those of the first seeds: the tenth seed's imports are everybody's.
inline constexpr size_t kExpandedSeeds = 10;
inline constexpr uint32_t kMinCoChanges = 2;

// Definitions behind the stop of which the signature is shown: the cheapest gain there is.
inline constexpr size_t kSignaturesAfterStop = 40;
// … and of those that have no word of the task.
inline constexpr size_t kWordlessSignatures = 8;
// … and of one file.
inline constexpr size_t kMostSignaturesOfFile = 10;
// … and of tests, for a task that is not about tests: they tell where tests are.
inline constexpr size_t kTestSignatures = 2;
// So far below the best, a definition behind the nearest ones needs a word of the task in its name.
inline constexpr double kFarBelow = 4.5;
inline constexpr size_t kNearestSignatures = 8;
// So many of the first files are named by so many signatures each where a packet has nothing else of them.
inline constexpr size_t kNamedFiles = 5;
inline constexpr size_t kSignaturesOfFile = 2;
// Functions behind the stop that a shown one calls: how many of them a short task is shown whole, and how long one may be.
inline constexpr double kHelpers = 4;
inline constexpr uint64_t kHelperTokens = 200;
// … and how sure it is that they call it: "its type is used in this file" (0.4) was wrong more often than right.
inline constexpr float kMinHelperConfidence = 0.5F;
// … and how many any task is shown of functions that it points at.
inline constexpr size_t kHelpersOfMeant = 2;
// The best functions that are shown, whose helpers these are.
inline constexpr size_t kHelpedFunctions = 5;
// Frames of a stack trace, innermost first, whose functions are shown farther below the best than others.
inline constexpr size_t kShownFrames = 8;
// A class of so many tokens is shown whole where much of it is; one that the task names, where anything is.
inline constexpr uint64_t kSmallClassTokens = 200;
inline constexpr uint64_t kNamedClassTokens = 600;
// Fields and constants that the task calls by name, each by its first lines.
inline constexpr size_t kMaxNamedValues = 6;
inline constexpr uint32_t kMaxValueLines = 4;
// Comments that say why: files of the ranking whose are looked at, words of the task that one must share,
// the share of the task's words (by weight, with what its place adds) from which one is shown, and how many.
inline constexpr uint32_t kReasonFiles = 30;
inline constexpr size_t kMinSharedWords = 2;
inline constexpr double kMinReason = 0.35;
inline constexpr double kNamedPlace = 0.1;
inline constexpr size_t kMaxReasons = 5;
// A longer comment describes a whole interface.
inline constexpr uint32_t kMaxReasonLines = 8;
// Units that a model is asked about.
inline constexpr size_t kJudgedUnits = 100;

struct StageConstantRow {
  std::string_view name;
  double value;
  std::string_view meaning;
};
std::span<const StageConstantRow> stage_constant_rows();

}  // namespace knapsack::stages
