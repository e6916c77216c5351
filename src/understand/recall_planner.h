// The recall planner: how much a prompt needs to be told from memory, by its words. English and Russian.
//
// The rules, in this order; the first that applies decides, and the plan names it:
//   empty            nothing was asked                                          → no_recall
//   timeline         asks how things came one after another                     → graph_mode
//   acknowledgement  at most 18 characters, nothing but "ok", "thanks", "👍"…     → no_recall
//   memory           speaks of what is remembered, preferred or was agreed      → full
//   question         ends with '?' or begins with a question word               → full
//   operation        at most 100 characters, begins with a command's verb       → minimal
//   default                                                                     → full
// Whole words are compared, never parts of them: "historic" is no "history". Pure functions; any thread.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace knapsack {

enum class RecallMode { kNone, kMinimal, kFull, kGraph };
std::string_view to_string(RecallMode mode);  // "no_recall", "minimal", "full", "graph_mode"
std::optional<RecallMode> parse_recall_mode(std::string_view name);

struct RecallPlan {
  RecallMode mode = RecallMode::kFull;
  bool asks_memory = false;  // what was said, agreed or known before
  std::string rule;          // that decided: "acknowledgement", or "given" where the caller did
  std::string words;         // that made it apply, as the prompt has them; may be empty
};

inline constexpr size_t kLongestAcknowledgement = 18;  // in characters
inline constexpr size_t kLongestOperation = 100;

RecallPlan plan_recall(std::string_view prompt);

// Whether a prompt asks what held before: "the history of", "used to be", "раньше".
bool asks_for_history(std::string_view prompt);

}  // namespace knapsack
