#include "text/unicode/visible_text.h"

#include <fmt/format.h>

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
bool may_need_mark(unsigned char byte) {
  return ((byte < 0x20) & (byte != '\t') & (byte != '\n')) | (byte == 0x7f) | (byte >= 0x80);
}

}  // namespace

bool needs_marks(std::string_view text) {
  // Without a branch or an early end: the compiler makes vectors of this.
  unsigned char found = 0;
  for (const char c : text)
    found = static_cast<unsigned char>(found | (may_need_mark(static_cast<unsigned char>(c)) ? 1 : 0));
  if (found == 0) return false;
  for (size_t at = 0; at < text.size();) {
    const DecodedCodePoint decoded = decode_code_point(text.substr(at));
    if (!decoded.valid || is_marked_by_picture(decoded.value) || is_marked_by_number(decoded.value))
      return true;
    at += decoded.size;
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
