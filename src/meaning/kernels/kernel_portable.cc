// For every machine: no instruction that the compiler does not choose.
#include "meaning/kernels/kernel_tables.h"

namespace knapsack::meaning::portable {
namespace {

constexpr size_t kLanes = 4;
constexpr size_t kBlockRows = 4;
constexpr size_t kBlockColumns = kColumnsTogether;

#include "meaning/kernels/kernel_body.h"

static inline void multiply_block(const ByteRows& rows, size_t row, const Linear& linear, size_t column,
                                  float* out) {
  int32_t sums[kBlockRows][kColumnsTogether] = {};
  const size_t inputs = linear.inputs;
  const int8_t* weights = linear.weights + column * inputs;
  for (size_t input = 0; input < inputs; input += 4, weights += 4 * kColumnsTogether) {
    for (size_t i = 0; i < kBlockRows; ++i) {
      const uint8_t* bytes = rows.bytes + (row + i) * inputs + input;
      for (size_t output = 0; output < kColumnsTogether; ++output) {
        const int8_t* four = weights + 4 * output;
        sums[i][output] += bytes[0] * four[0] + bytes[1] * four[1] + bytes[2] * four[2] + bytes[3] * four[3];
      }
    }
  }
  for (size_t i = 0; i < kBlockRows; ++i) {
    for (size_t part = 0; part < kColumnsTogether; part += kLanes) {
      Whole products;
      __builtin_memcpy(&products, &sums[i][part], sizeof(products));
      finish(products, rows, row + i, linear, column + part, out);
    }
  }
}

}  // namespace
}  // namespace knapsack::meaning::portable

namespace knapsack::meaning {

const Kernels kPortableKernels = portable::make_kernels("portable");

}  // namespace knapsack::meaning
