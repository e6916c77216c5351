// Time: the clock seam, and the few calendar rules every source shares.
//
// All time goes through Clock, so that `--now` decides every byte that depends on it. Timestamps are UTC.
#pragma once

#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "core/result.h"

namespace knapsack {

struct Timestamp {
  int64_t micros = 0;  // since 1970-01-01T00:00:00Z

  int64_t seconds() const;  // rounded towards the past
  int64_t days() const;     // whole days since the epoch, rounded towards the past
  auto operator<=>(const Timestamp&) const = default;

  static Timestamp from_seconds(int64_t seconds) { return {seconds * 1'000'000}; }
};

// A calendar date and time of day, proleptic Gregorian, UTC. Returns nothing for impossible ones (month 13,
// 30 February).
std::optional<Timestamp> make_timestamp(int year, int month, int day, int hour, int minute, int second);

// "2026-11-15T08:00:00Z", fractions and numeric offsets accepted, as RFC 3339 has them. A bare date is
// midnight UTC.
Result<Timestamp> parse_rfc3339(std::string_view text);
// "2026-11-15T08:00:00Z"; fractions only where there are any.
std::string format_rfc3339(Timestamp time);

// "90s", "10m", "2h", "1d", or a bare number of minutes; in seconds. Never negative.
Result<int64_t> parse_duration(std::string_view text);

class Clock {
 public:
  virtual ~Clock() = default;
  virtual Timestamp now() const = 0;
};

class SystemClock final : public Clock {
 public:
  Timestamp now() const override;
};

// The in-memory form: stands still until told otherwise.
class FixedClock final : public Clock {
 public:
  explicit FixedClock(Timestamp now) : now_(now) {}
  Timestamp now() const override { return now_; }
  void set(Timestamp now) { now_ = now; }

 private:
  Timestamp now_;
};

}  // namespace knapsack
