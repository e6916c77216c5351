#include "understand/message_references.h"

#include <algorithm>

#include "core/ascii.h"

namespace knapsack {
namespace {

using ascii::is_digit;
using ascii::is_word;

constexpr size_t kMaxNumberDigits = 9;  // no tracker is near a billion

// Whether a number that follows `before` is the number of an issue or pull request.
bool announces_number(std::string_view before) {
  if (before.ends_with('#')) {
    if (before.size() == 1) return true;
    // Of traces: "closure #1 in total()", "thread #12", "frame #0".
    for (const std::string_view counted : {"closure #", "thread #", "frame #"})
      if (before.ends_with(counted)) return false;
    // Not "&#8217;" (HTML), not "##1" (a heading), and not "C#7" (a language).
    const char last = before[before.size() - 2];
    const bool alone = before.size() == 2 || !is_word(before[before.size() - 3]);
    return last != '&' && last != '#' && !((last == 'C' || last == 'F') && alone);
  }
  if (ascii::ends_with_ignoring_case(before, "gh-"))
    return before.size() == 3 || !is_word(before[before.size() - 4]);
  return before.ends_with("/pull/") || before.ends_with("/issues/") || before.ends_with("/merge_requests/");
}

bool is_commit_id(std::string_view word) {
  if (word.size() < 7 || word.size() > 40) return false;
  bool digit = false, letter = false;
  for (const char c : word) {
    const char small = ascii::lower(c);
    if (is_digit(c)) {
      digit = true;
    } else if (small >= 'a' && small <= 'f') {
      letter = true;
    } else {
      return false;
    }
  }
  return digit && letter;
}

}  // namespace

std::vector<MessageReference> scan_references(std::string_view text, size_t max_references) {
  std::vector<MessageReference> found;
  const auto add = [&](MessageReference reference) {
    if (std::find(found.begin(), found.end(), reference) == found.end())
      found.push_back(std::move(reference));
  };
  for (size_t at = 0; at < text.size() && found.size() < max_references;) {
    if (!is_word(text[at])) {
      ++at;
      continue;
    }
    size_t end = at;
    while (end < text.size() && is_word(text[end])) ++end;
    const std::string_view word = text.substr(at, end - at);
    const bool number = std::all_of(word.begin(), word.end(), is_digit);
    if (number && announces_number(text.substr(0, at))) {
      const auto digits = word.substr(std::min(word.find_first_not_of('0'), word.size()));
      if (!digits.empty() && digits.size() <= kMaxNumberDigits)
        add({MessageReference::kNumber, std::string(digits)});
    } else if (is_commit_id(word)) {
      add({MessageReference::kCommit, ascii::lower(word)});
    }
    at = end;
  }
  return found;
}

}  // namespace knapsack
