// A text with some of it hidden from a grammar that does not know it, byte for byte as long: where a definition begins,
// and what it is called, is taken from the text as it is.
//
// For languages whose comments, strings and brackets look as those of Swift, Kotlin and Rust do. One thread.
// Private to code/parse/.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "code/parse/source_text.h"

namespace knapsack::code {

struct TextForms {
  bool has_characters = false;  // 'x' is a literal
  // 'x' is one of a single character, because 'x without an end is something else.
  bool has_lifetimes = false;
  bool has_raw_strings = false;  // r#"x"# is one, and any string goes on in the next line
  char interpolation_mark = 0;   // "\(x)" or "${x}" in a string: the first of the two
  char interpolation_open = 0;   // the second
  char interpolation_close = 0;
};

class HiddenText {
 public:
  HiddenText(std::string_view bytes, const TextForms& forms, std::string& hidden);

  // As long as the text; comments and what stands in strings are blanks, lines stay lines.
  std::string_view code() const { return code_; }
  const std::vector<ByteRange>& words() const { return words_; }
  std::string_view word(size_t number) const {
    return code().substr(words_[number].start, words_[number].end - words_[number].start);
  }
  // What stands nearest before and behind, beside white space; 0 at the ends.
  char before(size_t at) const;
  char behind(size_t at) const;
  // Behind the bracket that closes the one at this place; this place where none does within reach.
  size_t after_brackets(size_t open) const;
  // Whether only blanks stand between two places of one line.
  bool is_apart_by_blanks(size_t from, size_t to) const;

  void blank(size_t from, size_t to);
  // Another letter for the first of a name that is a word of the language elsewhere.
  void rename(ByteRange word);
  void replace(size_t at, std::string_view text);
  bool any() const { return any_; }

 private:
  void read(const TextForms& forms);
  size_t after_comment(size_t at) const;
  size_t after_string(size_t at, const TextForms& forms, int depth) const;
  size_t after_string_of_lines(size_t at) const;
  size_t after_character(size_t at) const;
  size_t after_one_character(size_t at) const;

  std::string_view bytes_;
  std::string code_;
  std::string& hidden_;
  std::vector<ByteRange> words_;
  bool any_ = false;
};

}  // namespace knapsack::code
