// VectorRows: many vectors of one length side by side, and the exact scan for those nearest to one.
//
// Vectors have the length 1, so that the dot product of two is the cosine of the angle between them. They are
// kept as floats, or as whole numbers in −127…127 with one factor each, which takes a quarter of the memory
// and of the time. The order of a scan is total: higher score first, then the smaller row. A view of bytes
// that others own; any thread.
// Private to search/vectors/.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "core/result.h"
#include "search/vectors/dot_product.h"

namespace knapsack::search {

inline constexpr uint32_t kMaxDimensions = 16'384;

enum class VectorEncoding : uint32_t { kFloat32 = 1, kInt8 = 2 };
std::string_view to_string(VectorEncoding encoding);  // "float32", "int8"
// Nothing for another word.
std::optional<VectorEncoding> parse_vector_encoding(std::string_view word);

// Makes its length 1. kCorrupt for what has no direction: zeros, or numbers that are not finite.
Status normalise_vector(std::span<float> vector);

// One vector as whole numbers.
struct WholeVector {
  std::vector<int8_t> numbers;
  float factor = 0;  // number × factor is what it was
};
WholeVector to_whole(std::span<const float> vector);

struct VectorRows {
  VectorEncoding encoding = VectorEncoding::kFloat32;
  uint32_t dimensions = 0;
  uint32_t count = 0;
  const float* floats = nullptr;   // rows × dimensions, for kFloat32
  const int8_t* whole = nullptr;   // the same for kInt8 …
  const float* factors = nullptr;  // … and one factor a row
};

struct Neighbour {
  uint32_t row = 0;
  float score = 0;
  bool operator==(const Neighbour&) const = default;
};

// Higher score first, then the smaller row: the order of every answer.
bool nearer(const Neighbour& a, const Neighbour& b);

// The cosine of two rows of one encoding and length.
float row_product(const VectorRows& a, uint32_t row_a, const VectorRows& b, uint32_t row_b);

// A vector to compare rows with, prepared once.
class VectorProbe {
 public:
  explicit VectorProbe(std::span<const float> vector) : floats_(vector.begin(), vector.end()) {
    whole_ = to_whole(vector);
  }
  // `rows` must have as many dimensions as the vector.
  float score(const VectorRows& rows, uint32_t row, Arithmetic arithmetic = Arithmetic::kLanes) const;

 private:
  std::vector<float> floats_;
  WholeVector whole_;
};

// The k nearest rows, best first.
std::vector<Neighbour> nearest(const VectorRows& rows, const VectorProbe& probe, size_t k,
                               Arithmetic arithmetic = Arithmetic::kLanes);

}  // namespace knapsack::search
