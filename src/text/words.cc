#include "text/words.h"

#include <utf8proc.h>

#include <algorithm>
#include <cstring>

namespace knapsack {

enum class WordReader::CharacterClass : uint8_t {
  kSeparator,
  kLower,  // and letters without case
  kUpper,
  kDigit,
  kConnector,
  kMark,     // belongs to the character before it
  kIgnored,  // invisible inside a word: soft hyphen, joiners, direction marks
  kPair,
};

struct WordReader::Character {
  char32_t code_point;
  CharacterClass kind;
  uint8_t bytes;
};

namespace {

// Blocks of scripts that write no spaces between words (Han, Kana, Bopomofo, and Hangul, whose particles
// stick to the nouns). Punctuation inside these blocks never gets here: its category separates.
bool is_cjk(char32_t c) {
  if (c < 0x1100) return false;
  return c <= 0x11FF || (c >= 0x2E80 && c <= 0x2FDF) || (c >= 0x3005 && c <= 0x318F) ||
         (c >= 0x31A0 && c <= 0x31FF) || (c >= 0x3400 && c <= 0x4DBF) || (c >= 0x4E00 && c <= 0x9FFF) ||
         (c >= 0xA960 && c <= 0xA97F) || (c >= 0xAC00 && c <= 0xD7FF) || (c >= 0xF900 && c <= 0xFAFF) ||
         (c >= 0xFF66 && c <= 0xFF9F) || (c >= 0x20000 && c <= 0x3FFFF);
}

// A vowel or final consonant that joins the Hangul letter before it into one syllable.
bool is_joining_jamo(char32_t c) {
  return (c >= 0x1161 && c <= 0x1175) || (c >= 0x11A8 && c <= 0x11C2);
}

char32_t lower_case(char32_t c) {
  constexpr char32_t kFinalSigma = 0x3C2, kSigma = 0x3C3;  // one letter, two shapes
  if (c == kFinalSigma) return kSigma;
  return static_cast<char32_t>(utf8proc_tolower(static_cast<utf8proc_int32_t>(c)));
}

bool continues_utf8(char byte) {
  return (static_cast<unsigned char>(byte) & 0xC0) == 0x80;
}

const auto* bytes_of(const char* text) {
  return reinterpret_cast<const utf8proc_uint8_t*>(text);
}

}  // namespace

// Cuts an identifier into parts while its characters come in: at connectors, before an upper-case letter that
// follows anything else, before the last of several upper-case letters when a lower-case one follows
// (HTTP|Server), and wherever digits begin or end. It sees offsets only, never the bytes.
struct WordReader::Splitter {
  struct Span {
    uint32_t buffer_begin, buffer_end;
    size_t begin, end;
  };

  std::vector<Piece>& parts;
  Piece part{};   // the open one; none when it has no characters
  Piece whole{};  // from the first to the last character that is no connector
  CharacterClass last = CharacterClass::kConnector;
  Span last_span{};
  bool number = false;      // since the last connector: began with a digit, so it is not split
  uint32_t connectors = 0;  // since the last other character

  void add(CharacterClass kind, const Span& span) {
    using enum CharacterClass;
    if (kind == kConnector) {
      close();
      if (whole.characters > 0) ++connectors;
      last = kConnector;
      return;
    }
    if (last == kConnector) number = kind == kDigit;
    if (!number && kind == kLower && last == kUpper && part.characters > 1) {
      part.buffer_end = last_span.buffer_begin;
      part.end = last_span.begin;
      --part.characters;
      close();
      grow(part, last_span, WordKind::kPart);
    } else if (!number && kind != last && (kind != kLower || last == kDigit)) {
      close();
    }
    grow(part, span, WordKind::kPart);
    whole.characters += connectors;
    grow(whole, span, WordKind::kWhole);
    connectors = 0;
    last = kind;
    last_span = span;
  }

  // A mark, or a character that the last one was composed into, belongs to the last one.
  void extend_last(uint32_t buffer_end, size_t end) {
    if (part.characters == 0) return;  // after a connector there is nothing to belong to
    last_span.buffer_end = part.buffer_end = whole.buffer_end = buffer_end;
    last_span.end = part.end = whole.end = end;
  }

  void close() {
    if (part.characters > 0) parts.push_back(part);
    part = {};
  }

