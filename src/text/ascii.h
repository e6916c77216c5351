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

inline bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

inline bool is_upper(char c) {
  return c >= 'A' && c <= 'Z';
}

inline bool is_lower(char c) {
  return c >= 'a' && c <= 'z';
}

inline bool is_letter(char c) {
  return is_upper(c) || is_lower(c);
}

inline bool is_above(char c) {
  return static_cast<unsigned char>(c) >= 0x80;
}

// What an identifier of most languages is made of.
inline bool is_identifier(char c) {
  return is_letter(c) || is_digit(c) || c == '_';
}

inline bool is_word(char c) {
  return is_identifier(c) || is_above(c);
}

inline bool is_blank(char c) {
  return c == ' ' || c == '\t';
}

inline char lower(char c) {
  return is_upper(c) ? static_cast<char>(c - 'A' + 'a') : c;
}

inline std::string lower(std::string_view text) {
  std::string lowered(text);
  for (char& c : lowered) c = lower(c);
  return lowered;
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

}  // namespace knapsack::ascii
