#include "search/segments/segment_bytes.h"

#include <fmt/format.h>

#include "core/byte_reader.h"

namespace knapsack::search {

SegmentBytes::SegmentBytes(std::shared_ptr<const FileBytes> file, SegmentFrame frame, std::string shown_name)
    : file_(std::move(file)),
      frame_(std::move(frame)),
      shown_name_(std::move(shown_name)),
      page_is_good_(std::make_unique<std::atomic<bool>[]>(frame_.checksums.size() / sizeof(uint64_t))) {}

Result<std::unique_ptr<SegmentBytes>> SegmentBytes::open(std::shared_ptr<const FileBytes> file,
                                                         std::string shown_name) {
  KNAPSACK_TRY(SegmentFrame frame, read_segment_frame(file->bytes(), shown_name));
  return std::unique_ptr<SegmentBytes>(
      new SegmentBytes(std::move(file), std::move(frame), std::move(shown_name)));
}

Status SegmentBytes::check_pages(uint64_t begin, uint64_t size) const {
  if (size == 0) return ok_status();
  const uint64_t last = (begin + size - 1) / kPageSize;
  for (uint64_t page = begin / kPageSize; page <= last; ++page) {
    if (page_is_good_[page].load(std::memory_order_relaxed)) continue;
    const auto expected = load<uint64_t>(frame_.checksums.data() + page * sizeof(uint64_t));
    if (page_checksum(frame_.content.substr(page * kPageSize, kPageSize)) != expected) {
      return damaged(fmt::format("the checksum of page {} is wrong", page));
    }
    page_is_good_[page].store(true, std::memory_order_relaxed);
  }
  return ok_status();
}

Result<std::string_view> SegmentBytes::read(Section section, uint64_t offset, uint64_t size) const {
  const SectionRange& range = footer().section(section);
  if (offset > range.size || size > range.size - offset)
    return damaged("a reference leads out of its section");
  KNAPSACK_CHECK(check_pages(range.begin + offset, size));
  return frame_.content.substr(range.begin + offset, size);
}

Result<std::string_view> SegmentBytes::read_all(Section section) const {
  return read(section, 0, footer().section(section).size);
}

Status SegmentBytes::verify() const {
  return check_pages(0, frame_.content.size());
}

}  // namespace knapsack::search
