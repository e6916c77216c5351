#include "core/clock.h"

#include "support/support.h"

namespace knapsack {
namespace {

TEST(Clock, ReadsAndPrintsRfc3339) {
  const std::pair<const char*, const char*> cases[] = {
      {"2026-11-15T08:00:00Z", "2026-11-15T08:00:00Z"},
      {"2026-11-15t08:00:00z", "2026-11-15T08:00:00Z"},
      {"2026-11-15T08:00:00+02:30", "2026-11-15T05:30:00Z"},
      {"2026-11-15", "2026-11-15T00:00:00Z"},
      {"1969-12-31T23:59:59.5Z", "1969-12-31T23:59:59.500000Z"},
      {"2024-02-29T00:00:00Z", "2024-02-29T00:00:00Z"},
  };
  for (const auto& [text, expected] : cases) {
    const auto time = parse_rfc3339(text);
    ASSERT_OK(time);
    EXPECT_EQ(format_rfc3339(*time), expected) << text;
  }
}

TEST(Clock, RefusesWhatIsNotATime) {
  for (const char* text :
       {"", "now", "2026-13-01", "2026-02-29", "2026-11-15T", "2026-11-15T08:00:00", "2026-11-15T25:00:00Z",
        "2026-11-15T08:00:00Zjunk", "2026-11-15T08:00:00.Z", "-026-11-15"}) {
    EXPECT_FALSE(parse_rfc3339(text).ok()) << text;
  }
}

TEST(Clock, ReadsDurations) {
  EXPECT_EQ(*parse_duration("10m"), 600);
  EXPECT_EQ(*parse_duration("10"), 600);
  EXPECT_EQ(*parse_duration("0"), 0);
  EXPECT_EQ(*parse_duration("90s"), 90);
  EXPECT_EQ(*parse_duration("2h"), 7200);
  EXPECT_EQ(*parse_duration("1d"), 86400);
  for (const char* text : {"", "m", "-1m", "1w", "1.5h", "ten"})
    EXPECT_FALSE(parse_duration(text).ok()) << text;
}

}  // namespace
}  // namespace knapsack
