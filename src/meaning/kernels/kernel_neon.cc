// For 64-bit ARM with the dot product instructions of ARMv8.2.
#if defined(__aarch64__)
#include <arm_neon.h>

#include "meaning/kernels/kernel_tables.h"

namespace knapsack::meaning::neon {
namespace {

constexpr size_t kLanes = 4;
constexpr size_t kBlockRows = 4;
constexpr size_t kBlockColumns = kColumnsTogether;

#include "meaning/kernels/kernel_body.h"

template <int kNumber>
struct Lane {
  static constexpr int kValue = kNumber;
};

// The instruction wants both signs alike: bytes less 128, which come back by the sums of weights.
static inline void multiply_block(const ByteRows& rows, size_t row, const Linear& linear, size_t column,
                                  float* out) {
  const size_t inputs = linear.inputs;
  const int8_t* weights = linear.weights + column * inputs;
  const uint8x16_t middle = vdupq_n_u8(128);
  int32x4_t sums[kBlockRows][4];
  for (auto& of_row : sums) {
    for (auto& four : of_row) four = vdupq_n_s32(0);
  }
  for (size_t input = 0; input < inputs; input += 16) {
    int8x16_t bytes[kBlockRows];
    for (size_t i = 0; i < kBlockRows; ++i)
      bytes[i] = vreinterpretq_s8_u8(veorq_u8(vld1q_u8(rows.bytes + (row + i) * inputs + input), middle));
    const auto add = [&](auto lane, const int8_t* from) {
      for (size_t part = 0; part < 4; ++part) {
        const int8x16_t four = vld1q_s8(from + 16 * part);
        for (size_t i = 0; i < kBlockRows; ++i)
          sums[i][part] = vdotq_laneq_s32(sums[i][part], four, bytes[i], decltype(lane)::kValue);
      }
    };
    const int8_t* from = weights + kColumnsTogether * input;
    add(Lane<0>{}, from);
    add(Lane<1>{}, from + 64);
    add(Lane<2>{}, from + 128);
    add(Lane<3>{}, from + 192);
  }
  for (size_t i = 0; i < kBlockRows; ++i) {
    for (size_t part = 0; part < 4; ++part) {
      const int32x4_t of_weights = vld1q_s32(linear.sums + column + 4 * part);
      const int32x4_t products = vaddq_s32(sums[i][part], vshlq_n_s32(of_weights, 7));
      finish(reinterpret_cast<Whole>(products), rows, row + i, linear, column + 4 * part, out);
    }
  }
}

}  // namespace
}  // namespace knapsack::meaning::neon

namespace knapsack::meaning {

const Kernels kNeonKernels = neon::make_kernels("neon-dotprod");

}  // namespace knapsack::meaning
#endif
