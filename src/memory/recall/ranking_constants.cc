#include "memory/recall/ranking_constants.h"

namespace knapsack::memory {
namespace {

using C = RankingConstants;

constexpr RankingConstantRow kRows[] = {
    {"k1", &C::k1, "how soon repeats of a word stop counting"},
    {"b", &C::b, "how much length counts"},
    {"beside", &C::beside, "what a word counts in the memories beside the one that holds it"},
    {"two_away", &C::two_away, "… and one further"},
    {"hand_on", &C::hand_on, "what a word of a question counts in the memory after it"},
    {"feedback_units", &C::feedback_units, "best memories that further words are taken from"},
    {"feedback_terms", &C::feedback_terms, "further words"},
    {"feedback_weight", &C::feedback_weight, "weight of the best of them; a word of the question has 1"},
    {"feedback_idf", &C::feedback_idf, "a more common word is not taken"},
    {"feedback_holders", &C::feedback_holders, "how many of the best memories must hold the word"},
    {"speaker", &C::speaker, "factor for memories of the one person that the question names"},
    {"question", &C::question, "factor for memories that are questions themselves"},
    {"time_words", &C::time_words, "factor for memories that name a time where the question asks for one"},
    {"date", &C::date, "added to the factor of a memory of the day that the question names"},
    {"coverage", &C::coverage,
     "added to the factor of a memory near all words of the question (switched off)"},
    {"meaning", &C::meaning, "what the memory nearest in meaning has; the best one by words has 1"},
    {"meaning_power", &C::meaning_power, "the power that nearness in meaning is raised to"},
    {"meaning_floor", &C::meaning_floor,
     "how far above the others' mean similarity a memory must be that has no word in common with the "
     "question"},
    {"meaning_alone", &C::meaning_alone, "… where no memory has a word in common with it"},
    {"spread", &C::spread, "factor for the direct neighbours of a memory that was taken"},
    {"spread_units", &C::spread_units, "best memories among which that is looked at"},
};

}  // namespace

std::span<const RankingConstantRow> ranking_constant_rows() {
  return kRows;
}

}  // namespace knapsack::memory
