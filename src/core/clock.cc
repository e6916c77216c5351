#include "core/clock.h"

#include <fmt/format.h>

#include <array>
#include <chrono>

#include "core/ascii.h"

namespace knapsack {
namespace {

constexpr int64_t kSecondsPerDay = 86'400;
constexpr int64_t kMicrosPerSecond = 1'000'000;

int64_t floor_div(int64_t a, int64_t b) {
  return a / b - ((a % b != 0 && (a % b < 0) != (b < 0)) ? 1 : 0);
}

bool leap(int year) {
  return (year % 4 == 0 && year % 100 != 0) || year % 400 == 0;
}

int days_in_month(int year, int month) {
  static constexpr std::array<int, 12> kDays = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
  return month == 2 && leap(year) ? 29 : kDays[static_cast<size_t>(month - 1)];
}

// Reads exactly `count` digits at `at` and moves past them; -1 where there are not that many.
int digits(std::string_view text, size_t& at, int count) {
  int value = 0;
  for (int i = 0; i < count; ++i, ++at) {
    if (at >= text.size() || !ascii::is_digit(text[at])) return -1;
    value = value * 10 + (text[at] - '0');
  }
  return value;
}

bool skip(std::string_view text, size_t& at, std::string_view any_of) {
  if (at >= text.size() || any_of.find(text[at]) == std::string_view::npos) return false;
  ++at;
  return true;
}

Error bad_time(std::string_view text) {
  return {ErrorCode::kUsage, fmt::format("'{}' is not an RFC 3339 time", text),
          "write it like 2026-11-15T08:00:00Z"};
}

}  // namespace

int64_t Timestamp::seconds() const {
  return floor_div(micros, kMicrosPerSecond);
}
int64_t Timestamp::days() const {
  return floor_div(seconds(), kSecondsPerDay);
}

std::optional<Timestamp> make_timestamp(int year, int month, int day, int hour, int minute, int second) {
  if (year < 1 || year > 9999 || month < 1 || month > 12 || day < 1 || day > days_in_month(year, month)) {
    return std::nullopt;
  }
  // 60 is a leap second; it is counted as the second before it.
  if (hour < 0 || hour > 23 || minute < 0 || minute > 59 || second < 0 || second > 60) return std::nullopt;
  const auto date = std::chrono::year(year) / std::chrono::month(static_cast<unsigned>(month)) /
                    std::chrono::day(static_cast<unsigned>(day));
  const int64_t day_number = std::chrono::sys_days(date).time_since_epoch().count();
  return Timestamp::from_seconds(day_number * kSecondsPerDay + int64_t{hour} * 3600 + int64_t{minute} * 60 +
                                 std::min(second, 59));
}

Result<Timestamp> parse_rfc3339(std::string_view text) {
  size_t at = 0;
  const int year = digits(text, at, 4);
  if (year < 0 || !skip(text, at, "-")) return bad_time(text);
  const int month = digits(text, at, 2);
  if (month < 0 || !skip(text, at, "-")) return bad_time(text);
  const int day = digits(text, at, 2);
  if (day < 0) return bad_time(text);
  int hour = 0, minute = 0, second = 0;
  int64_t fraction = 0, offset = 0;
  if (at < text.size()) {
    if (!skip(text, at, "Tt ")) return bad_time(text);
    hour = digits(text, at, 2);
    if (hour < 0 || !skip(text, at, ":")) return bad_time(text);
    minute = digits(text, at, 2);
    if (minute < 0 || !skip(text, at, ":")) return bad_time(text);
    second = digits(text, at, 2);
    if (second < 0) return bad_time(text);
    if (skip(text, at, ".")) {
      const size_t first = at;
      for (int64_t unit = kMicrosPerSecond / 10; at < text.size() && ascii::is_digit(text[at]); ++at) {
        fraction += unit * (text[at] - '0');
        unit /= 10;
      }
      if (at == first) return bad_time(text);
    }
    if (!skip(text, at, "Zz")) {
      const bool east = at < text.size() && text[at] == '+';
      if (!skip(text, at, "+-")) return bad_time(text);
      const int hours = digits(text, at, 2);
      if (hours < 0 || hours > 23 || !skip(text, at, ":")) return bad_time(text);
      const int minutes = digits(text, at, 2);
      if (minutes < 0 || minutes > 59) return bad_time(text);
      offset = (int64_t{hours} * 3600 + int64_t{minutes} * 60) * (east ? 1 : -1);
    }
  }
  const auto local = make_timestamp(year, month, day, hour, minute, second);
  if (!local || at != text.size()) return bad_time(text);
  return Timestamp{local->micros - offset * kMicrosPerSecond + fraction};
}

std::string format_rfc3339(Timestamp time) {
  const int64_t day_number = time.days();
  const std::chrono::year_month_day date{std::chrono::sys_days(std::chrono::days(day_number))};
  const int64_t in_day = time.seconds() - day_number * kSecondsPerDay;
  std::string text = fmt::format("{:04}-{:02}-{:02}T{:02}:{:02}:{:02}", static_cast<int>(date.year()),
                                 static_cast<unsigned>(date.month()), static_cast<unsigned>(date.day()),
                                 in_day / 3600, in_day / 60 % 60, in_day % 60);
  if (const int64_t fraction = time.micros - time.seconds() * kMicrosPerSecond; fraction != 0) {
    text += fmt::format(".{:06}", fraction);
  }
  return text + "Z";
}

Result<int64_t> parse_duration(std::string_view text) {
  int64_t value = 0;
  size_t at = 0;
  while (at < text.size() && at < 9 && ascii::is_digit(text[at])) value = value * 10 + (text[at++] - '0');
  const std::string_view unit = text.substr(at);
  int64_t seconds = 0;
  if (unit == "s") seconds = 1;
  if (unit == "m" || unit.empty()) seconds = 60;
  if (unit == "h") seconds = 3600;
  if (unit == "d") seconds = kSecondsPerDay;
  if (at == 0 || seconds == 0) {
    return Error{ErrorCode::kUsage, fmt::format("'{}' is not a duration", text),
                 "write a number with s, m, h or d, like 10m"};
  }
  return value * seconds;
}

Timestamp SystemClock::now() const {
  const auto since = std::chrono::system_clock::now().time_since_epoch();
  return {std::chrono::duration_cast<std::chrono::microseconds>(since).count()};
}

}  // namespace knapsack
