// What every kernel_*.cc compiles for its own instructions: all of the encoder but the product of whole numbers,
// which each adds as multiply_block(). It says before this is included how wide its registers are (kLanes) and what
// a block is (kBlockRows, kBlockColumns).
//
// No header of the standard library with code in it may be included from such a file: a function that the linker
// shares would then be the one with instructions that another machine lacks. Names are static for the same reason.
// Private to those files.

// Fractions are added in sixteen lanes, kLanes at a time.
constexpr size_t kSumLanes = 16;
constexpr size_t kVectors = kSumLanes / kLanes;
typedef float Lanes __attribute__((vector_size(kLanes * sizeof(float))));
typedef float LooseLanes __attribute__((vector_size(kLanes * sizeof(float)), aligned(4), may_alias));

typedef int32_t Whole __attribute__((vector_size(kLanes * sizeof(float))));
typedef uint8_t Bytes __attribute__((vector_size(kLanes)));
typedef uint8_t LooseBytes __attribute__((vector_size(kLanes), aligned(1), may_alias));

static inline Lanes load(const float* from) {
  return *reinterpret_cast<const LooseLanes*>(from);
}
static inline void store(float* to, Lanes lanes) {
  *reinterpret_cast<LooseLanes*>(to) = lanes;
}
static inline Lanes larger(Lanes a, Lanes b) {
  return a > b ? a : b;
}
static inline Lanes smaller(Lanes a, Lanes b) {
  return a < b ? a : b;
}

static inline float largest_of(Lanes lanes) {
  float most = lanes[0];
  for (size_t lane = 1; lane < kLanes; ++lane) most = lanes[lane] > most ? lanes[lane] : most;
  return most;
}

// The nearest whole number, halves to even: adding 1.5 × 2^23 leaves no room for a fraction.
template <typename Number>
static inline Number nearest_whole(Number number) {
  constexpr float kNoFractions = 12'582'912.0F;
  return (number + kNoFractions) - kNoFractions;
}

// e to the power of numbers that are not above 0; Cephes' polynomial.
static inline Lanes exponential(Lanes power) {
  power = larger(power, Lanes{} - 87.0F);
  const Lanes twos = nearest_whole(power * 1.44269504F);
  const Lanes rest = (power - twos * 0.693359375F) + twos * 2.12194440e-4F;
  Lanes sum = rest * 1.9875691500e-4F + 1.3981999507e-3F;
  sum = sum * rest + 8.3334519073e-3F;
  sum = sum * rest + 4.1665795894e-2F;
  sum = sum * rest + 1.6666665459e-1F;
  sum = sum * rest + 5.0000001201e-1F;
  sum = sum * rest * rest + rest + 1.0F;
  const Whole scale = (__builtin_convertvector(twos, Whole) + 127) << 23;
  return sum * (Lanes)scale;
}

static inline float sum_of(const Lanes (&lanes)[kVectors]) {
  float sum = 0;
  for (size_t vector = 0; vector < kVectors; ++vector) {
    for (size_t lane = 0; lane < kLanes; ++lane) sum += lanes[vector][lane];
  }
  return sum;
}

static float sum_numbers(const float* numbers, size_t count) {  // a multiple of kSumLanes
  Lanes lanes[kVectors] = {};
  for (size_t at = 0; at < count; at += kSumLanes) {
    for (size_t vector = 0; vector < kVectors; ++vector)
      lanes[vector] += load(numbers + at + vector * kLanes);
  }
  return sum_of(lanes);
}

static void to_bytes(const float* rows, size_t count, size_t width, const ByteRows& out) {
  constexpr float kLargestByte = kMaxByte;
  for (size_t row = 0; row < count; ++row) {
    const float* numbers = rows + row * width;
    uint8_t* bytes = out.bytes + row * width;
    Lanes lows{}, highs{};  // zero is always among what a byte can say
    for (size_t i = 0; i < width; i += kLanes) {
      lows = smaller(lows, load(numbers + i));
      highs = larger(highs, load(numbers + i));
    }
    const float low = -largest_of(-lows);
    const float factor = (largest_of(highs) - low) / kLargestByte;
    const float inverse = factor > 0 ? 1.0F / factor : 0.0F;
    const float zero = nearest_whole(-low * inverse);
    for (size_t i = 0; i < width; i += kLanes) {
      Lanes byte = nearest_whole(load(numbers + i) * inverse) + zero;
      byte = smaller(larger(byte, Lanes{}), Lanes{} + kLargestByte);
      const Whole whole = __builtin_convertvector(byte, Whole);
      *reinterpret_cast<LooseBytes*>(bytes + i) = __builtin_convertvector(whole, Bytes);
    }
    out.factors[row] = factor;
    out.zeros[row] = static_cast<int32_t>(zero);
  }
}

