#include <algorithm>
#include <functional>
#include <set>
#include <string>

#include "code/rank/frame_functions.h"
#include "code/rank/ranking_signals.h"
#include "code/walk/path_suffix.h"
#include "core/ascii.h"

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

// "scrapy check", "jekyll new": the name of a program, which is a folder around its code, and that of one of its commands,
// which is a file in there.
class Commands {
 public:
  explicit Commands(const RankingInput& input) : input_(input) {
    std::string_view last;  // files come by their paths
    for (uint32_t file = 0; file < input.index.files().size(); ++file) {
      const std::string_view folder = folder_of_program(input.index.file(file).name);
      if (folder != last && folder.size() >= kShortestName) programs_.insert(ascii::lower(folder));
      last = folder;
    }
  }

  std::vector<SuffixMatch> find() const {
    std::vector<SuffixMatch> found;
    for (const TaskSegment& segment : input_.task.segments) {
      if (segment.kind != SegmentKind::kTitle) continue;
      std::string before;
      for_each_word(segment.text, [&](std::string word) {
        if (!before.empty()) {
          SuffixMatch match;
          match.files = files_of(before, word);
          if (!match.files.empty() && match.files.size() <= kMostOfCommand) found.push_back(std::move(match));
        }
        before = std::move(word);
      });
    }
    return found;
  }

 private:
  // A name that more files have is no command.
  static constexpr size_t kMostOfCommand = 2;
  static constexpr size_t kShortestName = 3;

  // Words with one blank between them; anything else ends a run of them.
  static void for_each_word(std::string_view text, const std::function<void(std::string)>& use) {
    size_t begin = 0;
    for (size_t at = 0; at <= text.size(); ++at) {
      const bool is_inside = at < text.size() && (ascii::is_letter_or_digit(text[at]) || text[at] == '_');
      if (is_inside) continue;
      use(ascii::lower(text.substr(begin, at - begin)));
      begin = at + 1;
    }
  }

  std::vector<uint32_t> files_of(const std::string& program, const std::string& command) const {
    std::vector<uint32_t> found;
    if (command.size() < kShortestName || !programs_.contains(program)) return found;
    for (uint32_t file = 0; file < input_.index.files().size(); ++file) {
      const std::string_view path = input_.index.file(file).name;
      const FileRole& role = input_.roles[file];
      if (!role.is_test && !role.is_auxiliary && stem_of(path) == command &&
          ascii::lower(folder_of_program(path)) == program)
        found.push_back(file);
    }
    return found;
  }

  static std::string stem_of(std::string_view path) {
    const std::string_view name = path.substr(path.rfind('/') + 1);
    return ascii::lower(name.substr(0, name.find('.')));
  }

  // It stands at the root, or in src/ or lib/; empty for a file outside of any.
  static std::string_view folder_of_program(std::string_view path) {
    std::string_view folder = path.substr(0, std::min(path.find('/'), path.size()));
    if (folder == path) return {};
    if (folder != "src" && folder != "lib") return folder;
    path.remove_prefix(folder.size() + 1);
    folder = path.substr(0, std::min(path.find('/'), path.size()));
    return folder == path ? std::string_view() : folder;
  }

  const RankingInput& input_;
  std::set<std::string> programs_;
};

// Frames without a file that are looked up by their functions, innermost first, and in how many files one may be defined.
constexpr size_t kMaxNamedFrames = 8;
constexpr size_t kMaxFilesOfFunction = 3;

// For each frame the files that it means.
Result<std::vector<std::vector<uint32_t>>> files_of_frames(const RankingInput& input) {
  std::vector<std::vector<uint32_t>> files;
  size_t named = 0;
  for (const StackFrame& frame : input.task.frames) {
    std::vector<uint32_t>& meant = files.emplace_back();
    if (!frame.path.empty()) {
      SuffixMatch match = longest_match(input.index, frame.path);
      if (match.is_certain(input.index)) meant = std::move(match.files);
    } else if (named++ < kMaxNamedFrames) {
      KNAPSACK_TRY(meant, files_of_function(input.index, name_of(frame), OtherOwners::kNone));
      meant.erase(std::unique(meant.begin(), meant.end()), meant.end());
      if (meant.size() > kMaxFilesOfFunction) meant.clear();
    }
  }
  return files;
}

}  // namespace

Result<FileScores> trace_scores(const RankingInput& input) {
  FileScores scores(input.index.files().size());
  KNAPSACK_TRY(const auto frames, files_of_frames(input));
  double rank = 0;
  for (const std::vector<uint32_t>& files : frames) {
    if (files.empty()) continue;
    for (const uint32_t file : files)
      scores[file] = std::max(scores[file], 1 / (1 + rank) / static_cast<double>(files.size()));
    ++rank;
  }
  return scores;
}

Result<FileScores> path_scores(const RankingInput& input) {
  FileScores scores(input.index.files().size());
  const auto add = [&](const std::vector<uint32_t>& files, double certainty) {
    for (const uint32_t file : files)
      scores[file] = std::max(scores[file], certainty / static_cast<double>(files.size()));
  };
  for (const PathHint& hint : input.task.paths) {
    const SuffixMatch match = longest_match(input.index, hint.path);
    add(match.files, match.is_certain(input.index) ? 1 : 0.5);
  }
  for (const SuffixMatch& match : Commands(input).find()) add(match.files, 1);
  // Every file of a trace is named as well, wherever it failed.
  KNAPSACK_TRY(const auto frames, files_of_frames(input));
  for (const std::vector<uint32_t>& files : frames) add(files, 1);
  return scores;
}

}  // namespace knapsack::code
