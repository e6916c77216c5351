// WordReader: the one tokenizer, for indexing and querying alike.
//
// A word is a run of Unicode letters, marks, digits and connectors ('_'); everything else, bytes that are not
// UTF-8 among it, separates. Words come out lower-cased and composed (NFC for text in canonical order), so
// that the same word typed on two systems is the same term. Identifiers come out as their parts and as the
// whole. Chinese, Japanese and Korean runs come out as overlapping pairs of characters.
//
//   HTTPServer2     http, server, httpserver2      (parts of one character are dropped, see min_part_length)
//   parse_rfc3339   parse, rfc, 3339, parse_rfc3339
//   __init__        init                           (underscores around a word are not part of it)
//   2nd, 0x1F, 4ca7 2nd, 0x1f, 4ca7                (what starts with a digit is a number or a hash: not split)
//   don't           don, t
//   検索結果        検索, 索結, 結果
//
// No memory is allocated per word. One reader belongs to one thread.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "text/words/stem.h"

namespace knapsack {

// A longer word (a data URL, a minified line) is cut here and its rest skipped, in texts and queries alike.
constexpr size_t kMaxWordBytes = 255;

struct WordOptions {
  bool emit_parts = true;  // of identifiers that have several; an identifier without emitted parts is whole
  bool emit_whole = true;  // beside the parts
  Stemming stemming = Stemming::kNone;  // of plain words and parts; wholes and pairs are left alone
  size_t min_length = 1;                // in characters before stemming; pairs are always emitted
  size_t min_part_length = 2;           // a single letter or digit of an identifier matches everything
};

enum class WordKind : uint8_t {
  kPlain,  // a word that is not an identifier of several parts
  kPart,   // one part of such an identifier
  kWhole,  // the whole of it, after its parts
  kPair,   // two neighbouring CJK characters, or one that stands alone
};

struct Word {
  std::string_view text;  // lasts until the next call of next() or reset()
  size_t begin = 0;       // where it stands in the source, in bytes
  size_t end = 0;
  WordKind kind = WordKind::kPlain;
};

class WordReader {
 public:
  explicit WordReader(std::string_view text = {}, const WordOptions& options = {})
      : text_(text), options_(options) {}

  // Starts again on another text with the same options and the same buffers.
  void reset(std::string_view text);
  // The next word, in the order of the text; false at its end.
  bool next(Word& word);

 private:
  struct Splitter;
  // A word of the run that was read last, in the buffer and in the source.
  struct Piece {
    uint32_t buffer_begin;
    uint32_t buffer_end;
    uint32_t characters;
    size_t begin;
    size_t end;
    WordKind kind;
  };

  bool read_run();
  void read_word();
  bool read_ascii_word();
  void read_pairs();
  void choose_pieces(Piece whole);
  bool append(char32_t code_point);
  bool join_last(char32_t mark);

  std::string_view text_;
  size_t at_ = 0;
  WordOptions options_;
  std::array<char, kMaxWordBytes + 1> buffer_{};
  uint32_t length_ = 0;
  std::vector<Piece> pieces_;
  size_t next_piece_ = 0;
};

// All words of a short text, such as a query.
std::vector<std::string> words_of(std::string_view text, const WordOptions& options = {});

}  // namespace knapsack