  static void grow(Piece& piece, const Span& span, WordKind kind) {
    if (piece.characters == 0) piece = {span.buffer_begin, 0, 0, span.begin, 0, kind};
    piece.buffer_end = span.buffer_end;
    piece.end = span.end;
    ++piece.characters;
  }
};

WordReader::Character WordReader::decode(size_t at) const {
  using enum CharacterClass;
  static constexpr auto kAscii = [] {
    std::array<CharacterClass, 128> table{};
    for (size_t c = 'a'; c <= 'z'; ++c) table[c] = kLower;
    for (size_t c = 'A'; c <= 'Z'; ++c) table[c] = kUpper;
    for (size_t c = '0'; c <= '9'; ++c) table[c] = kDigit;
    table['_'] = kConnector;
    return table;
  }();
  const auto first = static_cast<unsigned char>(text_[at]);
  if (first < kAscii.size()) return {first, kAscii[first], 1};

  utf8proc_int32_t code_point = -1;
  const auto rest = static_cast<utf8proc_ssize_t>(text_.size() - at);
  const auto length = utf8proc_iterate(bytes_of(text_.data() + at), rest, &code_point);
  if (length <= 0) return {0, kSeparator, 1};
  const auto c = static_cast<char32_t>(code_point);
  const auto bytes = static_cast<uint8_t>(length);
  switch (utf8proc_category(code_point)) {
    case UTF8PROC_CATEGORY_LU:
    case UTF8PROC_CATEGORY_LT:
      return {c, kUpper, bytes};
    case UTF8PROC_CATEGORY_LL:
    case UTF8PROC_CATEGORY_LM:
    case UTF8PROC_CATEGORY_LO:
    case UTF8PROC_CATEGORY_NL:
      return {c, is_cjk(c) ? kPair : kLower, bytes};
    case UTF8PROC_CATEGORY_ND:
    case UTF8PROC_CATEGORY_NO:
      return {c, kDigit, bytes};
    case UTF8PROC_CATEGORY_MN:
    case UTF8PROC_CATEGORY_MC:
    case UTF8PROC_CATEGORY_ME:
      return {c, kMark, bytes};
    case UTF8PROC_CATEGORY_PC:
      return {c, kConnector, bytes};
    case UTF8PROC_CATEGORY_CF: {
      constexpr char32_t kZeroWidthSpace = 0x200B;  // marks the end of a word where no space is written
      return {c, c == kZeroWidthSpace ? kSeparator : kIgnored, bytes};
    }
    default:
      return {c, kSeparator, bytes};
  }
}

void WordReader::reset(std::string_view text) {
  text_ = text;
  at_ = 0;
  pieces_.clear();
  next_piece_ = 0;
}

bool WordReader::next(Word& word) {
  if (next_piece_ == pieces_.size() && !read_run()) return false;
  const Piece& piece = pieces_[next_piece_++];
  word.text = {buffer_.data() + piece.buffer_begin, piece.buffer_end - piece.buffer_begin};
  word.begin = piece.begin;
  word.end = piece.end;
  word.kind = piece.kind;
  if (options_.stemming != Stemming::kNone &&
      (piece.kind == WordKind::kPlain || piece.kind == WordKind::kPart)) {
    word.text = stem(options_.stemming, word.text);
  }
  return true;
}

bool WordReader::read_run() {
  using enum CharacterClass;
  pieces_.clear();
  next_piece_ = 0;
  while (pieces_.empty()) {
    if (at_ >= text_.size()) return false;
    length_ = 0;
    const Character character = decode(at_);
    switch (character.kind) {
      case kSeparator:
      case kMark:
      case kIgnored:
        at_ += character.bytes;
        break;
      case kPair:
        read_pairs();
        break;
      default:
        read_word();
    }
  }
  return true;
}

bool WordReader::append(char32_t code_point) {
  std::array<utf8proc_uint8_t, 4> bytes{};
  const auto length = utf8proc_encode_char(static_cast<utf8proc_int32_t>(code_point), bytes.data());
  if (length <= 0 || length_ + static_cast<size_t>(length) > kMaxWordBytes) return false;
  std::memcpy(buffer_.data() + length_, bytes.data(), static_cast<size_t>(length));
  length_ += static_cast<uint32_t>(length);
  return true;
}

// Joins a mark with the character before it where one character for both exists: "e" and an acute to "é".
bool WordReader::compose(char32_t code_point) {
  uint32_t before = length_;
  while (before > 0 && continues_utf8(buffer_[--before])) {
  }
  std::array<utf8proc_int32_t, 2> pair{-1, static_cast<utf8proc_int32_t>(code_point)};
  if (utf8proc_iterate(bytes_of(buffer_.data() + before), length_ - before, pair.data()) <= 0) return false;
  const auto options = static_cast<utf8proc_option_t>(UTF8PROC_COMPOSE | UTF8PROC_STABLE);
  if (utf8proc_normalize_utf32(pair.data(), 2, options) != 1) return false;
  const uint32_t restored = length_;
  length_ = before;
  if (append(static_cast<char32_t>(pair[0]))) return true;
  length_ = restored;
  return false;
}

void WordReader::read_pairs() {
  using enum CharacterClass;
  while (at_ < text_.size()) {
    const Character character = decode(at_);
    const bool joins = !pieces_.empty() && (character.kind == kMark || is_joining_jamo(character.code_point));
    if (joins && compose(character.code_point)) {
      pieces_.back().buffer_end = length_;
      pieces_.back().end = at_ + character.bytes;
    } else if (character.kind == kPair) {
      const uint32_t buffer_begin = length_;
      if (!append(character.code_point)) {
        at_ = pieces_.back().begin;  // the next run overlaps by one character, so that no pair is lost
        break;
      }
      pieces_.push_back({buffer_begin, length_, 1, at_, at_ + character.bytes, WordKind::kPair});
    } else if (character.kind != kMark && character.kind != kIgnored) {
      break;
    }
    at_ += character.bytes;
  }
  if (pieces_.size() == 1) return;
  for (size_t i = 0; i + 1 < pieces_.size(); ++i) {
    pieces_[i].buffer_end = pieces_[i + 1].buffer_end;
    pieces_[i].end = pieces_[i + 1].end;
    pieces_[i].characters = 2;
  }
  pieces_.pop_back();
}

void WordReader::read_word() {
  using enum CharacterClass;
  if (read_plain_word()) return;
  Splitter splitter{pieces_};
  bool full = false;
  while (at_ < text_.size()) {
    const Character character = decode(at_);
    if (character.kind == kSeparator || character.kind == kPair) break;
    const size_t begin = at_;
    at_ += character.bytes;
    if (full || character.kind == kIgnored) continue;
    const uint32_t buffer_begin = length_;
    if (character.kind == kMark) {
      full = !compose(character.code_point) && !append(character.code_point);
      if (!full) splitter.extend_last(length_, at_);
    } else {
      full = !append(lower_case(character.code_point));
      if (!full) splitter.add(character.kind, {buffer_begin, length_, begin, at_});
    }
  }
  splitter.close();
  choose_pieces(splitter.whole);
}

// The common case, nothing but lower-case ASCII between separators, without looking at each character twice.
bool WordReader::read_plain_word() {
  size_t end = at_;
  while (end < text_.size() && text_[end] >= 'a' && text_[end] <= 'z') ++end;
  const size_t length = end - at_;
  if (length == 0 || length > kMaxWordBytes) return false;
  if (end < text_.size()) {
    const Character after = decode(end);
    if (after.kind != CharacterClass::kSeparator && after.kind != CharacterClass::kPair) return false;
  }
  std::memcpy(buffer_.data(), text_.data() + at_, length);
  const auto bytes = static_cast<uint32_t>(length);
  if (length >= options_.min_length) pieces_.push_back({0, bytes, bytes, at_, end, WordKind::kPlain});
  at_ = end;
  return true;
}

// Of the parts that were found and the whole around them, keeps what the options ask for.
void WordReader::choose_pieces(Piece whole) {
  constexpr uint32_t kShortestCompound = 3;  // "x2" is a plain word
  const bool compound = pieces_.size() > 1 && whole.characters >= kShortestCompound;
  const size_t shortest = std::max(options_.min_length, options_.min_part_length);
  if (!compound || !options_.emit_parts) pieces_.clear();
  std::erase_if(pieces_, [&](const Piece& part) { return part.characters < shortest; });
  if (!compound) whole.kind = WordKind::kPlain;
  const bool wanted = !compound || options_.emit_whole || pieces_.empty();
  if (wanted && whole.characters > 0 && whole.characters >= options_.min_length) pieces_.push_back(whole);
}

std::vector<std::string> words_of(std::string_view text, const WordOptions& options) {
  std::vector<std::string> words;
  WordReader reader(text, options);
  for (Word word; reader.next(word);) words.emplace_back(word.text);
  return words;
}

}  // namespace knapsack
