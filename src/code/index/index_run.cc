#include "code/index/index_run.h"

#include <fmt/format.h>

#include <algorithm>

#include "code/index/code_documents.h"
#include "code/index/curated_schema.h"
#include "code/index/examine_files.h"
#include "code/index/index_garbage.h"
#include "code/index/snapshot_report.h"
#include "code/walk/notebook.h"
#include "code/walk/sensitive_file.h"
#include "core/helper_threads.h"

namespace knapsack::code {
namespace {

constexpr const char* kFactsKey = "facts version";
constexpr const char* kAllowedKey = "allowed sensitive files";

// The sizes of a commit's files are not known before they are read, so a batch is bounded by their number
// too.
constexpr size_t kBatchFiles = 4000;

}  // namespace

IndexRun::IndexRun(FileSystem& files, const IndexRequest& request)
    : disk_(files), request_(request), step_began_(std::chrono::steady_clock::now()) {}

void IndexRun::step_done(const char* step) {
  const auto now = std::chrono::steady_clock::now();
  report_.times.emplace_back(
      step, std::chrono::duration_cast<std::chrono::microseconds>(now - step_began_).count());
  step_began_ = now;
}

void IndexRun::tell(std::string_view step) const {
  progress_.step = step;
  if (request_.progress) request_.progress(progress_);
}

Result<IndexReport> IndexRun::run() {
  KNAPSACK_CHECK(open());
  if (request_.brief && !request_.full && report_.snapshot == kWorkTree) {
    KNAPSACK_TRY(const bool as_before, is_as_before());
    if (as_before) {
      report_.number = before_->snapshot;
      return std::move(report_);
    }
  }
  KNAPSACK_CHECK(load());
  KNAPSACK_CHECK(check_segments());
  step_done("load");
  plan();
  step_done("compare");
  if (before_) report_.number = before_->snapshot;
  if (!up_to_date()) {
    KNAPSACK_CHECK(examine_all());
    step_done("examine");
    KNAPSACK_CHECK(check_stop());
    if (report_.unread > 0) {
      if (is_whole_before()) return report_of_before();
      leave_out_unread();
    }
    KNAPSACK_CHECK(publish());
    KNAPSACK_CHECK(collect_garbage(*writer_, learn_anew_));
    // Not before everything of the older version is gone: a run that is killed until then begins again.
    if (outdated_) KNAPSACK_CHECK(store_facts_version());
    step_done("garbage");
  }
  if (report_.snapshot == kWorkTree) KNAPSACK_CHECK(store_allowed_files());
  describe_snapshot();
  return std::move(report_);
}

Status IndexRun::check_stop() const {
  if (!request_.stop.stop_requested()) return ok_status();
  return Error{ErrorCode::kStopped, "indexing was stopped", "what was read is known to the next run"};
}

bool IndexRun::is_over() const {
  return request_.stop.stop_requested() ||
         (request_.read_until && std::chrono::steady_clock::now() >= *request_.read_until);
}

// An older state of everything says more than the newest one of a part.
bool IndexRun::is_whole_before() const {
  if (!before_ || learn_anew_) return false;
  const auto about = SnapshotReport::from_json(before_->report_json);
  return about.ok() && about->unread == 0;
}

IndexReport IndexRun::report_of_before() {
  rows_ = before_files_;
  describe_snapshot();
  return std::move(report_);
}

void IndexRun::leave_out_unread() {
  std::vector<SourceFile> files;
  std::vector<FileRow> rows;
  std::vector<std::string> keys;
  std::vector<bool> examined(rows_.size());
  for (const size_t position : to_examine_) examined[position] = true;
  to_examine_.clear();
  for (size_t i = 0; i < rows_.size(); ++i) {
    if (rows_[i].name.empty()) continue;
    if (examined[i]) to_examine_.push_back(rows.size());
    files.push_back(std::move(list_.files[i]));
    rows.push_back(std::move(rows_[i]));
    keys.push_back(std::move(row_keys_[i]));
  }
  list_.files = std::move(files);
  rows_ = std::move(rows);
  row_keys_ = std::move(keys);
}

Status IndexRun::open() {
  tell("listing");
  CuratedWriterOptions options;
  options.wait = request_.wait;
  options.check = request_.full;
  KNAPSACK_TRY(root_, disk_.open_folder(request_.workspace));
  KNAPSACK_TRY(repository_, GitRepository::open(request_.workspace, request_.git));
  std::string commit;
  if (!request_.revision.empty()) {
    if (!repository_) {
      return Error{ErrorCode::kUsage, "`revision` needs a git repository, and the workspace is not one",
                   "leave `revision` out to index the files as they are"};
    }
    KNAPSACK_TRY(commit, repository_->resolve(request_.revision));
  } else if (repository_ && repository_->location().layout == GitLayout::kBare) {
    return Error{ErrorCode::kUsage, "the workspace is a bare repository and has no files of its own",
                 "name a commit with `revision` HEAD, as in `knapsack pack --rev HEAD TASK`"};
  }
  KNAPSACK_TRY(auto writer, CuratedWriter::open(disk_, request_.state_folder, options));
  writer_.emplace(std::move(writer));
  if (!writer_->notice().empty()) report_.notes.push_back(writer_->notice());
  // Under the lock: what another run has just published is not looked at with old eyes.
  if (commit.empty()) {
    KNAPSACK_TRY(list_, list_work_tree(*root_, request_.workspace, repository_ ? &*repository_ : nullptr));
    report_.snapshot = kWorkTree;
  } else {
    KNAPSACK_TRY(list_, list_commit(*repository_, commit));
    report_.snapshot = commit;
  }
  report_.commit_id = list_.commit_id;
  report_.ignored = list_.ignored;
  report_.skipped = list_.skipped_count;
  report_.notes.insert(report_.notes.end(), list_.notes.begin(), list_.notes.end());
  step_done("list");
  return ok_status();
}

// What up_to_date() finds out, from a fraction of what is known.
Result<bool> IndexRun::is_as_before() {
  Curated& rows = writer_->rows();
  KNAPSACK_TRY(before_, rows.find_snapshot(report_.snapshot));
  KNAPSACK_TRY(const std::string version, rows.meta(kFactsKey));
  if (version != kFactsVersion || !same_history_as_before()) return false;
  KNAPSACK_TRY(const std::string allowed, rows.meta(kAllowedKey));
  if (allowed != allowed_files()) return false;
  KNAPSACK_TRY(const auto members, search::LiveSet::from_bytes(before_->files));
  std::unordered_map<std::string_view, const SourceFile*> listed;
  listed.reserve(list_.files.size());
  for (const SourceFile& file : list_.files) listed.emplace(file.path, &file);
  size_t unchanged = 0;
  KNAPSACK_CHECK(rows.for_each_work_file([&](std::string_view path, const WorkFileRow& row) {
    const auto file = listed.find(path);
    const bool as_it_was = file != listed.end() && members.contains(static_cast<uint32_t>(row.file)) &&
                           looks_unchanged(row, file->second->info, before_->walked_nanos);
    unchanged += as_it_was ? 1 : 0;
  }));
  if (unchanged != list_.files.size() || unchanged != members.size()) return false;
  KNAPSACK_TRY(const auto collections,
               Collections::open(disk_, segments_folder(request_.state_folder), *writer_));
  return collections.broken().empty();
}

Status IndexRun::load() {
  Curated& rows = writer_->rows();
  KNAPSACK_TRY(auto known, KnownIndex::load(rows));
  known_.emplace(std::move(known));
  KNAPSACK_TRY(before_, rows.find_snapshot(report_.snapshot));
  if (before_) {
    KNAPSACK_TRY(const auto members, search::LiveSet::from_bytes(before_->files));
    for (const FileRow& file : known_->files()) {
      if (members.contains(static_cast<uint32_t>(file.file))) before_files_.push_back(file);
    }
    std::sort(before_files_.begin(), before_files_.end(),
              [](const FileRow& a, const FileRow& b) { return a.name < b.name; });
  }
  KNAPSACK_CHECK(load_allowed_files());
  KNAPSACK_TRY(const std::string version, rows.meta(kFactsKey));
  // At once in a new index, so that a run that is killed goes on with what was committed.
  if (version.empty() && known_->files().empty()) {
    KNAPSACK_CHECK(store_facts_version());
  } else {
    outdated_ = version != kFactsVersion;
  }
  learn_anew_ = request_.full || outdated_;
  if (learn_anew_) known_->distrust_all();
  return ok_status();
}

std::string IndexRun::allowed_files() const {
  return fmt::format("{}", fmt::join(request_.allow_sensitive, "\n"));
}

// What may be read can change while the file does not.
bool IndexRun::is_read_as_allowed(const FileRow& row) const {
  return is_allowed(request_.allow_sensitive, row.name) == is_allowed(allowed_before_, row.name);
}

Status IndexRun::load_allowed_files() {
  KNAPSACK_TRY(const std::string before, writer_->rows().meta(kAllowedKey));
  for (size_t at = 0; at < before.size();) {
    const size_t end = std::min(before.find('\n', at), before.size());
    allowed_before_.push_back(before.substr(at, end - at));
    at = end + 1;
  }
  return ok_status();
}

Status IndexRun::store_allowed_files() {
  if (allowed_before_ == request_.allow_sensitive) return ok_status();
  return writer_->transaction([this] { return writer_->set_meta(kAllowedKey, allowed_files()); });
}

Status IndexRun::store_facts_version() {
  return writer_->transaction([this] { return writer_->set_meta(kFactsKey, kFactsVersion); });
}

Status IndexRun::check_segments() {
  const std::string folder = segments_folder(request_.state_folder);
  KNAPSACK_TRY(auto collections, Collections::open(disk_, folder, *writer_));
  collections_.emplace(std::move(collections));
  for (const auto& broken : collections_->broken()) {
    report_.notes.push_back(fmt::format("{}; its content is rebuilt", broken.error.what));
  }
  if (collections_->broken().empty()) return ok_status();
  KNAPSACK_CHECK(writer_->transaction([this] { return collections_->remove_broken(); }));
  KNAPSACK_TRY(const auto found, collections_->find(kCodeCollection, known_->keys()));
  for (const std::string& key : found.missing) known_->distrust(key);
  before_.reset();  // its live sets are gone: it has to be published again
  before_files_.clear();
  return ok_status();
}

void IndexRun::plan() {
  rows_.resize(list_.files.size());
  row_keys_.resize(list_.files.size());
  const bool work_tree = report_.snapshot == kWorkTree;
  for (size_t i = 0; i < list_.files.size(); ++i) {
    const SourceFile& file = list_.files[i];
    const FileRow* row = work_tree ? known_->find_unchanged(file, before_ ? before_->walked_nanos : 0)
                                   : known_->find(file.path, file.hash);
    if (row != nullptr && is_read_as_allowed(*row)) {
      rows_[i] = *row;
    } else {
      to_examine_.push_back(i);
    }
  }
  progress_.total_files = to_examine_.size();
}

bool IndexRun::up_to_date() const {
  if (!before_ || !to_examine_.empty() || learn_anew_) return false;
  if (!same_history_as_before()) return false;
  if (before_files_.size() != rows_.size()) return false;
  for (size_t i = 0; i < rows_.size(); ++i) {
    if (rows_[i].file != before_files_[i].file) return false;
  }
  return true;
}

SourceReader IndexRun::make_reader(Status& status) const {
  if (report_.snapshot == kWorkTree) return SourceReader(*root_);
  auto handle = repository_->another();
  if (handle.ok()) return SourceReader(*std::move(handle));
  status = handle.error();
  return SourceReader(*root_);
}

Status IndexRun::examine_all() {
  if (to_examine_.empty()) return ok_status();
  claimed_ = known_->trusted_keys();
  const size_t wanted = request_.jobs != 0 ? request_.jobs : core_count();
  const size_t jobs = std::min(wanted, to_examine_.size());
  for (size_t i = 0; i < jobs; ++i) {
    Status status = ok_status();
    SourceReader reader = make_reader(status);
    if (!status.ok()) return status.error();
    examiners_.push_back(std::make_unique<FileExaminer>(
        std::move(reader),
        [this](const std::string& key) {
          const std::lock_guard lock(claim_mutex_);
          return claimed_.insert(key).second;
        },
        request_.allow_sensitive, request_.parsing_program));
  }
  for (size_t begin = 0; begin < to_examine_.size() && !is_over();) {
    size_t end = begin;
    for (uint64_t bytes = 0;
         end < to_examine_.size() && end - begin < kBatchFiles && bytes < request_.batch_bytes; ++end) {
      bytes += std::min(list_.files[to_examine_[end]].info.size, kMaxCodeBytes);
    }
    KNAPSACK_CHECK(examine_batch(std::span(to_examine_).subspan(begin, end - begin)));
    begin = end;
  }
  // Files that share a blob may have come back before it was stored.
  for (const size_t position : to_examine_) {
    if (!row_keys_[position].empty()) rows_[position].blob = known_->blob(row_keys_[position]);
    if (rows_[position].name.empty()) ++report_.unread;
  }
  for (const auto& examiner : examiners_) {
    if (examiner->not_isolated().empty()) continue;
    report_.notes.push_back(fmt::format("files were parsed without a sandbox: {}", examiner->not_isolated()));
    break;
  }
  examiners_.clear();
  return ok_status();
}

Status IndexRun::examine_batch(std::span<const size_t> batch) {
  return writer_->transaction([&]() -> Status {
    KNAPSACK_CHECK(examine_files(
        list_, batch, examiners_,
        [this](ExaminedFile&& examined) { return keep_examined(std::move(examined)); },
        [this] { return is_over(); }));
    KNAPSACK_TRY(const auto names,
                 write_documents(disk_, segments_folder(request_.state_folder), examiners_));
    for (const std::string& name : names) KNAPSACK_CHECK(collections_->add(kCodeCollection, name));
    return ok_status();
  });
}

Status IndexRun::keep_examined(ExaminedFile&& examined) {
  ++progress_.files;
  progress_.bytes += examined.row.size;
  if (!examined.problem.empty()) report_.notes.push_back(examined.row.name + ": " + examined.problem);
  if (examined.facts) {
    const BlobFacts& facts = *examined.facts;
    KNAPSACK_TRY(const int64_t blob, writer_->add_blob(facts, known_->blob(examined.key)));
    BlobRow row{blob,
                facts.hash,
                facts.language,
                facts.bytes,
                facts.characters,
                facts.parsed.line_count,
                facts.tokens,
                facts.parsed.status,
                facts.parsed.fallback,
                facts.parsed.error_nodes,
                facts.parsed.package,
                facts.declares};
    known_->add_blob(std::move(row));
    ++progress_.parsed;
  }
  row_keys_[examined.position] = std::move(examined.key);
  rows_[examined.position] = std::move(examined.row);
  tell("reading");
  return ok_status();
}

void IndexRun::describe_snapshot() {
  report_.examined = progress_.files;
  report_.parsed = progress_.parsed;
  for (const FileRow& row : rows_) {
    ++report_.files;
    const BlobRow* blob = known_->blob_row(row.blob);
    if (blob == nullptr) {
      ++report_.listed[row.file_class];
      continue;
    }
    ++report_.sources;
    ++report_.languages[row.language];
    report_.source_bytes += blob->bytes;
    report_.lines += blob->lines;
    if (blob->fallback != FallbackReason::kNone) {
      report_.notes.push_back(
          fmt::format("{}: searched by line blocks, not parsed: {}", row.name, to_string(blob->fallback)));
    }
  }
}

bool is_outdated(const FileSystem& files, const std::string& state_folder) {
  auto rows = Curated::open(files, state_folder);
  if (!rows.ok()) return false;
  const auto version = rows->meta(kFactsKey);
  return version.ok() && *version != kFactsVersion;
}

Result<IndexReport> index_repository(FileSystem& files, const IndexRequest& request) {
  return IndexRun(files, request).run();
}

}  // namespace knapsack::code
