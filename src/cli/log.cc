#include <fmt/format.h>
#include <unistd.h>

#include <chrono>
#include <ctime>

#include "cli/command.h"
#include "cli/progress_line.h"
#include "core/escape.h"

namespace knapsack::cli {
namespace {

// "12:34:56.789", by the clock on the wall.
std::string time_of_day() {
  const auto now = std::chrono::system_clock::now().time_since_epoch();
  const auto millis = std::chrono::duration_cast<std::chrono::milliseconds>(now).count();
  const std::time_t seconds = millis / 1000;
  std::tm local{};
  ::localtime_r(&seconds, &local);
  return fmt::format("{:02}:{:02}:{:02}.{:03}", local.tm_hour, local.tm_min, local.tm_sec, millis % 1000);
}

std::string coloured(LogLevel level) {
  const std::string_view name = to_string(level);
  if (!wants_colour(STDERR_FILENO)) return std::string(name);
  const int colour = level == LogLevel::kDebug ? 36 : 32;  // cyan, green
  return fmt::format("\033[{}m{}\033[m", colour, name);
}

}  // namespace

Result<Log> open_log(const Shared& shared) {
  KNAPSACK_TRY(const LogLevel least, parse_log_level(shared.log_level));
  return Log(least, [](LogLevel level, std::string_view line) {
    // What a person should act on looks like every other message of the program; the rest says how it went. Each line
    // is written at once, so that those of several threads do not mix.
    if (level >= LogLevel::kWarning) return note(line);
    ProgressLine::clear();
    fmt::print(stderr, "knapsack: {} {} {}\n", time_of_day(), coloured(level), escape_control(line));
  });
}

void say(const Shared& shared, LogLevel level, std::string_view line) {
  if (const auto log = open_log(shared); log.ok()) log->write(level, line);
}

}  // namespace knapsack::cli
