// MappingGuard: a mapped file that somebody cuts short while it is read gives zeros and a mark, instead of ending the
// process.
//
// The system tells of such a read by a signal, and signals belong to the whole process: the first guard installs a
// handler, which stays. It takes the part that is gone away from under the reader and puts zeros there; a signal for
// any other reason goes where it went before. Whoever reads through a guard asks cut() afterwards and throws away what
// it made. Up to kMaxGuards live at once; those beyond guard nothing. Any thread.
#pragma once

#include <cstddef>
#include <string_view>

namespace knapsack {

inline constexpr size_t kMaxGuards = 64;

class MappingGuard {
 public:
  // All bytes of one mapping, which must outlive this.
  explicit MappingGuard(std::string_view bytes);
  ~MappingGuard();
  MappingGuard(const MappingGuard&) = delete;
  MappingGuard& operator=(const MappingGuard&) = delete;

  // Whether a part of it was gone when somebody read it.
  bool cut() const;

 private:
  size_t slot_;
};

}  // namespace knapsack
