// ProgressLine: one line of standard error that is written over, and only where somebody is looking.
#pragma once

#include <fmt/format.h>
#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <string_view>

#include "engine/engine.h"

namespace knapsack::cli {

class ProgressLine {
 public:
  ProgressLine() : shown_(::isatty(STDERR_FILENO) == 1) {}
  ~ProgressLine() { clear(); }
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;

  // Whether it is time for a new text; making one is not worth it otherwise.
  bool due() const { return shown_ && Clock::now() - last_ >= std::chrono::milliseconds(100); }
  void show(std::string_view text) {
    last_ = Clock::now();
    fmt::print(stderr, "\r\033[K{}", text);
    std::fflush(stderr);
  }
  void clear() const {
    if (shown_) fmt::print(stderr, "\r\033[K");
  }
  // Since it was made.
  double seconds() const { return std::chrono::duration<double>(Clock::now() - begin_).count(); }

 private:
  using Clock = std::chrono::steady_clock;
  bool shown_;
  Clock::time_point begin_ = Clock::now();
  Clock::time_point last_ = begin_ - std::chrono::seconds(1);
};

// How far an index run is: rate and time left.
void show_index_progress(ProgressLine& line, const code::IndexProgress& progress);

}  // namespace knapsack::cli
