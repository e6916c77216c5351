#include "core/log.h"

#include <array>
#include <string>

namespace knapsack {
namespace {

constexpr std::array<std::string_view, 5> kNames = {"debug", "info", "warning", "error", "off"};

}  // namespace

std::string_view to_string(LogLevel level) {
  return kNames[static_cast<size_t>(level)];
}

Result<LogLevel> parse_log_level(std::string_view name) {
  for (size_t i = 0; i < kNames.size(); ++i) {
    if (kNames[i] == name) return static_cast<LogLevel>(i);
  }
  return Error{ErrorCode::kUsage, "unknown log level '" + std::string(name) + "'",
               "choose debug, info, warning, error or off"};
}

}  // namespace knapsack
