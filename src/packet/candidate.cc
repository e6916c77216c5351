#include "packet/candidate.h"

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

std::string_view CandidateGroup::lines(LineRange range) const {
  if (range.first == 0 || range.first > line_starts.size() || range.last < range.first) return {};
  const size_t begin = line_starts[range.first - 1];
  const size_t end = range.last < line_starts.size() ? line_starts[range.last] : text.size();
  return std::string_view(text).substr(begin, end - begin);
}

bool CandidateGroup::is_blank(LineRange range) const {
  return lines(range).find_first_not_of(" \t\r\n\f") == std::string_view::npos;
}

bool CandidateGroup::is_all(const Form& form) const {
  return form.lines.size() == 1 && form.lines.front() == LineRange{1, line_count()} && form.outline.empty();
}

std::shared_ptr<const CandidateGroup> make_group(CandidateGroup group) {
  group.line_starts.clear();
  for (size_t at = 0; at < group.text.size();) {
    group.line_starts.push_back(at);
    const size_t end = group.text.find('\n', at);
    if (end == std::string::npos) break;
    at = end + 1;
  }
  return std::make_shared<const CandidateGroup>(std::move(group));
}

}  // namespace knapsack
