// The exact scan over vectors: whole numbers and floats, with lanes and one number at a time.
//
// Vectors are random: what a scan costs does not depend on what they mean. KNAPSACK_BENCH_VECTORS sets how
// many there are (default 200,000); the dimensions are those of small sentence models. A search in a store is
// timed by its steps: all of them grow with the vectors.
#include <benchmark/benchmark.h>

#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <random>

#include "search/vectors/vector_store.h"

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

// What a search does with a store: opens it, asks which texts have no vector, and looks at all that have one.
void search_a_store(benchmark::State& state) {
  const auto files = make_disk_file_system();
  const std::filesystem::path folder = std::filesystem::temp_directory_path() / "knapsack-vector-bench";
  std::filesystem::remove_all(folder);
  std::filesystem::create_directory(folder);
  std::minstd_rand random(3);
  VectorSpace space;
  space.model = "bench";
  space.dimensions = kDimensions;
  space.encoding = VectorEncoding::kInt8;
  space.probe = random_vector(random);
  std::vector<VectorUnit> units;
  {
    auto store = VectorStore::open(*files, folder, space);
    std::vector<std::string_view> hashes;
    std::vector<float> vectors;
    for (uint32_t i = 0; i < vector_count(); ++i) units.push_back({content_hash(std::to_string(i)), i});
    for (const VectorUnit& unit : units) {
      hashes.push_back(unit.hash);
      const auto vector = random_vector(random);
      vectors.insert(vectors.end(), vector.begin(), vector.end());
    }
    if (!store.ok() || !store->add(hashes, vectors).ok()) return state.SkipWithError("no store");
  }
  double opening = 0, comparing = 0, looking = 0;
  const auto now = [] {
    return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
  };
  for (auto each : state) {
    static_cast<void>(each);
    const double begin = now();
    auto store = VectorStore::open(*files, folder, space);
    const double opened = now();
    benchmark::DoNotOptimize(store->missing(units));
    const double compared = now();
    benchmark::DoNotOptimize(store->nearest(units, random_vector(random), kWanted));
    opening += opened - begin;
    comparing += compared - opened;
    looking += now() - compared;
  }
  const auto runs = static_cast<double>(state.iterations());
  state.counters["open_ms"] = opening * 1000 / runs;
  state.counters["missing_ms"] = comparing * 1000 / runs;
  state.counters["nearest_ms"] = looking * 1000 / runs;
  std::filesystem::remove_all(folder);
}
BENCHMARK(search_a_store)->Iterations(5)->Unit(benchmark::kMillisecond);

BENCHMARK_CAPTURE(scan, float32_lanes, VectorEncoding::kFloat32, Arithmetic::kLanes)
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(scan, float32_plain, VectorEncoding::kFloat32, Arithmetic::kPlain)
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(scan, int8_lanes, VectorEncoding::kInt8, Arithmetic::kLanes)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(scan, int8_plain, VectorEncoding::kInt8, Arithmetic::kPlain)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace knapsack::bench
