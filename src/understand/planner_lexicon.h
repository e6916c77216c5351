// The words by which the recall planner decides, English and Russian, lower-cased. Read-only; any thread.
// Private to understand/.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

namespace knapsack {

enum class PlannerList : uint8_t {
  kTimeline,               // phrases, compared by their stems
  kAcknowledgement,        // what one may be made of
  kAcknowledgementFiller,  // … of which alone none is made
  kMemory,                 // phrases, compared by their stems
  kQuestion,               // what a question may begin with
  kOperation,              // verbs of commands
  kBeforeVerb,             // what may stand before those
};

std::span<const std::string_view> planner_words(PlannerList list);
// For the lists of single words.
bool is_planner_word(PlannerList list, std::string_view word);

}  // namespace knapsack
