#include <algorithm>

#include "code/index/code_documents.h"
#include "code/index/index_run.h"
#include "code/index/snapshot_links.h"
#include "code/index/snapshot_report.h"
#include "code/walk/notebook.h"
#include "core/ids.h"

namespace knapsack::code {
namespace {

search::LiveSet numbers_of(const std::vector<FileRow>& files) {
  search::LiveSet set;
  for (const FileRow& file : files) set.add(static_cast<uint32_t>(file.file));
  return set;
}

}  // namespace

Status IndexRun::publish() {
  return writer_->transaction([this]() -> Status {
    KNAPSACK_CHECK(store_files());
    if (report_.snapshot == kWorkTree) KNAPSACK_CHECK(store_work_files());
    step_done("files");
    SnapshotRow snapshot;
    snapshot.name = report_.snapshot;
    snapshot.commit_id = list_.commit_id;
    snapshot.taken_micros = request_.now.micros;
    snapshot.walked_nanos = list_.walked_nanos;
    snapshot.history_limit = request_.history;
    snapshot.fingerprint = fingerprint();
    snapshot.files = numbers_of(rows_).to_bytes();
    std::string co_changes, edges;
    KNAPSACK_CHECK(add_history(snapshot, co_changes));
    step_done("history");
    KNAPSACK_CHECK(add_edges(edges));
    step_done("imports");
    report_.changed =
        !before_ || before_->fingerprint != snapshot.fingerprint || !same_history_as_before() || learn_anew_;
    KNAPSACK_CHECK(add_missing_documents());
    snapshot.report_json = SnapshotReport{report_.ignored, report_.skipped, shallow_ends(),
                                          history_.problems.size(), report_.unread}
                               .to_json();
    KNAPSACK_TRY(report_.number, writer_->put_snapshot(snapshot, edges, co_changes));
    KNAPSACK_CHECK(publish_live_sets(report_.number));
    if (outdated_) KNAPSACK_CHECK(remove_outdated_snapshots());
    step_done("publish");
    return ok_status();
  });
}

// Facts of two versions in one index would answer one question by two rules.
Status IndexRun::remove_outdated_snapshots() {
  KNAPSACK_TRY(const auto snapshots, writer_->rows().snapshots());
  for (const SnapshotRow& snapshot : snapshots) {
    if (snapshot.name == report_.snapshot) continue;
    KNAPSACK_CHECK(writer_->remove_snapshot(snapshot.snapshot));
    report_.notes.push_back(snapshot.name + " was indexed by another version of knapsack: index it again");
  }
  return ok_status();
}

Status IndexRun::store_files() {
  for (FileRow& row : rows_) {
    if (row.file == 0) KNAPSACK_CHECK(writer_->add_file(row));
  }
  return ok_status();
}

Status IndexRun::store_work_files() {
  std::unordered_set<int64_t> there;
  there.reserve(rows_.size());
  for (const FileRow& row : rows_) there.insert(row.path);
  for (const WorkFileRow& before : known_->work_files()) {
    if (there.contains(before.path)) continue;
    KNAPSACK_CHECK(writer_->remove_work_file(before.path));
    ++report_.removed;
  }
  for (const size_t position : to_examine_) {
    const FileRow& row = rows_[position];
    // What could not be read is tried again next time.
    if (row.file_class == kUnreadableClass) {
      KNAPSACK_CHECK(writer_->remove_work_file(row.path));
      continue;
    }
    const FileInfo& info = list_.files[position].info;
    KNAPSACK_CHECK(writer_->set_work_file({row.path, row.file, info.size, info.mtime_nanos, info.inode}));
  }
  return ok_status();
}

std::string IndexRun::fingerprint() const {
  std::string all;
  for (const FileRow& row : rows_) {
    all += row.name;
    all += '\0';
    all += row.hash.empty() ? std::to_string(row.size) : row.hash;
    all += row.file_class;
    all += '\0';
  }
  return content_hash(all);
}

bool IndexRun::same_paths_as_before() const {
  return before_ && std::equal(rows_.begin(), rows_.end(), before_files_.begin(), before_files_.end(),
                               [](const FileRow& a, const FileRow& b) { return a.path == b.path; });
}

// A hash of the commits at which a shallow clone ends; empty for a whole one.
std::string IndexRun::shallow_ends() const {
  if (!repository_ || !repository_->is_shallow()) return "";
  std::string all;
  for (const std::string& commit : repository_->location().shallow) all += commit;
  return content_hash(all);
}

// A shallow clone that fetched more has the same newest commit and another history, and so has a repository
// that was mended.
bool IndexRun::same_history_as_before() const {
  if (!before_ || before_->commit_id != list_.commit_id) return false;
  if (before_->history_limit != request_.history) return false;
  const auto about = SnapshotReport::from_json(before_->report_json);
  return about.ok() && about->shallow_ends == shallow_ends() && about->history_problems == 0 &&
         about->unread == 0;
}

Status IndexRun::add_history(SnapshotRow& snapshot, std::string& co_changes) {
  // Who had no time to read every file has none for the history.
  if (list_.commit_id.empty() || report_.unread > 0) return ok_status();
  KNAPSACK_CHECK(check_stop());
  tell("history");
  if (same_history_as_before() && !learn_anew_ && same_paths_as_before()) {
    snapshot.commits = before_->commits;
    KNAPSACK_TRY(history_.commits, unpack_commit_list(before_->commits));
    KNAPSACK_TRY(co_changes, writer_->rows().co_changes(before_->snapshot));
    report_.commits = history_.commits.size();
    return ok_status();
  }
  KNAPSACK_TRY(history_, store_history(*writer_, *repository_, list_.commit_id, request_.history));
  report_.commits = history_.commits.size();
  report_.new_commits = history_.new_commits;
  report_.older_commits = history_.more;
  report_.notes.insert(report_.notes.end(), history_.problems.begin(), history_.problems.end());
  if (history_.shallow) {
    report_.notes.emplace_back("the repository is a shallow clone: older commits are not there");
  }
  snapshot.commits = pack_commit_list(history_.commits);
  std::unordered_set<std::string_view> paths;
  for (const FileRow& row : rows_) paths.insert(row.name);
  KNAPSACK_TRY(co_changes, pack_co_changes(*writer_, history_,
                                           [&](const std::string& path) { return paths.contains(path); }));
  return ok_status();
}

// Nothing when everything has to be resolved again.
std::optional<std::vector<size_t>> IndexRun::changed_since_before() const {
  if (learn_anew_ || !same_paths_as_before()) return std::nullopt;
  std::vector<size_t> changed;
  for (size_t i = 0; i < rows_.size(); ++i) {
    if (rows_[i].file == before_files_[i].file) continue;
    if (changes_resolution(rows_[i], known_->blob_row(before_files_[i].blob),
                           known_->blob_row(rows_[i].blob))) {
      return std::nullopt;
    }
    changed.push_back(i);
  }
  return changed;
}

Status IndexRun::add_edges(std::string& packed) {
  KNAPSACK_CHECK(check_stop());
  tell("imports");
  LinkRequest request;
  request.files = &rows_;
  request.known = &*known_;
  request.changed = changed_since_before();
  if (before_) {
    KNAPSACK_TRY(packed, writer_->rows().edges(before_->snapshot));
    KNAPSACK_TRY(request.before, unpack_edges(packed));
    report_.import_edges = request.before.size();
  }
  if (request.changed && request.changed->empty()) return ok_status();
  Status status = ok_status();
  const SourceReader reader = make_reader(status);
  if (!status.ok()) return status.error();
  request.read = [&](size_t position) -> std::optional<std::string> {
    auto bytes = reader.read(list_.files[position], kMaxSourceBytes);
    return bytes.ok() ? std::optional(*std::move(bytes)) : std::nullopt;
  };
  KNAPSACK_TRY(const SnapshotLinks links, resolve_imports(writer_->rows(), request));
  report_.notes.insert(report_.notes.end(), links.notes.begin(), links.notes.end());
  report_.import_edges = links.edges.size();
  packed = pack_edges(links.edges);
  return ok_status();
}

std::vector<std::string> IndexRun::code_keys() const {
  std::vector<std::string> keys;
  std::unordered_set<int64_t> seen;
  for (const FileRow& row : rows_) {
    if (row.blob != 0 && seen.insert(row.blob).second) keys.push_back(blob_key(row.hash, row.language));
  }
  return keys;
}

std::vector<std::string> IndexRun::path_keys() const {
  std::vector<std::string> keys;
  for (const FileRow& row : rows_) keys.push_back(row.name);
  return keys;
}

Status IndexRun::add_missing_documents() {
  const std::string folder = segments_folder(request_.state_folder);
  search::SegmentBuilder builder;
  KNAPSACK_TRY(const auto paths, collections_->find(kPathCollection, path_keys()));
  if (!paths.missing.empty()) {
    for (const std::string& path : paths.missing) add_path_document(builder, path);
    KNAPSACK_TRY(const std::string name, builder.write(disk_, folder));
    KNAPSACK_CHECK(collections_->add(kPathCollection, name));
  }
  if (history_.ids.empty()) return ok_status();
  KNAPSACK_TRY(const auto commits, collections_->find(kCommitCollection, history_.ids));
  if (commits.missing.empty()) return ok_status();
  const std::unordered_set<std::string> missing(commits.missing.begin(), commits.missing.end());
  std::vector<int64_t> numbers;
  for (size_t i = 0; i < history_.ids.size(); ++i) {
    if (missing.contains(history_.ids[i])) numbers.push_back(history_.commits[i]);
  }
  KNAPSACK_TRY(const auto rows, writer_->rows().commits(numbers, false));
  for (const CommitRow& row : rows) add_commit_document(builder, row.commit);
  KNAPSACK_TRY(const std::string name, builder.write(disk_, folder));
  return collections_->add(kCommitCollection, name);
}

Status IndexRun::publish_live_sets(int64_t snapshot) {
  if (history_.ids.empty() && !history_.commits.empty()) {
    KNAPSACK_TRY(const auto commits, writer_->rows().commits(history_.commits, false));
    for (const CommitRow& row : commits) history_.ids.push_back(row.commit.id);
  }
  const auto all = [](std::string_view) { return true; };
  const auto wanted = [this](std::string_view key) { return known_->blob(std::string(key)) != 0; };
  KNAPSACK_TRY(const bool code_merged, collections_->merge(kCodeCollection, wanted));
  KNAPSACK_TRY(const bool paths_merged, collections_->merge(kPathCollection, all));
  KNAPSACK_TRY(const bool commits_merged, collections_->merge(kCommitCollection, all));
  if (code_merged || paths_merged || commits_merged) KNAPSACK_CHECK(writer_->forget_live_sets());
  const std::pair<const char*, std::vector<std::string>> keys[] = {
      {kCodeCollection, code_keys()}, {kPathCollection, path_keys()}, {kCommitCollection, history_.ids}};
  for (const auto& [collection, wanted_keys] : keys) {
    KNAPSACK_TRY(const auto live, collections_->find(collection, wanted_keys));
    if (!live.missing.empty()) {
      return Error{ErrorCode::kInternal,
                   std::string("documents are missing from the collection ") + collection, ""};
    }
    KNAPSACK_CHECK(collections_->put_live_sets(snapshot, collection, live));
  }
  return ok_status();
}

}  // namespace knapsack::code
