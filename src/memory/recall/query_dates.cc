#include "memory/recall/query_dates.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <string>

#include "core/clock.h"
#include "text/words/words.h"

namespace knapsack::memory {
namespace {

// From the measured recipe, see docs/scoring.md.
constexpr double kOnDay = 1, kInMonth = 0.5, kNearDay = 0.3, kAfterMonth = 0.2;
constexpr int64_t kNearDays = 10;

constexpr std::array<std::string_view, 12> kMonths = {"january",   "february", "march",    "april",
                                                      "may",       "june",     "july",     "august",
                                                      "september", "october",  "november", "december"};
// What all cases of the Russian names begin with; at most three letters follow.
constexpr std::array<std::string_view, 12> kRussianMonths = {"январ",   "феврал", "март",  "апрел",
                                                             "май",     "июн",    "июл",   "август",
                                                             "сентябр", "октябр", "ноябр", "декабр"};
constexpr std::array<std::string_view, 4> kRussianMay = {"май", "мая", "мае", "маю"};
constexpr size_t kRussianEnding = 6;  // in bytes

constexpr std::array<std::string_view, 12> kBeforeMonth = {"in",   "of",  "during", "since", "by", "early",
                                                           "late", "mid", "last",   "this",  "в",  "с"};

struct Token {
  std::string text;
  size_t begin = 0, end = 0;
  int day = 0;    // 1 to 31, else 0
  int month = 0;  // 1 to 12, else 0
  int year = 0;
  bool short_month = false;  // "mar": a month only where a year says so
};

int number_of(std::string_view text) {
  int value = 0;
  const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), value);
  return problem == std::errc() && end == text.data() + text.size() ? value : 0;
}

int month_of(std::string_view word) {
  for (size_t i = 0; i < kMonths.size(); ++i) {
    if (word == kMonths[i]) return static_cast<int>(i) + 1;
    const std::string_view russian = kRussianMonths[i];
    if (i == 4) {
      if (std::find(kRussianMay.begin(), kRussianMay.end(), word) != kRussianMay.end()) return 5;
    } else if (word.starts_with(russian) && word.size() <= russian.size() + kRussianEnding) {
      return static_cast<int>(i) + 1;
    }
  }
  return 0;
}

int short_month_of(std::string_view word) {
  if (word == "sept") return 9;
  if (word.size() != 3) return 0;
  for (size_t i = 0; i < kMonths.size(); ++i) {
    if (kMonths[i].starts_with(word)) return static_cast<int>(i) + 1;
  }
  return 0;
}

void classify(Token& token) {
  std::string_view digits = token.text;
  if (digits.size() > 2 && digits.size() <= 4) {
    for (const std::string_view ending : {"st", "nd", "rd", "th"}) {
      if (digits.ends_with(ending)) digits.remove_suffix(2);
    }
  }
  const int number = number_of(digits);
  if (digits.size() <= 2 && number >= 1 && number <= 31) token.day = number;
  if (token.text.size() == 4 && number >= 1000) token.year = number;
  token.month = month_of(token.text);
  if (token.month != 0) return;
  token.month = short_month_of(token.text);
  token.short_month = token.month != 0;
}

class DateReader {
 public:
  DateReader(std::string_view text, std::span<const int> years) : text_(text), years_(years) {
    WordOptions whole;
    whole.emit_parts = false;
    WordReader reader(text, whole);
    for (Word word; reader.next(word);) {
      Token& token = tokens_.emplace_back(Token{std::string(word.text), word.begin, word.end});
      classify(token);
    }
  }

  FoundDates run() {
    for (size_t at = 0; at < tokens_.size();) {
      const size_t taken = read_date(at);
      if (taken > 0) found_.places.push_back({tokens_[at].begin, tokens_[at + taken - 1].end});
      at += std::max<size_t>(taken, 1);
    }
    return std::move(found_);
  }