// What is left of kLanes outputs of a row once their products are added: the zero of the row, factors and bias.
static inline void finish(Whole sums, const ByteRows& rows, size_t row, const Linear& linear, size_t column,
                          float* matrix) {
  typedef int32_t LooseWhole __attribute__((vector_size(kLanes * sizeof(float)), aligned(4), may_alias));
  const Whole of_weights = *reinterpret_cast<const LooseWhole*>(linear.sums + column);
  const Whole products = sums - rows.zeros[row] * of_weights;
  const Lanes factors = load(linear.factors + column) * rows.factors[row];
  store(matrix + row * linear.outputs + column,
        __builtin_convertvector(products, Lanes) * factors + load(linear.bias + column));
}

// The products of kBlockRows rows with kBlockColumns outputs.
static inline void multiply_block(const ByteRows& rows, size_t row, const Linear& linear, size_t column,
                                  float* out);

// A block of weights stays near while all rows go by, and the next one is called for bit by bit meanwhile: the weights
// of all layers are more than the near caches hold.
static void multiply(const ByteRows& rows, size_t count, const Linear& linear, float* out) {
  constexpr size_t kCacheLine = 64;
  const size_t block = kBlockColumns * linear.inputs;
  const size_t share = (block * kBlockRows / count + kCacheLine) / kCacheLine * kCacheLine;
  for (size_t column = 0; column < linear.outputs; column += kBlockColumns) {
    const int8_t* next = linear.weights + column * linear.inputs + block;
    const int8_t* end = column + kBlockColumns < linear.outputs ? next + block : next;
    for (size_t row = 0; row < count; row += kBlockRows) {
      const int8_t* until = share < static_cast<size_t>(end - next) ? next + share : end;
      for (; next < until; next += kCacheLine) __builtin_prefetch(next);
      multiply_block(rows, row, linear, column, out);
    }
  }
}

static void add_and_norm(float* rows, const float* added, const Norm& norm, size_t count, size_t width) {
  for (size_t row = 0; row < count; ++row) {
    float* numbers = rows + row * width;
    if (added != nullptr) {
      const float* more = added + row * width;
      for (size_t i = 0; i < width; ++i) numbers[i] += more[i];
    }
    const float mean = sum_numbers(numbers, width) / static_cast<float>(width);
    Lanes squares[kVectors] = {};
    for (size_t at = 0; at < width; at += kSumLanes) {
      for (size_t vector = 0; vector < kVectors; ++vector) {
        const Lanes off = load(numbers + at + vector * kLanes) - mean;
        squares[vector] += off * off;
      }
    }
    const float scale = 1.0F / __builtin_sqrtf(sum_of(squares) / static_cast<float>(width) + 1e-12F);
    for (size_t i = 0; i < width; ++i) numbers[i] = (numbers[i] - mean) * scale * norm.gain[i] + norm.bias[i];
  }
}

// By the error function of Abramowitz and Stegun, 7.1.26: 1.5e-7 off at most.
static void gelu(float* numbers, size_t count) {
  for (size_t i = 0; i < count; i += kLanes) {
    const Lanes number = load(numbers + i);
    const Lanes off = larger(number, -number) * 0.70710678F;
    const Lanes t = 1.0F / (off * 0.3275911F + 1.0F);
    Lanes sum = t * 1.061405429F - 1.453152027F;
    sum = sum * t + 1.421413741F;
    sum = sum * t - 0.284496736F;
    sum = sum * t + 0.254829592F;
    const Lanes error = 1.0F - sum * t * exponential(-off * off);
    store(numbers + i, number * 0.5F * ((number < Lanes{} ? -error : error) + 1.0F));
  }
}

constexpr size_t kQueriesTogether = 4;
constexpr size_t kKeysTogether = 2 * kLanes;
constexpr size_t kValueVectors = kHeadWidth / kLanes;

