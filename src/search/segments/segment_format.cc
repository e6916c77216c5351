#include "search/segments/segment_format.h"

#include <fmt/format.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

#include "core/byte_reader.h"

namespace knapsack::search {
namespace {

constexpr std::string_view kMagic = "knapseg\n";
constexpr size_t kHeaderBytes = kMagic.size() + 2 * sizeof(uint32_t);
constexpr size_t kFooterBytes = 4 * sizeof(uint32_t) + kSectionCount * 2 * sizeof(uint64_t) +
                                kMaxFields * (sizeof(uint64_t) + sizeof(uint32_t));
// After the footer: where the checksums begin, the checksum of everything from there, and the magic again.
constexpr size_t kTailBytes = 2 * sizeof(uint64_t) + kMagic.size();

uint64_t pages_in(uint64_t bytes) {
  return (bytes + kPageSize - 1) / kPageSize;
}

// What the number of documents, units and so on says a section must hold; 0 for those that say it themselves.
uint64_t expected_size(const SegmentFooter& footer, Section which) {
  uint64_t length_bytes = 0;
  switch (which) {
    case Section::kFirstUnits:
      return (uint64_t{footer.documents} + 1) * sizeof(uint32_t);
    case Section::kKeyEnds:
      return uint64_t{footer.documents} * sizeof(uint32_t);
    case Section::kLengths:
      for (const FieldSummary& field : footer.fields) length_bytes += field.length_bytes;
      return length_bytes * footer.units;
    default:
      return footer.section(which).size;
  }
}

std::string_view bounds_problem(const SegmentFooter& footer, uint64_t content_size) {
  for (size_t i = 0; i < kSectionCount; ++i) {
    const SectionRange& range = footer.sections[i];
    if (range.begin > content_size || range.size > content_size - range.begin) {
      return "a section lies outside the file";
    }
    if (range.size != expected_size(footer, static_cast<Section>(i))) return "a section has the wrong size";
  }
  for (const FieldSummary& field : footer.fields) {
    if (field.length_bytes == 3 || field.length_bytes > 4) return "a length has an impossible width";
  }
  if (footer.section(Section::kTermBlocks).size % sizeof(uint32_t) != 0) return "a table is not whole";
  if (footer.units == UINT32_MAX) return "too many units";
  return "";
}

SegmentFooter parse_footer(std::string_view bytes, uint32_t& version) {
  ByteReader reader(bytes);
  SegmentFooter footer;
  version = reader.number<uint32_t>();
  footer.documents = reader.number<uint32_t>();
  footer.units = reader.number<uint32_t>();
  footer.terms = reader.number<uint32_t>();
  for (SectionRange& range : footer.sections) {
    range.begin = reader.number<uint64_t>();
    range.size = reader.number<uint64_t>();
  }
  for (FieldSummary& field : footer.fields) {
    field.total_length = reader.number<uint64_t>();
    field.length_bytes = reader.number<uint32_t>();
  }
  return footer;
}

}  // namespace

Error damaged_segment(const std::string& shown_name, std::string_view how) {
  return {ErrorCode::kCorrupt, fmt::format("search segment {} is damaged: {}", shown_name, how),
          "build the index again"};
}

uint64_t page_checksum(std::string_view page) {
  return XXH3_64bits(page.data(), page.size());
}

std::string trailer_name(std::string_view trailer) {
  const XXH128_hash_t hash = XXH3_128bits(trailer.data(), trailer.size());
  return fmt::format("{:016x}{:016x}", hash.high64, hash.low64);
}

std::string segment_header() {
  std::string header(kMagic);
  append_number(header, kFormatVersion);
  append_number(header, uint32_t{0});
  return header;
}

std::string segment_trailer(const std::vector<uint64_t>& checksums, uint64_t content_size,
                            const SegmentFooter& footer) {
  std::string trailer;
  for (const uint64_t checksum : checksums) append_number(trailer, checksum);
  append_number(trailer, kFormatVersion);
  append_number(trailer, footer.documents);
  append_number(trailer, footer.units);
  append_number(trailer, footer.terms);
  for (const SectionRange& range : footer.sections) {
    append_number(trailer, range.begin);
    append_number(trailer, range.size);
  }
  for (const FieldSummary& field : footer.fields) {
    append_number(trailer, field.total_length);
    append_number(trailer, field.length_bytes);
  }
  append_number(trailer, content_size);
  append_number(trailer, page_checksum(trailer));
  return trailer.append(kMagic);
}

Result<SegmentFrame> read_segment_frame(std::string_view file, const std::string& shown_name) {
  if (file.size() < kHeaderBytes + kFooterBytes + kTailBytes) {
    return damaged_segment(shown_name, "it is too short");
  }
  if (!file.starts_with(kMagic)) return damaged_segment(shown_name, "it does not begin like a segment");
  if (!file.ends_with(kMagic)) return damaged_segment(shown_name, "its end is missing");
  const size_t footer_begin = file.size() - kTailBytes - kFooterBytes;
  const auto content_size = load<uint64_t>(file.data() + footer_begin + kFooterBytes);
  const auto checksum = load<uint64_t>(file.data() + footer_begin + kFooterBytes + sizeof(uint64_t));
  if (content_size < kHeaderBytes || content_size > footer_begin ||
      footer_begin - content_size != pages_in(content_size) * sizeof(uint64_t)) {
    return damaged_segment(shown_name, "its size does not match its footer");
  }
  const std::string_view trailer = file.substr(content_size);
  const size_t covered = trailer.size() - sizeof(uint64_t) - kMagic.size();
  if (page_checksum(trailer.substr(0, covered)) != checksum) {
    return damaged_segment(shown_name, "the checksum of its footer is wrong");
  }
  uint32_t version = 0;
  SegmentFrame frame;
  frame.footer = parse_footer(file.substr(footer_begin, kFooterBytes), version);
  if (version != kFormatVersion || load<uint32_t>(file.data() + kMagic.size()) != version) {
    return Error{
        ErrorCode::kCorrupt,
        fmt::format("search segment {} has format version {}, not {}", shown_name, version, kFormatVersion),
        "build the index again with this version of knapsack"};
  }
  if (const auto problem = bounds_problem(frame.footer, content_size); !problem.empty()) {
    return damaged_segment(shown_name, problem);
  }
  frame.content = file.substr(0, content_size);
  frame.checksums = trailer.substr(0, footer_begin - content_size);
  frame.name = trailer_name(trailer);
  return frame;
}

}  // namespace knapsack::search