 private:
  // How many tokens the date takes that begins here; the longest reading wins.
  size_t read_date(size_t at) {
    const Token& token = tokens_[at];
    if (token.year != 0 && is_iso(at)) return 3;
    const size_t behind_of = next_is(at, "of") ? at + 2 : at + 1;
    if (token.day != 0 && month_at(behind_of)) {
      const Token& month = tokens_[behind_of];
      if (year_at(behind_of + 1))
        return add(token.day, month.month, {&tokens_[behind_of + 1].year, 1}, behind_of + 2 - at);
      if (!month.short_month) return add(token.day, month.month, years_, behind_of + 1 - at);
    }
    if (token.month != 0) {
      if (day_at(at + 1) && year_at(at + 2))
        return add(tokens_[at + 1].day, token.month, {&tokens_[at + 2].year, 1}, 3);
      if (year_at(behind_of)) return add(0, token.month, {&tokens_[behind_of].year, 1}, behind_of + 1 - at);
      if (day_at(at + 1) && !token.short_month) return add(tokens_[at + 1].day, token.month, years_, 2);
    }
    const bool before_month =
        std::find(kBeforeMonth.begin(), kBeforeMonth.end(), token.text) != kBeforeMonth.end();
    // "in May 2023" and "of 5 May" are read from the next token on.
    if (before_month && month_at(at + 1) && !tokens_[at + 1].short_month && !day_at(at + 2) &&
        !year_at(at + 2) && !(next_is(at + 1, "of") && year_at(at + 3)))
      return add(0, tokens_[at + 1].month, years_, 2);
    return 0;
  }

  bool joined(size_t at) const {  // with the token before it
    if (at == 0 || at >= tokens_.size()) return false;
    const std::string_view between =
        text_.substr(tokens_[at - 1].end, tokens_[at].begin - tokens_[at - 1].end);
    return between.size() <= 3 && between.find_first_not_of(" .,") == std::string_view::npos;
  }
  bool next_is(size_t at, std::string_view word) const {
    return joined(at + 1) && tokens_[at + 1].text == word;
  }
  bool month_at(size_t at) const { return joined(at) && tokens_[at].month != 0; }
  bool day_at(size_t at) const { return joined(at) && tokens_[at].day != 0; }
  bool year_at(size_t at) const { return joined(at) && tokens_[at].year != 0; }

  bool is_iso(size_t at) {
    if (at + 2 >= tokens_.size()) return false;
    const auto dash = [&](size_t i) {
      return text_.substr(tokens_[i].end, tokens_[i + 1].begin - tokens_[i].end) == "-";
    };
    if (!dash(at) || !dash(at + 1) || tokens_[at + 1].day == 0 || tokens_[at + 2].day == 0) return false;
    if (tokens_[at + 1].day > 12) return false;
    add(tokens_[at + 2].day, tokens_[at + 1].day, {&tokens_[at].year, 1}, 3);
    return true;
  }

  size_t add(int day, int month, std::span<const int> years, size_t tokens) {
    for (const int year : years) {
      const auto first = make_timestamp(year, month, day == 0 ? 1 : day, 0, 0, 0);
      const auto next = make_timestamp(month == 12 ? year + 1 : year, month % 12 + 1, 1, 0, 0, 0);
      if (!first || !next) continue;
      found_.ranges.push_back({first->days(), day == 0 ? next->days() - 1 : first->days(), day != 0});
    }
    return tokens;
  }

  std::string_view text_;
  std::span<const int> years_;
  std::vector<Token> tokens_;
  FoundDates found_;
};

}  // namespace

bool FoundDates::covers(size_t begin, size_t end) const {
  // The last that does not begin behind it: they do not overlap.
  const auto behind = std::upper_bound(places.begin(), places.end(), begin,
                                       [](size_t at, const Place& place) { return at < place.begin; });
  return behind != places.begin() && end <= std::prev(behind)->end;
}

FoundDates find_dates(std::string_view text, std::span<const int> years) {
  return DateReader(text, years).run();
}

double date_fit(std::span<const DateRange> ranges, int64_t day) {
  double best = 0;
  for (const DateRange& range : ranges) {
    if (range.first_day <= day && day <= range.last_day) {
      best = std::max(best, range.one_day ? kOnDay : kInMonth);
    } else if (range.one_day && std::abs(day - range.first_day) <= kNearDays) {
      best = std::max(best, kNearDay);
    } else if (!range.one_day && day > range.last_day && day - range.last_day <= kNearDays) {
      best = std::max(best, kAfterMonth);
    }
  }
  return best;
}

}  // namespace knapsack::memory
