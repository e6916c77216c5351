// A question in another language than the code: the English words that stand for what it says of programming.
//
// By a dictionary, and by letters where a Russian word is an English one in other letters. Languages that are
// written like English are recognised by their little words, so that nothing of an English text is translated.
// Any bytes; pure functions; any thread.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "understand/task_query.h"

namespace knapsack {

inline constexpr size_t kMaxTranslations = 32;
// Of a question; what is longer is no question, and its beginning says what it is about.
inline constexpr size_t kMaxTranslatedBytes = 4'000;

// Each once, in the order of the question; none for a question in English.
std::vector<std::string> translate_question(std::string_view question);

// The question, and the words behind it where there are any.
std::string with_translation(std::string_view question);

// What it asks of the code, its English words included; the text stays as it was given.
TaskQuery analyze_question(std::string_view question);

}  // namespace knapsack
