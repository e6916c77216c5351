#include "core/escape.h"

#include "core/ascii.h"
#include "core/utf8.h"

namespace knapsack {
namespace {

// U+0000 to U+001F, U+007F and U+0080 to U+009F: terminals act on the last as on ESC sequences.
bool is_control(char32_t c) {
  return c < 0x20 || (c >= 0x7f && c < 0xa0);
}

// What turns the direction of writing or breaks a line without being a control character. The same that packets mark
// (text/unicode/visible_text.h).
bool is_marked(char32_t c) {
  return c == 0x061c || c == 0x200e || c == 0x200f || (c >= 0x2028 && c <= 0x202e) ||
         (c >= 0x2066 && c <= 0x2069);
}

void append_hex(std::string& out, unsigned char byte) {
  out += "\\x";
  out += ascii::kHexDigits[byte >> 4];
  out += ascii::kHexDigits[byte & 15];
}

void append_code_unit(std::string& out, char32_t number) {
  out += "\\u";
  for (int shift = 12; shift >= 0; shift -= 4)
    out += ascii::kHexDigits[number >> static_cast<unsigned>(shift) & 15U];
}

}  // namespace

std::string escape_control(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  while (!text.empty()) {
    const DecodedCodePoint decoded = decode_code_point(text);
    const std::string_view piece = text.substr(0, decoded.valid ? decoded.size : 1);
    text.remove_prefix(piece.size());
    if (piece == "\n") {
      out += "\\n";
    } else if (piece == "\t") {
      out += "\\t";
    } else if (!decoded.valid || is_control(decoded.value)) {
      for (const char c : piece) append_hex(out, static_cast<unsigned char>(c));
    } else if (is_marked(decoded.value)) {
      append_code_unit(out, decoded.value);
    } else {
      out += piece;
    }
  }
  return out;
}

std::string escape_lines(std::string_view text) {
  std::string out;
  for (size_t at = 0; at < text.size();) {
    const size_t end = std::min(text.find('\n', at), text.size());
    out += escape_control(text.substr(at, end - at)) + "\n";
    at = end + 1;
  }
  return out;
}

}  // namespace knapsack
