#include "search/segments/segment_writer.h"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>

#include "core/byte_reader.h"
#include "search/segments/segment_set.h"

namespace knapsack::search {
namespace {

// How much is gathered before it goes to the disk.
constexpr uint64_t kFlushPages = 64;

Error too_large(std::string_view what) {
  return {ErrorCode::kLimit, fmt::format("a search segment cannot hold that many {}", what),
          "index fewer documents at a time"};
}

uint32_t width_of(uint32_t largest) {
  if (largest == 0) return 0;
  if (largest <= UINT8_MAX) return 1;
  return largest <= UINT16_MAX ? 2 : 4;
}

}  // namespace

SegmentWriter::SegmentWriter(std::string folder, std::unique_ptr<NewFile> file)
    : folder_(std::move(folder)), file_(std::move(file)) {}

Result<SegmentWriter> SegmentWriter::create(FileSystem& files, std::string folder) {
  KNAPSACK_TRY(std::unique_ptr<NewFile> file, files.create(folder));
  SegmentWriter writer(std::move(folder), std::move(file));
  KNAPSACK_CHECK(writer.write(segment_header()));
  writer.footer_.sections[static_cast<size_t>(Section::kPostings)].begin = writer.written_;
  return writer;
}

Status SegmentWriter::write(std::string_view bytes) {
  pending_ += bytes;
  written_ += bytes.size();
  if (pending_.size() < kFlushPages * kPageSize) return ok_status();
  return flush(pending_.size() / kPageSize);
}

// Every page is hashed once, whole, as it leaves; only the last one of the file may be shorter.
Status SegmentWriter::flush(uint64_t pages) {
  const std::string_view all = pending_;
  const std::string_view leaving = all.substr(0, pages * kPageSize);
  for (uint64_t page = 0; page < pages; ++page) {
    checksums_.push_back(page_checksum(leaving.substr(page * kPageSize, kPageSize)));
  }
  KNAPSACK_CHECK(file_->append(leaving));
  pending_.erase(0, leaving.size());
  return ok_status();
}

Status SegmentWriter::add_document(std::string_view key, const std::vector<UnitLengths>& units) {
  assert(terms_.terms() == 0);
  assert(footer_.documents == 0 || last_key_ < key);
  last_key_ = key;
  // One number is left free above the largest unit, document and offset, so that "one past" always fits.
  if (footer_.documents == UINT32_MAX - 1) return too_large("documents");
  if (units.size() >= UINT32_MAX - footer_.units) return too_large("units");
  if (key.size() >= UINT32_MAX - keys_.size()) return too_large("bytes of keys");
  append_number(first_units_, footer_.units);
  keys_ += key;
  append_number(key_ends_, static_cast<uint32_t>(keys_.size()));
  for (const UnitLengths& unit : units) {
    for (size_t field = 0; field < kMaxFields; ++field) {
      if (unit[field] == 0) continue;
      lengths_[field].resize(footer_.units, 0);
      lengths_[field].push_back(unit[field]);
      footer_.fields[field].total_length += unit[field];
    }
    document_of_unit_.push_back(footer_.documents);
    ++footer_.units;
  }
  ++footer_.documents;
  return ok_status();
}

uint32_t SegmentWriter::count_documents(std::span<const Posting> postings) const {
  uint32_t count = 0, last = UINT32_MAX;
  for (const Posting& posting : postings) {
    const uint32_t document = document_of_unit_[posting.unit];
    count += document != last ? 1 : 0;
    last = document;
  }
  return count;
}

Status SegmentWriter::add_term(std::string_view term,
                               const std::array<std::span<const Posting>, kMaxFields>& fields) {
  assert(terms_.terms() == 0 || last_term_ < term);
  assert(term.size() <= kMaxTermBytes);
  last_term_ = term;
  if (terms_.terms() == UINT32_MAX - 1 || terms_.blocks().size() > UINT32_MAX - 2 * kMaxTermBytes) {
    return too_large("terms");
  }
  TermInfo info;
  bool found = false;
  for (size_t field = 0; field < kMaxFields; ++field) {
    const std::span<const Posting> postings = fields[field];
    if (postings.empty()) continue;
    found = true;
    ListInfo& list = info.fields[field];
    list.units = static_cast<uint32_t>(postings.size());
    if (list.units == 1) {
      list.single_unit = postings[0].unit;
      list.single_frequency = postings[0].frequency;
      continue;
    }
    list.documents = count_documents(postings);
    encoded_.clear();
    append_posting_list(postings, encoded_);
    list.size = encoded_.size();
    KNAPSACK_CHECK(write(encoded_));
  }
  if (found) terms_.add(term, info);
  return ok_status();
}

Status SegmentWriter::write_section(Section section, std::string_view bytes) {
  footer_.sections[static_cast<size_t>(section)] = {written_, bytes.size()};
  return write(bytes);
}

Status SegmentWriter::write_lengths() {
  std::string columns;
  for (size_t field = 0; field < kMaxFields; ++field) {
    std::vector<uint32_t>& lengths = lengths_[field];
    if (lengths.empty()) continue;
    const uint32_t width = width_of(*std::max_element(lengths.begin(), lengths.end()));
    footer_.fields[field].length_bytes = width;
    lengths.resize(footer_.units, 0);
    for (const uint32_t length : lengths) columns.append(reinterpret_cast<const char*>(&length), width);
  }
  return write_section(Section::kLengths, columns);
}

Result<std::string> SegmentWriter::finish() {
  SectionRange& postings = footer_.sections[static_cast<size_t>(Section::kPostings)];
  postings.size = written_ - postings.begin;
  footer_.terms = terms_.terms();
  append_number(first_units_, footer_.units);
  KNAPSACK_CHECK(write_section(Section::kTerms, terms_.blocks()));
  KNAPSACK_CHECK(write_section(Section::kTermBlocks, terms_.block_offsets()));
  KNAPSACK_CHECK(write_section(Section::kFirstUnits, first_units_));
  KNAPSACK_CHECK(write_section(Section::kKeyEnds, key_ends_));
  KNAPSACK_CHECK(write_section(Section::kKeys, keys_));
  KNAPSACK_CHECK(write_lengths());
  KNAPSACK_CHECK(flush((pending_.size() + kPageSize - 1) / kPageSize));
  const std::string trailer = segment_trailer(checksums_, written_, footer_);
  KNAPSACK_CHECK(file_->append(trailer));
  const std::string name = trailer_name(trailer);
  KNAPSACK_CHECK(file_->commit(join_path(folder_, segment_file_name(name))));
  return name;
}

}  // namespace knapsack::search
