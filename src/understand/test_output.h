// What a test run printed, as far as it tells which tests failed, and why and where.
//
// Reads pytest, unittest, go test, cargo test, jest and vitest, googletest under ctest or alone, and JUnit's
// XML, which most others can write. Formats may be mixed in one text, as build logs mix them. Reads whatever
// it is given in one pass and stops at limits, not at errors. Pure; any thread.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace knapsack {

struct FailedTest {
  std::string name;                  // as the runner prints it
  std::string file;                  // where it stands, as the runner says; may be empty
  std::vector<std::string> symbols;  // its function, the most exact name first; may be empty
  bool operator==(const FailedTest&) const = default;
};

struct TestOutput {
  std::vector<FailedTest> failed;   // in the order of the text, each once
  std::vector<std::string> errors;  // lines that say what went wrong and where, each once
  size_t more = 0;                  // failed tests beyond the limit
};

inline constexpr size_t kMaxFailedTests = 50;

TestOutput read_test_output(std::string_view text);

}  // namespace knapsack
