// SegmentBuilder: gathers documents word by word and writes them as one segment.
//
//   builder.begin_document("blob:4f2a");
//   builder.begin_unit();
//   builder.add_text(kBody, chunk);
//
// Documents may come in any order: the same documents give the same bytes. A key that comes again replaces
// what it had before. It takes about twice the memory of the indexed text; memory_bytes() tells when to write
// and start another. One thread.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/files/file_system.h"
#include "search/segments/segment_writer.h"
#include "search/segments/term_table.h"
#include "text/words/words.h"

namespace knapsack::search {

class SegmentBuilder {
 public:
  void begin_document(std::string_view key);
  // Before the first add() of each unit. A document may have none.
  void begin_unit();
  // One occurrence of a term in a field (below kMaxFields) of the current unit.
  void add(uint32_t field, std::string_view term);
  // Every word of a text. Queries on this field must read their words with the same options.
  void add_text(uint32_t field, std::string_view text, const WordOptions& options = {});

  size_t documents() const { return documents_.size(); }
  size_t memory_bytes() const;

  // Writes everything that was added and empties the builder. The name of the new segment.
  Result<std::string> write(FileSystem& files, const std::string& folder);

 private:
  struct Occurrence {
    uint32_t term;  // its number in the table
    uint32_t frequency;
  };
  struct Unit {
    uint64_t begin;  // of its occurrences
    UnitLengths lengths;
  };
  struct Document {
    std::string key;
    uint64_t units_begin;
    uint64_t units_end;
  };

  std::vector<uint32_t> documents_by_key() const;
  Status write_documents(SegmentWriter& writer, const std::vector<uint32_t>& order) const;
  Status write_terms(SegmentWriter& writer, const std::vector<uint32_t>& order) const;

  TermTable terms_;                      // a term's mark: the occurrence that it had last, plus one
  std::vector<Occurrence> occurrences_;  // in the order in which units came
  std::vector<Unit> units_;
  std::vector<Document> documents_;
  bool overflowed_ = false;
};

}  // namespace knapsack::search
