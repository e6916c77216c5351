// Dot products of vectors of floats or of small whole numbers: what a search by meaning spends its time on.
//
// Each has a plain form, which says what is meant, and one that works on several numbers at once. Both add in
// the same order, so they give the same bits and a ranking does not depend on the machine. Pure; any thread.
#pragma once

#include <cstddef>
#include <cstdint>

namespace knapsack::search {

enum class Arithmetic : uint8_t {
  kPlain,  // one number after the other: the reference
  kLanes,  // several at once, with the widest registers that the processor has
};

// Partial sums that are kept side by side and added up at the end.
inline constexpr size_t kFloatLanes = 16;

float dot_product(const float* a, const float* b, size_t size, Arithmetic arithmetic = Arithmetic::kLanes);

// The numbers lie in −127…127 and `size` is at most kMaxWholeSize: then no sum overflows.
inline constexpr size_t kMaxWholeSize = 65'536;
int32_t dot_product(const int8_t* a, const int8_t* b, size_t size,
                    Arithmetic arithmetic = Arithmetic::kLanes);

}  // namespace knapsack::search
