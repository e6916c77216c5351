// How fast the token counters are, in bytes a second on one core: on the project's own sources, and on
// English, Russian and Chinese prose. The prose is a short text over and over, so its tables are warmer than
// in real use.
#include <benchmark/benchmark.h>

#include <string>
#include <utility>

#include "project_sources.h"
#include "text/tokens/token_counter.h"

namespace {

constexpr size_t kTextBytes = 1 << 20;

std::string repeated(const std::string& text) {
  std::string longer;
  while (!text.empty() && longer.size() < kTextBytes) longer += text;
  return longer;
}

std::string prose(const char* name) {
  return repeated(
      knapsack::bench::read_file(std::string(KNAPSACK_SOURCE_DIR "/tests/fixtures/tokens/") + name));
}

std::string source_code() {
  std::string text;
  for (const std::string& file : knapsack::bench::project_sources()) text += file;
  return repeated(text);
}

void count(benchmark::State& state, const std::string& counter_name, const std::string& text) {
  const auto counter = knapsack::find_token_counter(counter_name);
  if (!counter.ok() || text.empty()) {
    state.SkipWithError("no such counter or text");
    return;
  }
  uint64_t units = 0;
  for (auto _ : state) benchmark::DoNotOptimize(units = (*counter)->units(text));
  state.SetBytesProcessed(static_cast<int64_t>(state.iterations() * text.size()));
  state.counters["bytes_per_unit"] = static_cast<double>(text.size()) / static_cast<double>(units);
}

const bool registered = [] {
  const std::pair<const char*, std::string> texts[] = {
      {"source_code", source_code()},
      {"english", prose("english.txt")},
      {"russian", prose("russian.txt")},
      {"chinese", prose("chinese.txt")},
      {"one_letter", std::string(kTextBytes, 'a')},
  };
  for (const std::string& counter : knapsack::token_counter_names()) {
    for (const auto& [name, text] : texts) {
      benchmark::RegisterBenchmark((counter + "/" + name).c_str(), [=, text = text](benchmark::State& state) {
        count(state, counter, text);
      });
    }
  }
  return true;
}();

}  // namespace
