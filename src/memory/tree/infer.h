// What the words of a memory say about it, where nobody said so: category, importance, whom it is about, and
// what it is good for.
//
// By lexicons in English and Russian, so the same text always gives the same answer. Pure functions; any
// thread.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "memory/tree/memory.h"

namespace knapsack::memory {

// Whether a word begins with a capital letter of any script.
bool is_capitalised(std::string_view word);

// One of kCategories; "fact" when no word tells.
std::string infer_category(std::string_view text);

// From 0.05 to 1: what a category is usually worth, more for words of weight, less for doubt.
double infer_importance(std::string_view text, std::string_view category);
// critical, high, normal, low or trivial.
std::string_view importance_level(double importance);
// explicit, implied, inferred or speculative.
std::string_view confidence_tier(double confidence);

// The entity that a text is about: one of `known` ("person-anna", "project-billing") whose name it mentions,
// the earliest; else a person who does something at its beginning ("Anna prefers…", "Анна любит…"); else
// nothing.
std::string infer_entity(std::string_view text, const std::vector<std::string>& known);

// What the text is good for, and likewise what a request is after. Fields without a word stay empty.
Intent infer_intent(std::string_view text);

}  // namespace knapsack::memory
