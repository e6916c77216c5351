#include "understand/traces/frame_parts.h"

#include "core/ascii.h"
#include "text/markdown/markdown_lines.h"

namespace knapsack {

using ascii::kNone;
using std::string_view;

bool looks_like_file(string_view path) {
  if (path.empty() || path.find_first_of("\"<>|*") != kNone) return false;
  if (path.find_first_of("/\\") != kNone) return true;
  const size_t dot = path.rfind('.');
  return dot != kNone && dot > 0 && dot + 1 < path.size() && ascii::is_letter(path[dot + 1]);
}

StackFrame frame_of(const Place& place, string_view function) {
  return {plain_path(place.path), place.line, std::string(trim(function))};
}

string_view without_arguments(string_view function) {
  if (!function.ends_with(')')) return function;
  size_t depth = 0;
  for (size_t at = function.size(); at-- > 0;) {
    if (function[at] == ')') ++depth;
    if (function[at] == '(' && --depth == 0) return at == 0 ? function : trim(function.substr(0, at));
  }
  return function;
}

}  // namespace knapsack
