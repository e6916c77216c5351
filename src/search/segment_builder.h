// SegmentBuilder: gathers documents word by word and writes them as one segment.
//
//   builder.begin_document("blob:4f2a");
//   builder.begin_unit();
//   builder.add(kBody, "parse");
//
// Documents may come in any order: the same documents give the same bytes. A key that comes again replaces
// what it had before. It holds about twice the size of the indexed text; memory_bytes() tells when to write
// and start another. One thread.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/file_system.h"
#include "search/segment_writer.h"

namespace knapsack::search {

class SegmentBuilder {
 public:
  void begin_document(std::string_view key);
  // Before the first add() of each unit. A document may have none.
  void begin_unit();
  // One occurrence of a term in a field (below kMaxFields) of the current unit.
  void add(uint32_t field, std::string_view term);

  size_t documents() const { return documents_.size(); }
  size_t memory_bytes() const;

  // Writes everything that was added and empties the builder. The name of the new segment.
  Result<std::string> write(FileSystem& files, const std::string& folder);

 private:
  // A term in one field. Its bytes are in the arena.
  struct Entry {
    uint64_t text_begin;
    uint32_t text_size;
    uint32_t field;
    uint64_t last_posting;  // in the current unit, if not before the unit's first one
  };
  struct Posting {
    uint32_t entry;
    uint32_t frequency;
  };
  struct Unit {
    uint64_t postings_begin;
    UnitLengths lengths;
  };
  struct Document {
    std::string key;
    uint64_t units_begin;
    uint64_t units_end;
  };

  uint32_t find_or_add(uint32_t field, std::string_view term);
  void grow_table();
  std::string_view text(const Entry& entry) const {
    return {arena_.data() + entry.text_begin, entry.text_size};
  }
  std::vector<uint32_t> documents_by_key() const;
  std::vector<uint32_t> entries_by_term() const;
  Status write_documents(SegmentWriter& writer, const std::vector<uint32_t>& order) const;
  Status write_terms(SegmentWriter& writer, const std::vector<uint32_t>& order) const;

  struct Slot {
    uint32_t hash = 0;
    uint32_t entry = 0;  // plus one; zero is free
  };
  std::vector<Slot> table_;  // open addressing, a power of two
  std::vector<Entry> entries_;
  std::string arena_;
  std::vector<Posting> postings_;  // in the order in which units came
  std::vector<Unit> units_;
  std::vector<Document> documents_;
};

}  // namespace knapsack::search
