// SegmentBytes: the sections of a segment file, each page checked when it is first touched.
//
// Opening reads the trailer only. After that no byte of a damaged page is ever handed out: a read that
// touches one is an error that names the file. Safe to share between threads; bytes stay while this lives.
// Private to search/segments/.
#pragma once

#include <atomic>
#include <memory>

#include "core/files/file_system.h"
#include "search/segments/segment_format.h"

namespace knapsack::search {

class SegmentBytes {
 public:
  // `shown_name` is how messages call the file.
  static Result<std::unique_ptr<SegmentBytes>> open(std::shared_ptr<const FileBytes> file,
                                                    std::string shown_name);

  const SegmentFooter& footer() const { return frame_.footer; }
  const std::string& name() const { return frame_.name; }
  uint64_t file_size() const { return file_->bytes().size(); }

  // `size` bytes at `offset` of a section; kCorrupt when the section is not that long or a page is damaged.
  Result<std::string_view> read(Section section, uint64_t offset, uint64_t size) const;
  Result<std::string_view> read_all(Section section) const;
  // Checks every page now.
  Status verify() const;
  Error damaged(std::string_view how) const { return damaged_segment(shown_name_, how); }

 private:
  SegmentBytes(std::shared_ptr<const FileBytes> file, SegmentFrame frame, std::string shown_name);
  Status check_pages(uint64_t begin, uint64_t size) const;

  std::shared_ptr<const FileBytes> file_;
  SegmentFrame frame_;
  std::string shown_name_;
  // Two threads may check the same page at once; both find the same.
  std::unique_ptr<std::atomic<bool>[]> page_is_good_;
};

}  // namespace knapsack::search
