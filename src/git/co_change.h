// Co-change: which files have changed together, how often and how lately.
//
// A pure function of a list of commits told newest first; merges, and commits of fewer than 2 or more than 50
// files, say nothing. A file that moved counts under its newest path. Weights are whole numbers, added up
// exactly, so the order of additions and the machine do not matter. Memory grows with the pairs that occur,
// never with all pairs of files. A counter belongs to one thread; a table is immutable.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "git/history.h"
#include "git/newest_paths.h"

namespace knapsack {

struct CoChangeOptions {
  int64_t now = 0;  // the snapshot's commit time; later commits count as of now
  size_t min_files = 2, max_files = 50;
  // Only newest paths for which this says true take part, e.g. those of the snapshot; all of them when empty.
  // How many files a commit has is counted before this.
  std::function<bool(const std::string& path)> keep;
};

// A commit weighs 1 when it is new and half as much for every 180 days of its age: half a year back is still
// the same design, two years back a sixteenth.
constexpr int kCoChangeHalfLifeDays = 180;
// One whole commit in the units in which weights are stored.
constexpr uint64_t kCoChangeUnit = uint64_t{1} << 20;
uint64_t co_change_weight(int64_t age_seconds);

struct CoChangePair {
  uint32_t a = 0, b = 0;  // positions in paths(), a < b
  uint32_t count = 0;
  uint64_t weight = 0;  // in kCoChangeUnit
};

struct CoChangeNeighbour {
  std::string_view path;
  uint32_t count = 0;
  uint64_t weight = 0;
};

class CoChangeTable {
 public:
  CoChangeTable(std::vector<std::string> paths, std::vector<CoChangePair> pairs);

  const std::vector<std::string>& paths() const { return paths_; }
  const std::vector<CoChangePair>& pairs() const { return pairs_; }  // sorted by (a, b)
  // Files that changed with this one at least min_count times: heaviest first, then most often, then by path.
  std::vector<CoChangeNeighbour> neighbours(std::string_view path, uint32_t min_count) const;

 private:
  std::vector<std::string> paths_;
  std::vector<CoChangePair> pairs_;
  std::vector<uint32_t> by_path_;     // positions of paths_ sorted by path
  std::vector<uint32_t> first_pair_;  // of each path in pairs_of_
  std::vector<uint32_t> pairs_of_;    // positions in pairs_
};

class CoChangeCounter {
 public:
  explicit CoChangeCounter(CoChangeOptions options) : options_(std::move(options)) {}

  void add(const Commit& commit) {
    if (!commit.is_merge && !commit.files_truncated) add(commit.commit_time, commit.files);
  }
  // For rows read back from a store; never those of a merge.
  void add(int64_t commit_time, const std::vector<FileChange>& files);
  CoChangeTable finish();

 private:
  struct Occurrence {
    uint64_t pair;  // a << 32 | b
    uint64_t weight;
  };
  uint32_t number_of(const std::string& path);
  void fold();

  CoChangeOptions options_;
  std::vector<std::string> paths_;
  std::unordered_map<std::string, uint32_t> numbers_;
  NewestPaths<std::string> newest_;
  std::vector<Occurrence> fresh_;  // not yet in pairs_
  std::vector<CoChangePair> pairs_;
};

}  // namespace knapsack
