// ASCII as scanners of outside text see it: by bytes, whatever the locale says.
//
// Bytes above ASCII belong to words (they are letters far more often than not) and have no case here. Pure
// functions; any thread.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>

namespace knapsack::ascii {

// What a search in a text says when it finds nothing.
inline constexpr size_t kNone = std::string_view::npos;

constexpr bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

constexpr bool is_upper(char c) {
  return c >= 'A' && c <= 'Z';
}

constexpr bool is_lower(char c) {
  return c >= 'a' && c <= 'z';
}

constexpr bool is_letter(char c) {
  return is_upper(c) || is_lower(c);
}

constexpr bool is_above(char c) {
  return static_cast<unsigned char>(c) >= 0x80;
}

constexpr bool is_letter_or_digit(char c) {
  return is_letter(c) || is_digit(c);
}

inline constexpr std::string_view kHexDigits = "0123456789abcdef";

// What a hexadecimal digit counts; -1 for anything else.
constexpr int hex_value(char c) {
  if (is_digit(c)) return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  return c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

// Whether a text is hexadecimal digits in lower case alone, this many of them: hashes are written so.
constexpr bool is_lower_hex(std::string_view text, size_t length) {
  return text.size() == length && text.find_first_not_of(kHexDigits) == kNone;
}

// What an identifier of most languages is made of.
constexpr bool is_identifier(char c) {
  return is_letter(c) || is_digit(c) || c == '_';
}

constexpr bool is_word(char c) {
  return is_identifier(c) || is_above(c);
}

constexpr bool is_blank(char c) {
  return c == ' ' || c == '\t';
}

// White space of every kind, line ends among them.
constexpr bool is_space(char c) {
  return c == ' ' || (c >= '\t' && c <= '\r');
}

constexpr char upper(char c) {
  return is_lower(c) ? static_cast<char>(c - 'a' + 'A') : c;
}

constexpr char lower(char c) {
  return is_upper(c) ? static_cast<char>(c - 'A' + 'a') : c;
}

inline std::string lower(std::string_view text) {
  std::string lowered(text);
  for (char& c : lowered) c = lower(c);
  return lowered;
}

inline std::string upper(std::string_view text) {
  std::string raised(text);
  for (char& c : raised) c = upper(c);
  return raised;
}

// Whether a text begins with a beginning that is written in lower case.
inline bool starts_with_ignoring_case(std::string_view text, std::string_view beginning) {
  return text.size() >= beginning.size() && std::equal(beginning.begin(), beginning.end(), text.begin(),
                                                       [](char a, char b) { return a == lower(b); });
}

inline bool ends_with_ignoring_case(std::string_view text, std::string_view ending) {
  return text.size() >= ending.size() &&
         starts_with_ignoring_case(text.substr(text.size() - ending.size()), ending);
}

// The digits at the start of a text.
inline std::string_view leading_digits(std::string_view text) {
  size_t end = 0;
  while (end < text.size() && is_digit(text[end])) ++end;
  return text.substr(0, end);
}

// Without white space at both ends.
inline std::string_view trim_space(std::string_view text) {
  while (!text.empty() && is_space(text.front())) text.remove_prefix(1);
  while (!text.empty() && is_space(text.back())) text.remove_suffix(1);
  return text;
}

}  // namespace knapsack::ascii

namespace knapsack {

// Without the blanks at both ends of a line. A plain loop: the library's search looks every character up in a set, and
// this runs on every line.
inline std::string_view trim(std::string_view text) {
  size_t first = 0;
  size_t last = text.size();
  while (first < last && ascii::is_blank(text[first])) ++first;
  while (last > first && ascii::is_blank(text[last - 1])) --last;
  return text.substr(first, last - first);
}

}  // namespace knapsack
