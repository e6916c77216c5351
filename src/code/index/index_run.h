// IndexRun: one run of the indexer, step by step. Private to code/index/; indexer.h is the way in.
#pragma once

#include <memory>
#include <mutex>
#include <optional>
#include <unordered_set>

#include "code/index/collections.h"
#include "code/index/curated_writer.h"
#include "code/index/file_facts.h"
#include "code/index/indexer.h"
#include "code/index/known_index.h"
#include "code/index/snapshot_history.h"
#include "code/walk/source_list.h"

namespace knapsack::code {

class IndexRun {
 public:
  IndexRun(FileSystem& files, const IndexRequest& request);

  Result<IndexReport> run();

 private:
  // index_run.cc: what there is, what is known, what has to be read.
  Status open();
  Result<bool> is_as_before();
  Status load();
  Status store_facts_version();
  Status load_allowed_files();
  Status store_allowed_files();
  std::string allowed_files() const;
  bool is_read_as_allowed(const FileRow& row) const;
  Status check_segments();
  void plan();
  bool up_to_date() const;
  Status examine_all();
  bool is_over() const;
  Status check_stop() const;
  bool is_whole_before() const;
  IndexReport report_of_before();
  void leave_out_unread();
  Status examine_batch(std::span<const size_t> batch);
  Status keep_examined(ExaminedFile&& examined);
  SourceReader make_reader(Status& status) const;
  void step_done(const char* step);
  void tell(std::string_view step) const;
  void describe_snapshot();

  // index_publish.cc: the new snapshot, in one transaction.
  Status publish();
  Status store_files();
  Status store_work_files();
  Status add_history(SnapshotRow& snapshot, std::string& co_changes);
  Status add_edges(std::string& packed);
  Status add_missing_documents();
  Status remove_outdated_snapshots();
  Status publish_live_sets(int64_t snapshot);
  std::string fingerprint() const;
  std::optional<std::vector<size_t>> changed_since_before() const;
  std::vector<std::string> code_keys() const;
  std::vector<std::string> path_keys() const;
  bool same_paths_as_before() const;
  bool same_history_as_before() const;
  std::string shallow_ends() const;

  FileSystem& disk_;
  const IndexRequest& request_;
  IndexReport report_;
  std::chrono::steady_clock::time_point step_began_;

  std::unique_ptr<Folder> root_;
  std::optional<GitRepository> repository_;
  std::optional<CuratedWriter> writer_;
  std::optional<Collections> collections_;
  std::optional<KnownIndex> known_;
  std::optional<SnapshotRow> before_;        // of the same name
  std::vector<std::string> allowed_before_;  // sensitive files that were read then
  std::vector<FileRow> before_files_;        // sorted by name
  bool outdated_ = false;                    // what is there was learnt by the rules of an older version
  bool learn_anew_ = false;                  // trust nothing that is there

  SourceList list_;
  std::vector<FileRow> rows_;       // one a file of the list
  std::vector<size_t> to_examine_;  // positions
  std::vector<std::unique_ptr<FileExaminer>> examiners_;
  std::mutex claim_mutex_;
  std::unordered_set<std::string> claimed_;
  std::vector<std::string> row_keys_;  // of the blobs of examined files, by position
  SnapshotHistory history_;
  mutable IndexProgress progress_;
};

}  // namespace knapsack::code
