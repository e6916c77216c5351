// What the tokens of a file's chunks and symbols cost beside those of the file: each of the project's own
// sources alone, with 30 chunks and 60 symbols that nest three deep. `plain` is one count of each file,
// `ranges` are all 91; they are to take at most 1.3 times as long.
#include <benchmark/benchmark.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "project_sources.h"
#include "text/tokens/range_counter.h"
#include "text/tokens/token_counter.h"

namespace {

using knapsack::RangeCounter;
using knapsack::TokenCounter;

struct Range {
  size_t begin, end;
};

struct File {
  std::string text;
  std::vector<Range> ranges;
};

constexpr size_t kChunks = 30;
constexpr size_t kSymbols = 60;

// Chunks are whole lines one after another. Symbols come in threes: a class, a method in it, a function in
// that; they begin after the indentation of their line and end before its line break.
std::vector<Range> chunks_and_symbols(const std::string& text) {
  std::vector<size_t> lines = {0};
  for (size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '\n') lines.push_back(i + 1);
  }
  const size_t count = lines.size() - 1;
  const auto line = [&](size_t part, size_t parts) { return part * count / parts; };
  std::vector<Range> ranges;
  for (size_t i = 0; i < kChunks; ++i)
    ranges.push_back({lines[line(i, kChunks)], lines[line(i + 1, kChunks)]});
  const size_t classes = kSymbols / 3;
  for (size_t i = 0; i < classes; ++i) {
    size_t first = line(i, classes);
    size_t last = line(i + 1, classes);
    for (int depth = 0; depth < 3; ++depth) {
      const size_t begin = text.find_first_not_of(" \t", lines[first]);
      const size_t end = lines[last] - (last > first ? 1 : 0);
      ranges.push_back({std::min(begin, end), end});
      if (last - first > 4) {
        ++first;
        --last;
      }
    }
  }
  return ranges;
}

// The size of file that the ratio is about; in a shorter one the ranges weigh more.
std::vector<File> files_of_usual_size() {
  std::vector<File> usual;
  for (std::string& text : knapsack::bench::project_sources()) {
    if (text.size() < 5000 || text.size() > 10000) continue;
    std::vector<Range> ranges = chunks_and_symbols(text);
    usual.push_back({std::move(text), std::move(ranges)});
  }
  return usual;
}

const std::vector<File>& files() {
  static const std::vector<File> all = files_of_usual_size();
  return all;
}

void report(benchmark::State& state) {
  size_t bytes = 0;
  for (const File& file : files()) bytes += file.text.size();
  state.SetBytesProcessed(static_cast<int64_t>(state.iterations() * bytes));
  state.counters["files"] = static_cast<double>(files().size());
  state.counters["bytes_a_file"] = static_cast<double>(bytes) / static_cast<double>(files().size());
}

void plain(benchmark::State& state, const TokenCounter& counter) {
  for (auto _ : state) {
    for (const File& file : files()) benchmark::DoNotOptimize(counter.count(file.text));
  }
  report(state);
}

void ranges(benchmark::State& state, const TokenCounter& counter) {
  RangeCounter of(counter);
  for (auto _ : state) {
    for (const File& file : files()) {
      of.reset(file.text);
      benchmark::DoNotOptimize(of.tokens(0, file.text.size()));
      for (const Range& range : file.ranges) benchmark::DoNotOptimize(of.tokens(range.begin, range.end));
    }
  }
  report(state);
}

const bool registered = [] {
  for (const std::string& name : knapsack::token_counter_names()) {
    const TokenCounter& counter = **knapsack::find_token_counter(name);
    benchmark::RegisterBenchmark((name + "/plain").c_str(),
                                 [&counter](benchmark::State& state) { plain(state, counter); });
    benchmark::RegisterBenchmark((name + "/ranges").c_str(),
                                 [&counter](benchmark::State& state) { ranges(state, counter); });
  }
  return true;
}();

}  // namespace
