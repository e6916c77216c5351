#include <algorithm>
#include <string>

#include "code/rank/ranking_signals.h"
#include "code/walk/path_suffix.h"

namespace knapsack::code {
namespace {

struct SuffixMatch {
  std::vector<uint32_t> files;  // all that share the most
  size_t matched = 0;           // components
  size_t written = 0;           // components of the path in the task

  // A name alone means little where a whole path is given: every library has its utils.py. A file at the root
  // has no more than a name.
  bool is_certain(const CodeIndex& index) const {
    return !files.empty() && (matched >= std::min<size_t>(2, written) ||
                              path_components(index.file(files.front()).name) == matched);
  }
};

SuffixMatch longest_match(const CodeIndex& index, std::string_view path) {
  SuffixMatch match;
  while (path.starts_with("./")) path.remove_prefix(2);
  while (path.starts_with("../")) path.remove_prefix(3);
  while (path.starts_with('/')) path.remove_prefix(1);
  if (path.empty()) return match;
  match.written = path_components(path);
  for (uint32_t file = 0; file < index.files().size(); ++file) {
    const size_t common = common_path_end(index.file(file).name, path);
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
    if (!match.is_certain(input.index)) continue;
    for (const uint32_t file : match.files) {
      scores[file] = std::max(scores[file], 1 / (1 + rank) / static_cast<double>(match.files.size()));
    }
    ++rank;
  }
  return scores;
}

FileScores path_scores(const RankingInput& input) {
  FileScores scores(input.index.files().size());
  const auto add = [&](const SuffixMatch& match, double certainty) {
    for (const uint32_t file : match.files) {
      scores[file] = std::max(scores[file], certainty / static_cast<double>(match.files.size()));
    }
  };
  for (const PathHint& hint : input.task.paths) {
    const SuffixMatch match = longest_match(input.index, hint.path);
    add(match, match.is_certain(input.index) ? 1 : 0.5);
  }
  // Every file of a trace is named as well, wherever it failed.
  for (const StackFrame& frame : input.task.frames) {
    const SuffixMatch match = longest_match(input.index, frame.path);
    if (match.is_certain(input.index)) add(match, 1);
  }
  return scores;
}

}  // namespace knapsack::code
