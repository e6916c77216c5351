#include "core/result.h"

#include "core/escape.h"

namespace knapsack {

std::string Error::line() const {
  std::string text = next.empty() ? what : what + "; " + next;
  return escape_control(text);
}

int exit_code(ErrorCode code) {
  return code == ErrorCode::kUsage || code == ErrorCode::kConfig ? 2 : 1;
}

}  // namespace knapsack
