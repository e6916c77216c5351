// The arithmetic of the encoder, once for every set of instructions that we know; which one runs is decided when the
// program does.
//
// All of them give the same bits: products of whole numbers are exact, and what is computed in fractions is
// computed in one order, in sixteen lanes whatever the registers, with no multiplication melted into an addition.
// So a vector does not depend on the machine that made it. Plain data and no code of the standard library, because
// files that are compiled for one machine only include this. Tables of functions without state; any thread.
#pragma once

#include <cstddef>
#include <cstdint>

namespace knapsack::meaning {

inline constexpr uint32_t kHeadWidth = 32;        // of one head of attention
inline constexpr uint32_t kColumnsTogether = 16;  // of weights, side by side
// AVX2 adds two products in 16 bits. Between the two, bits are shared so that vectors come nearest to the unrounded ones.
inline constexpr int32_t kMaxWeight = 91;
inline constexpr int32_t kMaxByte = 180;  // of a row of numbers
static_assert(2 * kMaxByte * kMaxWeight <= INT16_MAX);

// A matrix product with its weights packed as [columns / 16][rows / 4][16][4].
struct Linear {
  uint32_t inputs = 0, outputs = 0;
  const int8_t* weights = nullptr;
  const float* factors = nullptr;  // one an output, like the others
  const float* bias = nullptr;
  const int32_t* sums = nullptr;  // of the weights of an output
};

struct Norm {
  const float* gain = nullptr;
  const float* bias = nullptr;
};

// Rows that are multiplied together: buffers have as many rows as a multiple of it.
inline constexpr size_t kRowsTogether = 8;

// Rows of numbers as bytes: a number is (byte − zero) × factor of its row.
struct ByteRows {
  uint8_t* bytes = nullptr;
  float* factors = nullptr;
  int32_t* zeros = nullptr;
};

struct Kernels {
  const char* name = "";
  // The bytes that come nearest to rows of `width` numbers.
  void (*to_bytes)(const float* rows, size_t count, size_t width, const ByteRows& out) = nullptr;
  // out[row][output] = row · weights of the output + bias; `count` is a multiple of kRowsTogether.
  void (*multiply)(const ByteRows& rows, size_t count, const Linear& linear, float* out) = nullptr;
  // rows += added (where there is something), each row then centred, scaled to the variance 1, times gain plus bias.
  void (*add_and_norm)(float* rows, const float* added, const Norm& norm, size_t count,
                       size_t width) = nullptr;
  void (*gelu)(float* numbers, size_t count) = nullptr;
  // Attention among the tokens of one text: queries, keys and values side by side in, `width` numbers a token out.
  void (*attend)(const float* rows, size_t tokens, size_t width, float* out, float* scratch) = nullptr;
};

// Floats of scratch that attend() wants for so many tokens.
constexpr size_t attention_scratch(size_t tokens) {
  return (2 * kHeadWidth + 4) * ((tokens + 31) / 32 * 32);
}

}  // namespace knapsack::meaning
