#include "text/unicode/visible_text.h"

#include <fmt/format.h>

#include <cstring>
#include <nlohmann/json.hpp>

#include "text/unicode/utf8.h"

namespace knapsack {
namespace {

constexpr char32_t kControlPictures = 0x2400;
constexpr char32_t kPictureOfDelete = 0x2421;

// Breaks a line, drives a terminal or turns the direction of writing, and is no control character of ASCII.
bool is_marked_by_number(char32_t c) {
  return (c >= 0x80 && c <= 0x9f) || c == 0x061c || c == 0x200e || c == 0x200f ||
         (c >= 0x2028 && c <= 0x202e) || (c >= 0x2066 && c <= 0x2069);
}

bool is_marked_by_picture(char32_t c) {
  return (c < 0x20 && c != '\t' && c != '\n') || c == 0x7f;
}

// The first bytes of all of these, and of what is not UTF-8.
bool may_need_mark(char c) {
  const auto byte = static_cast<unsigned char>(c);
  return (byte < 0x20 && byte != '\t' && byte != '\n') || byte >= 0x7f;
}

// Whether one of eight bytes is a control character, or none of ASCII: tabs and line feeds among them.
bool may_hold_such(uint64_t eight) {
  constexpr uint64_t kEach = 0x0101010101010101;
  constexpr uint64_t kHigh = kEach << 7;
  const uint64_t below_space = eight - kEach * 0x20;
  const uint64_t is_delete = (eight ^ (kEach * 0x7f)) - kEach;
  return ((eight | below_space | is_delete) & kHigh) != 0;
}

// A text of some length has a dash or a dot that is not ASCII: it is passed over eight bytes at a time all the same.
size_t next_that_may_need_mark(std::string_view text, size_t at) {
  for (uint64_t eight = 0; at + sizeof eight <= text.size(); at += sizeof eight) {
    std::memcpy(&eight, text.data() + at, sizeof eight);
    if (!may_hold_such(eight)) continue;
    for (size_t i = at; i < at + sizeof eight; ++i)
      if (may_need_mark(text[i])) return i;
  }
  while (at < text.size() && !may_need_mark(text[at])) ++at;
  return at;
}

}  // namespace

bool needs_marks(std::string_view text) {
  for (size_t at = next_that_may_need_mark(text, 0); at < text.size();) {
    const DecodedCodePoint decoded = decode_code_point(text.substr(at));
    if (!decoded.valid || is_marked_by_picture(decoded.value) || is_marked_by_number(decoded.value))
      return true;
    at = next_that_may_need_mark(text, at + decoded.size);
  }
  return false;
}

std::string visible_text(std::string_view text) {
  std::string out;
  out.reserve(text.size() + 16);
  for (size_t at = 0; at < text.size();) {
    const DecodedCodePoint decoded = decode_code_point(text.substr(at));
    const size_t next = at + decoded.size;
    if (!decoded.valid) {
      append_code_point(out, kReplacementCharacter);
    } else if (decoded.value == '\r' && next < text.size() && text[next] == '\n') {
      // The line feed alone ends the line.
    } else if (is_marked_by_picture(decoded.value)) {
      append_code_point(out, decoded.value == 0x7f ? kPictureOfDelete : kControlPictures + decoded.value);
    } else if (is_marked_by_number(decoded.value)) {
      out += fmt::format("⟨U+{:04X}⟩", static_cast<uint32_t>(decoded.value));
    } else {
      out.append(text, at, decoded.size);
    }
    at = next;
  }
  return out;
}

void make_visible(nlohmann::ordered_json& json) {
  if (auto* text = json.get_ptr<std::string*>()) {
    if (needs_marks(*text)) *text = visible_text(*text);
  } else if (json.is_structured()) {
    for (auto& each : json) make_visible(each);
  }
}

}  // namespace knapsack
