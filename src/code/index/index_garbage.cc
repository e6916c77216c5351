#include "code/index/index_garbage.h"

#include <algorithm>
#include <unordered_set>

#include "code/index/snapshot_history.h"
#include "search/segments/live_set.h"

namespace knapsack::code {
namespace {

// Below this it is not worth rewriting pages for.
bool worth_it(size_t dead, size_t all) {
  return dead > 1000 || dead * 4 > all;
}

struct Used {
  search::LiveSet files;
  std::unordered_set<int64_t> commits;
};

Result<Used> used_by(const std::vector<SnapshotRow>& snapshots) {
  Used used;
  for (const SnapshotRow& snapshot : snapshots) {
    KNAPSACK_TRY(const auto files, search::LiveSet::from_bytes(snapshot.files));
    used.files.unite(files);
    KNAPSACK_TRY(const auto commits, unpack_commit_list(snapshot.commits));
    used.commits.insert(commits.begin(), commits.end());
  }
  return used;
}

class Collection {
 public:
  Collection(CuratedWriter& writer, bool always) : writer_(writer), always_(always) {}

  Status run() {
    KNAPSACK_CHECK(remove_old_revisions());
    KNAPSACK_TRY(const Used used, used_by(snapshots_));
    KNAPSACK_CHECK(remove_files(used));
    return remove_commits(used);
  }
  const GarbageReport& report() const { return report_; }

 private:
  Status remove_old_revisions() {
    KNAPSACK_TRY(snapshots_, writer_.rows().snapshots());
    size_t revisions = 0;
    for (const auto& snapshot : snapshots_) revisions += snapshot.name != kWorkTree ? 1 : 0;
    for (auto at = snapshots_.begin(); at != snapshots_.end() && revisions > kMaxRevisions;) {
      if (at->name == kWorkTree) {
        ++at;
        continue;
      }
      KNAPSACK_CHECK(writer_.remove_snapshot(at->snapshot));
      at = snapshots_.erase(at);
      --revisions;
      ++report_.snapshots;
    }
    return ok_status();
  }

  Status remove_files(const Used& used) {
    KNAPSACK_TRY(const auto files, writer_.rows().files());
    std::vector<const FileRow*> dead;
    std::unordered_set<int64_t> live_blobs;
    for (const FileRow& file : files) {
      if (used.files.contains(static_cast<uint32_t>(file.file))) {
        live_blobs.insert(file.blob);
      } else {
        dead.push_back(&file);
      }
    }
    KNAPSACK_TRY(const auto blobs, writer_.rows().blobs());
    std::vector<int64_t> dead_blobs;
    for (const BlobRow& blob : blobs) {
      if (!live_blobs.contains(blob.blob)) dead_blobs.push_back(blob.blob);
    }
    if (!always_ && !worth_it(dead.size(), files.size()) && !worth_it(dead_blobs.size(), blobs.size())) {
      return ok_status();
    }
    for (const FileRow* file : dead) KNAPSACK_CHECK(writer_.remove_file(file->file));
    for (const int64_t blob : dead_blobs) KNAPSACK_CHECK(writer_.remove_blob(blob));
    KNAPSACK_CHECK(writer_.remove_lost_metadata());
    report_.files = dead.size();
    report_.blobs = dead_blobs.size();
    return ok_status();
  }

  Status remove_commits(const Used& used) {
    KNAPSACK_TRY(const auto commits, writer_.rows().commit_numbers(false));
    std::vector<int64_t> dead;
    for (const auto& [id, number] : commits) {
      if (!used.commits.contains(number)) dead.push_back(number);
    }
    if (!always_ && !worth_it(dead.size(), commits.size())) return ok_status();
    std::sort(dead.begin(), dead.end());
    for (const int64_t commit : dead) KNAPSACK_CHECK(writer_.remove_commit(commit));
    report_.commits = dead.size();
    return ok_status();
  }

  CuratedWriter& writer_;
  bool always_;
  std::vector<SnapshotRow> snapshots_;
  GarbageReport report_;
};

}  // namespace

Result<GarbageReport> collect_garbage(CuratedWriter& writer, bool always) {
  Collection collection(writer, always);
  KNAPSACK_CHECK(writer.transaction([&] { return collection.run(); }));
  return collection.report();
}

}  // namespace knapsack::code
