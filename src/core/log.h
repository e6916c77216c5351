// Log: what a run says of itself while it works, for people who watch it. Never part of a result.
//
// The library writes lines; whoever opened the engine decides from which level on they go anywhere, and
// where. Check wants() before a line that is dear to make. Any thread may write if the sink allows it.
#pragma once

#include <functional>
#include <string_view>
#include <utility>

#include "core/result.h"

namespace knapsack {

enum class LogLevel { kDebug, kInfo, kWarning, kError, kOff };

std::string_view to_string(LogLevel level);
// "debug", "info", "warning", "error" or "off"; anything else is a usage error that lists these.
Result<LogLevel> parse_log_level(std::string_view name);

class Log {
 public:
  using Sink = std::function<void(LogLevel, std::string_view)>;

  Log() = default;  // writes nothing
  Log(LogLevel least, Sink sink) : least_(least), sink_(std::move(sink)) {}

  bool wants(LogLevel level) const { return level >= least_ && level != LogLevel::kOff && sink_ != nullptr; }
  void write(LogLevel level, std::string_view line) const {
    if (wants(level)) sink_(level, line);
  }

 private:
  LogLevel least_ = LogLevel::kOff;
  Sink sink_;
};

}  // namespace knapsack
