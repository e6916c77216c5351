// Characters: what one Unicode character is to a tokenizer, and the few operations on single ones.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace knapsack {

enum class CharacterKind : uint8_t {
  kSeparator,  // also a byte that is not UTF-8
  kLower,      // and letters without case
  kUpper,
  kDigit,
  kConnector,  // '_' and the like
  kMark,       // belongs to the character before it
  kIgnored,    // invisible inside a word: soft hyphen, joiners, direction marks
  kCjk,        // Han, Kana, Bopomofo, and Hangul, whose particles stick to the nouns
};

struct Character {
  char32_t code_point = 0;
  CharacterKind kind = CharacterKind::kSeparator;
  uint8_t bytes = 1;
};

// By byte; those above ASCII count as separators here.
extern const std::array<CharacterKind, 256> kAsciiKinds;

// The character that begins at `at`, which lies inside the text.
Character character_at(std::string_view text, size_t at);

// Of each letter one form: lower case, and the common form of the Greek sigma.
char32_t lower_case(char32_t c);
// The one character that two make together ("e" and an acute: "é"); zero where there is none.
char32_t compose(char32_t first, char32_t second);
// A vowel or final consonant that joins the Hangul letter before it into one syllable.
bool is_joining_jamo(char32_t c);

// Writes a character as UTF-8; how many bytes, at most 4.
size_t encode_character(char32_t c, char* out);

}  // namespace knapsack
