// Child processes that work on a ledger and report over a pipe what was acknowledged to them.
#pragma once

#include <sys/types.h>

#include <functional>
#include <string>
#include <vector>

namespace knapsack::testing {

// Says one line to the parent; a line that was said survives the child being killed right after.
using Report = std::function<void(const std::string& line)>;

class ChildProcess {
 public:
  // Runs `work` in a forked child, which then exits with 0, or with 1 where `work` returned false.
  explicit ChildProcess(const std::function<bool(const Report&)>& work);
  ~ChildProcess();
  ChildProcess(const ChildProcess&) = delete;
  ChildProcess& operator=(const ChildProcess&) = delete;

  // Blocks until the child says something or is gone; false when it is gone.
  bool wait_for_line();
  void kill_now();
  // Waits for its end and returns everything it said, each line in turn.
  std::vector<std::string> finish();
  bool succeeded() const { return succeeded_; }

 private:
  bool read_some();

  pid_t process_ = -1;
  int pipe_ = -1;
  std::string said_;
  bool succeeded_ = false;
};

}  // namespace knapsack::testing
