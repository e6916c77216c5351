#include "text/markdown/inline_code.h"

#include <algorithm>
#include <array>

#include "core/ascii.h"

namespace knapsack {
namespace {

using ascii::kNone;
// Longer runs are no inline code. The bound makes the scan linear: a search fails at most once per length.
constexpr size_t kMaxTicks = 8;

size_t run_end(std::string_view line, size_t at) {
  return std::min(line.find_first_not_of('`', at), line.size());
}

// Where the next run of exactly `length` backticks begins.
size_t find_run(std::string_view line, size_t at, size_t length) {
  while ((at = line.find('`', at)) != kNone) {
    const size_t end = run_end(line, at);
    if (end - at == length) return at;
    at = end;
  }
  return kNone;
}

}  // namespace

std::vector<InlinePiece> split_inline_code(std::string_view line) {
  std::vector<InlinePiece> pieces;
  std::array<bool, kMaxTicks + 1> hopeless{};
  size_t text_begin = 0;
  for (size_t at = line.find('`'); at != kNone; at = line.find('`', at)) {
    const size_t end = run_end(line, at);
    const size_t length = end - at;
    size_t close = kNone;
    if (length <= kMaxTicks && !hopeless[length]) {
      close = find_run(line, end, length);
      hopeless[length] = close == kNone;
    }
    if (close == kNone) {
      at = end;
      continue;
    }
    if (at > text_begin) pieces.push_back({line.substr(text_begin, at - text_begin), false});
    if (close > end) pieces.push_back({line.substr(end, close - end), true});
    at = text_begin = close + length;
  }
  if (text_begin < line.size()) pieces.push_back({line.substr(text_begin), false});
  return pieces;
}

}  // namespace knapsack
