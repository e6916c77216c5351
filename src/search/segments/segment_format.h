// The frame of a segment file: its sections, the checksum of every page, and the footer that lists them.
//
// docs/formats.md describes the bytes. The footer is at the end so that a segment can be written in one pass.
// It names itself: the hash of page checksums and footer is the segment's name, so opening tells a damaged
// or misnamed file without reading its contents; these are checked page by page when they are first touched.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/result.h"

namespace knapsack::search {

constexpr size_t kMaxFields = 8;
constexpr uint32_t kFormatVersion = 1;
// Small enough that touching one term does not check much else, large enough that checksums are 0.05 %.
constexpr uint64_t kPageSize = 16'384;

enum class Section : uint8_t {
  kPostings,
  kTerms,
  kTermBlocks,  // where each block of terms begins, u32
  kFirstUnits,  // the first unit of each document, u32, and the number of units
  kKeyEnds,     // where each document's key ends, u32
  kKeys,
  kLengths,  // a column a field
};
constexpr size_t kSectionCount = 7;

struct SectionRange {
  uint64_t begin = 0;
  uint64_t size = 0;
};

struct FieldSummary {
  uint64_t total_length = 0;  // tokens in all units
  uint32_t length_bytes = 0;  // of one length in this field's column: 0 (all are zero), 1, 2 or 4
};

struct SegmentFooter {
  uint32_t documents = 0;
  uint32_t units = 0;
  uint32_t terms = 0;
  std::array<SectionRange, kSectionCount> sections{};
  std::array<FieldSummary, kMaxFields> fields{};

  const SectionRange& section(Section which) const { return sections[static_cast<size_t>(which)]; }
};

std::string segment_header();

// What follows the content (header and sections); `checksums` are those of its pages.
std::string segment_trailer(const std::vector<uint64_t>& checksums, uint64_t content_size,
                            const SegmentFooter& footer);

struct SegmentFrame {
  SegmentFooter footer;
  std::string_view content;    // header and sections, which the checksums cover
  std::string_view checksums;  // u64 a page
  std::string name;            // 32 hexadecimal digits
};

// Reads and checks header, trailer and the bounds of every section; the contents stay untouched.
Result<SegmentFrame> read_segment_frame(std::string_view file, const std::string& shown_name);

uint64_t page_checksum(std::string_view page);
// The name that a file ending with this trailer has.
std::string trailer_name(std::string_view trailer);

Error damaged_segment(const std::string& shown_name, std::string_view how);

}  // namespace knapsack::search
