// What several test folders share: temporary folders, running the program, and matchers for Result.
#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <string>
#include <vector>

#include "core/result.h"

namespace knapsack::testing {

// A folder of its own that is removed with everything in it.
class TemporaryFolder {
 public:
  TemporaryFolder();
  ~TemporaryFolder();
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;

  const std::string& path() const { return path_; }
  std::string file(const std::string& name) const { return path_ + "/" + name; }
  // Writes a file, creating the folders above it.
  void write(const std::string& name, const std::string& bytes) const;
  std::string read(const std::string& name) const;
  bool exists(const std::string& name) const;

 private:
  std::string path_;
};

struct ProgramResult {
  int exit_code = 0;  // or 128 + the signal that ended it
  std::string out;
  std::string err;
};

// Runs a program in `folder`, with `input` on standard input and `environment` on top of a clean one. Never
// through a shell. Ends it after 60 s, which the tests then see as exit code 128 + 9.
ProgramResult run_command(const std::vector<std::string>& words, const std::string& folder,
                          const std::map<std::string, std::string>& environment = {},
                          const std::string& input = "");
// The built program with these arguments.
ProgramResult run_program(const std::vector<std::string>& arguments, const std::string& folder,
                          const std::map<std::string, std::string>& environment = {},
                          const std::string& input = "");

// Random tests divide their number of cases by this: 1, or KNAPSACK_TEST_CASES_DIVISOR where a sanitizer
// slows them.
int cases_divisor();

std::string read_source_file(const std::string& name);  // relative to the project's root

}  // namespace knapsack::testing

#define ASSERT_OK(expression)                                                                     \
  do {                                                                                            \
    const auto& assert_ok_result = (expression);                                                  \
    ASSERT_TRUE(assert_ok_result.ok()) << #expression << ": " << assert_ok_result.error().line(); \
  } while (false)
#define EXPECT_OK(expression)                                                                     \
  do {                                                                                            \
    const auto& expect_ok_result = (expression);                                                  \
    EXPECT_TRUE(expect_ok_result.ok()) << #expression << ": " << expect_ok_result.error().line(); \
  } while (false)
