#include "graph/store/line_chunks.h"

#include <algorithm>
#include <mutex>
#include <optional>

#include "core/helper_threads.h"

namespace knapsack::graph {
namespace {

constexpr uint64_t kChunkBytes = 1U << 20U;
constexpr size_t kMaxThreads = 8;

// Hands out the chunks in order. Locked by whoever takes one.
class ChunkSource {
 public:
  ChunkSource(const FileSystem& files, const StoreView& view,
              const std::array<uint64_t, kLayers.size()>& from)
      : files_(files), view_(view), at_(from) {}

  uint64_t bytes_left() const {
    uint64_t left = 0;
    for (const Layer layer : kLayers) left += rest(layer);
    return left;
  }

  // The next chunk, which stays where it is; nothing at the end or after an error.
  LineChunk* next(std::deque<LineChunk>& chunks) {
    const std::lock_guard lock(mutex_);
    while (status_.ok() && layer_ < kLayers.size() && rest(kLayers[layer_]) == 0) ++layer_;
    if (!status_.ok() || layer_ == kLayers.size()) return nullptr;
    auto bytes = read(kLayers[layer_]);
    if (!bytes.ok()) {
      status_ = bytes.error();
      return nullptr;
    }
    LineChunk& chunk = chunks.emplace_back();
    chunk.layer = kLayers[layer_];
    chunk.begin = at_[layer_];
    at_[layer_] += bytes->size();
    chunk.bytes = std::move(*bytes);
    return &chunk;
  }

  const Status& status() const { return status_; }

 private:
  uint64_t rest(Layer layer) const {
    const uint64_t size = view_.file(layer).size, at = at_[static_cast<size_t>(layer)];
    return size > at ? size - at : 0;
  }

  // Up to the last line feed of a megabyte, or of as many as the line is long.
  Result<std::string> read(Layer layer) const {
    const uint64_t at = at_[static_cast<size_t>(layer)];
    for (uint64_t length = kChunkBytes;; length *= 2) {
      const uint64_t taken = std::min(length, rest(layer));
      KNAPSACK_TRY(std::string bytes, files_.read_part(view_.file(layer).path, at, taken));
      if (taken == rest(layer)) return bytes;
      const size_t feed = bytes.rfind('\n');
      if (feed == std::string::npos) continue;
      bytes.resize(feed + 1);
      return bytes;
    }
  }

  const FileSystem& files_;
  const StoreView& view_;
  std::array<uint64_t, kLayers.size()> at_;
  size_t layer_ = 0;
  std::mutex mutex_;
  Status status_ = ok_status();
};

void digest_chunk(Digester& digester, LineChunk& chunk) {
  digester.digest(chunk.layer, chunk.bytes, 0, chunk.bytes.size(), chunk.begin, 1, chunk.batch);
  chunk.line_feeds = static_cast<uint64_t>(std::count(chunk.bytes.begin(), chunk.bytes.end(), '\n'));
  chunk.whole = chunk.bytes.rfind('\n') + 1;  // npos + 1 is 0
  chunk.bytes = {};
}

}  // namespace

Result<DigestedLines> digest_lines(const FileSystem& files, const StoreView& view,
                                   const std::array<uint64_t, kLayers.size()>& from) {
  DigestedLines lines;
  ChunkSource source(files, view, from);
  if (source.bytes_left() == 0) return lines;
  const size_t threads = std::min<size_t>(
      {static_cast<size_t>(source.bytes_left() / kChunkBytes + 1), kMaxThreads, core_count()});
  for (size_t i = 0; i < threads; ++i) lines.digesters.push_back(std::make_unique<Digester>());
  const auto work = [&](size_t digester) {
    while (LineChunk* chunk = source.next(lines.chunks)) {
      chunk->digester = digester;
      digest_chunk(*lines.digesters[digester], *chunk);
    }
  };
  HelperThreads others;
  for (size_t i = 1; i < threads; ++i) others.run([&, i] { work(i); });
  work(0);
  others.join();
  KNAPSACK_CHECK(source.status());
  return lines;
}

}  // namespace knapsack::graph
