// SegmentReader: what one segment holds: documents by number, their keys and units, and posting lists by
// term.
//
// Documents are numbered by ascending key; units are numbered through all documents. Nothing it hands out
// lies outside the file or comes from a damaged page. Immutable, safe to share between threads.
// Private to search/segments/.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "search/segments/posting_list.h"
#include "search/segments/segment_bytes.h"
#include "search/segments/term_dictionary.h"

namespace knapsack::search {

// The lengths of all units in one field.
class LengthColumn {
 public:
  LengthColumn() = default;
  LengthColumn(const char* bytes, uint32_t width) : bytes_(bytes), width_(width) {}

  uint32_t width() const { return width_; }
  // Of a column of this width.
  template <class Number>
  Number at(uint32_t unit) const {
    return load<Number>(bytes_ + size_t{unit} * sizeof(Number));
  }
  uint32_t operator[](uint32_t unit) const {
    switch (width_) {
      case 0:
        return 0;
      case 1:
        return at<uint8_t>(unit);
      case 2:
        return at<uint16_t>(unit);
      default:
        return at<uint32_t>(unit);
    }
  }
  // Adds weight × length for each of `count` units.
  void add_to(double* sums, const uint32_t* units, size_t count, double weight) const {
    const auto add = [&]<class Number>(Number) {
      for (size_t i = 0; i < count; ++i) sums[i] += weight * at<Number>(units[i]);
    };
    if (width_ == 1) add(uint8_t{});
    if (width_ == 2) add(uint16_t{});
    if (width_ == 4) add(uint32_t{});
  }

 private:
  const char* bytes_ = nullptr;
  uint32_t width_ = 0;
};

class SegmentReader {
 public:
  // `shown_name` is how messages call the file.
  static Result<std::shared_ptr<const SegmentReader>> open(std::shared_ptr<const FileBytes> file,
                                                           std::string shown_name);

  const std::string& name() const { return bytes_->name(); }
  uint64_t file_size() const { return bytes_->file_size(); }
  uint32_t documents() const { return bytes_->footer().documents; }
  uint32_t units() const { return bytes_->footer().units; }
  uint32_t terms() const { return bytes_->footer().terms; }
  uint64_t total_length(size_t field) const { return bytes_->footer().fields[field].total_length; }

  // The units of a document are first_unit(d) up to, not including, first_unit(d + 1).
  uint32_t first_unit(uint32_t document) const { return load<uint32_t>(first_units_ + size_t{document} * 4); }
  // The document that a unit belongs to; `hint` is a document not after it.
  uint32_t document_of(uint32_t unit, uint32_t hint = 0) const;
  Result<std::string_view> key(uint32_t document) const;
  // The number of the document with this key, if it is here.
  Result<std::optional<uint32_t>> find_document(std::string_view key) const;
  Result<LengthColumn> lengths(size_t field) const;

  // All lists empty when the segment does not hold the term.
  Result<TermInfo> find_term(std::string_view term) const;
  // Goes over all terms in byte order.
  TermCursor term_cursor() const { return TermCursor(*bytes_); }
  Result<PostingReader> postings(const ListInfo& list) const;

  // Reads and checks every page.
  Status verify() const { return bytes_->verify(); }
  Error damaged(std::string_view how) const { return bytes_->damaged(how); }

 private:
  explicit SegmentReader(std::unique_ptr<SegmentBytes> bytes) : bytes_(std::move(bytes)) {}
  Status check_first_units() const;

  std::unique_ptr<SegmentBytes> bytes_;
  const char* first_units_ = nullptr;
};

}  // namespace knapsack::search
