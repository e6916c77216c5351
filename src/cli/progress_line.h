// ProgressLine: one line of standard error that is written over, and only where somebody is looking.
#pragma once

#include <fmt/format.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <cstdio>
#include <string_view>

#include "cli/command.h"

namespace knapsack::cli {

class ProgressLine {
 public:
  ProgressLine() : wanted_(::isatty(STDERR_FILENO) == 1 && !is_dumb_terminal()) {}
  ~ProgressLine() { clear(); }
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;

  // Whether it is time for a new text; making one is not worth it otherwise.
  bool due() const { return wanted_ && Clock::now() - last_ >= std::chrono::milliseconds(100); }
  void show(std::string_view text) {
    last_ = Clock::now();
    there_ = true;
    fmt::print(stderr, "\r\033[K{}", text);
    std::fflush(stderr);
  }
  // Whatever else is written to standard error begins with this, or it would go on where the line ends.
  static void clear() {
    if (there_.exchange(false)) fmt::print(stderr, "\r\033[K");
  }
  // Since it was made.
  double seconds() const { return std::chrono::duration<double>(Clock::now() - begin_).count(); }

 private:
  using Clock = std::chrono::steady_clock;
  static inline std::atomic<bool> there_ = false;  // there is one standard error
  bool wanted_;
  Clock::time_point begin_ = Clock::now();
  Clock::time_point last_ = begin_ - std::chrono::seconds(1);
};

// How far an index run is: rate and time left.
void show_index_progress(ProgressLine& line, const code::IndexProgress& progress);

}  // namespace knapsack::cli
