// TaskQuery: what a task text asks for, as far as reading it tells. Every recipe starts from one.
//
// Nothing in it was looked up: a path may not exist, a symbol may have no definition. All lists hold each
// thing once, in the order of first appearance. Plain data; no thread rule.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "understand/intent.h"
#include "understand/recall_planner.h"
#include "understand/traces/stack_frame.h"

namespace knapsack {

// The parts of a task text that say different amounts about what is meant.
enum class SegmentKind : uint8_t {
  kTitle,     // the first line
  kProse,     // sentences; also the last line of a stack trace, which says what went wrong
  kInline,    // `between backticks`
  kCode,      // fenced or indented blocks
  kTrace,     // frames of stack traces
  kTemplate,  // headings of issue templates, versions and environments: about the reporter, not the code
};
std::string_view to_string(SegmentKind kind);

struct TaskSegment {
  SegmentKind kind = SegmentKind::kProse;
  std::string text;
  bool operator==(const TaskSegment&) const = default;
};

enum class TaskType : uint8_t { kGeneral, kBugFix, kFeature, kRefactor, kTest, kDocs, kPerformance };
std::string_view to_string(TaskType type);  // "general", "bug_fix", …

struct PathHint {
  std::string path;   // with '/', as written otherwise
  uint32_t line = 0;  // 0: none was named
  uint32_t last = 0;  // of several lines; 0: one line at most
  bool operator==(const PathHint&) const = default;
};

struct TaskQuery {
  std::string text;                   // as it was given
  std::vector<TaskSegment> segments;  // in the order of the text
  TaskType type = TaskType::kGeneral;
  std::vector<PathHint> paths;        // files and folders that are named outside of stack traces
  std::vector<std::string> symbols;   // as written: "CartTotal", "cart_total", "Cart.total", "shop::Cart"
  std::vector<std::string> called;    // of symbols, those that it writes with arguments or an arity
  std::vector<std::string> unmarked;  // of symbols, "save" where it only writes "save!", which is there too
  std::vector<StackFrame> frames;     // the innermost (where it failed) first, whatever the language prints
  std::vector<std::string> errors;    // "ValueError: bad price": what went wrong, one line each
  std::vector<std::string> issues;    // numbers, without '#'
  std::vector<std::string> commits;   // beginnings of commit ids
  std::vector<std::string> quoted;    // code between backticks or in blocks, one entry each
  std::vector<std::string> keywords;  // what is left of the words, most telling first, lower-cased
  std::vector<std::string> concepts;  // areas that the words belong to: "authentication", "caching"
  IntentChoice matched;               // what the text wants done, by its words
  RecallPlan recall;                  // how much of what is remembered it calls for
  // By a model; empty without one. Guesses are candidates, not seeds: nobody named them.
  std::string intent;  // one sentence
  std::vector<std::string> guessed_paths;
  std::vector<std::string> guessed_symbols;
};

}  // namespace knapsack
