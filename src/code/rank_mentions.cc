#include <algorithm>
#include <string>

#include "code/ranking_signals.h"

namespace knapsack::code {
namespace {

char lower(char c) {
  return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

// How many components two paths share, counted from their ends, whatever the case of their letters.
size_t common_end(std::string_view a, std::string_view b) {
  size_t components = 0;
  while (true) {
    const size_t a_slash = a.rfind('/'), b_slash = b.rfind('/');
    const std::string_view a_part = a.substr(a_slash == std::string_view::npos ? 0 : a_slash + 1);
    const std::string_view b_part = b.substr(b_slash == std::string_view::npos ? 0 : b_slash + 1);
    if (!std::equal(a_part.begin(), a_part.end(), b_part.begin(), b_part.end(),
                    [](char x, char y) { return lower(x) == lower(y); })) {
      return components;
    }
    ++components;
    if (a_slash == std::string_view::npos || b_slash == std::string_view::npos) return components;
    a = a.substr(0, a_slash);
    b = b.substr(0, b_slash);
  }
}

struct SuffixMatch {
  std::vector<uint32_t> files;  // all that share the most
  size_t matched = 0;           // components
  size_t written = 0;           // components of the path in the task
};

SuffixMatch longest_match(const CodeIndex& index, std::string_view path) {
  SuffixMatch match;
  while (path.starts_with("./")) path.remove_prefix(2);
  while (path.starts_with("../")) path.remove_prefix(3);
  while (path.starts_with('/')) path.remove_prefix(1);
  if (path.empty()) return match;
  match.written = static_cast<size_t>(std::count(path.begin(), path.end(), '/')) + 1;
  for (uint32_t file = 0; file < index.files().size(); ++file) {
    const size_t common = common_end(index.file(file).name, path);
    if (common == 0 || common < match.matched) continue;
    if (common > match.matched) match.files.clear();
    match.matched = common;
    match.files.push_back(file);
  }
  return match;
}

}  // namespace

FileScores trace_scores(const RankingInput& input) {
  FileScores scores(input.index.files().size());
  double rank = 0;
  for (const StackFrame& frame : input.task.frames) {
    const SuffixMatch match = longest_match(input.index, frame.path);
    // A name alone means little when the frame gives a whole path: every library has its utils.py.
    if (match.files.empty() || match.matched < std::min<size_t>(2, match.written)) continue;
    for (const uint32_t file : match.files) {
      scores[file] = std::max(scores[file], 1 / (1 + rank) / static_cast<double>(match.files.size()));
    }
    ++rank;
  }
  return scores;
}

FileScores path_scores(const RankingInput& input) {
  FileScores scores(input.index.files().size());
  for (const PathHint& hint : input.task.paths) {
    const SuffixMatch match = longest_match(input.index, hint.path);
    for (const uint32_t file : match.files) {
      const double certainty = match.matched >= 2 || match.written == 1 ? 1 : 0.5;
      scores[file] = std::max(scores[file], certainty / static_cast<double>(match.files.size()));
    }
  }
  return scores;
}

}  // namespace knapsack::code
