// Work in a process of its own, with a deadline.
//
// Whatever the work does (hangs, crashes, runs out of memory, never stops reading), the caller goes on in
// time: at the deadline the child is killed, which the stores survive at any instruction. Call before any
// thread is started.
#pragma once

#include <chrono>
#include <functional>
#include <map>
#include <string>

namespace knapsack::cli {

// The child's end: what it wants the caller to know, piece by piece.
class Report {
 public:
  explicit Report(int descriptor) : descriptor_(descriptor) {}
  // A later value of a key replaces an earlier one. "deadline_ms", counted from the start, moves the
  // deadline.
  void say(const std::string& key, const std::string& value) const;

 private:
  int descriptor_;
};

struct Supervised {
  std::map<std::string, std::string> said;
  std::string problem;  // why the work did not come to its end; empty when it did
};

// `heard` is called in the caller's process for each thing that is said, as soon as it arrives.
Supervised supervise(std::chrono::milliseconds deadline, const std::function<void(const Report&)>& work,
                     const std::function<void(const std::string& key, const std::string& value)>& heard);

}  // namespace knapsack::cli
