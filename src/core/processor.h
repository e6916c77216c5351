// What this processor computes beyond what every one of its kind does. Asked of the processor itself: the question that
// compilers have for it needs a library that not all of them bring. Thread-safe.
#pragma once

namespace knapsack {

struct Processor {
  bool avx2 = false;
  bool avx_vnni = false;     // besides avx2
  bool avx512 = false;       // F, BW, VL, DQ and VNNI, besides avx2
  bool dot_product = false;  // of Arm
};

const Processor& this_processor();

}  // namespace knapsack
