#include "stages/stage_constants.h"

namespace knapsack::stages {
namespace {

constexpr StageConstantRow kRows[] = {
    {"places_of_hint", kMaxPlacesOfHint, "a name that fits more places than this is not taken for a hint"},
    {"definitions", kMaxDefinitions, "definitions of a named symbol that are looked at"},
    {"ranked_files", kRankedFiles, "how far down the ranking files are considered"},
    {"frames", kMaxFrames, "frames of a stack trace that are seeds, from the failure"},
    {"ranked_seeds", kRankedSeeds, "best files of the ranking that are seeds"},
    {"neighbours", kMaxNeighbours, "files that a named seed brings in by each relation, by their use of it"},
    {"use_files", kMaxUseFiles, "files that are read to see how they use a named symbol"},
    {"use_units", kMaxUseUnits, "places of use that are shown for a task that changes the symbol"},
    {"use_confidence", kMinUseConfidence, "confidence from which a reference counts as a use"},
    {"neighbours_of_seed", kNeighboursOfSeed, "files that any other seed brings in by each relation"},
    {"kept_in_tier", kKeptInTier, "neighbours that a tier keeps"},
    {"large_files", kLargeFiles,
     "best files of the ranking that are named where they are too large to be read"},
    {"expanded_seeds", kExpandedSeeds, "seeds whose neighbours are looked at"},
    {"co_changes", kMinCoChanges, "common commits that make two files neighbours"},
    {"signatures_after_stop", kSignaturesAfterStop,
     "definitions behind the stop that are shown by signature"},
    {"wordless_signatures", kWordlessSignatures, "… and of those that have no word of the task"},
    {"signatures_of_file", kMostSignaturesOfFile, "… and of one file"},
    {"test_signatures", kTestSignatures, "… and of tests, for a task that is not about tests"},
    {"far_below", kFarBelow, "so far below the best, such a definition needs a word of the task in its name"},
    {"nearest_signatures", kNearestSignatures, "… but for so many of the next in order"},
    {"shown_frames", kShownFrames,
     "frames of a trace whose functions are shown down to code.units.stop_frame"},
    {"small_class", kSmallClassTokens, "tokens up to which a class is completed though nobody names it"},
    {"named_class", kNamedClassTokens, "tokens up to which a named class is shown with any part of it"},
    {"helpers", kHelpers, "functions behind the stop that a short task is shown, as shown ones call them"},
    {"helped_functions", kHelpedFunctions, "best functions whose helpers these are"},
    {"helper_confidence", kMinHelperConfidence, "confidence from which a shown function counts as a caller"},
    {"helpers_of_meant", kHelpersOfMeant, "such helpers of functions that any task points at"},
    {"helper_tokens", kHelperTokens, "tokens up to which a function is such a helper"},
    {"reason_files", kReasonFiles, "files of the ranking whose comments are looked at"},
    {"reason_words", kMinSharedWords, "words of the task that a comment must share"},
    {"reason_share", kMinReason, "share of the task's words from which a comment is shown"},
    {"reason_place", kNamedPlace, "what a comment gains in a file or symbol that the task names"},
    {"reasons", kMaxReasons, "comments that are shown for themselves"},
    {"reason_lines", kMaxReasonLines, "lines of a comment that is shown for itself"},
    {"judged_units", kJudgedUnits, "units that a model is asked about"},
};

}  // namespace

std::span<const StageConstantRow> stage_constant_rows() {
  return kRows;
}

}  // namespace knapsack::stages
