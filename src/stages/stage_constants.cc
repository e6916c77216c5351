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
    {"detailed_files", kDetailedFiles, "files whose parts are looked at one by one"},
    {"referencing_files", kReferencingFiles, "files from whose primary parts references are followed"},
    {"deep_files", kDeepFiles, "files of which every matching part is chosen"},
    {"middle_files", kMiddleFiles, "files of which two matching parts are chosen"},
    {"reference_confidence", kMinConfidence, "references that are less certain are not followed"},
    {"focus_lines", kFocusLines, "a longer part is first shown where it matched"},
};

}  // namespace

std::span<const StageConstantRow> stage_constant_rows() {
  return kRows;
}

}  // namespace knapsack::stages
