// How far an index run is: one line that is written over, and only where somebody is looking.
#pragma once

#include <chrono>

#include "engine/engine.h"

namespace knapsack::cli {

class ProgressLine {
 public:
  ProgressLine();
  ~ProgressLine() { clear(); }
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;

  void show(const code::IndexProgress& progress);
  void clear() const;

 private:
  bool shown_;
  std::chrono::steady_clock::time_point begin_ = std::chrono::steady_clock::now();
  std::chrono::steady_clock::time_point last_ = begin_ - std::chrono::seconds(1);
};

}  // namespace knapsack::cli
