// The product of whole numbers in registers of 256 bits, for AVX2 with and without VNNI: who includes this says what
// add_products() is. Private to those two files.

static inline void multiply_block(const ByteRows& rows, size_t row, const Linear& linear, size_t column,
                                  float* out) {
  typedef int LooseInt __attribute__((aligned(1), may_alias));
  const size_t inputs = linear.inputs;
  const int8_t* weights = linear.weights + column * inputs;
  const uint8_t* bytes = rows.bytes + row * inputs;
  __m256i sums[kBlockRows][2];
#pragma GCC unroll 8
  for (size_t i = 0; i < kBlockRows; ++i) sums[i][0] = sums[i][1] = _mm256_setzero_si256();
  for (size_t input = 0; input < inputs; input += 4) {
    const auto* from = reinterpret_cast<const __m256i_u*>(weights + kColumnsTogether * input);
    const __m256i left = _mm256_loadu_si256(from);
    const __m256i right = _mm256_loadu_si256(from + 1);
#pragma GCC unroll 8
    for (size_t i = 0; i < kBlockRows; ++i) {
      const __m256i four = _mm256_set1_epi32(*reinterpret_cast<const LooseInt*>(bytes + i * inputs + input));
      sums[i][0] = add_products(sums[i][0], four, left);
      sums[i][1] = add_products(sums[i][1], four, right);
    }
  }
#pragma GCC unroll 8
  for (size_t i = 0; i < kBlockRows; ++i) {
    finish(reinterpret_cast<Whole>(sums[i][0]), rows, row + i, linear, column, out);
    finish(reinterpret_cast<Whole>(sums[i][1]), rows, row + i, linear, column + kLanes, out);
  }
}
