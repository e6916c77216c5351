#include "text/words/words.h"

#include <algorithm>
#include <cstring>

#include "core/ascii.h"
#include "core/utf8.h"
#include "text/unicode/characters.h"

namespace knapsack {
namespace {

bool is_ascii_separator(char c) {
  const auto byte = static_cast<unsigned char>(c);
  return byte < 0x80 && kAsciiKinds[byte] == CharacterKind::kSeparator;
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
  CharacterKind last = CharacterKind::kConnector;
  Span last_span{};
  bool number = false;      // since the last connector: began with a digit, so it is not split
  uint32_t connectors = 0;  // since the last other character

  void add(CharacterKind kind, const Span& span) {
    using enum CharacterKind;
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
  pieces_.clear();
  next_piece_ = 0;
  while (pieces_.empty()) {
    while (at_ < text_.size() && is_ascii_separator(text_[at_])) ++at_;
    if (at_ >= text_.size()) return false;
    length_ = 0;
    const Character character = character_at(text_, at_);
    switch (character.kind) {
      case CharacterKind::kSeparator:
      case CharacterKind::kMark:
      case CharacterKind::kIgnored:
        at_ += character.bytes;
        break;
      case CharacterKind::kCjk:
        read_pairs();
        break;
      default:
        read_word();
    }
  }
  return true;
}

bool WordReader::append(char32_t code_point) {
  std::array<char, 4> bytes{};
  const size_t length = encode_character(code_point, bytes.data());
  if (length_ + length > kMaxWordBytes) return false;
  std::memcpy(buffer_.data() + length_, bytes.data(), length);
  length_ += static_cast<uint32_t>(length);
  return true;
}

// Puts in place of the last character the one that it makes together with a mark, if there is one.
bool WordReader::join_last(char32_t mark) {
  uint32_t begin = length_;
  while (begin > 0 && continues_code_point(buffer_[--begin])) {
  }
  const std::string_view written(buffer_.data(), length_);
  if (begin == length_) return false;
  const char32_t joined = compose(character_at(written, begin).code_point, mark);
  if (joined == 0) return false;
  const uint32_t restored = length_;
  length_ = begin;
  if (append(joined)) return true;
  length_ = restored;
  return false;
}

void WordReader::read_pairs() {
  using enum CharacterKind;
  while (at_ < text_.size()) {
    const Character character = character_at(text_, at_);
    const bool joins = !pieces_.empty() && (character.kind == kMark || is_joining_jamo(character.code_point));
    if (joins && join_last(character.code_point)) {
      pieces_.back().buffer_end = length_;
      pieces_.back().end = at_ + character.bytes;
    } else if (character.kind == kCjk) {
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
  using enum CharacterKind;
  if (read_ascii_word()) return;
  Splitter splitter{pieces_};
  bool full = false;
  while (at_ < text_.size()) {
    const Character character = character_at(text_, at_);
    if (character.kind == kSeparator || character.kind == kCjk) break;
    const size_t begin = at_;
    at_ += character.bytes;
    if (full || character.kind == kIgnored) continue;
    const uint32_t buffer_begin = length_;
    if (character.kind == kMark) {
      full = !join_last(character.code_point) && !append(character.code_point);
      if (!full) splitter.extend_last(length_, at_);
    } else {
      full = !append(lower_case(character.code_point));
      if (!full) splitter.add(character.kind, {buffer_begin, length_, begin, at_});
    }
  }
  splitter.close();
  choose_pieces(splitter.whole);
}

// The common case, ASCII between ASCII separators: nothing to decode or encode, and mostly nothing to split.
bool WordReader::read_ascii_word() {
  using enum CharacterKind;
  const auto kind_at = [&](size_t at) { return kAsciiKinds[static_cast<unsigned char>(text_[at])]; };
  size_t end = at_;
  size_t lower = 0;
  for (; end < text_.size() && kind_at(end) != kSeparator; ++end) lower += kind_at(end) == kLower ? 1 : 0;
  const size_t length = end - at_;
  if (length > kMaxWordBytes || (end < text_.size() && static_cast<unsigned char>(text_[end]) >= 0x80))
    return false;
  for (size_t i = 0; i < length; ++i) buffer_[i] = ascii::lower(text_[at_ + i]);
  const bool capitalised = lower + 1 == length && kind_at(at_) == kUpper;
  if (lower == length || capitalised) {
    const auto bytes = static_cast<uint32_t>(length);
    if (length >= options_.min_length) pieces_.push_back({0, bytes, bytes, at_, end, WordKind::kPlain});
    at_ = end;
    return true;
  }
  Splitter splitter{pieces_};
  for (uint32_t i = 0; i < length; ++i) splitter.add(kind_at(at_ + i), {i, i + 1, at_ + i, at_ + i + 1});
  splitter.close();
  choose_pieces(splitter.whole);
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
