#include <spdlog/sinks/ansicolor_sink.h>
#include <spdlog/spdlog.h>
#include <unistd.h>

#include <cstdlib>
#include <mutex>

#include "cli/command.h"
#include "core/escape.h"

namespace knapsack::cli {
namespace {

spdlog::level::level_enum level_of(LogLevel level) {
  switch (level) {
    case LogLevel::kDebug:
      return spdlog::level::debug;
    case LogLevel::kInfo:
      return spdlog::level::info;
    case LogLevel::kWarning:
      return spdlog::level::warn;
    case LogLevel::kError:
      return spdlog::level::err;
    case LogLevel::kOff:
      break;
  }
  return spdlog::level::off;
}

// Made when the first line is written: most runs have nothing to say.
spdlog::logger& standard_error() {
  static spdlog::logger logger = [] {
    const bool coloured = wants_colour(STDERR_FILENO);
    const auto mode = coloured ? spdlog::color_mode::always : spdlog::color_mode::never;
    spdlog::logger made("knapsack", std::make_shared<spdlog::sinks::ansicolor_stderr_sink_mt>(mode));
    made.set_level(spdlog::level::trace);  // the level was asked for already
    made.flush_on(spdlog::level::trace);
    return made;
  }();
  return logger;
}

}  // namespace

Result<Log> open_log(const Shared& shared) {
  KNAPSACK_TRY(const LogLevel least, parse_log_level(shared.log_level));
  return Log(least, [](LogLevel level, std::string_view line) {
    // What a person should act on looks like every other message of the program; the rest says how it went.
    const bool for_everybody = level >= LogLevel::kWarning;
    static std::mutex turn;  // a server writes from several threads
    const std::lock_guard lock(turn);
    standard_error().set_pattern(for_everybody ? "knapsack: %v" : "knapsack: %T.%e %^%l%$ %v");
    standard_error().log(level_of(level), "{}", escape_control(line));
  });
}

void say(const Shared& shared, LogLevel level, std::string_view line) {
  if (const auto log = open_log(shared); log.ok()) log->write(level, line);
}

}  // namespace knapsack::cli