// scores[query][key] of four queries with all keys, which lie with one number of all of them side by side.
static inline void score_keys(const float* const (&queries)[kQueriesTogether], const float* keys,
                              size_t padded, float* scores) {
  constexpr float kScale = 0.17677669529F;  // 1 / √32
  for (size_t key = 0; key < padded; key += kKeysTogether) {
    Lanes sums[kQueriesTogether][2] = {};
    for (size_t number = 0; number < kHeadWidth; ++number) {
      const Lanes first = load(keys + number * padded + key);
      const Lanes second = load(keys + number * padded + key + kLanes);
      for (size_t query = 0; query < kQueriesTogether; ++query) {
        const float by = queries[query][number];
        sums[query][0] += first * by;
        sums[query][1] += second * by;
      }
    }
    for (size_t query = 0; query < kQueriesTogether; ++query) {
      store(scores + query * padded + key, sums[query][0] * kScale);
      store(scores + query * padded + key + kLanes, sums[query][1] * kScale);
    }
  }
}

// Scores become shares; what they add up to.
static inline float soften(float* scores, size_t tokens, size_t padded) {
  constexpr float kNothing = -1e30F;
  for (size_t key = tokens; key < padded; ++key) scores[key] = kNothing;
  Lanes most = load(scores);
  for (size_t key = kLanes; key < padded; key += kLanes) most = larger(most, load(scores + key));
  const float top = largest_of(most);
  for (size_t key = 0; key < padded; key += kLanes)
    store(scores + key, exponential(load(scores + key) - top));
  for (size_t key = tokens; key < padded; ++key) scores[key] = 0;
  return sum_numbers(scores, padded);
}

// Queries whose values are mixed at once: as many as there are registers for.
constexpr size_t kMixesTogether = kValueVectors <= 2 ? 4 : 2;

static inline void mix_values(const float* shares, size_t padded, const float* values, size_t tokens,
                              Lanes (&sums)[kMixesTogether][kValueVectors]) {
  for (size_t key = 0; key < tokens; ++key) {
    for (size_t vector = 0; vector < kValueVectors; ++vector) {
      const Lanes value = load(values + key * kHeadWidth + vector * kLanes);
      for (size_t query = 0; query < kMixesTogether; ++query)
        sums[query][vector] += value * shares[query * padded + key];
    }
  }
}

// One head's keys with the same number of all tokens side by side, and its values one after the other: rows lie so far
// apart that they would push each other out of the cache.
static inline void gather_head(const float* key_rows, const float* value_rows, size_t stride, size_t tokens,
                               size_t padded, float* keys, float* values) {
  for (size_t token = 0; token < tokens; ++token) {
    for (size_t number = 0; number < kHeadWidth; ++number) {
      keys[number * padded + token] = key_rows[token * stride + number];
      values[token * kHeadWidth + number] = value_rows[token * stride + number];
    }
  }
  for (size_t number = 0; number < kHeadWidth; ++number) {
    for (size_t token = tokens; token < padded; ++token) keys[number * padded + token] = 0;
  }
}

static void attend(const float* rows, size_t tokens, size_t width, float* out, float* scratch) {
  const size_t stride = 3 * width;
  const size_t padded = (tokens + 31) / 32 * 32;
  float* keys = scratch;
  float* values = keys + kHeadWidth * padded;
  float* scores = values + kHeadWidth * padded;
  for (size_t head = 0; head < width; head += kHeadWidth) {
    const float* query_rows = rows + head;
    gather_head(rows + width + head, rows + 2 * width + head, stride, tokens, padded, keys, values);
    for (size_t first = 0; first < tokens; first += kQueriesTogether) {
      const float* queries[kQueriesTogether];
      for (size_t i = 0; i < kQueriesTogether; ++i)
        queries[i] = query_rows + (first + i < tokens ? first + i : tokens - 1) * stride;
      score_keys(queries, keys, padded, scores);
      float sums[kQueriesTogether];
      for (size_t i = 0; i < kQueriesTogether; ++i) sums[i] = soften(scores + i * padded, tokens, padded);
      for (size_t part = 0; part < kQueriesTogether; part += kMixesTogether) {
        Lanes mixed[kMixesTogether][kValueVectors] = {};
        mix_values(scores + part * padded, padded, values, tokens, mixed);
        for (size_t i = part; i < part + kMixesTogether && first + i < tokens; ++i) {
          float* to = out + (first + i) * width + head;
          for (size_t vector = 0; vector < kValueVectors; ++vector)
            store(to + vector * kLanes, mixed[i - part][vector] * (1.0F / sums[i]));
        }
      }
    }
  }
}

constexpr Kernels make_kernels(const char* name) {
  Kernels kernels;
  kernels.name = name;
  kernels.to_bytes = to_bytes;
  kernels.multiply = multiply;
  kernels.add_and_norm = add_and_norm;
  kernels.gelu = gelu;
  kernels.attend = attend;
  return kernels;
}
