// The parts of a task text: what is said in sentences, what is quoted, what a program printed and what a
// template asked for say different amounts about what is meant (docs/scoring.md, "How a task is read").
//
// A line scanner over Markdown as people write it: fences (nested, quoted, never closed), indented code, HTML
// comments and tags, any line ends, any bytes. Linear in the text; what comes out is valid UTF-8. Pure
// functions; any thread.
// Private to understand/.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "understand/task_query.h"

namespace knapsack {

// A first line that is longer is a paragraph, not a title.
constexpr size_t kMaxTitleBytes = 600;
// The body of an issue on the large hosts is limited to 65,536 characters, a few thousand parts at the most;
// this is for logs. What comes after so many parts is not read.
constexpr size_t kMaxSegments = 20'000;

struct TaskReading {
  std::vector<TaskSegment> segments;  // with the links in them
  std::vector<size_t> messages;       // which of them are prose that a program printed, ascending
  std::vector<StackFrame> frames;     // innermost first (understand/traces/trace_reader.h)
  std::vector<std::string> errors;
};
TaskReading read_task_text(std::string_view text);

// The segments in the order of the text, without links. Lines of one kind that stand together are one
// segment; `code` inside a sentence is a segment between those of the sentence.
std::vector<TaskSegment> split_task_text(std::string_view text);
std::vector<TaskSegment> without_links(std::vector<TaskSegment> segments);

}  // namespace knapsack
