#include "search/vectors/vector_rows.h"

#include <algorithm>
#include <cmath>

namespace knapsack::search {
namespace {

constexpr float kMaxWhole = 127;

}  // namespace

bool nearer(const Neighbour& a, const Neighbour& b) {
  return a.score != b.score ? a.score > b.score : a.row < b.row;
}

float row_product(const VectorRows& a, uint32_t row_a, const VectorRows& b, uint32_t row_b) {
  const size_t size = a.dimensions;
  if (a.encoding == VectorEncoding::kFloat32)
    return dot_product(a.floats + row_a * size, b.floats + row_b * size, size);
  const int32_t product = dot_product(a.whole + row_a * size, b.whole + row_b * size, size);
  return static_cast<float>(product) * a.factors[row_a] * b.factors[row_b];
}

std::string_view to_string(VectorEncoding encoding) {
  return encoding == VectorEncoding::kInt8 ? "int8" : "float32";
}

std::optional<VectorEncoding> parse_vector_encoding(std::string_view word) {
  for (const VectorEncoding each : {VectorEncoding::kFloat32, VectorEncoding::kInt8}) {
    if (word == to_string(each)) return each;
  }
  return std::nullopt;
}

Status normalise_vector(std::span<float> vector) {
  double squares = 0;
  for (const float each : vector) squares += double{each} * double{each};
  const double length = std::sqrt(squares);
  if (!std::isfinite(length) || length <= 0) {
    return Error{ErrorCode::kCorrupt, "a vector without a direction: all zeros, or not finite", ""};
  }
  for (float& each : vector) each = static_cast<float>(double{each} / length);
  return ok_status();
}

WholeVector to_whole(std::span<const float> vector) {
  float most = 0;
  for (const float each : vector) most = std::max(most, std::fabs(each));
  WholeVector whole;
  whole.numbers.resize(vector.size());
  if (most <= 0) return whole;
  whole.factor = most / kMaxWhole;
  for (size_t i = 0; i < vector.size(); ++i) {
    const float number = std::nearbyint(vector[i] / whole.factor);
    whole.numbers[i] = static_cast<int8_t>(std::clamp(number, -kMaxWhole, kMaxWhole));
  }
  return whole;
}

float VectorProbe::score(const VectorRows& rows, uint32_t row, Arithmetic arithmetic) const {
  const size_t size = rows.dimensions;
  const size_t begin = size_t{row} * size;
  if (rows.encoding == VectorEncoding::kFloat32)
    return dot_product(floats_.data(), rows.floats + begin, size, arithmetic);
  const int32_t product = dot_product(whole_.numbers.data(), rows.whole + begin, size, arithmetic);
  return static_cast<float>(product) * whole_.factor * rows.factors[row];
}

std::vector<Neighbour> nearest(const VectorRows& rows, const VectorProbe& probe, size_t k,
                               Arithmetic arithmetic) {
  std::vector<Neighbour> best;  // a heap, the worst on top
  if (k == 0) return best;
  for (uint32_t row = 0; row < rows.count; ++row) {
    const Neighbour next{row, probe.score(rows, row, arithmetic)};
    if (best.size() == k) {
      if (!nearer(next, best.front())) continue;
      std::pop_heap(best.begin(), best.end(), nearer);
      best.back() = next;
    } else {
      best.push_back(next);
    }
    std::push_heap(best.begin(), best.end(), nearer);
  }
  std::sort_heap(best.begin(), best.end(), nearer);
  return best;
}

}  // namespace knapsack::search
