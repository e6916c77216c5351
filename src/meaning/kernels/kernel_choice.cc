#include "meaning/kernels/kernel_choice.h"

#include "meaning/kernels/kernel_tables.h"

#if defined(__x86_64__)
#include <cpuid.h>
#elif defined(__aarch64__)
#include <sys/auxv.h>
#endif

namespace knapsack::meaning {
namespace {

#if defined(__x86_64__)
// Compilers of 2022 do not know it by name.
bool has_avx_vnni() {
  unsigned a = 0, b = 0, c = 0, d = 0;
  return __get_cpuid_count(7, 1, &a, &b, &c, &d) != 0 && (a & 1U << 4U) != 0;
}
#endif

std::vector<const Kernels*> look_at_processor() {
  std::vector<const Kernels*> kernels;
#if defined(__x86_64__)
  __builtin_cpu_init();
  const bool avx2 = __builtin_cpu_supports("avx2") != 0;
  if (avx2 && __builtin_cpu_supports("avx512f") != 0 && __builtin_cpu_supports("avx512bw") != 0 &&
      __builtin_cpu_supports("avx512vl") != 0 && __builtin_cpu_supports("avx512dq") != 0 &&
      __builtin_cpu_supports("avx512vnni") != 0)
    kernels.push_back(&kAvx512Kernels);
  if (avx2 && has_avx_vnni()) kernels.push_back(&kAvxVnniKernels);
  if (avx2) kernels.push_back(&kAvx2Kernels);
#elif defined(__aarch64__)
  constexpr unsigned long kDotProduct = 1UL << 20U;  // HWCAP_ASIMDDP
  if ((getauxval(AT_HWCAP) & kDotProduct) != 0) kernels.push_back(&kNeonKernels);
#endif
  kernels.push_back(&kPortableKernels);
  return kernels;
}

}  // namespace

const std::vector<const Kernels*>& runnable_kernels() {
  static const std::vector<const Kernels*> kernels = look_at_processor();
  return kernels;
}

}  // namespace knapsack::meaning
