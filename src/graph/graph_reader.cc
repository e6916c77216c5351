#include "graph/graph_reader.h"

#include <fmt/format.h>
#include <xxhash.h>

#include <algorithm>
#include <atomic>
#include <numeric>
#include <thread>

#include "core/ids.h"
#include "graph/index_file.h"

namespace knapsack::graph {
namespace {

constexpr uint64_t kEndingBytes = 4096;    // that must be the same for a file to have only grown
constexpr size_t kChunkBytes = 1U << 20U;  // digested at a time by one thread
constexpr unsigned kMaxThreads = 8;

struct Chunk {
  Layer layer = Layer::kKnowledge;
  std::string_view bytes;  // of the whole part of the file
  size_t begin = 0, end = 0;
  uint64_t base = 0;
  DigestBatch batch;
  uint64_t lines = 0;
};

void digest_chunk(Digester& digester, Chunk& chunk) {
  const std::string_view part = chunk.bytes.substr(chunk.begin, chunk.end - chunk.begin);
  digester.digest(chunk.layer, chunk.bytes, chunk.begin, chunk.end, chunk.base, 1, chunk.batch);
  chunk.lines = static_cast<uint64_t>(std::count(part.begin(), part.end(), '\n'));
}

void digest_all(std::vector<Chunk>& chunks) {
  std::atomic<size_t> next = 0;
  const auto work = [&] {
    Digester digester;
    for (size_t i = next++; i < chunks.size(); i = next++) digest_chunk(digester, chunks[i]);
  };
  const size_t threads =
      std::min<size_t>({chunks.size(), kMaxThreads, std::max(1U, std::thread::hardware_concurrency())});
  std::vector<std::thread> others;
  for (size_t i = 1; i < threads; ++i) others.emplace_back(work);
  work();
  for (auto& other : others) other.join();
}

void cut_into_chunks(Layer layer, std::string_view bytes, uint64_t base, std::vector<Chunk>& chunks) {
  for (size_t begin = 0; begin < bytes.size();) {
    const size_t least = std::min(begin + kChunkBytes, bytes.size());
    const size_t feed = least == bytes.size() ? std::string_view::npos : bytes.find('\n', least);
    const size_t end = feed == std::string_view::npos ? bytes.size() : feed + 1;
    chunks.push_back({layer, bytes, begin, end, base, {}, 0});
    begin = end;
  }
}

// Lines that turned out to be the latest although a newer one had been learnt from.
Status settle(const FileSystem& files, const StoreView& view, const std::vector<uint32_t>& unsettled,
              GraphIndex& index) {
  Digester digester;
  for (const uint32_t number : unsettled) {
    const LinePlace place = index.node(number).revisions.latest();
    const Layer layer = index.node(number).layer;
    KNAPSACK_TRY(const std::string line, files.read_part(view.file(layer).path, place.offset, place.length));
    DigestBatch batch;
    digester.digest(layer, line, 0, line.size(), place.offset, 1, batch);
    if (batch.lines.size() == 1) index.learn(number, batch.lines.front(), batch);
  }
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
  std::array<std::string, kLayers.size()> rests;
  std::vector<Chunk> chunks;
  for (const Layer layer : kLayers) {
    const auto l = static_cast<size_t>(layer);
    const StoredFile& file = view.file(layer);
    const uint64_t from = index.stamps[l].covered;
    if (file.size <= from) continue;
    KNAPSACK_TRY(rests[l], files.read_part(file.path, from, file.size - from));
    cut_into_chunks(layer, rests[l], from, chunks);
  }
  digest_all(chunks);
  std::vector<uint32_t> unsettled;
  for (Chunk& chunk : chunks) {
    FileStamp& stamp = index.stamps[static_cast<size_t>(chunk.layer)];
    for (Problem& problem : chunk.batch.problems) problem.line += stamp.lines;
    const auto open = index.add(chunk.batch);
    unsettled.insert(unsettled.end(), open.begin(), open.end());
    stamp.lines += chunk.lines;
    chunk.batch = {};
  }
  for (const Layer layer : kLayers) {
    const auto l = static_cast<size_t>(layer);
    if (rests[l].empty()) continue;
    // A last line without its line feed may still grow, so it is read again the next time.
    FileStamp& stamp = index.stamps[l];
    stamp.covered += rests[l].rfind('\n') + 1;
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
  return settle(files, view, index.add(batch), index);
}

Result<std::string> read_line(const FileSystem& files, const StoreView& view, const NodeRecord& node) {
  return files.read_part(view.file(node.layer).path, node.line.offset, node.line.length);
}

std::string fingerprint(const GraphIndex& index) {
  // A sum does not depend on the order of nodes, which is that of the lines.
  uint64_t sums[2] = {};
  for (uint32_t number = 0; number < index.size(); ++number) {
    if (!index.node(number).exists()) continue;
    const std::string_view id = index.id(number);
    const XXH128_hash_t hash = XXH3_128bits_withSeed(id.data(), id.size(), index.node(number).content);
    sums[0] += hash.low64;
    sums[1] += hash.high64;
  }
  return content_hash({reinterpret_cast<const char*>(sums), sizeof sums});
}

}  // namespace knapsack::graph
