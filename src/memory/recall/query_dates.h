// Dates that a question names: "on 8 May 2023", "in July", "5 мая", "2023-05-08".
//
// A month without a year means that month of each year that there are memories of. "May" and "March" are only
// months beside a day, a year or a preposition. English and Russian. A pure function; linear time.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace knapsack::memory {

// Days since the epoch, both included.
struct DateRange {
  int64_t first_day = 0;
  int64_t last_day = 0;
  bool one_day = false;  // false: a whole month
  bool operator==(const DateRange&) const = default;
};

struct FoundDates {
  struct Place {
    size_t begin = 0;  // in bytes
    size_t end = 0;
  };
  std::vector<DateRange> ranges;
  std::vector<Place> places;  // what of the text is dates, in its order: no words to search for

  bool covers(size_t begin, size_t end) const;
};

// `years`: those that a date without one may lie in.
FoundDates find_dates(std::string_view text, std::span<const int> years);

// How well a day fits: 1 for a named day, 0.5 in a named month, 0.3 within ten days of a named day, 0.2 up to
// ten days after a named month, when what happened in it is talked about; else 0.
double date_fit(std::span<const DateRange> ranges, int64_t day);

}  // namespace knapsack::memory
