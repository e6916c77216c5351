#include "stages/stage_constants.h"

namespace knapsack::stages {
namespace {

constexpr StageConstantRow kRows[] = {
    {"places_of_hint", kMaxPlacesOfHint, "a name that fits more places than this is not taken for a hint"},
    {"definitions", kMaxDefinitions, "definitions of a named symbol that are looked at"},
    {"ranked_files", kRankedFiles, "how far down the ranking files are considered"},
    {"frames", kMaxFrames, "frames of a stack trace that are seeds, from the failure"},
    {"ranked_seeds", kRankedSeeds, "best files of the ranking that are seeds"},
    {"neighbours_of_seed", kNeighboursOfSeed, "files that a seed brings in by each relation"},
    {"kept_in_tier", kKeptInTier, "neighbours that a tier keeps"},
    {"expanded_seeds", kExpandedSeeds, "seeds whose neighbours are looked at"},
    {"co_changes", kMinCoChanges, "common commits that make two files neighbours"},
    {"signatures_after_stop", kSignaturesAfterStop,
     "definitions behind the stop that are shown by signature"},
    {"judged_units", kJudgedUnits, "units that a model is asked about"},
};

}  // namespace

std::span<const StageConstantRow> stage_constant_rows() {
  return kRows;
}

}  // namespace knapsack::stages
