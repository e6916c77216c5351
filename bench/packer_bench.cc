// The packer on problems of the size of a code packet: sections in tiers, three forms an item, shared frames.
#include <benchmark/benchmark.h>

#include <random>

#include "packet/packer.h"

namespace {

knapsack::PackProblem make_problem(size_t items, uint64_t limit) {
  constexpr size_t kSections = 8;
  std::mt19937 random(7);
  knapsack::PackProblem problem;
  problem.limit = limit;
  problem.base = 100;
  for (size_t s = 0; s < kSections; ++s) {
    problem.frames.push_back(10);
    knapsack::PackSection section;
    section.tier = static_cast<int>(s);
    for (size_t i = 0; i < items / kSections; ++i) {
      const uint64_t full = 50 + random() % 500;
      section.items.push_back({{{full, s}, {full / 4, s}, {10, s}}, random() % 20 == 0});
    }
    problem.sections.push_back(std::move(section));
  }
  return problem;
}

// Arguments: items, and the limit as a share of what all of them need, in percent.
void pack(benchmark::State& state) {
  const auto items = static_cast<size_t>(state.range(0));
  const auto limit = static_cast<uint64_t>(state.range(0) * 300 * state.range(1) / 100);
  const knapsack::PackProblem problem = make_problem(items, limit);
  for (auto _ : state) benchmark::DoNotOptimize(knapsack::pack(problem).used);
  state.SetItemsProcessed(state.iterations() * state.range(0));
}
BENCHMARK(pack)
    ->Args({100, 30})
    ->Args({1'000, 30})
    ->Args({10'000, 5})
    ->Args({10'000, 30})
    ->Args({10'000, 200});

}  // namespace
