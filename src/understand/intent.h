// Intent: what a request wants done, by the words that it uses. English and Russian.
//
// Whole words are compared by their stems, so "prefix" is no "fix" and "ошибкой" is "ошибка". A word that the
// request opens with counts twice, since that is where the verb of an order stands. The highest count wins;
// on a tie the precedence is that of the enumeration; without any word it is kExplain. Pure functions; any
// thread.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace knapsack {

enum class TaskIntent { kDebug, kPlan, kResearch, kExecute, kExplain };
std::string_view to_string(TaskIntent intent);
std::optional<TaskIntent> parse_intent(std::string_view name);

struct IntentChoice {
  TaskIntent intent = TaskIntent::kExplain;
  std::vector<std::string> words;  // that decided, lower-cased as the request has them, each once
  std::string reason;              // one sentence
};

IntentChoice classify_intent(std::string_view request);
// What the caller said.
IntentChoice given_intent(TaskIntent intent);

// The words and pairs of words of an intent, as they are compared; for the documentation and the tests.
std::vector<std::string_view> intent_lexicon(TaskIntent intent);

}  // namespace knapsack
