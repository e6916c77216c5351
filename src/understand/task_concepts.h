// Concepts: the areas of software that the words of a task belong to, by a small lexicon (English and
// Russian).
//
// The lexicon errs on the side of silence: a word that is at home in several areas ("key", "state") is in
// none. It is listed in docs/scoring.md. Pure functions; any thread.
// Private to understand/.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "text/words/lexicon.h"

namespace knapsack {

// Concept names with the words that stand for them.
const Lexicon& concept_lexicon();

// The concepts of a list of lower-cased words, each once, in the order of first appearance.
std::vector<std::string> find_concepts(const std::vector<std::string>& words);

}  // namespace knapsack
