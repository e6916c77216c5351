#include "meaning/bert_text.h"

#include <utf8proc.h>

#include <algorithm>
#include <array>
#include <iterator>

#include "meaning/newer_characters.h"
#include "text/unicode/utf8.h"

namespace knapsack::meaning {
namespace {

struct IdeographRange {
  char32_t first, last;
};
constexpr IdeographRange kIdeographs[] = {{0x3400, 0x4DBF},   {0x4E00, 0x9FFF},   {0xF900, 0xFAFF},
                                          {0x20000, 0x2A6DF}, {0x2A700, 0x2B81F}, {0x2B920, 0x2CEAF},
                                          {0x2F800, 0x2FA1F}};

bool is_ideograph(char32_t code_point) {
  return std::any_of(std::begin(kIdeographs), std::end(kIdeographs), [&](const IdeographRange& range) {
    return code_point >= range.first && code_point <= range.last;
  });
}

utf8proc_category_t category_of(char32_t code_point) {
  if (is_newer_character(code_point)) return UTF8PROC_CATEGORY_LO;
  return utf8proc_category(static_cast<utf8proc_int32_t>(code_point));
}

bool is_removed(char32_t code_point) {
  if (code_point == 0 || code_point == kReplacementCharacter) return true;
  const utf8proc_category_t category = category_of(code_point);
  return category == UTF8PROC_CATEGORY_CC || category == UTF8PROC_CATEGORY_CF ||
         category == UTF8PROC_CATEGORY_CO;
}

bool is_bert_space(char32_t code_point) {
  if (code_point == '\t' || code_point == '\n' || code_point == '\r') return true;
  const utf8proc_category_t category = category_of(code_point);
  return category == UTF8PROC_CATEGORY_ZS || category == UTF8PROC_CATEGORY_ZL ||
         category == UTF8PROC_CATEGORY_ZP;
}

bool is_ascii_mark(char32_t c) {
  return (c >= 33 && c <= 47) || (c >= 58 && c <= 64) || (c >= 91 && c <= 96) || (c >= 123 && c <= 126);
}

// Without accents, in lower case. Marks are put in order on the way, as the reference does.
void append_folded(std::u32string& folded, char32_t code_point) {
  std::array<utf8proc_int32_t, 32> parts;
  int last_class = 0;
  const auto count =
      utf8proc_decompose_char(static_cast<utf8proc_int32_t>(code_point), parts.data(), parts.size(),
                              static_cast<utf8proc_option_t>(UTF8PROC_DECOMPOSE), &last_class);
  if (count < 0 || static_cast<size_t>(count) > parts.size()) return;
  for (utf8proc_ssize_t i = 0; i < count; ++i) {
    const auto part = static_cast<char32_t>(parts[static_cast<size_t>(i)]);
    if (category_of(part) == UTF8PROC_CATEGORY_MN || part == kStrippedThoughSpacing) continue;
    folded.push_back(is_newer_character(part)
                         ? part
                         : static_cast<char32_t>(utf8proc_tolower(static_cast<utf8proc_int32_t>(part))));
  }
}

std::u32string fold(std::string_view text) {
  std::u32string folded;
  folded.reserve(text.size());
  while (!text.empty()) {
    const DecodedCodePoint next = decode_code_point(text);
    text.remove_prefix(next.size);
    const char32_t c = next.value;
    if (is_bert_space(c)) {
      folded.push_back(' ');
    } else if (c < 0x80) {
      if (!is_removed(c)) folded.push_back(c >= 'A' && c <= 'Z' ? c + 32 : c);
    } else if (is_ideograph(c)) {
      folded.push_back(' ');
      append_folded(folded, c);
      folded.push_back(' ');
    } else if (!is_removed(c)) {
      append_folded(folded, c);
    }
  }
  return folded;
}

}  // namespace

bool is_bert_punctuation(char32_t code_point) {
  if (code_point < 0x80) return is_ascii_mark(code_point);
  if (is_punctuation_then(code_point)) return true;
  switch (category_of(code_point)) {
    case UTF8PROC_CATEGORY_PC:
    case UTF8PROC_CATEGORY_PD:
    case UTF8PROC_CATEGORY_PS:
    case UTF8PROC_CATEGORY_PE:
    case UTF8PROC_CATEGORY_PI:
    case UTF8PROC_CATEGORY_PF:
    case UTF8PROC_CATEGORY_PO:
      return true;
    default:
      return false;
  }
}

std::string bert_normalised(std::string_view text) {
  std::string normalised;
  for (const char32_t c : fold(text)) append_code_point(normalised, c);
  return normalised;
}

void for_each_bert_word(std::string_view text, const std::function<void(std::string_view word)>& take) {
  std::string word;
  const auto end_word = [&] {
    if (!word.empty()) take(word);
    word.clear();
  };
  for (const char32_t c : fold(text)) {
    if (c == ' ') {
      end_word();
    } else if (is_bert_punctuation(c)) {
      end_word();
      append_code_point(word, c);
      end_word();
    } else {
      append_code_point(word, c);
    }
  }
  end_word();
}

}  // namespace knapsack::meaning
