#include "meaning/kernels/kernel_choice.h"

#include "core/processor.h"
#include "meaning/kernels/kernel_tables.h"

namespace knapsack::meaning {
namespace {

std::vector<const Kernels*> look_at_processor() {
  std::vector<const Kernels*> kernels;
#if defined(__x86_64__)
  const Processor& processor = this_processor();
  if (processor.avx512) kernels.push_back(&kAvx512Kernels);
  if (processor.avx_vnni) kernels.push_back(&kAvxVnniKernels);
  if (processor.avx2) kernels.push_back(&kAvx2Kernels);
#elif defined(__aarch64__)
  if (this_processor().dot_product) kernels.push_back(&kNeonKernels);
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
