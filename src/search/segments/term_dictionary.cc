#include "search/segments/term_dictionary.h"

#include <algorithm>

namespace knapsack::search {
namespace {

constexpr uint32_t kTermsPerBlock = 16;

size_t shared_prefix(std::string_view a, std::string_view b) {
  return static_cast<size_t>(std::mismatch(a.begin(), a.end(), b.begin(), b.end()).first - a.begin());
}

}  // namespace

void TermDictionaryWriter::add(std::string_view term, const TermInfo& info) {
  size_t shared = 0;
  if (terms_ % kTermsPerBlock == 0) {
    append_number(block_offsets_, static_cast<uint32_t>(blocks_.size()));
    append_varint(blocks_, postings_at_);
  } else {
    shared = shared_prefix(previous_, term);
  }
  append_varint(blocks_, shared);
  append_varint(blocks_, term.size() - shared);
  blocks_ += term.substr(shared);
  uint8_t mask = 0;
  for (size_t field = 0; field < kMaxFields; ++field) {
    if (info.fields[field].units > 0) mask |= static_cast<uint8_t>(1U << field);
  }
  append_number(blocks_, mask);
  for (const ListInfo& list : info.fields) {
    if (list.units == 0) continue;
    append_varint(blocks_, list.units);
    if (list.units == 1) {
      append_varint(blocks_, list.single_unit);
      append_varint(blocks_, list.single_frequency);
    } else {
      append_varint(blocks_, list.documents);
      append_varint(blocks_, list.size);
      postings_at_ += list.size;
    }
  }
  previous_ = term;
  ++terms_;
}

uint32_t TermCursor::block_count() const {
  return static_cast<uint32_t>(bytes_->footer().section(Section::kTermBlocks).size / sizeof(uint32_t));
}

Result<std::string_view> TermCursor::block(uint32_t number) const {
  const bool last = number + 1 == block_count();
  const uint64_t terms_size = bytes_->footer().section(Section::kTerms).size;
  KNAPSACK_TRY(const std::string_view offsets,
               bytes_->read(Section::kTermBlocks, uint64_t{number} * sizeof(uint32_t),
                            (last ? 1 : 2) * sizeof(uint32_t)));
  const uint64_t begin = load<uint32_t>(offsets.data());
  const uint64_t end = last ? terms_size : load<uint32_t>(offsets.data() + sizeof(uint32_t));
  if (begin >= end) return bytes_->damaged("a block of terms is empty");
  return bytes_->read(Section::kTerms, begin, end - begin);
}

Result<std::string_view> TermCursor::first_term(uint32_t number) const {
  KNAPSACK_TRY(const std::string_view bytes, block(number));
  ByteReader reader(bytes);
  reader.varint();  // where its postings begin
  reader.varint();  // shared with nothing
  const std::string_view term = reader.take(reader.varint());
  if (reader.failed()) return bytes_->damaged("a block of terms is cut off");
  return term;
}

Status TermCursor::enter(uint32_t number) {
  KNAPSACK_TRY(const std::string_view bytes, block(number));
  reader_ = ByteReader(bytes);
  postings_at_ = reader_.varint();
  term_.clear();
  next_block_ = number + 1;
  const uint64_t before = uint64_t{number} * kTermsPerBlock;
  const uint64_t terms = bytes_->footer().terms;
  if (before >= terms) return bytes_->damaged("it has more blocks than terms");
  left_in_block_ = static_cast<uint32_t>(std::min<uint64_t>(kTermsPerBlock, terms - before));
  return ok_status();
}

Status TermCursor::read_list(ListInfo& list) {
  list = {};
  list.units = reader_.varint32();
  if (list.units == 1) {
    list.documents = 1;
    list.single_unit = reader_.varint32();
    list.single_frequency = reader_.varint32();
    if (list.single_unit >= bytes_->footer().units || list.single_frequency == 0 ||
        list.single_frequency > kMaxFrequency) {
      return bytes_->damaged("a posting is impossible");
    }
  } else {
    list.documents = reader_.varint32();
    list.size = reader_.varint();
    list.offset = postings_at_;
    postings_at_ += list.size;
    if (list.units == 0 || list.units > bytes_->footer().units || list.documents == 0 ||
        list.documents > list.units || list.size > bytes_->footer().section(Section::kPostings).size) {
      return bytes_->damaged("a posting list is impossible");
    }
  }
  return ok_status();
}

Status TermCursor::read_entry() {
  const uint64_t shared = reader_.varint();
  const std::string_view suffix = reader_.take(reader_.varint());
  const auto mask = reader_.number<uint8_t>();
  if (reader_.failed() || shared > term_.size() || mask == 0) return bytes_->damaged("a term is cut off");
  term_.resize(shared);
  term_ += suffix;
  if (term_.size() > kMaxTermBytes) return bytes_->damaged("a term is too long");
  for (size_t field = 0; field < kMaxFields; ++field) {
    info_.fields[field] = {};
    if ((mask >> field & 1) != 0) KNAPSACK_CHECK(read_list(info_.fields[field]));
  }
  if (reader_.failed()) return bytes_->damaged("a term is cut off");
  --left_in_block_;
  return ok_status();
}

Result<bool> TermCursor::next() {
  if (left_in_block_ == 0) {
    if (next_block_ >= block_count()) return false;
    KNAPSACK_CHECK(enter(next_block_));
  }
  KNAPSACK_CHECK(read_entry());
  return true;
}

Result<bool> TermCursor::find(std::string_view term) {
  term = cut_term(term);
  uint32_t low = 0, high = block_count();  // the last block whose first term is not after `term`, plus one
  while (low < high) {
    const uint32_t middle = low + (high - low) / 2;
    KNAPSACK_TRY(const std::string_view first, first_term(middle));
    if (first <= term) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  if (low == 0) return false;
  KNAPSACK_CHECK(enter(low - 1));
  while (left_in_block_ > 0) {
    KNAPSACK_CHECK(read_entry());
    if (term_ >= term) return term_ == term;
  }
  return false;
}

}  // namespace knapsack::search
