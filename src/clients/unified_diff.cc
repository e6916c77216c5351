#include "clients/unified_diff.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <vector>

namespace knapsack::clients {
namespace {

constexpr size_t kContext = 3;
// The table of the comparison has this many cells at most; what differs more is shown as one change.
constexpr size_t kMaxCells = 4'000'000;

std::vector<std::string_view> lines_of(std::string_view text) {
  std::vector<std::string_view> lines;
  while (!text.empty()) {
    const size_t end = std::min(text.find('\n'), text.size() - 1) + 1;
    lines.push_back(text.substr(0, end));
    text.remove_prefix(end);
  }
  return lines;
}

struct Step {
  char kind;  // ' ', '-' or '+'
  std::string_view line;
};

using Lines = std::vector<std::string_view>;

// The longest common subsequence of the middle parts, by the table that every textbook has.
void compare_middle(const Lines& a, const Lines& b, std::vector<Step>& steps) {
  if (a.size() * b.size() > kMaxCells) {
    for (const auto line : a) steps.push_back({'-', line});
    for (const auto line : b) steps.push_back({'+', line});
    return;
  }
  const size_t width = b.size() + 1;
  std::vector<uint32_t> longest((a.size() + 1) * width, 0);
  for (size_t i = a.size(); i-- > 0;) {
    for (size_t j = b.size(); j-- > 0;) {
      longest[i * width + j] = a[i] == b[j]
                                   ? longest[(i + 1) * width + j + 1] + 1
                                   : std::max(longest[(i + 1) * width + j], longest[i * width + j + 1]);
    }
  }
  size_t i = 0, j = 0;
  while (i < a.size() || j < b.size()) {
    if (i < a.size() && j < b.size() && a[i] == b[j]) {
      steps.push_back({' ', a[i]});
      ++i, ++j;
    } else if (i < a.size() &&
               (j == b.size() || longest[(i + 1) * width + j] >= longest[i * width + j + 1])) {
      steps.push_back({'-', a[i++]});
    } else {
      steps.push_back({'+', b[j++]});
    }
  }
}

std::vector<Step> compare(const Lines& a, const Lines& b) {
  const size_t shorter = std::min(a.size(), b.size());
  size_t head = 0, tail = 0;
  while (head < shorter && a[head] == b[head]) ++head;
  while (tail < shorter - head && a[a.size() - 1 - tail] == b[b.size() - 1 - tail]) ++tail;
  std::vector<Step> steps;
  for (size_t i = 0; i < head; ++i) steps.push_back({' ', a[i]});
  compare_middle(Lines(a.begin() + static_cast<ptrdiff_t>(head), a.end() - static_cast<ptrdiff_t>(tail)),
                 Lines(b.begin() + static_cast<ptrdiff_t>(head), b.end() - static_cast<ptrdiff_t>(tail)),
                 steps);
  for (size_t i = a.size() - tail; i < a.size(); ++i) steps.push_back({' ', a[i]});
  return steps;
}

struct Hunk {
  size_t begin, end;  // of the steps
};

std::vector<Hunk> hunks_of(const std::vector<Step>& steps) {
  std::vector<Hunk> hunks;
  for (size_t i = 0; i < steps.size(); ++i) {
    if (steps[i].kind == ' ') continue;
    const size_t begin = i > kContext ? i - kContext : 0;
    const size_t end = std::min(i + kContext + 1, steps.size());
    if (!hunks.empty() && begin <= hunks.back().end) {
      hunks.back().end = end;
    } else {
      hunks.push_back({begin, end});
    }
  }
  return hunks;
}

std::string range(size_t first, size_t count) {
  // An empty range is named by the line before it.
  return count == 1 ? fmt::format("{}", first) : fmt::format("{},{}", count == 0 ? first - 1 : first, count);
}

}  // namespace

std::string unified_diff(std::string_view before, std::string_view after, std::string_view before_name,
                         std::string_view after_name) {
  if (before == after) return "";
  const std::vector<Step> steps = compare(lines_of(before), lines_of(after));
  std::string out = fmt::format("--- {}\n+++ {}\n", before_name, after_name);
  size_t at = 0, old_line = 1, new_line = 1;
  for (const Hunk& hunk : hunks_of(steps)) {
    for (; at < hunk.begin; ++at) ++old_line, ++new_line;
    size_t removed = 0, added = 0;
    std::string body;
    for (; at < hunk.end; ++at) {
      const Step& step = steps[at];
      removed += step.kind != '+' ? 1 : 0;
      added += step.kind != '-' ? 1 : 0;
      body.append(1, step.kind).append(step.line);
      if (!step.line.ends_with('\n')) body += "\n\\ No newline at end of file\n";
    }
    out += fmt::format("@@ -{} +{} @@\n", range(old_line, removed), range(new_line, added)) + body;
    old_line += removed;
    new_line += added;
  }
  return out;
}

}  // namespace knapsack::clients
