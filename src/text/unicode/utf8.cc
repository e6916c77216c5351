#include "text/unicode/utf8.h"

#include <utf8proc.h>

#include <array>
#include <cassert>
#include <cstring>

namespace knapsack {
namespace {

constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";
constexpr std::string_view kReplacement = "\xEF\xBF\xBD";

// How many bytes at the beginning are ASCII, eight at a time: most of what we read is nothing else.
size_t ascii_prefix(std::string_view text) {
  size_t at = 0;
  while (text.size() - at >= sizeof(uint64_t)) {
    uint64_t word = 0;
    std::memcpy(&word, text.data() + at, sizeof word);
    if ((word & 0x8080808080808080U) != 0) break;
    at += sizeof word;
  }
  while (at < text.size() && static_cast<uint8_t>(text[at]) < 0x80) ++at;
  return at;
}

// The bytes at the beginning that are UTF-8, and how many code points they hold.
struct ValidPrefix {
  size_t bytes = 0;
  size_t code_points = 0;
};

ValidPrefix valid_prefix(std::string_view text) {
  ValidPrefix prefix;
  while (prefix.bytes < text.size()) {
    const std::string_view rest = text.substr(prefix.bytes);
    if (static_cast<uint8_t>(rest.front()) < 0x80) {
      const size_t ascii = ascii_prefix(rest);
      prefix.bytes += ascii;
      prefix.code_points += ascii;
      continue;
    }
    const DecodedCodePoint decoded = decode_code_point(rest);
    if (!decoded.valid) break;
    prefix.bytes += decoded.size;
    ++prefix.code_points;
  }
  return prefix;
}

}  // namespace

void append_code_point(std::string& text, char32_t code_point) {
  assert(utf8proc_codepoint_valid(static_cast<utf8proc_int32_t>(code_point)));
  std::array<utf8proc_uint8_t, 4> bytes{};
  const auto size = utf8proc_encode_char(static_cast<utf8proc_int32_t>(code_point), bytes.data());
  text.append(reinterpret_cast<const char*>(bytes.data()), static_cast<size_t>(size));
}

bool valid_utf8(std::string_view text) {
  return valid_prefix(text).bytes == text.size();
}

size_t count_code_points(std::string_view text) {
  size_t count = 0;
  while (!text.empty()) {
    const ValidPrefix prefix = valid_prefix(text);
    count += prefix.code_points;
    text.remove_prefix(prefix.bytes);
    if (text.empty()) break;
    const uint32_t invalid_bytes = decode_code_point(text).size;
    count += invalid_bytes;
    text.remove_prefix(invalid_bytes);
  }
  return count;
}

std::string sanitize_utf8(std::string text) {
  if (text.starts_with(kByteOrderMark)) text.erase(0, kByteOrderMark.size());
  return valid_utf8(text) ? std::move(text) : replace_invalid_utf8(text);
}

std::string_view first_code_points(std::string_view text, size_t count) {
  size_t end = 0;
  for (; count > 0 && end < text.size(); --count) end += decode_code_point(text.substr(end)).size;
  return text.substr(0, end);
}

std::string replace_invalid_utf8(std::string_view text) {
  std::string clean;
  clean.reserve(text.size());
  while (!text.empty()) {
    const size_t valid = valid_prefix(text).bytes;
    clean.append(text.substr(0, valid));
    text.remove_prefix(valid);
    if (text.empty()) break;
    clean.append(kReplacement);
    text.remove_prefix(decode_code_point(text).size);
  }
  return clean;
}

}  // namespace knapsack
