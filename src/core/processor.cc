#include "core/processor.h"

#if defined(__x86_64__)
#include <cpuid.h>
#elif defined(__aarch64__)
#include <sys/auxv.h>
#endif

namespace knapsack {
namespace {

#if defined(__x86_64__)

constexpr bool has_bits(unsigned word, unsigned bits) {
  return (word & bits) == bits;
}

// Which registers the kernel saves when it changes threads; others may not be used whatever the processor can do.
unsigned saved_registers() {
  unsigned low = 0, high = 0;
  asm volatile("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
  return low;
}

Processor ask_processor() {
  constexpr unsigned kXgetbvAndAvx = 1U << 27U | 1U << 28U;
  constexpr unsigned kAvxRegisters = 0x06, kAvx512Registers = 0xe6;
  constexpr unsigned kAvx2 = 1U << 5U;
  constexpr unsigned kAvx512FDqBwVl = 1U << 16U | 1U << 17U | 1U << 30U | 1U << 31U;
  constexpr unsigned kAvx512Vnni = 1U << 11U;
  constexpr unsigned kAvxVnni = 1U << 4U;
  Processor found;
  unsigned a = 0, b = 0, c = 0, d = 0;
  if (__get_cpuid(1, &a, &b, &c, &d) == 0 || !has_bits(c, kXgetbvAndAvx)) return found;
  const unsigned saved = saved_registers();
  if (!has_bits(saved, kAvxRegisters)) return found;
  if (__get_cpuid_count(7, 0, &a, &b, &c, &d) == 0 || !has_bits(b, kAvx2)) return found;
  found.avx2 = true;
  found.avx512 = has_bits(saved, kAvx512Registers) && has_bits(b, kAvx512FDqBwVl) && has_bits(c, kAvx512Vnni);
  found.avx_vnni = __get_cpuid_count(7, 1, &a, &b, &c, &d) != 0 && has_bits(a, kAvxVnni);
  return found;
}

#elif defined(__aarch64__)

Processor ask_processor() {
  constexpr unsigned long kDotProduct = 1UL << 20U;  // HWCAP_ASIMDDP
  Processor found;
  found.dot_product = (getauxval(AT_HWCAP) & kDotProduct) != 0;
  return found;
}

#else

Processor ask_processor() {
  return {};
}

#endif

}  // namespace

const Processor& this_processor() {
  static const Processor processor = ask_processor();
  return processor;
}

}  // namespace knapsack
