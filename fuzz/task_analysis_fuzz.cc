// Any bytes are a task: what is read from it is valid, bounded, each thing once, and the same when read
// again.
#include <cstdint>
#include <cstdlib>
#include <set>
#include <string>

#include "text/unicode/utf8.h"
#include "understand/task_analysis.h"
#include "understand/task_keywords.h"
#include "understand/task_segments.h"
#include "understand/traces/trace_reader.h"

namespace {

void check(bool holds) {
  if (!holds) std::abort();
}

void check_list(const std::vector<std::string>& list, size_t most) {
  check(list.size() <= most);
  check(std::set<std::string>(list.begin(), list.end()).size() == list.size());
  for (const std::string& text : list) check(!text.empty() && knapsack::valid_utf8(text));
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace knapsack;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const TaskQuery query = analyze_task(text);
  check(query.text == text);
  check(query.segments.size() <= kMaxSegments && query.segments == split_task_text(text));
  for (const TaskSegment& segment : query.segments) check(valid_utf8(segment.text));
  check(query.paths.size() <= kMaxPaths);
  for (const PathHint& hint : query.paths) check(!hint.path.empty() && valid_utf8(hint.path));
  check(query.frames.size() <= kMaxFrames);
  for (const StackFrame& frame : query.frames)
    check(!frame.path.empty() && valid_utf8(frame.path + frame.function));
  check_list(query.symbols, kMaxSymbols);
  check_list(query.errors, kMaxErrors);
  check_list(query.issues, 2 * kMaxReferences);
  check_list(query.commits, 2 * kMaxReferences);
  check_list(query.quoted, kMaxQuoted);
  check_list(query.keywords, kMaxKeywords);
  check_list(query.concepts, 100);
  const TaskQuery again = analyze_task(text);
  check(again.paths == query.paths && again.frames == query.frames && again.symbols == query.symbols &&
        again.keywords == query.keywords && again.concepts == query.concepts && again.type == query.type);
  return 0;
}
