// SegmentWriter: writes one segment file in a single pass, from documents and terms that come in order.
//
// First all documents by key, then all terms by bytes, then finish(). The same calls give the same bytes and
// so the same name. Postings go to the disk at once; terms and documents wait in memory for the end. Nothing
// is visible before finish() has synced and renamed. One thread.
// Private to search/segments/.
#pragma once

#include <array>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "core/files/file_system.h"
#include "search/segments/posting_list.h"
#include "search/segments/segment_format.h"
#include "search/segments/term_dictionary.h"

namespace knapsack::search {

using UnitLengths = std::array<uint32_t, kMaxFields>;  // tokens of one unit, by field

class SegmentWriter {
 public:
  static Result<SegmentWriter> create(FileSystem& files, std::string folder);

  // Keys strictly ascending as bytes.
  Status add_document(std::string_view key, const std::vector<UnitLengths>& units);
  // Terms strictly ascending as bytes; `fields[f]` holds the units of field f, empty where it has none.
  Status add_term(std::string_view term, const std::array<std::span<const Posting>, kMaxFields>& fields);
  // The name under which the segment now lies in the folder.
  Result<std::string> finish();

 private:
  SegmentWriter(std::string folder, std::unique_ptr<NewFile> file);
  Status write(std::string_view bytes);
  Status write_section(Section section, std::string_view bytes);
  Status write_lengths();
  Status flush(uint64_t whole_pages);
  uint32_t count_documents(std::span<const Posting> postings) const;

  std::string folder_;
  std::unique_ptr<NewFile> file_;
  SegmentFooter footer_;
  std::vector<uint64_t> checksums_;
  std::string pending_;   // written pages leave from here
  uint64_t written_ = 0;  // bytes so far, pending ones among them
  std::string encoded_;   // one posting list, reused
  TermDictionaryWriter terms_;
  std::vector<uint32_t> document_of_unit_;
  std::string first_units_;
  std::string key_ends_;
  std::string keys_;
  std::string last_key_, last_term_;
  std::array<std::vector<uint32_t>, kMaxFields> lengths_;  // by unit; zeros at the end may be left out
};

}  // namespace knapsack::search
