// The exact scan over vectors: whole numbers and floats, with lanes and one number at a time.
//
// Vectors are random: what a scan costs does not depend on what they mean. KNAPSACK_BENCH_VECTORS sets how
// many there are (default 200,000); the dimensions are those of small sentence models.
#include <benchmark/benchmark.h>

#include <cstdlib>
#include <random>

#include "search/vector_rows.h"

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

BENCHMARK_CAPTURE(scan, float32_lanes, VectorEncoding::kFloat32, Arithmetic::kLanes)
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(scan, float32_plain, VectorEncoding::kFloat32, Arithmetic::kPlain)
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(scan, int8_lanes, VectorEncoding::kInt8, Arithmetic::kLanes)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(scan, int8_plain, VectorEncoding::kInt8, Arithmetic::kPlain)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace knapsack::bench
