// How fast the token counters are, in bytes a second on one core: on the project's own sources, and on
// English, Russian and Chinese prose. The prose is a short text over and over, so its tables are warmer than
// in real use.
#include <benchmark/benchmark.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "text/token_counter.h"

namespace {

constexpr size_t kTextBytes = 1 << 20;

std::string read_file(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream bytes;
  bytes << file.rdbuf();
  return bytes.str();
}

std::string repeated(const std::string& text) {
  std::string longer;
  while (!text.empty() && longer.size() < kTextBytes) longer += text;
  return longer;
}

std::string prose(const char* name) {
  return repeated(read_file(std::string(KNAPSACK_SOURCE_DIR "/tests/fixtures/tokens/") + name));
}

std::string source_code() {
  std::vector<std::filesystem::path> paths;
  for (const char* folder : {"src", "tests", "bench", "fuzz", "tools"}) {
    const std::filesystem::path root = std::filesystem::path(KNAPSACK_SOURCE_DIR) / folder;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(root)) {
      const std::string extension = entry.path().extension();
      if (extension == ".h" || extension == ".cc" || extension == ".py") paths.push_back(entry.path());
    }
  }
  std::sort(paths.begin(), paths.end());
  std::string text;
  for (const auto& path : paths) text += read_file(path);
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
