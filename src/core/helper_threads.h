// HelperThreads: work beside the caller's own. Where the system has no thread to give, the work is done here
// and now: slower, and done. One object belongs to one thread; what it runs must not throw.
#pragma once

#include <system_error>
#include <thread>
#include <utility>
#include <vector>

namespace knapsack {

class HelperThreads {
 public:
  HelperThreads() = default;
  ~HelperThreads() { join(); }
  HelperThreads(const HelperThreads&) = delete;
  HelperThreads& operator=(const HelperThreads&) = delete;

  // False where there is no thread; then nothing was run.
  template <class Work>
  bool start(const Work& work) {
    threads_.reserve(threads_.size() + 1);  // so that nothing fails once the thread is there
    try {
      threads_.emplace_back(work);
    } catch (const std::system_error&) {
      return false;
    }
    return true;
  }

  template <class Work>
  void run(const Work& work) {
    if (!start(work)) work();
  }

  void join() {
    for (std::thread& thread : threads_) thread.join();
    threads_.clear();
  }

 private:
  std::vector<std::thread> threads_;
};

}  // namespace knapsack
