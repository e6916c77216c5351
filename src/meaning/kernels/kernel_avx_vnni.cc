// For x86-64 with AVX2 and VNNI, without AVX-512: processors for desks and laps.
#if defined(__x86_64__)
#include <immintrin.h>

#include "meaning/kernels/kernel_tables.h"

namespace knapsack::meaning::avx_vnni {
namespace {

constexpr size_t kLanes = 8;
constexpr size_t kBlockRows = 4;
constexpr size_t kBlockColumns = kColumnsTogether;

#include "meaning/kernels/kernel_body.h"

static inline __m256i add_products(__m256i sums, __m256i bytes, __m256i weights) {
  return _mm256_dpbusd_avx_epi32(sums, bytes, weights);
}

#include "meaning/kernels/kernel_body_256.h"

}  // namespace
}  // namespace knapsack::meaning::avx_vnni

namespace knapsack::meaning {

const Kernels kAvxVnniKernels = avx_vnni::make_kernels("avx-vnni");

}  // namespace knapsack::meaning
#endif
