#include "search/support_vectors.h"

#include <random>

#include "support/support.h"

namespace knapsack::search {
namespace {

constexpr uint32_t kClusters = 200;
constexpr float kSpread = 0.7F;  // of a vector against its centre

std::vector<float> random_vector(unsigned seed, uint32_t size) {
  std::mt19937 random(seed);
  std::normal_distribution<float> number;
  std::vector<float> vector(size);
  for (float& each : vector) each = number(random);
  return vector;
}

}  // namespace

std::vector<float> vector_of(std::string_view text, uint32_t size) {
  auto vector = random_vector(static_cast<unsigned>(std::hash<std::string_view>{}(text)), size);
  EXPECT_OK(normalise_vector(vector));
  return vector;
}

std::vector<float> clustered_vector(uint32_t number, uint32_t size) {
  auto vector = random_vector(number + kClusters, size);
  const auto centre = random_vector(number % kClusters, size);
  for (uint32_t i = 0; i < size; ++i) vector[i] = centre[i] + kSpread * vector[i];
  EXPECT_OK(normalise_vector(vector));
  return vector;
}

VectorSpace space_of(const std::string& model, VectorEncoding encoding, uint32_t size) {
  return {model, size, encoding, vector_of(model + " probe", size)};
}

std::string text_of(uint32_t unit) {
  return "text " + std::to_string(unit);
}

std::vector<VectorUnit> units_up_to(uint32_t count) {
  std::vector<VectorUnit> units;
  for (uint32_t i = 0; i < count; ++i) units.push_back({content_hash(text_of(i)), i});
  return units;
}

std::vector<std::string_view> hashes_of(const std::vector<VectorUnit>& units) {
  std::vector<std::string_view> hashes;
  for (const VectorUnit& each : units) hashes.push_back(each.hash);
  return hashes;
}

}  // namespace knapsack::search
