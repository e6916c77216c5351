// Threads, and what holds where the system has none to give: nothing here ends the process then. HelperThreads work beside
// the caller, who does the work of those that are not to be had, here and now: slower, and done. A HelperThread is one that
// runs until its owner is done with it; starting it may fail, and its owner says what holds then. One object belongs to
// one thread; what it runs must not throw. No other file starts threads (tests/repository_order.py).
#pragma once

#include <algorithm>
#include <string>
#include <string_view>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

#include "core/result.h"

namespace knapsack {

// How many threads have a core each; where the system does not tell, one.
inline unsigned core_count() {
  return std::max(1U, std::thread::hardware_concurrency());
}

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

// Asked to stop and waited for when it goes; work that takes a std::stop_token hears of it.
class HelperThread {
 public:
  // Once. `purpose` completes "no thread for …" where there is none; then nothing was run.
  template <class Work>
  Status start(std::string_view purpose, Work work) {
    try {
      thread_ = std::jthread(std::move(work));
    } catch (const std::system_error& problem) {
      return Error{ErrorCode::kIo, "no thread for " + std::string(purpose) + ": " + problem.what(),
                   "end other programs of this user, or allow more (`ulimit -u`)"};
    }
    return ok_status();
  }

  void join() {
    if (thread_.joinable()) thread_.join();
  }
  // It goes on alone: all that it touches must be its own, or be waited for in another way.
  void leave() { thread_.detach(); }

 private:
  std::jthread thread_;
};

}  // namespace knapsack
