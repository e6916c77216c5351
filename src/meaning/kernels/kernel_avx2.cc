// For x86-64 with AVX2: two products at once fit 16 bits because weights are no larger than kMaxWeight.
#if defined(__x86_64__)
#include <immintrin.h>

#include "meaning/kernels/kernel_tables.h"

namespace knapsack::meaning::avx2 {
namespace {

constexpr size_t kLanes = 8;
constexpr size_t kBlockRows = 4;
constexpr size_t kBlockColumns = kColumnsTogether;

#include "meaning/kernels/kernel_body.h"

static inline __m256i add_products(__m256i sums, __m256i bytes, __m256i weights) {
  return _mm256_add_epi32(sums,
                          _mm256_madd_epi16(_mm256_maddubs_epi16(bytes, weights), _mm256_set1_epi16(1)));
}

#include "meaning/kernels/kernel_body_256.h"

}  // namespace
}  // namespace knapsack::meaning::avx2

namespace knapsack::meaning {

const Kernels kAvx2Kernels = avx2::make_kernels("avx2");

}  // namespace knapsack::meaning
#endif
