#include "code/message_references.h"

#include <algorithm>

namespace knapsack {
namespace {

constexpr size_t kMaxNumberDigits = 9;  // no tracker is near a billion

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

bool is_word(char c) {
  return is_digit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' ||
         static_cast<unsigned char>(c) >= 0x80;
}

char lower(char c) {
  return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

bool ends_with_word(std::string_view text, std::string_view ending) {
  if (text.size() < ending.size()) return false;
  const auto tail = text.substr(text.size() - ending.size());
  return std::equal(tail.begin(), tail.end(), ending.begin(), [](char a, char b) { return lower(a) == b; });
}

// Whether a number that follows `before` is the number of an issue or pull request.
bool announces_number(std::string_view before) {
  if (before.ends_with('#')) {
    // Not "&#8217;" (HTML) and not "##1" (a heading).
    return before.size() == 1 || (before[before.size() - 2] != '&' && before[before.size() - 2] != '#');
  }
  if (ends_with_word(before, "gh-")) return before.size() == 3 || !is_word(before[before.size() - 4]);
  return before.ends_with("/pull/") || before.ends_with("/issues/") || before.ends_with("/merge_requests/");
}

bool is_commit_id(std::string_view word) {
  if (word.size() < 7 || word.size() > 40) return false;
  bool digit = false, letter = false;
  for (const char c : word) {
    const char small = lower(c);
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
      std::string id(word);
      std::transform(id.begin(), id.end(), id.begin(), lower);
      add({MessageReference::kCommit, std::move(id)});
    }
    at = end;
  }
  return found;
}

}  // namespace knapsack
