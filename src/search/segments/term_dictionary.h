// The sorted terms of a segment, each with where its posting lists are and how many units they hold.
//
// Terms come in blocks of 16 that share prefixes; a table of block offsets makes a look-up a binary search
// over first terms and one short scan. A term that one unit holds keeps its posting in the dictionary.
// Private to search/segments/.
#pragma once

#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "core/byte_reader.h"
#include "search/segments/posting_list.h"
#include "search/segments/segment_bytes.h"

namespace knapsack::search {

// A term of more bytes is cut here, when it is written and when it is looked up. Longer than any word of
// text/words/words.h, so that there is room for a caller's prefix.
constexpr size_t kMaxTermBytes = 512;

inline std::string_view cut_term(std::string_view term) {
  return term.substr(0, kMaxTermBytes);
}

// Where one field's list is; `units` is zero for a field without the term.
struct ListInfo {
  uint32_t units = 0;
  uint32_t documents = 0;
  uint64_t offset = 0;  // in the postings section
  uint64_t size = 0;    // in bytes; zero for a list of one, which is here:
  uint32_t single_unit = 0;
  uint32_t single_frequency = 0;
};

struct TermInfo {
  std::array<ListInfo, kMaxFields> fields{};
};

class TermDictionaryWriter {
 public:
  // Terms in ascending byte order. Lists lie in the postings section in this order, field by field.
  void add(std::string_view term, const TermInfo& info);

  uint32_t terms() const { return terms_; }
  const std::string& blocks() const { return blocks_; }
  const std::string& block_offsets() const { return block_offsets_; }

 private:
  std::string blocks_;
  std::string block_offsets_;
  std::string previous_;
  uint32_t terms_ = 0;
  uint64_t postings_at_ = 0;  // where the next list begins
};

// One block while it is read. Also goes over all terms, for merging.
class TermCursor {
 public:
  explicit TermCursor(const SegmentBytes& bytes) : bytes_(&bytes) {}

  // The first term, or the next one; false after the last one.
  Result<bool> next();
  // Stands at this term afterwards; false when there is none.
  Result<bool> find(std::string_view term);

  const std::string& term() const { return term_; }
  const TermInfo& info() const { return info_; }

 private:
  uint32_t block_count() const;
  Result<std::string_view> block(uint32_t number) const;
  Result<std::string_view> first_term(uint32_t number) const;
  Status enter(uint32_t number);
  Status read_entry();
  Status read_list(ListInfo& list);

  const SegmentBytes* bytes_;
  ByteReader reader_{std::string_view()};
  uint32_t next_block_ = 0;
  uint32_t left_in_block_ = 0;
  uint64_t postings_at_ = 0;  // where the next list begins
  std::string term_;
  TermInfo info_;
};

}  // namespace knapsack::search
