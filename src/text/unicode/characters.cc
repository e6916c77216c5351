#include "text/unicode/characters.h"

#include <utf8proc.h>

namespace knapsack {
namespace {

// Blocks of scripts that write no spaces between words. Punctuation inside these blocks never gets here: its
// category separates.
bool is_cjk(char32_t c) {
  if (c < 0x1100) return false;
  return c <= 0x11FF || (c >= 0x2E80 && c <= 0x2FDF) || (c >= 0x3005 && c <= 0x318F) ||
         (c >= 0x31A0 && c <= 0x31FF) || (c >= 0x3400 && c <= 0x4DBF) || (c >= 0x4E00 && c <= 0x9FFF) ||
         (c >= 0xA960 && c <= 0xA97F) || (c >= 0xAC00 && c <= 0xD7FF) || (c >= 0xF900 && c <= 0xFAFF) ||
         (c >= 0xFF66 && c <= 0xFF9F) || (c >= 0x20000 && c <= 0x3FFFF);
}

CharacterKind kind_of(char32_t c) {
  switch (utf8proc_category(static_cast<utf8proc_int32_t>(c))) {
    case UTF8PROC_CATEGORY_LU:
    case UTF8PROC_CATEGORY_LT:
      return CharacterKind::kUpper;
    case UTF8PROC_CATEGORY_LL:
    case UTF8PROC_CATEGORY_LM:
    case UTF8PROC_CATEGORY_LO:
    case UTF8PROC_CATEGORY_NL:
      return is_cjk(c) ? CharacterKind::kCjk : CharacterKind::kLower;
    case UTF8PROC_CATEGORY_ND:
    case UTF8PROC_CATEGORY_NO:
      return CharacterKind::kDigit;
    case UTF8PROC_CATEGORY_MN:
    case UTF8PROC_CATEGORY_MC:
    case UTF8PROC_CATEGORY_ME:
      return CharacterKind::kMark;
    case UTF8PROC_CATEGORY_PC:
      return CharacterKind::kConnector;
    case UTF8PROC_CATEGORY_CF: {
      constexpr char32_t kZeroWidthSpace = 0x200B;  // marks the end of a word where no space is written
      return c == kZeroWidthSpace ? CharacterKind::kSeparator : CharacterKind::kIgnored;
    }
    default:
      return CharacterKind::kSeparator;
  }
}

}  // namespace

constexpr std::array<CharacterKind, 256> kAsciiKinds = [] {
  std::array<CharacterKind, 256> kinds{};
  for (size_t c = 'a'; c <= 'z'; ++c) kinds[c] = CharacterKind::kLower;
  for (size_t c = 'A'; c <= 'Z'; ++c) kinds[c] = CharacterKind::kUpper;
  for (size_t c = '0'; c <= '9'; ++c) kinds[c] = CharacterKind::kDigit;
  kinds['_'] = CharacterKind::kConnector;
  return kinds;
}();

Character character_at(std::string_view text, size_t at) {
  const auto first = static_cast<unsigned char>(text[at]);
  if (first < 0x80) return {first, kAsciiKinds[first], 1};
  utf8proc_int32_t code_point = -1;
  const auto* bytes = reinterpret_cast<const utf8proc_uint8_t*>(text.data() + at);
  const auto length = utf8proc_iterate(bytes, static_cast<utf8proc_ssize_t>(text.size() - at), &code_point);
  if (length <= 0) return {};
  const auto c = static_cast<char32_t>(code_point);
  return {c, kind_of(c), static_cast<uint8_t>(length)};
}

char32_t lower_case(char32_t c) {
  constexpr char32_t kFinalSigma = 0x3C2, kSigma = 0x3C3;  // one letter, two shapes
  if (c == kFinalSigma) return kSigma;
  return static_cast<char32_t>(utf8proc_tolower(static_cast<utf8proc_int32_t>(c)));
}

char32_t compose(char32_t first, char32_t second) {
  std::array<utf8proc_int32_t, 2> pair{static_cast<utf8proc_int32_t>(first),
                                       static_cast<utf8proc_int32_t>(second)};
  const auto options = static_cast<utf8proc_option_t>(UTF8PROC_COMPOSE | UTF8PROC_STABLE);
  return utf8proc_normalize_utf32(pair.data(), 2, options) == 1 ? static_cast<char32_t>(pair[0]) : 0;
}

bool is_joining_jamo(char32_t c) {
  return (c >= 0x1161 && c <= 0x1175) || (c >= 0x11A8 && c <= 0x11C2);
}

size_t encode_character(char32_t c, char* out) {
  std::array<utf8proc_uint8_t, 4> bytes{};
  const auto length = utf8proc_encode_char(static_cast<utf8proc_int32_t>(c), bytes.data());
  for (utf8proc_ssize_t i = 0; i < length; ++i) out[i] = static_cast<char>(bytes[static_cast<size_t>(i)]);
  return static_cast<size_t>(length);
}

}  // namespace knapsack
