// Vectors for tests: directions that follow from a text or a number, units, and the spaces that they are in.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "search/vectors/vector_store.h"

namespace knapsack::search {

inline constexpr uint32_t kTestDimensions = 16;

// A direction of its own for each text, the same each time.
std::vector<float> vector_of(std::string_view text, uint32_t size = kTestDimensions);
// One of many around a centre, which is one of few: what embeddings of texts look like.
std::vector<float> clustered_vector(uint32_t number, uint32_t size);

VectorSpace space_of(const std::string& model, VectorEncoding encoding = VectorEncoding::kFloat32,
                     uint32_t size = kTestDimensions);

std::string text_of(uint32_t unit);
// Units 0 … count − 1 with the hashes of their texts.
std::vector<VectorUnit> units_up_to(uint32_t count);
std::vector<std::string_view> hashes_of(const std::vector<VectorUnit>& units);

}  // namespace knapsack::search
