#include <re2/re2.h>

#include <algorithm>
#include <map>
#include <set>

#include "code/parse/language.h"
#include "code/walk/file_class.h"
#include "engine/eval/eval_repositories.h"
#include "git/history.h"
#include "git/line_diff.h"

namespace knapsack {
namespace {

// How many commits are looked at for each one that is wanted: merges and small talk are left out.
constexpr size_t kLookedAt = 20;
constexpr uint64_t kMaxDiffedBytes = uint64_t{8} << 20;

std::vector<std::string> changed_sources(const Commit& commit) {
  std::vector<std::string> sources, tests;
  for (const FileChange& change : commit.files) {
    if (change.kind == FileChangeKind::kAdded) continue;  // was not there to be found
    const std::string& path = change.kind == FileChangeKind::kRenamed ? change.old_path : change.path;
    if (!code::detect_language(path, "").is_code()) continue;
    (code::is_test_path(path) ? tests : sources).push_back(path);
  }
  return sources.empty() ? tests : sources;
}

// The blobs of these paths in a commit.
Result<std::map<std::string, std::string>> blobs_of(const GitRepository& repository,
                                                    const std::string& commit,
                                                    const std::set<std::string>& paths) {
  std::map<std::string, std::string> found;
  KNAPSACK_CHECK(repository.list_tree(commit, [&](const TreeItem& item) {
    const std::string path(item.path);
    if (paths.contains(path)) found.emplace(path, item.id);
    return found.size() < paths.size();
  }));
  return found;
}

// In lines of the state before the commit.
Status add_gold_lines(const GitRepository& repository, const Commit& commit, EvalTask& task) {
  std::map<std::string, std::string> after_of;  // path before → path after
  for (const FileChange& change : commit.files) {
    if (change.kind == FileChangeKind::kRenamed) after_of[change.old_path] = change.path;
    if (change.kind == FileChangeKind::kModified) after_of[change.path] = change.path;
  }
  std::set<std::string> before_paths, after_paths;
  for (const std::string& path : task.gold_files) {
    before_paths.insert(path);
    if (const auto after = after_of.find(path); after != after_of.end()) after_paths.insert(after->second);
  }
  KNAPSACK_TRY(const auto before, blobs_of(repository, task.base_commit, before_paths));
  KNAPSACK_TRY(const auto after, blobs_of(repository, commit.id, after_paths));
  for (const auto& [path, id] : before) {
    const auto renamed = after_of.find(path);
    const auto new_id = renamed == after_of.end() ? after.end() : after.find(renamed->second);
    const auto old_text = repository.read_blob(id, kMaxDiffedBytes);
    if (!old_text.ok()) continue;  // too large to be packed either
    std::string new_text;          // of a file that is gone
    if (new_id != after.end()) {
      auto read = repository.read_blob(new_id->second, kMaxDiffedBytes);
      if (!read.ok()) continue;
      new_text = *std::move(read);
    }
    KNAPSACK_TRY(auto lines, changed_lines(*old_text, new_text));
    if (!lines.empty()) task.gold_lines.emplace(path, std::move(lines));
  }
  return ok_status();
}

}  // namespace

bool is_release_subject(std::string_view subject) {
  static const RE2 kNumberAlone(R"(^\W*v?\d+\.\d+[\w.+-]*\W*$)");
  // "Release 1.2.3", "chore: bump to v2.0.0"
  static const RE2 kVerbAndNumber(
      R"((?i)^\W*(?:\w+(?:\([^)]*\))?:\s*)?(?:releas|publish|version|bump|tag|prepar|cut)\w*)"
      R"((?:\s+[\w-]+){0,3}\s+v?\d+(?:\.\d+)+\S*$)");
  static const RE2 kWords(
      R"((?i)^\W*chore\(release\)|\bbump(?:s|ed|ing)? (?:the )?version\b|\bversion bump\b)"
      R"(|^\W*prepar(?:e|ing) (?:for )?(?:the )?(?:next )?(?:release|development)\b)"
      R"(|^\W*update (?:the )?change ?log\b)");
  return RE2::PartialMatch(subject, kNumberAlone) || RE2::PartialMatch(subject, kVerbAndNumber) ||
         RE2::PartialMatch(subject, kWords);
}

bool is_revert_subject(std::string_view subject) {
  static const RE2 kRevert(R"((?i)^\W*revert(?:ed|s|ing)?\b)");
  return RE2::PartialMatch(subject, kRevert);
}

bool is_bot_name(std::string_view author) {
  static const RE2 kBot(
      R"((?i)\[bot\]|\bbot\b|\w+-bot$|^(?:dependabot|renovate|greenkeeper|pre-commit-ci|github-actions|snyk|imgbot|allcontributors)\b)");
  return RE2::PartialMatch(author, kBot);
}

std::string without_trailers(std::string_view message) {
  static const RE2 kTrailer(R"((?i)^[a-z]+(?:-[a-z]+)*-(?:by|to|from|id):\s)");
  std::string kept;
  while (!message.empty()) {
    const size_t end = message.find('\n');
    const std::string_view line = message.substr(0, end);
    message.remove_prefix(end == std::string_view::npos ? message.size() : end + 1);
    if (!RE2::PartialMatch(line, kTrailer)) kept.append(line).append("\n");
  }
  while (!kept.empty() && (kept.back() == '\n' || kept.back() == ' ')) kept.pop_back();
  return kept;
}

Result<std::vector<EvalTask>> tasks_from_history(const std::string& repository, const std::string& name,
                                                 size_t count) {
  std::vector<EvalTask> tasks;
  KNAPSACK_TRY(const auto opened, GitRepository::open(repository));
  if (!opened) {
    return Error{ErrorCode::kUsage, repository + " is not a git repository",
                 "`from_git` makes tasks of a repository's own commits"};
  }
  KNAPSACK_TRY(const auto head, opened->head());
  if (!head) return tasks;
  HistoryOptions options;
  options.max_commits = count * kLookedAt;
  std::optional<Error> failure;
  const auto add = [&](const Commit& commit) {
    if (commit.is_merge || commit.files_unknown || commit.files_truncated || commit.parents.size() != 1)
      return;
    if (commit.files.empty() || commit.files.size() > kMaxTaskFiles) return;
    if (is_revert_subject(commit.subject) || is_release_subject(commit.subject) ||
        is_bot_name(commit.author)) {
      return;
    }
    EvalTask task{name + "@" + commit.id.substr(0, 12),
                  name,
                  commit.parents.front(),
                  without_trailers(commit.message),
                  changed_sources(commit),
                  {},
                  {}};
    if (task.gold_files.empty() || task.query.empty()) return;
    if (const Status added = add_gold_lines(*opened, commit, task); !added.ok() && !failure)
      failure = added.error();
    tasks.push_back(std::move(task));
  };
  const auto walked = walk_history(*opened, *head, options, [&](Commit&& commit) {
    add(commit);
    return tasks.size() < count;
  });
  if (!walked.ok()) return walked.error();
  if (failure) return *failure;
  return tasks;
}

}  // namespace knapsack
