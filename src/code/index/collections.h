// Collections: the search segments of the code index, as its writer sees them.
//
// Names of segments live in the database and change in its transactions; files that no row names are swept by
// the next writer. A segment that is missing or damaged is left out, named in broken(), and what it held is
// found to be missing. One thread.
// Private to code/index/.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "code/index/curated_writer.h"
#include "search/segments/index.h"
#include "search/segments/segment_set.h"

namespace knapsack::code {

class Collections {
 public:
  // Opens and checks every segment, and sweeps what no row names.
  static Result<Collections> open(FileSystem& files, const std::string& folder, CuratedWriter& writer);

  const std::vector<search::BrokenSegment>& broken() const { return broken_; }
  // Within a transaction of the writer, like everything below that changes something.
  Status remove_broken();
  Status add(const std::string& collection, const std::string& segment_name);
  // Fewer, larger segments where there are many. `keep` says which documents are still wanted. Says whether
  // any were merged; live sets must then be found again.
  Result<bool> merge(const std::string& collection, const std::function<bool(std::string_view key)>& keep);

  Result<search::LiveKeys> find(const std::string& collection, const std::vector<std::string>& keys) const;
  Status put_live_sets(int64_t snapshot, const std::string& collection, const search::LiveKeys& live);

 private:
  struct Entry {
    int64_t number = 0;
    std::shared_ptr<const search::SegmentReader> reader;
  };
  Collections(FileSystem& files, std::string folder, CuratedWriter& writer)
      : files_(&files), folder_(std::move(folder)), writer_(&writer) {}
  Status merge_some(std::vector<Entry>& entries, const std::vector<size_t>& chosen,
                    const std::string& collection, const std::vector<search::LiveSet>& wanted);

  FileSystem* files_;
  std::string folder_;
  CuratedWriter* writer_;
  std::map<std::string, std::vector<Entry>> entries_;
  std::vector<search::BrokenSegment> broken_;
  std::vector<int64_t> broken_numbers_;
};

}  // namespace knapsack::code
