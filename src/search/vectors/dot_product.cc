#include "search/vectors/dot_product.h"

#include <cstring>

#include "core/processor.h"

// The lanes are vectors of the compiler: it maps them to whatever registers it may use. Within a function
// that is compiled for AVX2 these are twice as wide as those that every x86-64 has, and which function is
// called is decided when the program runs.
#if defined(__x86_64__)
#define KNAPSACK_WIDE __attribute__((target("avx2")))
#endif
#define KNAPSACK_INLINE __attribute__((always_inline)) inline

namespace knapsack::search {
namespace {

constexpr size_t kHalf = kFloatLanes / 2;
using Floats = float __attribute__((vector_size(kHalf * sizeof(float))));

constexpr size_t kWholeLanes = 16;
using Bytes = int8_t __attribute__((vector_size(kWholeLanes)));
using Shorts = int16_t __attribute__((vector_size(kWholeLanes * 2)));
using HalfShorts = int16_t __attribute__((vector_size(kWholeLanes)));
using Whole = int32_t __attribute__((vector_size(kWholeLanes * 2)));

KNAPSACK_INLINE float sum_of_lanes(const float* lanes) {
  float sum = 0;
  for (size_t i = 0; i < kFloatLanes; ++i) sum += lanes[i];
  return sum;
}

float plain(const float* a, const float* b, size_t size) {
  float lanes[kFloatLanes] = {};
  for (size_t i = 0; i < size; ++i) lanes[i % kFloatLanes] += a[i] * b[i];
  return sum_of_lanes(lanes);
}

int32_t plain(const int8_t* a, const int8_t* b, size_t size) {
  int32_t sum = 0;
  for (size_t i = 0; i < size; ++i) sum += int32_t{a[i]} * int32_t{b[i]};
  return sum;
}

KNAPSACK_INLINE float by_lanes(const float* a, const float* b, size_t size) {
  Floats low{}, high{};
  size_t at = 0;
  for (; at + kFloatLanes <= size; at += kFloatLanes) {
    Floats a_low, a_high, b_low, b_high;
    std::memcpy(&a_low, a + at, sizeof a_low);
    std::memcpy(&a_high, a + at + kHalf, sizeof a_high);
    std::memcpy(&b_low, b + at, sizeof b_low);
    std::memcpy(&b_high, b + at + kHalf, sizeof b_high);
    low += a_low * b_low;
    high += a_high * b_high;
  }
  float lanes[kFloatLanes];
  std::memcpy(lanes, &low, sizeof low);
  std::memcpy(lanes + kHalf, &high, sizeof high);
  for (size_t lane = 0; at + lane < size; ++lane) lanes[lane] += a[at + lane] * b[at + lane];
  return sum_of_lanes(lanes);
}

KNAPSACK_INLINE int32_t by_lanes(const int8_t* a, const int8_t* b, size_t size) {
  Whole low{}, high{};
  size_t at = 0;
  for (; at + 2 * kWholeLanes <= size; at += 2 * kWholeLanes) {
    Shorts sums{};
    for (size_t half = 0; half < 2; ++half) {
      Bytes a_bytes, b_bytes;
      std::memcpy(&a_bytes, a + at + half * kWholeLanes, sizeof a_bytes);
      std::memcpy(&b_bytes, b + at + half * kWholeLanes, sizeof b_bytes);
      // Two products of at most 127² fit sixteen bits together; a third would not.
      sums += __builtin_convertvector(a_bytes, Shorts) * __builtin_convertvector(b_bytes, Shorts);
    }
    HalfShorts halves[2];
    std::memcpy(halves, &sums, sizeof sums);
    low += __builtin_convertvector(halves[0], Whole);
    high += __builtin_convertvector(halves[1], Whole);
  }
  low += high;
  int32_t sum = plain(a + at, b + at, size - at);
  for (size_t lane = 0; lane < sizeof low / sizeof low[0]; ++lane) sum += low[lane];
  return sum;
}

#ifdef KNAPSACK_WIDE
KNAPSACK_WIDE float by_wide_lanes(const float* a, const float* b, size_t size) {
  return by_lanes(a, b, size);
}
KNAPSACK_WIDE int32_t by_wide_lanes(const int8_t* a, const int8_t* b, size_t size) {
  return by_lanes(a, b, size);
}
bool has_wide_lanes() {
  return this_processor().avx2;
}
#else
float by_wide_lanes(const float* a, const float* b, size_t size) {
  return by_lanes(a, b, size);
}
int32_t by_wide_lanes(const int8_t* a, const int8_t* b, size_t size) {
  return by_lanes(a, b, size);
}
constexpr bool has_wide_lanes() {
  return false;
}
#endif

template <class Number>
auto dot(const Number* a, const Number* b, size_t size, Arithmetic arithmetic) {
  if (arithmetic == Arithmetic::kPlain) return plain(a, b, size);
  return has_wide_lanes() ? by_wide_lanes(a, b, size) : by_lanes(a, b, size);
}

}  // namespace

float dot_product(const float* a, const float* b, size_t size, Arithmetic arithmetic) {
  return dot(a, b, size, arithmetic);
}

int32_t dot_product(const int8_t* a, const int8_t* b, size_t size, Arithmetic arithmetic) {
  return dot(a, b, size, arithmetic);
}

}  // namespace knapsack::search
