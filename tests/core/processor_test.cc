#include "core/processor.h"

#include <gtest/gtest.h>

namespace knapsack {
namespace {

#if defined(__x86_64__)
TEST(Processor, HasWhatTheCompilersOwnQuestionFinds) {
  __builtin_cpu_init();
  const Processor& processor = this_processor();
  EXPECT_EQ(processor.avx2, __builtin_cpu_supports("avx2") != 0);
  EXPECT_EQ(processor.avx512,
            __builtin_cpu_supports("avx512f") != 0 && __builtin_cpu_supports("avx512bw") != 0 &&
                __builtin_cpu_supports("avx512vl") != 0 && __builtin_cpu_supports("avx512dq") != 0 &&
                __builtin_cpu_supports("avx512vnni") != 0);
  EXPECT_FALSE(processor.dot_product);
}
#endif

}  // namespace
}  // namespace knapsack
