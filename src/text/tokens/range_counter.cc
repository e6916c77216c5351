#include "text/tokens/range_counter.h"

#include <algorithm>
#include <cassert>

#include "text/tokens/bpe.h"
#include "text/unicode/utf8.h"

namespace knapsack {
namespace {

bool begins_a_code_point(std::string_view valid, size_t at) {
  return at == valid.size() || !continues_code_point(valid[at]);
}

// Whether the text up to `end` might end with white space other than line breaks. After a line break a piece
// ends in any case.
bool may_end_with_blank(std::string_view text, size_t end) {
  const char last = text[end - 1];
  return static_cast<uint8_t>(last) >= 0x80 || (last <= ' ' && last != '\n' && last != '\r');
}

}  // namespace

RangeCounter::RangeCounter(const TokenCounter& counter) : counter_(counter), encoding_(counter.encoding()) {
  if (encoding_ != nullptr) pieces_ = std::make_unique<PieceCounter>(encoding_->vocabulary());
}

void RangeCounter::reset(std::string_view text) {
  text_ = text;
  if (encoding_ == nullptr) return;
  repairs_.clear();
  valid_ = text;
  if (!valid_utf8(text)) {
    repair(text);
    valid_ = repaired_;
  }
  borders_.start(valid_.size());
  uint64_t tokens = 0;
  for (size_t at = 0, end = valid_.size(); at < valid_.size(); at = end, end = valid_.size()) {
    tokens += tokens_of_piece(at, end);
    borders_.add(end, static_cast<uint32_t>(tokens));
  }
  borders_.finish();
}

uint64_t RangeCounter::tokens(size_t begin, size_t end) {
  assert(begin <= end && end <= text_.size());
  const std::string_view range = text_.substr(begin, end - begin);
  if (encoding_ == nullptr) return counter_.count(range);
  const std::optional<size_t> valid_begin = in_valid_text(begin);
  const std::optional<size_t> valid_end = in_valid_text(end);
  if (!valid_begin || !valid_end) return counter_.count(range);  // it cuts a character in two

  uint64_t tokens = 0;
  const auto cut_until = [&](size_t& at, const auto& done) {
    while (at < *valid_end && !done(at)) {
      size_t piece_end = *valid_end;
      tokens += tokens_of_piece(at, piece_end);
      at = piece_end;
    }
  };
  size_t at = *valid_begin;
  cut_until(at, [this](size_t here) { return borders_.contains(here); });
  if (at == *valid_end) return tokens;

  size_t common_end = borders_.last_until(*valid_end);
  if (may_end_with_blank(valid_, *valid_end)) {
    // Blanks before a word are two pieces in the whole text, the second of which may be the word's prefix;
    // at the end of a text they are one.
    for (int back = 0; back < 2 && common_end > at; ++back) common_end = borders_.last_until(common_end - 1);
  }
  if (common_end > at) {
    tokens += borders_.tokens_before(common_end) - borders_.tokens_before(at);
    at = common_end;
  }
  cut_until(at, [](size_t) { return false; });
  return tokens;
}

// The tokens of the first piece of valid_[begin, end), whose end `end` becomes.
inline uint64_t RangeCounter::tokens_of_piece(size_t begin, size_t& end) {
  const std::string_view piece =
      valid_.substr(begin, encoding_->first_piece_size(valid_.substr(begin, end - begin)));
  end = begin + piece.size();
  return pieces_->count(piece, valid_.size() - begin);
}

void RangeCounter::repair(std::string_view text) {
  constexpr std::string_view kReplacement = "\xEF\xBF\xBD";
  repaired_.clear();
  for (size_t at = 0; at < text.size();) {
    const DecodedCodePoint decoded = decode_code_point(text.substr(at));
    repaired_.append(decoded.valid ? text.substr(at, decoded.size) : kReplacement);
    at += decoded.size;
    if (!decoded.valid) repairs_.push_back({at - decoded.size, at, repaired_.size()});
  }
}

// Where a place of the text is in the valid one; none inside a character. Between two characters of the text
// a cut leaves all others as they are: whether bytes make one is decided from left to right, and bytes that
// stop short of one do so at the end of a text as well.
std::optional<size_t> RangeCounter::in_valid_text(size_t at) const {
  size_t place = at;
  const auto after = std::partition_point(repairs_.begin(), repairs_.end(),
                                          [at](const Repair& repair) { return repair.begin < at; });
  if (after != repairs_.begin()) {
    const Repair& last = *(after - 1);
    if (at < last.end) return std::nullopt;
    place = last.repaired_end + (at - last.end);
  }
  if (!begins_a_code_point(valid_, place)) return std::nullopt;
  return place;
}

}  // namespace knapsack
