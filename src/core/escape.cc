#include "core/escape.h"

#include "core/ascii.h"

namespace knapsack {
namespace {

unsigned char byte_at(std::string_view text, size_t i) {
  return static_cast<unsigned char>(text[i]);
}

// How many bytes the well-formed UTF-8 sequence at the beginning takes; 0 where there is none.
size_t sequence_length(std::string_view text) {
  const unsigned char lead = byte_at(text, 0);
  if (lead < 0x80) return 1;
  const size_t length = lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : 2;
  if (lead < 0xc2 || lead > 0xf4 || text.size() < length) return 0;
  for (size_t i = 1; i < length; ++i) {
    if ((byte_at(text, i) & 0xc0) != 0x80) return 0;
  }
  // Overlong forms, surrogates and values above U+10FFFF show in the second byte.
  const unsigned char second = byte_at(text, 1);
  const bool wrong = (lead == 0xe0 && second < 0xa0) || (lead == 0xed && second > 0x9f) ||
                     (lead == 0xf0 && second < 0x90) || (lead == 0xf4 && second > 0x8f);
  return wrong ? 0 : length;
}

// U+0000 to U+001F, U+007F and U+0080 to U+009F: terminals act on the last as on ESC sequences.
bool is_control(std::string_view sequence) {
  const unsigned char lead = byte_at(sequence, 0);
  return lead < 0x20 || lead == 0x7f || (lead == 0xc2 && byte_at(sequence, 1) < 0xa0);
}

// What turns the direction of writing or breaks a line without being a control character: the number of its code point,
// else 0. The same that packets mark (text/unicode/visible_text.h).
unsigned marked_number(std::string_view sequence) {
  if (sequence == "\xd8\x9c") return 0x061c;
  if (sequence.size() != 3 || byte_at(sequence, 0) != 0xe2) return 0;
  const unsigned number = 0x2000U | (byte_at(sequence, 1) & 0x3fU) << 6U | (byte_at(sequence, 2) & 0x3fU);
  const bool is_marked = number == 0x200e || number == 0x200f || (number >= 0x2028 && number <= 0x202e) ||
                         (number >= 0x2066 && number <= 0x2069);
  return is_marked ? number : 0;
}

void append_hex(std::string& out, unsigned char byte) {
  out += "\\x";
  out += ascii::kHexDigits[byte >> 4];
  out += ascii::kHexDigits[byte & 15];
}

void append_code_unit(std::string& out, unsigned number) {
  out += "\\u";
  for (int shift = 12; shift >= 0; shift -= 4)
    out += ascii::kHexDigits[number >> static_cast<unsigned>(shift) & 15U];
}

}  // namespace

std::string escape_control(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  while (!text.empty()) {
    const size_t length = sequence_length(text);
    const std::string_view piece = text.substr(0, length == 0 ? 1 : length);
    text.remove_prefix(piece.size());
    if (piece == "\n") {
      out += "\\n";
    } else if (piece == "\t") {
      out += "\\t";
    } else if (length == 0 || is_control(piece)) {
      for (const char c : piece) append_hex(out, static_cast<unsigned char>(c));
    } else if (const unsigned number = marked_number(piece); number != 0) {
      append_code_unit(out, number);
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
