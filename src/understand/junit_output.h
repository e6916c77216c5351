// The failed test cases of a JUnit report. Private to understand/; see understand/test_output.h.
#pragma once

#include <functional>
#include <string_view>

#include "understand/test_output.h"

namespace knapsack {

// `failed` is called for each failed or erroneous test case, `error` for each line of its message and text.
void read_junit(std::string_view xml, const std::function<void(FailedTest)>& failed,
                const std::function<void(std::string_view)>& error);

}  // namespace knapsack
