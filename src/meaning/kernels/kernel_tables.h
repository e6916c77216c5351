// The kernels of each set of instructions, as far as they were compiled. Private to meaning/kernels/.
#pragma once

#include "meaning/kernels/kernels.h"

namespace knapsack::meaning {

extern const Kernels kPortableKernels;
#if defined(__x86_64__)
extern const Kernels kAvx2Kernels, kAvxVnniKernels, kAvx512Kernels;
#elif defined(__aarch64__)
extern const Kernels kNeonKernels;
#endif

}  // namespace knapsack::meaning
