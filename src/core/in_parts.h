// in_parts: a list of work cut into a few parts of neighbours, one a thread. Which part an entry falls into
// depends on the number of cores; what is made of it must not.
#pragma once

#include <algorithm>
#include <cstddef>

#include "core/helper_threads.h"

namespace knapsack {

inline constexpr size_t kMaxParts = 8;

// How many parts `count` entries are worth when one thread should have at least `least`.
inline size_t part_count(size_t count, size_t least) {
  const size_t cores = std::min<size_t>(core_count(), kMaxParts);
  return std::clamp<size_t>(count / std::max<size_t>(least, 1), 1, cores);
}

// Calls work(part, begin, end) for each of them; the caller's thread takes the first.
template <class Work>
void in_parts(size_t count, size_t parts, const Work& work) {
  HelperThreads others;
  for (size_t i = 1; i < parts; ++i) {
    others.run([&, i] { work(i, count * i / parts, count * (i + 1) / parts); });
  }
  work(0, 0, count / parts);
}

}  // namespace knapsack
