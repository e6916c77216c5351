// The exact scan over vectors: whole numbers and floats, with lanes and one number at a time.
//
// Vectors are random: what a scan costs does not depend on what they mean. KNAPSACK_BENCH_VECTORS sets how
// many there are (default 200,000); the dimensions are those of small sentence models. The graph has fewer
// (KNAPSACK_BENCH_GRAPH_VECTORS, default 20,000), since building it takes its time, and they lie in clusters,
// as those of texts do; it is timed against a scan of the same vectors in the same run.
#include <benchmark/benchmark.h>

#include <algorithm>
#include <cstdlib>
#include <ctime>
#include <random>

#include "search/vectors/vector_graph.h"

namespace knapsack::bench {
namespace {

using namespace knapsack::search;

constexpr uint32_t kDimensions = 384;
constexpr size_t kWanted = 50;

uint32_t vector_count() {
  const char* chosen = std::getenv("KNAPSACK_BENCH_VECTORS");
  return chosen != nullptr ? static_cast<uint32_t>(std::strtoul(chosen, nullptr, 10)) : 200'000;
}

std::vector<float> random_vector(std::minstd_rand& random) {
  std::uniform_real_distribution<float> number(-1, 1);
  std::vector<float> vector(kDimensions);
  for (float& each : vector) each = number(random);
  if (!normalise_vector(vector).ok()) std::abort();
  return vector;
}

struct Table {
  std::vector<float> floats, factors;
  std::vector<int8_t> whole;

  explicit Table(VectorEncoding encoding) {
    std::minstd_rand random(1);
    for (uint32_t row = 0; row < vector_count(); ++row) {
      const auto vector = random_vector(random);
      if (encoding == VectorEncoding::kFloat32) {
        floats.insert(floats.end(), vector.begin(), vector.end());
        continue;
      }
      const WholeVector made = to_whole(vector);
      whole.insert(whole.end(), made.numbers.begin(), made.numbers.end());
      factors.push_back(made.factor);
    }
  }
};

void scan(benchmark::State& state, VectorEncoding encoding, Arithmetic arithmetic) {
  static const Table floats(VectorEncoding::kFloat32);
  static const Table whole(VectorEncoding::kInt8);
  const VectorRows rows{encoding,           kDimensions,         vector_count(), floats.floats.data(),
                        whole.whole.data(), whole.factors.data()};
  std::minstd_rand random(2);
  const VectorProbe probe(random_vector(random));
  for (auto each : state) {
    static_cast<void>(each);
    benchmark::DoNotOptimize(nearest(rows, probe, kWanted, arithmetic));
  }
  state.SetItemsProcessed(static_cast<int64_t>(state.iterations()) * rows.count);
}

uint32_t graph_count() {
  const char* chosen = std::getenv("KNAPSACK_BENCH_GRAPH_VECTORS");
  return chosen != nullptr ? static_cast<uint32_t>(std::strtoul(chosen, nullptr, 10)) : 20'000;
}

std::vector<float> clustered_vector(uint32_t number) {
  constexpr uint32_t kClusters = 200;
  std::minstd_rand own(number + kClusters), shared(number % kClusters + 1);
  auto vector = random_vector(own);
  const auto centre = random_vector(shared);
  for (uint32_t i = 0; i < kDimensions; ++i) vector[i] += centre[i];
  if (!normalise_vector(vector).ok()) std::abort();
  return vector;
}

// Counters: how much quicker than a scan, and the share of a scan's best ten that it finds.
void graph_against_scan(benchmark::State& state) {
  constexpr size_t kBest = 10;
  constexpr uint32_t kQueries = 50;
  std::vector<int8_t> numbers;
  std::vector<float> factors;
  for (uint32_t row = 0; row < graph_count(); ++row) {
    const WholeVector made = to_whole(clustered_vector(row));
    numbers.insert(numbers.end(), made.numbers.begin(), made.numbers.end());
    factors.push_back(made.factor);
  }
  GraphVectors vectors;
  vectors.tables.push_back(
      {VectorEncoding::kInt8, kDimensions, graph_count(), nullptr, numbers.data(), factors.data()});
  const VectorRows rows = vectors.tables.front();
  for (uint32_t row = 0; row < rows.count; ++row) vectors.places.push_back({0, row});
  auto graph = VectorGraph::build(std::move(vectors));
  if (!graph.ok()) return state.SkipWithError(graph.error().what.c_str());
  const std::vector<bool> live(rows.count, true);
  double scanning = 0, following = 0;
  size_t found = 0, asked = 0;
  // Processor time: a ratio of two short waits says little on a machine that others use.
  const auto clock = [] { return static_cast<double>(std::clock()) / CLOCKS_PER_SEC; };
  for (auto each : state) {
    static_cast<void>(each);
    for (uint32_t query = 0; query < kQueries; ++query) {
      const VectorProbe probe(clustered_vector(rows.count + query));
      const auto begin = clock();
      const auto right = nearest(rows, probe, kBest);
      const auto middle = clock();
      const auto near = graph->nearest(probe, kBest, live);
      const auto end = clock();
      scanning += middle - begin;
      following += end - middle;
      asked += kBest;
      for (const Neighbour& one : *near)
        found += static_cast<size_t>(std::count(right.begin(), right.end(), one));
    }
  }
  state.counters["scan_over_graph"] = scanning / following;
  state.counters["found_of_ten"] = static_cast<double>(found) / static_cast<double>(asked);
  state.counters["graph_us"] = following * 1e6 / static_cast<double>(asked / kBest);
}
BENCHMARK(graph_against_scan)->Iterations(4)->Unit(benchmark::kMillisecond);  // one graph is enough

BENCHMARK_CAPTURE(scan, float32_lanes, VectorEncoding::kFloat32, Arithmetic::kLanes)
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(scan, float32_plain, VectorEncoding::kFloat32, Arithmetic::kPlain)
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(scan, int8_lanes, VectorEncoding::kInt8, Arithmetic::kLanes)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(scan, int8_plain, VectorEncoding::kInt8, Arithmetic::kPlain)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace knapsack::bench
