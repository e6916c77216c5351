// How fast texts are searched for secrets, in bytes a second on one core: the project's own sources, which
// speak of tokens and keys all the time, and prose.
#include <benchmark/benchmark.h>

#include <string>

#include "project_sources.h"
#include "text/secrets/redact.h"

namespace {

constexpr size_t kTextBytes = 4 << 20;

std::string repeated(const std::string& text) {
  std::string longer;
  while (!text.empty() && longer.size() < kTextBytes) longer += text;
  return longer;
}

std::string source_code() {
  std::string text;
  for (const std::string& file : knapsack::bench::project_sources()) text += file;
  knapsack::redact_secrets(text,
                           knapsack::SecretContext::kCode);  // none is left: it is the search that is timed
  return repeated(text);
}

void look(benchmark::State& state, const std::string& text, knapsack::SecretContext context) {
  if (text.empty()) {
    state.SkipWithError("no text");
    return;
  }
  bool found = false;
  for (auto _ : state) benchmark::DoNotOptimize(found = knapsack::holds_secret(text, context));
  state.SetBytesProcessed(static_cast<int64_t>(state.iterations() * text.size()));
}

const bool registered = [] {
  using knapsack::SecretContext;
  const std::string code = source_code();
  const std::string prose =
      repeated(knapsack::bench::read_file(KNAPSACK_SOURCE_DIR "/tests/fixtures/tokens/english.txt"));
  benchmark::RegisterBenchmark("source_code",
                               [=](benchmark::State& state) { look(state, code, SecretContext::kCode); });
  benchmark::RegisterBenchmark("english",
                               [=](benchmark::State& state) { look(state, prose, SecretContext::kText); });
  return true;
}();

}  // namespace
