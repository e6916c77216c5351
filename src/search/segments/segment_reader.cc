#include "search/segments/segment_reader.h"

#include <algorithm>

namespace knapsack::search {

Result<std::shared_ptr<const SegmentReader>> SegmentReader::open(std::shared_ptr<const FileBytes> file,
                                                                 std::string shown_name) {
  KNAPSACK_TRY(std::unique_ptr<SegmentBytes> bytes,
               SegmentBytes::open(std::move(file), std::move(shown_name)));
  std::shared_ptr<SegmentReader> reader(new SegmentReader(std::move(bytes)));
  KNAPSACK_TRY(const std::string_view first_units, reader->bytes_->read_all(Section::kFirstUnits));
  reader->first_units_ = first_units.data();
  KNAPSACK_CHECK(reader->check_first_units());
  return std::shared_ptr<const SegmentReader>(std::move(reader));
}

// Everything that scores relies on this table, so it is the one that is checked in full at once.
Status SegmentReader::check_first_units() const {
  bool ascending = first_unit(0) == 0 && first_unit(documents()) == units();
  for (uint32_t document = 0; document < documents(); ++document) {
    ascending &= first_unit(document) <= first_unit(document + 1);
  }
  if (!ascending) return damaged("the units of its documents are out of order");
  return ok_status();
}

uint32_t SegmentReader::document_of(uint32_t unit, uint32_t hint) const {
  // Lists are read in ascending order, so the answer is usually near: steps that double, then halves.
  uint32_t low = hint, step = 1;
  while (low + uint64_t{step} < documents() && first_unit(low + step) <= unit) {
    low += step;
    step *= 2;
  }
  uint32_t high = static_cast<uint32_t>(std::min<uint64_t>(low + uint64_t{step}, documents()));
  while (high - low > 1) {
    const uint32_t middle = low + (high - low) / 2;
    (first_unit(middle) <= unit ? low : high) = middle;
  }
  return low;
}

Result<std::string_view> SegmentReader::key(uint32_t document) const {
  const uint64_t begin_at = document == 0 ? 0 : (uint64_t{document} - 1) * sizeof(uint32_t);
  const uint64_t count = document == 0 ? 1 : 2;
  KNAPSACK_TRY(const std::string_view ends,
               bytes_->read(Section::kKeyEnds, begin_at, count * sizeof(uint32_t)));
  const uint64_t begin = document == 0 ? 0 : load<uint32_t>(ends.data());
  const uint64_t end = load<uint32_t>(ends.data() + (count - 1) * sizeof(uint32_t));
  if (begin > end) return damaged("a key ends before it begins");
  return bytes_->read(Section::kKeys, begin, end - begin);
}

Result<std::optional<uint32_t>> SegmentReader::find_document(std::string_view wanted) const {
  uint32_t low = 0, high = documents();
  while (low < high) {
    const uint32_t middle = low + (high - low) / 2;
    KNAPSACK_TRY(const std::string_view found, key(middle));
    if (found == wanted) return std::optional<uint32_t>(middle);
    if (found < wanted) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return std::optional<uint32_t>();
}

Result<LengthColumn> SegmentReader::lengths(size_t field) const {
  const auto& fields = bytes_->footer().fields;
  uint64_t offset = 0;
  for (size_t before = 0; before < field; ++before) offset += uint64_t{fields[before].length_bytes} * units();
  const uint32_t width = fields[field].length_bytes;
  KNAPSACK_TRY(const std::string_view column,
               bytes_->read(Section::kLengths, offset, uint64_t{width} * units()));
  return LengthColumn(column.data(), width);
}

Result<TermInfo> SegmentReader::find_term(std::string_view term) const {
  TermCursor cursor = term_cursor();
  KNAPSACK_TRY(const bool found, cursor.find(term));
  return found ? cursor.info() : TermInfo{};
}

Result<PostingReader> SegmentReader::postings(const ListInfo& list) const {
  if (list.units == 0) return PostingReader();
  if (list.units == 1) return PostingReader::single(list.single_unit, list.single_frequency);
  KNAPSACK_TRY(const std::string_view bytes, bytes_->read(Section::kPostings, list.offset, list.size));
  return PostingReader(bytes, list.units, units());
}

}  // namespace knapsack::search
