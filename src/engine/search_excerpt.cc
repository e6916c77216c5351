#include "engine/search_excerpt.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <vector>

#include "text/utf8.h"

namespace knapsack {
namespace {

constexpr size_t kMaxLineCharacters = 140;
// Of one definition; what is further down is not looked at.
constexpr uint32_t kMaxLinesLookedAt = 2'000;

std::vector<std::string_view> lines_of(std::string_view text, uint32_t first, uint32_t last) {
  std::vector<std::string_view> lines;
  uint32_t number = 1;
  for (size_t at = 0; at < text.size() && number <= last; ++number) {
    const size_t end = std::min(text.find('\n', at), text.size());
    if (number >= first) lines.push_back(text.substr(at, end - at));
    at = end + 1;
  }
  return lines;
}

size_t indentation(std::string_view line) {
  return std::min(line.find_first_not_of(" \t"), line.size());
}

// A tab behind a line's number would end elsewhere than in the file.
std::string with_spaces(std::string_view line) {
  std::string spaced;
  for (const char c : line) {
    if (c == '\t') {
      spaced += "    ";
    } else {
      spaced += c;
    }
  }
  return spaced;
}

std::string_view trimmed_end(std::string_view line) {
  return line.substr(0, line.find_last_not_of(" \t\r\f") + 1);
}

}  // namespace

std::string code_excerpt(std::string_view file, const ExcerptPlace& place, const search::TextMatch& match) {
  const uint32_t first = place.opener != 0 ? std::min(place.opener, place.first) : place.first;
  const auto lines = lines_of(file, first, std::min(place.last, first + kMaxLinesLookedAt));
  if (lines.empty()) return "";
  const auto holds = [&](uint32_t number) { return number >= first && number - first < lines.size(); };
  const auto line = [&](uint32_t number) { return lines[number - first]; };
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
    if (shown.size() < kMaxExcerptLines && !trimmed_end(line(number)).empty()) shown.insert(number);
  }
  size_t margin = std::string_view::npos;
  for (const uint32_t number : shown) margin = std::min(margin, indentation(line(number)));
  const size_t width = std::to_string(*shown.rbegin()).size();
  std::string excerpt;
  for (const uint32_t number : shown) {
    const std::string whole = with_spaces(replace_invalid_utf8(line(number).substr(margin)));
    const std::string_view cut = first_code_points(whole, kMaxLineCharacters);
    excerpt += fmt::format("{}{:>{}}  {}{}", excerpt.empty() ? "" : "\n", number, width, trimmed_end(cut),
                           cut.size() < whole.size() ? "…" : "");
  }
  return excerpt;
}

}  // namespace knapsack
