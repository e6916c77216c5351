#include "understand/recall_planner.h"

#include <algorithm>
#include <array>

#include "text/markdown/markdown_lines.h"
#include "text/unicode/utf8.h"
#include "text/words/phrase_lexicon.h"
#include "understand/planner_lexicon.h"

namespace knapsack {
namespace {

// By which somebody asks for what no longer holds. "before" and "was" alone ask for what happened.
constexpr std::string_view kHistoryPhrases[] = {"history of",
                                                "full history",
                                                "whole history",
                                                "our history",
                                                "used to be",
                                                "used to own",
                                                "used to have",
                                                "previously",
                                                "formerly",
                                                "previous value",
                                                "previous owner",
                                                "old value",
                                                "before the change",
                                                "what changed",
                                                "how has it changed",
                                                "over time",
                                                "superseded",
                                                "история",
                                                "истории",
                                                "историю",
                                                "раньше",
                                                "прежде",
                                                "ранее",
                                                "прежний",
                                                "прежняя",
                                                "прежнее",
                                                "что изменилось",
                                                "как менялся",
                                                "как менялась",
                                                "как менялось"};

bool is_acknowledgement(std::span<const SpokenWord> words) {
  const bool made_of = std::all_of(words.begin(), words.end(), [](const SpokenWord& word) {
    return is_planner_word(PlannerList::kAcknowledgement, word.text);
  });
  const bool says_it = words.empty() || std::any_of(words.begin(), words.end(), [](const SpokenWord& word) {
                         return !is_planner_word(PlannerList::kAcknowledgementFiller, word.text);
                       });
  const bool go_ahead = words.size() >= 2 && words[0].text == "go" && words[1].text == "ahead";
  return made_of && (says_it || go_ahead);
}

// The verb of a command, behind what politeness puts before it; empty where there is none.
std::string_view operation(std::span<const SpokenWord> words) {
  for (const SpokenWord& word : words) {
    if (is_planner_word(PlannerList::kOperation, word.text)) return word.text;
    if (!is_planner_word(PlannerList::kBeforeVerb, word.text)) break;
  }
  return {};
}

}  // namespace

std::string_view to_string(RecallMode mode) {
  constexpr std::array<std::string_view, 4> kNames = {"no_recall", "minimal", "full", "graph_mode"};
  return kNames[static_cast<size_t>(mode)];
}

std::optional<RecallMode> parse_recall_mode(std::string_view name) {
  for (const RecallMode mode :
       {RecallMode::kNone, RecallMode::kMinimal, RecallMode::kFull, RecallMode::kGraph}) {
    if (to_string(mode) == name) return mode;
  }
  return std::nullopt;
}

RecallPlan plan_recall(std::string_view prompt) {
  static const PhraseLexicon timeline(planner_words(PlannerList::kTimeline));
  static const PhraseLexicon memory_words(planner_words(PlannerList::kMemory));
  const std::string_view text = trim(prompt);
  if (text.empty()) return {RecallMode::kNone, false, "empty", ""};
  const auto words = spoken_words(text);
  const size_t characters = count_code_points(text);
  if (std::string found = timeline.find(words); !found.empty())
    return {RecallMode::kGraph, true, "timeline", std::move(found)};
  const bool asks = text.ends_with('?');
  if (!asks && characters <= kLongestAcknowledgement && is_acknowledgement(words))
    return {RecallMode::kNone, false, "acknowledgement", std::string(text)};
  if (std::string found = memory_words.find(words); !found.empty())
    return {RecallMode::kFull, true, "memory", std::move(found)};
  if (asks) return {RecallMode::kFull, false, "question", "?"};
  if (!words.empty() && is_planner_word(PlannerList::kQuestion, words.front().text))
    return {RecallMode::kFull, false, "question", words.front().text};
  if (characters <= kLongestOperation) {
    if (const std::string_view verb = operation(words); !verb.empty())
      return {RecallMode::kMinimal, false, "operation", std::string(verb)};
  }
  return {RecallMode::kFull, false, "default", ""};
}

bool asks_for_history(std::string_view prompt) {
  static const PhraseLexicon history(kHistoryPhrases);
  return !history.find(spoken_words(trim(prompt))).empty();
}

}  // namespace knapsack
