#include "core/candidate.h"

namespace knapsack {

std::string_view to_string(Source source) {
  switch (source) {
    case Source::kCode:
      return "code";
    case Source::kNotes:
      return "notes";
    case Source::kMemory:
      return "memory";
    case Source::kGraph:
      break;
  }
  return "graph";
}

std::string_view to_string(FormKind kind) {
  switch (kind) {
    case FormKind::kFull:
      return "full";
    case FormKind::kReduced:
      return "reduced";
    case FormKind::kSignature:
      return "signature";
    case FormKind::kTitle:
      break;
  }
  return "title";
}

}  // namespace knapsack
