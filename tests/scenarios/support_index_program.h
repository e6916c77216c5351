// Running `knapsack index` and its views as processes of their own: at once, killed, limited and measured.
#pragma once

#include <sys/types.h>

#include <functional>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "support/repository_git.h"
#include "support/support.h"

namespace knapsack::testing {

// How a process ended and what it cost.
struct Outcome {
  int exit_code = 0;  // or 128 + the signal that ended it
  std::string out;
  std::string err;
  double seconds = 0;
  uint64_t peak_bytes = 0;  // the most memory that it held
};

// One that was started and not waited for yet. Its output goes to files, so nobody has to read along.
class RunningProgram {
 public:
  // `prepare` runs in the child before the program does.
  RunningProgram(std::vector<std::string> arguments, const std::string& folder,
                 const std::function<void()>& prepare = {});
  ~RunningProgram();
  RunningProgram(const RunningProgram&) = delete;
  RunningProgram& operator=(const RunningProgram&) = delete;

  pid_t process() const { return process_; }
  bool running();
  void kill_now();
  // Kills it after `limit` seconds.
  Outcome finish(double limit = 120);

 private:
  bool reap(bool block);

  pid_t process_ = -1;
  int out_ = -1, err_ = -1;
  double began_ = 0;
  bool reaped_ = false;
  Outcome outcome_;
};

Outcome run_measured(const std::vector<std::string>& arguments, const std::string& folder,
                     const std::function<void()>& prepare = {});

// `knapsack index ARGUMENTS --format json`; fails the test when that fails.
nlohmann::json index_report(const std::string& workspace, const std::vector<std::string>& arguments = {});
// The dump of a snapshot that must be there.
std::string dump_of(const std::string& workspace, const std::string& snapshot = "work tree",
                    const std::vector<std::string>& words = {"the", "test", "total", "return"});
// The dump of an index that was built from nothing for this; the one that is there stays as it is.
std::string fresh_dump(const std::string& workspace, const std::vector<std::string>& arguments = {},
                       const std::string& snapshot = "work tree",
                       const std::vector<std::string>& words = {"the", "test", "total", "return"});
// All notes of a report, one a line.
std::string notes_of(const nlohmann::json& report);

// Refused: nothing on standard output, one line that says all of `says` on standard error.
void expect_refusal(const Outcome& outcome, int exit_code, const std::vector<std::string>& says);

}  // namespace knapsack::testing

// Shows the first difference instead of two long texts.
#define EXPECT_SAME_DUMP(expected, actual)                                              \
  do {                                                                                  \
    const std::string& same_dump_expected = (expected);                                 \
    const std::string& same_dump_actual = (actual);                                     \
    EXPECT_TRUE(same_dump_expected == same_dump_actual)                                 \
        << ::knapsack::testing::first_difference(same_dump_expected, same_dump_actual); \
  } while (false)
