// Bytes as a segment file: opening, querying and merging give an answer or an error, never a crash.
//
// An even first byte: the rest is the file. An odd one: the rest is a list of changes (where, what) to a
// whole segment whose checksums are then made to fit, which gets behind them.
#include <cstdint>
#include <cstdlib>
#include <random>

#include "../tests/search/support_seal.h"
#include "core/files/memory_file_system.h"
#include "search/query/query.h"
#include "search/query/term_frequencies.h"
#include "search/segments/segment_builder.h"
#include "search/segments/segment_merge.h"
#include "search/segments/segment_set.h"

namespace knapsack::search {
namespace {

std::string whole_segment() {
  MemoryFileSystem files;
  SegmentBuilder builder;
  std::mt19937 random(1);
  for (int document = 0; document < 60; ++document) {
    builder.begin_document("key" + std::to_string(document));
    for (int unit = 0; unit < 3; ++unit) {
      builder.begin_unit();
      builder.add(0, "common");
      for (int i = 0; i < 5; ++i) builder.add(random() % 3, "w" + std::to_string(random() % 40));
    }
  }
  const auto name = builder.write(files, "/");
  if (!name.ok()) std::abort();
  auto bytes = files.read("/" + segment_file_name(*name), UINT64_MAX);
  if (!bytes.ok()) std::abort();
  return *bytes;
}

Status use_everything(std::string bytes) {
  MemoryFileSystem files;
  files.put("/file", std::move(bytes));
  KNAPSACK_TRY(auto mapped, files.map("/file"));
  KNAPSACK_TRY(auto segment, SegmentReader::open(mapped, "file"));
  LiveSet live = LiveSet::all(segment->documents());
  if (segment->documents() > 1) live.remove(1);
  const Query query = {{"common"}, {"w1", field_bit(1), 2}, {"w17", field_bit(2)}, {"w3"}, {"absent"}};
  for (const LiveSet& set : {live, LiveSet::all(segment->documents())}) {
    KNAPSACK_TRY(const Index index, Index::open({{segment, set}}));
    KNAPSACK_TRY(const std::vector<Hit> hits, top_k(index, query, {}, 7));
    for (const Hit& hit : hits) KNAPSACK_CHECK(contributions(index, query, {}, hit));
    KNAPSACK_CHECK(term_frequencies(index, "common"));
  }
  KNAPSACK_CHECK(segment->find_document("key7"));
  KNAPSACK_CHECK(merge_segments(files, "/", {{segment, live}}));
  return ok_status();
}

}  // namespace
}  // namespace knapsack::search

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace knapsack::search;
  if (size == 0) return 0;
  static const std::string whole = whole_segment();
  if (data[0] % 2 == 0) {
    (void)use_everything(std::string(reinterpret_cast<const char*>(data) + 1, size - 1)).ok();
    return 0;
  }
  std::string bytes = whole;
  for (size_t at = 1; at + 3 <= size; at += 3) {
    const size_t where = (data[at] | size_t{data[at + 1]} << 8) % bytes.size();
    bytes[where] = static_cast<char>(data[at + 2]);
  }
  (void)use_everything(seal_again(std::move(bytes))).ok();
  return 0;
}
