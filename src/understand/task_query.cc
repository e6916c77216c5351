#include "understand/task_query.h"

namespace knapsack {

std::string_view to_string(SegmentKind kind) {
  switch (kind) {
    case SegmentKind::kTitle:
      return "title";
    case SegmentKind::kProse:
      return "prose";
    case SegmentKind::kInline:
      return "inline";
    case SegmentKind::kCode:
      return "code";
    case SegmentKind::kTrace:
      return "trace";
    case SegmentKind::kTemplate:
      return "template";
  }
  return "";
}

std::string_view to_string(TaskType type) {
  switch (type) {
    case TaskType::kGeneral:
      return "general";
    case TaskType::kBugFix:
      return "bug_fix";
    case TaskType::kFeature:
      return "feature";
    case TaskType::kRefactor:
      return "refactor";
    case TaskType::kTest:
      return "test";
    case TaskType::kDocs:
      return "docs";
    case TaskType::kPerformance:
      return "performance";
  }
  return "";
}

}  // namespace knapsack
