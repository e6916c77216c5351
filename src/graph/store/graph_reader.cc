#include "graph/store/graph_reader.h"

#include <xxhash.h>

#include <algorithm>
#include <numeric>

#include "core/ids.h"
#include "graph/store/index_file.h"
#include "graph/store/line_chunks.h"

namespace knapsack::graph {
namespace {

constexpr uint64_t kEndingBytes = 4096;  // that must be the same for a file to have only grown

// Lines that turned out to be the latest although a newer one had been learnt from.
Status settle(const FileSystem& files, const StoreView& view, const std::vector<uint32_t>& unsettled,
              GraphIndex& index) {
  if (unsettled.empty()) return ok_status();
  Digester digester;
  DigestBatch batch;
  std::vector<uint32_t> numbers;  // of the lines in the batch
  for (const uint32_t number : unsettled) {
    const LinePlace place = index.history(number).revisions.latest();
    if (place == index.history(number).line) continue;
    const Layer layer = index.node(number).layer;
    KNAPSACK_TRY(const std::string line, files.read_part(view.file(layer).path, place.offset, place.length));
    digester.digest(layer, line, 0, line.size(), place.offset, 1, batch);
    if (batch.lines.size() > numbers.size()) numbers.push_back(number);
  }
  const auto terms = index.number_terms(digester.dictionary());
  for (size_t i = 0; i < numbers.size(); ++i) index.learn(numbers[i], batch.lines[i], batch, terms);
  return ok_status();
}

Result<uint64_t> ending_of(const FileSystem& files, const std::string& path, uint64_t size) {
  const uint64_t length = std::min(size, kEndingBytes);
  if (length == 0) return uint64_t{0};
  KNAPSACK_TRY(const std::string bytes, files.read_part(path, size - length, length));
  return uint64_t{XXH3_64bits(bytes.data(), bytes.size())};
}

// The file is the one that was indexed, with or without more lines at its end.
bool still_fits(const FileSystem& files, const StoredFile& file, const FileStamp& stamp) {
  if (stamp.covered == 0) return true;
  if (file.size < stamp.covered || file.inode != stamp.inode) return false;
  if (file.size == stamp.covered && file.mtime_nanos != stamp.mtime_nanos) return false;
  const auto ending = ending_of(files, file.path, stamp.covered);
  return ending.ok() && *ending == stamp.ending;
}

Status read_rest(const FileSystem& files, const StoreView& view, GraphIndex& index) {
  std::array<uint64_t, kLayers.size()> from{};
  for (size_t l = 0; l < kLayers.size(); ++l) from[l] = index.stamps[l].covered;
  KNAPSACK_TRY(DigestedLines lines, digest_lines(files, view, from));
  std::vector<GraphIndex::TermNumbers> terms;
  for (const auto& digester : lines.digesters) terms.push_back(index.number_terms(digester->dictionary()));
  std::vector<uint32_t> unsettled;
  for (LineChunk& chunk : lines.chunks) {
    FileStamp& stamp = index.stamps[static_cast<size_t>(chunk.layer)];
    for (Problem& problem : chunk.batch.problems) problem.line += stamp.lines;
    const auto open = index.add(chunk.batch, terms[chunk.digester]);
    unsettled.insert(unsettled.end(), open.begin(), open.end());
    stamp.lines += chunk.line_feeds;
    // A last line without its line feed may still grow, so it is read again the next time.
    stamp.covered = chunk.begin + chunk.whole;
    chunk.batch = {};
  }
  for (const Layer layer : kLayers) {
    const auto l = static_cast<size_t>(layer);
    FileStamp& stamp = index.stamps[l];
    if (stamp.covered == from[l]) continue;
    stamp.inode = view.file(layer).inode;
    stamp.mtime_nanos = view.file(layer).mtime_nanos;
    KNAPSACK_TRY(stamp.ending, ending_of(files, view.file(layer).path, stamp.covered));
  }
  return settle(files, view, unsettled, index);
}

uint64_t covered(const GraphIndex& index) {
  return std::accumulate(index.stamps.begin(), index.stamps.end(), uint64_t{0},
                         [](uint64_t sum, const FileStamp& stamp) { return sum + stamp.covered; });
}

}  // namespace

Result<ReadGraph> read_graph(const FileSystem& files, const StoreView& view, const std::string& index_file) {
  ReadGraph graph;
  const uint64_t bytes = view.nodes[0].size + view.nodes[1].size + view.nodes[2].size;
  if (!index_file.empty() && bytes >= kWorthAnIndex) {
    if (auto loaded = load_index(files, index_file); loaded.ok()) {
      const bool fits = std::all_of(kLayers.begin(), kLayers.end(), [&](Layer layer) {
        return still_fits(files, view.file(layer), loaded->stamps[static_cast<size_t>(layer)]);
      });
      if (fits) graph.index = std::move(*loaded);
    }
  }
  const uint64_t known = covered(graph.index);
  KNAPSACK_CHECK(read_rest(files, view, graph.index));
  graph.worth_saving = covered(graph.index) - known >= std::max(kWorthAnIndex, known / 8);
  return graph;
}

Status add_lines(const FileSystem& files, const StoreView& view, Layer layer, std::string_view lines,
                 GraphIndex& index) {
  Digester digester;
  DigestBatch batch;
  digester.digest(layer, lines, 0, lines.size(), view.file(layer).size, 1, batch);
  const auto terms = index.number_terms(digester.dictionary());
  return settle(files, view, index.add(batch, terms), index);
}

Result<std::string> read_line(const FileSystem& files, const StoreView& view, const GraphIndex& index,
                              uint32_t number) {
  const LinePlace& line = index.history(number).line;
  return files.read_part(view.file(index.node(number).layer).path, line.offset, line.length);
}

std::string fingerprint(const GraphIndex& index) {
  const uint64_t sums[2] = {index.content_sum().low, index.content_sum().high};
  return content_hash({reinterpret_cast<const char*>(sums), sizeof sums});
}

}  // namespace knapsack::graph
