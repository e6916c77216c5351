// The lexical engine against its figures: building, size, and 12-term queries over 1,000,000 chunks.
//
// The large index is built once into the system's temporary folder and used again by later runs.
// KNAPSACK_BENCH_CHUNKS=100000 makes it smaller.
#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <ctime>
#include <filesystem>

#include "search/query/parse_query.h"
#include "search/query/query.h"
#include "search/segments/index.h"
#include "search/segments/segment_builder.h"
#include "search/segments/segment_merge.h"
#include "search/segments/segment_set.h"
#include "search_corpus.h"
#include "text/words/words.h"

namespace knapsack::bench {
namespace {

using namespace knapsack::search;

size_t chunk_count() {
  const char* chosen = std::getenv("KNAPSACK_BENCH_CHUNKS");
  return chosen != nullptr ? std::strtoull(chosen, nullptr, 10) : 1'000'000;
}

template <class T>
T check(Result<T> result) {
  if (!result.ok()) {
    fmt::print(stderr, "{}\n", result.error().line());
    std::abort();
  }
  return std::move(*result);
}

double seconds_since(std::chrono::steady_clock::time_point begin) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

std::string document_key(size_t number) {
  return fmt::format("{:016x}", number * 0x9E3779B97F4A7C15U);  // scattered, as content hashes are
}

// Code as it stands in a repository: our own sources, over and over, until there is enough.
std::string source_text(size_t bytes) {
  std::string text;
  const auto files = make_disk_file_system();
  for (const auto& entry :
       std::filesystem::recursive_directory_iterator(std::string(KNAPSACK_SOURCE_DIR) + "/src")) {
    if (entry.is_regular_file()) text += check(files->read(entry.path(), 10'000'000));
  }
  const std::string once = text;
  while (text.size() < bytes) text += once;
  return text;
}

void read_words(benchmark::State& state) {
  const std::string text = source_text(4'000'000);
  WordOptions options;
  options.stemming = state.range(0) == 1 ? Stemming::kByScript : Stemming::kNone;
  size_t words = 0;
  for (auto _ : state) {
    WordReader reader(text, options);
    for (Word word; reader.next(word);) ++words;
  }
  state.SetBytesProcessed(static_cast<int64_t>(text.size()) * state.iterations());
  state.counters["words/s"] = benchmark::Counter(static_cast<double>(words), benchmark::Counter::kIsRate);
}
BENCHMARK(read_words)->Arg(0)->Arg(1)->ArgName("stem");

// Building after tokenizing: the words are at hand, as a tokenizer on another thread would leave them. From
// our own sources, over and over, and from generated text with a vocabulary so large that most look-ups miss
// the cache; what a large repository gives lies between.
void build_postings(benchmark::State& state) {
  std::vector<std::string> chunks;
  if (state.range(0) == 0) {
    const std::string text = source_text(36'000'000);
    constexpr size_t kChunkBytes = 2000;
    for (size_t at = 0; at < text.size(); at += kChunkBytes) chunks.push_back(text.substr(at, kChunkBytes));
  } else {
    ZipfCorpus corpus(1);
    for (size_t i = 0; i < 60'000; ++i) chunks.push_back(corpus.chunk());
  }
  std::string arena;
  std::vector<std::vector<std::pair<size_t, size_t>>> words;
  size_t bytes = 0;
  for (const std::string& chunk : chunks) {
    bytes += chunk.size();
    auto& spans = words.emplace_back();
    WordReader reader(chunk);
    for (Word word; reader.next(word);) {
      spans.emplace_back(arena.size(), word.text.size());
      arena += word.text;
    }
  }
  const auto folder = std::filesystem::temp_directory_path() / "knapsack-bench-build";
  std::filesystem::create_directories(folder);
  const auto files = make_disk_file_system();
  uint64_t size = 0;
  for (auto _ : state) {
    SegmentBuilder builder;
    for (size_t i = 0; i < chunks.size(); ++i) {
      if (i % ZipfCorpus::kChunksPerDocument == 0) builder.begin_document(document_key(i));
      builder.begin_unit();
      for (const auto& [begin, length] : words[i])
        builder.add(0, std::string_view(arena).substr(begin, length));
    }
    const std::string name = check(builder.write(*files, folder));
    size = check(open_segment(*files, folder, name))->file_size();
  }
  std::filesystem::remove_all(folder);
  state.SetBytesProcessed(static_cast<int64_t>(bytes) * state.iterations());
  state.counters["segment/text"] = static_cast<double>(size) / static_cast<double>(bytes);
}
BENCHMARK(build_postings)->Arg(0)->Arg(1)->ArgName("generated")->Unit(benchmark::kMillisecond);

// The large index, in batches of 100,000 chunks that are then merged; its segment's name is kept beside it.
class LargeIndex {
 public:
  static const LargeIndex& get() {
    static const LargeIndex index;
    return index;
  }
  const std::string& folder() const { return folder_; }
  const std::string& name() const { return name_; }
  std::shared_ptr<const SegmentReader> open() const { return check(open_segment(*files_, folder_, name_)); }

 private:
  LargeIndex() : files_(make_disk_file_system()) {
    folder_ = std::filesystem::temp_directory_path() / fmt::format("knapsack-bench-{}", chunk_count());
    std::filesystem::create_directories(folder_);
    const std::string note = folder_ + "/name";
    if (const auto kept = files_->read(note, 100); kept.ok() && open_segment(*files_, folder_, *kept).ok()) {
      name_ = *kept;
      return;
    }
    ZipfCorpus corpus(2);
    constexpr size_t kBatch = 100'000;
    std::vector<MergeInput> inputs;
    std::vector<std::string> words;
    uint64_t bytes = 0;
    double building = 0;
    for (size_t begin = 0; begin < chunk_count(); begin += kBatch) {
      SegmentBuilder builder;
      for (size_t i = begin; i < std::min(begin + kBatch, chunk_count()); ++i) {
        const std::string chunk = corpus.chunk();
        bytes += chunk.size();
        const auto start = std::chrono::steady_clock::now();
        if (i % ZipfCorpus::kChunksPerDocument == 0) builder.begin_document(document_key(i));
        builder.begin_unit();
        WordReader reader(chunk);
        for (Word word; reader.next(word);) builder.add(0, word.text);
        building += seconds_since(start);
      }
      const auto start = std::chrono::steady_clock::now();
      const auto segment = check(open_segment(*files_, folder_, check(builder.write(*files_, folder_))));
      building += seconds_since(start);
      inputs.push_back({segment, LiveSet::all(segment->documents())});
    }
    const auto start = std::chrono::steady_clock::now();
    name_ = check(merge_segments(*files_, folder_, inputs));
    const double merging = seconds_since(start);
    check(sweep_segments(*files_, folder_, {name_}));
    check(files_->replace(note, name_));
    const uint64_t size = open()->file_size();
    fmt::print(
        stderr,
        "built {} chunks, {:.0f} MB of text: tokenizing and building {:.1f} MB/s, merging {:.1f} MB/s, "
        "segment {:.0f} MB = {:.1f} % of the text\n",
        chunk_count(), static_cast<double>(bytes) / 1e6, static_cast<double>(bytes) / 1e6 / building,
        static_cast<double>(bytes) / 1e6 / merging, static_cast<double>(size) / 1e6,
        100.0 * static_cast<double>(size) / static_cast<double>(bytes));
  }

  std::unique_ptr<FileSystem> files_;
  std::string folder_;
  std::string name_;
};

// Every how manyth document is live: 1, 2 or 20.
Index open_index(int64_t live_every) {
  const auto segment = LargeIndex::get().open();
  LiveSet live = LiveSet::all(segment->documents());
  if (live_every > 1) {
    live = LiveSet();
    for (uint32_t i = 0; i < segment->documents(); i += static_cast<uint32_t>(live_every)) live.add(i);
  }
  return check(Index::open({{segment, live}}));
}

Query to_query(const std::vector<std::string>& words) {
  Query query;
  for (const auto& word : words) query.push_back({word, field_bit(0)});
  return query;
}

Scorer code_recipe() {
  Scorer scorer;
  scorer.k1 = 2;
  return scorer;
}

double thread_seconds() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec) / 1e9;
}

// In milliseconds; sorts.
double percentile(std::vector<double>& seconds, size_t percent) {
  std::sort(seconds.begin(), seconds.end());
  return seconds[seconds.size() * percent / 100] * 1000;
}

// The spread over many different queries is what matters, so each one is timed by itself: by the clock, and
// by processor time, which other work on the machine disturbs less.
void query_million_chunks(benchmark::State& state) {
  const Index index = open_index(state.range(0));
  ZipfCorpus corpus(3);
  std::vector<Query> queries;
  for (int i = 0; i < 300; ++i) {
    queries.push_back(
        to_query(corpus.query(12, static_cast<size_t>(state.range(1)), static_cast<size_t>(state.range(2)))));
  }
  std::vector<double> wall, processor;
  size_t next = 0;
  for (auto _ : state) {
    const auto start = std::chrono::steady_clock::now();
    const double thread_start = thread_seconds();
    benchmark::DoNotOptimize(check(top_k(index, queries[next++ % queries.size()], code_recipe(), 20)));
    processor.push_back(thread_seconds() - thread_start);
    wall.push_back(seconds_since(start));
  }
  state.counters["p50_ms"] = percentile(wall, 50);
  state.counters["p95_ms"] = percentile(wall, 95);
  state.counters["p50_cpu_ms"] = percentile(processor, 50);
  state.counters["p95_cpu_ms"] = percentile(processor, 95);
}
// Every word that is not among the 150 most frequent; then none but common ones (2 % to 50 % of the chunks
// hold each), the worst that a person would type.
BENCHMARK(query_million_chunks)
    ->ArgNames({"live_every", "first", "last"})
    ->Args({1, 150, ZipfCorpus::kVocabulary})
    ->Args({2, 150, ZipfCorpus::kVocabulary})
    ->Args({20, 150, ZipfCorpus::kVocabulary})
    ->Args({1, 20, 500})
    ->Args({2, 20, 500})
    ->Iterations(300)
    ->Unit(benchmark::kMillisecond);

// Mapping the file afresh, checking every page that the query touches.
void open_and_query(benchmark::State& state) {
  LargeIndex::get();
  ZipfCorpus corpus(4);
  for (auto _ : state) {
    state.PauseTiming();
    const Query query = to_query(corpus.query(12, 150, ZipfCorpus::kVocabulary));
    state.ResumeTiming();
    benchmark::DoNotOptimize(check(top_k(open_index(1), query, code_recipe(), 20)));
  }
}
BENCHMARK(open_and_query)->Iterations(50)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace knapsack::bench
