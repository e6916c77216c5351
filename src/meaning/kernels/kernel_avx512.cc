// For x86-64 with AVX-512 VNNI: four products and three additions in each of sixteen lanes at once.
#if defined(__x86_64__)
#include <immintrin.h>

#include "meaning/kernels/kernel_tables.h"

namespace knapsack::meaning::avx512 {
namespace {

constexpr size_t kLanes = 16;
constexpr size_t kBlockRows = kRowsTogether;
constexpr size_t kBlockColumns = 2 * kColumnsTogether;

#include "meaning/kernels/kernel_body.h"

// In assembly because GCC copies every sum to and fro around its own intrinsic, which halves the speed.
static inline void add_products(__m512i& sums, __m512i bytes, __m512i weights) {
  asm("vpdpbusd %2, %1, %0" : "+v"(sums) : "v"(bytes), "v"(weights));
}

static inline void multiply_block(const ByteRows& rows, size_t row, const Linear& linear, size_t column,
                                  float* out) {
  typedef int LooseInt __attribute__((aligned(1), may_alias));
  const size_t inputs = linear.inputs;
  const int8_t* first = linear.weights + column * inputs;
  const int8_t* second = first + kColumnsTogether * inputs;
  const uint8_t* bytes = rows.bytes + row * inputs;
  __m512i sums[kBlockRows][2];
#pragma GCC unroll 8
  for (size_t i = 0; i < kBlockRows; ++i) sums[i][0] = sums[i][1] = _mm512_setzero_si512();
  for (size_t input = 0; input < inputs; input += 4) {
    const __m512i left = _mm512_loadu_si512(first + kColumnsTogether * input);
    const __m512i right = _mm512_loadu_si512(second + kColumnsTogether * input);
#pragma GCC unroll 8
    for (size_t i = 0; i < kBlockRows; ++i) {
      const __m512i four = _mm512_set1_epi32(*reinterpret_cast<const LooseInt*>(bytes + i * inputs + input));
      add_products(sums[i][0], four, left);
      add_products(sums[i][1], four, right);
    }
  }
#pragma GCC unroll 8
  for (size_t i = 0; i < kBlockRows; ++i) {
    finish(reinterpret_cast<Whole>(sums[i][0]), rows, row + i, linear, column, out);
    finish(reinterpret_cast<Whole>(sums[i][1]), rows, row + i, linear, column + kColumnsTogether, out);
  }
}

}  // namespace
}  // namespace knapsack::meaning::avx512

namespace knapsack::meaning {

const Kernels kAvx512Kernels = avx512::make_kernels("avx512-vnni");

}  // namespace knapsack::meaning
#endif
