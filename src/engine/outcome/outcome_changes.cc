#include "engine/outcome/outcome_changes.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "code/ask/change_set.h"
#include "core/files/folder.h"
#include "engine/line_ranges.h"
#include "git/history.h"
#include "git/line_diff.h"

namespace knapsack {
namespace {

constexpr uint64_t kMaxComparedBytes = uint64_t{8} << 20U;
// How far back the commit is looked for on which a run stood.
constexpr size_t kMaxCommitsSince = 2000;

using Blobs = std::map<std::string, std::string>;

Result<Blobs> tree_of(const GitRepository& repository, const std::string& commit,
                      const std::function<bool(const std::string&)>& wanted) {
  Blobs found;
  KNAPSACK_CHECK(repository.list_tree(commit, [&](const TreeItem& item) {
    std::string path(item.path);
    if (item.kind != TreeItemKind::kSubmodule && wanted(path)) found.emplace(std::move(path), item.id);
    return true;
  }));
  return found;
}

Error no_repository(const std::string& what) {
  return {ErrorCode::kUsage, fmt::format("{} needs a git repository, and the workspace is not one", what),
          "name the changed files with `files`"};
}

}  // namespace

Result<OutcomeChanges> OutcomeChanges::find(Engine::State& state, const OutcomeRequest& request,
                                            Timestamp started) {
  KNAPSACK_TRY(std::string workspace, state.files->resolve(state.workspace.path));
  KNAPSACK_TRY(auto repository, GitRepository::open(workspace));
  OutcomeChanges changes(state, std::move(workspace));
  if (repository) changes.repository_ = std::make_shared<const GitRepository>(*std::move(repository));
  if (!request.commit.empty()) {
    changes.told_by_ = "commit";
    if (!changes.repository_) return no_repository("`commit`");
    const size_t dots = request.commit.find("..");
    KNAPSACK_CHECK(dots == std::string::npos
                       ? changes.of_commit(request.commit)
                       : changes.of_range(request.commit.substr(0, dots), request.commit.substr(dots + 2)));
  } else if (!request.files.empty()) {
    changes.told_by_ = "files";
    KNAPSACK_CHECK(changes.of_files(request.files));
  } else {
    changes.told_by_ = request.session.empty() ? "work tree" : "session end";
    if (!changes.repository_) return no_repository("looking at what has changed");
    KNAPSACK_CHECK(changes.of_work_tree(request, started));
  }
  std::sort(changes.changes_.begin(), changes.changes_.end(),
            [](const Change& a, const Change& b) { return a.path < b.path; });
  KNAPSACK_CHECK(changes.read_trees());
  return changes;
}

Status OutcomeChanges::of_commit(const std::string& revision) {
  KNAPSACK_TRY(commit_, repository_->resolve(revision));
  HistoryOptions options;
  options.max_commits = 1;
  KNAPSACK_TRY(const auto walked, walk_history(*repository_, commit_, options, [&](Commit&& commit) {
                 if (!commit.parents.empty()) base_ = commit.parents.front();
                 for (const FileChange& file : commit.files) {
                   const bool gone = file.kind == FileChangeKind::kDeleted;
                   const bool moved = file.kind == FileChangeKind::kRenamed;
                   changes_.push_back({moved ? file.old_path : file.path, gone ? "" : file.path, file.kind});
                 }
                 return false;
               }));
  (void)walked;
  return ok_status();
}

Status OutcomeChanges::of_range(const std::string& from, const std::string& to) {
  KNAPSACK_TRY(base_, repository_->resolve(from));
  KNAPSACK_TRY(commit_, repository_->resolve(to.empty() ? "HEAD" : to));
  const auto all = [](const std::string&) { return true; };
  KNAPSACK_TRY(const Blobs before, tree_of(*repository_, base_, all));
  KNAPSACK_TRY(const Blobs after, tree_of(*repository_, commit_, all));
  for (const auto& [path, id] : before) {
    const auto now = after.find(path);
    if (now == after.end()) changes_.push_back({path, "", FileChangeKind::kDeleted});
    if (now != after.end() && now->second != id) changes_.push_back({path, path, FileChangeKind::kModified});
  }
  for (const auto& [path, id] : after)
    if (!before.contains(path)) changes_.push_back({path, path, FileChangeKind::kAdded});
  return ok_status();
}

Status OutcomeChanges::of_files(const std::vector<std::string>& names) {
  Blobs known;
  if (repository_) {
    KNAPSACK_TRY(const auto head, repository_->head());
    if (head) {
      base_ = *head;
      const std::set<std::string> wanted(names.begin(), names.end());
      KNAPSACK_TRY(known, tree_of(*repository_, base_,
                                  [&](const std::string& path) { return wanted.contains(path); }));
    }
  }
  for (const std::string& name : std::set<std::string>(names.begin(), names.end())) {
    KNAPSACK_CHECK(relative_components(name));
    const bool is_there = state_->files->info(join_path(workspace_, name)).ok();
    if (!is_there && !known.contains(name)) {
      return Error{ErrorCode::kUsage, fmt::format("{} is not a file of the workspace", name),
                   "name files by their paths from the workspace's root"};
    }
    // Whoever names a file says that it was changed, whether or not that is committed by now.
    const bool is_new = repository_ && !known.contains(name);
    changes_.push_back({name, is_there ? name : "",
                        !is_there ? FileChangeKind::kDeleted
                        : is_new  ? FileChangeKind::kAdded
                                  : FileChangeKind::kModified});
  }
  return ok_status();
}

Status OutcomeChanges::of_work_tree(const OutcomeRequest& request, Timestamp started) {
  KNAPSACK_TRY(const auto head, repository_->head());
  if (!head)
    return Error{ErrorCode::kUsage, "there is no commit to compare the work tree with", "commit once"};
  HistoryOptions options;
  options.max_commits = kMaxCommitsSince;
  options.is_described = [](const std::string&) { return true; };  // ids and times will do
  base_ = *head;
  KNAPSACK_TRY(const auto walked, walk_history(*repository_, *head, options, [&](Commit&& commit) {
                 base_ = commit.id;
                 return Timestamp::from_seconds(commit.commit_time) > started;
               }));
  (void)walked;
  if (request.refresh) {
    KNAPSACK_TRY(const auto refreshed, state_->refresh_index({}));
    if (!refreshed.problem.empty()) state_->options.log.write(LogLevel::kWarning, refreshed.problem);
  }
  KNAPSACK_TRY(const auto index, state_->code_index(""));
  KNAPSACK_TRY(auto texts, code::SnapshotTexts::open(*state_->files, workspace_, index->snapshot()));
  code::FileTexts read(*index, std::move(texts));
  const auto info = [&](const std::string& path) { return state_->files->info(join_path(workspace_, path)); };
  const auto exists = [&](const std::string& path) { return info(path).ok(); };
  KNAPSACK_TRY(const code::ChangeSet set,
               code::changes_since(*index, read, *repository_, {base_, false, exists}));
  for (const code::ChangedFile& file : set.files) {
    const bool gone = file.kind == code::ChangeKind::kRemoved;
    const auto found = info(file.path);
    // A file that was not committed when the run was made, and not touched since, is nobody's outcome.
    if (found.ok() && found->mtime_nanos / 1000 < started.micros) continue;
    changes_.push_back({file.path, gone ? "" : file.path,
                        gone                                    ? FileChangeKind::kDeleted
                        : file.kind == code::ChangeKind::kAdded ? FileChangeKind::kAdded
                                                                : FileChangeKind::kModified});
  }
  return ok_status();
}

Status OutcomeChanges::read_trees() {
  if (!repository_) return ok_status();
  std::set<std::string> old_paths, new_paths;
  for (const Change& change : changes_) {
    if (change.kind != FileChangeKind::kAdded) old_paths.insert(change.path);
    if (!change.after.empty()) new_paths.insert(change.after);
  }
  if (!base_.empty() && !old_paths.empty()) {
    KNAPSACK_TRY(before_, tree_of(*repository_, base_,
                                  [&](const std::string& path) { return old_paths.contains(path); }));
  }
  if (!commit_.empty() && !new_paths.empty()) {
    KNAPSACK_TRY(after_, tree_of(*repository_, commit_,
                                 [&](const std::string& path) { return new_paths.contains(path); }));
  }
  return ok_status();
}

Result<std::string> OutcomeChanges::text_before(const Change& change) const {
  const auto found = before_.find(change.path);
  if (found == before_.end() || !repository_)
    return Error{ErrorCode::kNotFound, fmt::format("{} was not there before", change.path), ""};
  return repository_->read_blob(found->second, kMaxComparedBytes);
}

Result<std::string> OutcomeChanges::text_after(const Change& change) const {
  if (change.after.empty()) return std::string();
  if (commit_.empty()) {
    KNAPSACK_TRY(const auto root, state_->files->open_folder(workspace_));
    return read_beneath(*root, change.after, kMaxComparedBytes);
  }
  const auto found = after_.find(change.after);
  if (found == after_.end())
    return Error{ErrorCode::kNotFound, fmt::format("{} is not in the commit", change.after), ""};
  return repository_->read_blob(found->second, kMaxComparedBytes);
}

Result<std::vector<OutcomeFile>> OutcomeChanges::seen_from(const ShownContent& shown) const {
  std::vector<OutcomeFile> files;
  for (const Change& change : changes_) {
    OutcomeFile file;
    file.path = change.path;
    file.change = change.kind;
    for (const auto& [source, paths] : shown.named)
      if (shown.names(source, change.path)) file.named_by.push_back(source);
    const auto packed = shown.files.find(change.path);
    file.packed = packed != shown.files.end();
    const auto after = text_after(change);
    if (const auto before = text_before(change); before.ok() && after.ok()) {
      KNAPSACK_TRY(file.lines, changed_lines(*before, *after));
    }
    file.changed_lines = count_lines(file.lines);
    if (file.packed && repository_ && after.ok()) {
      // The lines of the packet are those of the text that it showed, which may be none of the commit's.
      const auto told = repository_->read_blob(packed->second.id, kMaxComparedBytes);
      file.compared = told.ok();
      if (told.ok()) {
        KNAPSACK_TRY(const auto changed, changed_lines(*told, *after));
        file.changed_lines = count_lines(changed);
        file.shown_lines = count_shared(changed, packed->second.lines);
      }
    }
    files.push_back(std::move(file));
  }
  return files;
}

}  // namespace knapsack
