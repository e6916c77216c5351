#include "engine/recipes/search/search_excerpt.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <vector>

#include "code/units/units.h"
#include "core/blanks.h"
#include "core/paths.h"
#include "core/split.h"
#include "text/unicode/utf8.h"

namespace knapsack {
namespace {

constexpr size_t kMaxLineCharacters = 140;
// Of one definition; what is further down is not looked at.
constexpr uint32_t kMaxLinesLookedAt = 2'000;

std::string_view trimmed_end(std::string_view line) {
  return line.substr(0, line.find_last_not_of(" \t\r\f") + 1);
}

}  // namespace

std::string code_excerpt(std::string_view file, const ExcerptPlace& place, const search::TextMatch& match) {
  const uint32_t first = place.opener != 0 ? std::min(place.opener, place.first) : place.first;
  const code::TextLines lines(file);
  const uint32_t last = std::min({place.last, first + kMaxLinesLookedAt, lines.count()});
  if (first == 0 || first > last) return "";
  const auto holds = [&](uint32_t number) { return number >= first && number <= last; };
  const auto line = [&](uint32_t number) { return lines.line(number); };
  std::set<uint32_t> shown;
  if (holds(place.opener)) shown.insert(place.opener);
  if (holds(place.match)) shown.insert(place.match);
  // Those that hold the most of the words, the first of equals.
  std::vector<std::pair<double, uint32_t>> matching;
  for (uint32_t number = first; holds(number); ++number) {
    const double coverage = match.measure("", line(number)).coverage;
    if (coverage > 0) matching.emplace_back(-coverage, number);
  }
  std::sort(matching.begin(), matching.end());
  for (const auto& [coverage, number] : matching) {
    if (shown.size() < kMaxExcerptLines) shown.insert(number);
  }
  // A name alone says little: what stands below it as well.
  for (uint32_t number = shown.empty() ? first : *shown.begin(); holds(number); ++number) {
    if (shown.size() < kMaxExcerptLines && !lines.is_blank(number)) shown.insert(number);
  }
  size_t margin = std::string_view::npos;
  for (const uint32_t number : shown) margin = std::min(margin, leading_blanks(line(number)));
  const size_t width = std::to_string(*shown.rbegin()).size();
  std::string excerpt;
  for (const uint32_t number : shown) {
    // A tab behind the number would end elsewhere than in the file.
    const std::string whole = replace_all(replace_invalid_utf8(line(number).substr(margin)), "\t", "    ");
    const std::string_view cut = first_code_points(whole, kMaxLineCharacters);
    excerpt += fmt::format("{}{:>{}}  {}{}", excerpt.empty() ? "" : "\n", number, width, trimmed_end(cut),
                           cut.size() < whole.size() ? "…" : "");
  }
  return excerpt;
}

}  // namespace knapsack
