#include "clients/unified_diff.h"

#include <fmt/format.h>

#include <algorithm>
#include <unordered_map>
#include <vector>

namespace knapsack::clients {
namespace {

constexpr size_t kContext = 3;

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

// Lines are only put in or taken out of files, so every line that stays is found in order.
std::vector<Step> compare(const Lines& before, const Lines& after) {
  std::unordered_map<std::string_view, std::vector<size_t>> places;
  for (size_t i = 0; i < after.size(); ++i) places[after[i]].push_back(i);
  std::vector<Step> steps;
  size_t at = 0;
  for (const std::string_view line : before) {
    const std::vector<size_t>& all = places[line];
    const auto next = std::lower_bound(all.begin(), all.end(), at);
    if (next == all.end()) {
      steps.push_back({'-', line});
      continue;
    }
    for (; at < *next; ++at) steps.push_back({'+', after[at]});
    steps.push_back({' ', after[at++]});
  }
  for (; at < after.size(); ++at) steps.push_back({'+', after[at]});
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
