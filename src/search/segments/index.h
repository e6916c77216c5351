// Index: several segments, the documents of each that are live, and the statistics of exactly those.
//
// Dead documents neither match nor count: frequencies and average lengths are those of an index that held the
// live ones alone, so any number of other snapshots in the same segments leaves the scores of this one
// unchanged. A key must be live in one segment only; find_live() sees to that. Immutable, safe to share
// between threads.
#pragma once

#include <array>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "search/segments/live_set.h"
#include "search/segments/segment_reader.h"

namespace knapsack::search {

using FieldMask = uint8_t;  // bit f stands for field f
constexpr FieldMask kAllFields = 0xFF;
constexpr FieldMask field_bit(uint32_t field) {
  return static_cast<FieldMask>(1U << field);
}

struct DocumentId {
  uint32_t part = 0;      // which segment of the index
  uint32_t document = 0;  // its number there
  bool operator==(const DocumentId&) const = default;
};

struct TermCounts {
  uint64_t documents = 0;
  uint64_t units = 0;
};

// The postings of a term in one field of one segment.
struct FieldPostings {
  uint32_t field = 0;
  ListInfo info;
  PostingReader reader;
};

class Index {
 public:
  struct Part {
    std::shared_ptr<const SegmentReader> segment;
    LiveSet live;
  };

  // kCorrupt when a live set names documents that its segment does not have.
  static Result<Index> open(std::vector<Part> parts);

  uint32_t parts() const { return static_cast<uint32_t>(parts_.size()); }
  const SegmentReader& segment(uint32_t part) const { return *parts_[part].segment; }
  const LiveSet& live(uint32_t part) const { return parts_[part].live; }
  bool all_live(uint32_t part) const { return parts_[part].all_live; }
  bool is_live_unit(uint32_t part, uint32_t unit) const {
    return all_live(part) || parts_[part].live_units.contains(unit);
  }
  // Keeps of a block what is live.
  void keep_live(uint32_t part, PostingBlock& block) const;

  // Of live documents only.
  uint64_t documents() const { return documents_; }
  uint64_t units() const { return units_; }
  uint64_t total_length(size_t field) const { return total_lengths_[field]; }

  Result<std::string_view> key(DocumentId id) const { return segment(id.part).key(id.document); }
  uint32_t unit_count(DocumentId id) const;
  // In tokens; `unit` counts from zero within its document.
  Result<uint32_t> unit_length(DocumentId id, uint32_t unit, size_t field) const;

  // How many live documents and units hold the term in at least one of the fields. Remembers its answers: to
  // count within a live set goes over every posting, and the words of queries come again.
  Result<TermCounts> counts(std::string_view term, FieldMask fields) const;
  // The lists of the term in one segment, dead units among them; only fields that have one.
  Result<std::vector<FieldPostings>> postings(uint32_t part, std::string_view term, FieldMask fields) const;

 private:
  // Plain bits: every posting is looked up here, and a roaring bitmap would take several steps each time.
  struct UnitBits {
    std::vector<uint64_t> words;
    bool contains(uint32_t unit) const { return (words[unit / 64] >> (unit % 64) & 1) != 0; }
    void add(uint32_t unit) { words[unit / 64] |= uint64_t{1} << (unit % 64); }
  };
  struct OpenPart {
    std::shared_ptr<const SegmentReader> segment;
    LiveSet live;
    bool all_live = true;
    // Where not all documents are live:
    UnitBits live_units;
    std::vector<uint32_t> documents;  // by unit, for counting
  };
  // Terms that were counted, by their bytes and fields. Emptied when full: that is rare, and simpler than to
  // find out which will not come again.
  struct CountMemory {
    static constexpr size_t kMax = 65'536;
    std::mutex mutex;
    std::unordered_map<std::string, TermCounts> counts;
  };
  Status add(Part part);
  Status add_live_units(OpenPart& open);
  Result<TermCounts> count_anew(std::string_view term, FieldMask fields) const;
  Result<TermCounts> count_live(uint32_t part, std::vector<FieldPostings> lists) const;
  // Counting goes on where it stopped: a document may reach from one call into the next.
  struct Counting {
    TermCounts counts;
    uint32_t last_document = UINT32_MAX;
  };
  void count_units(uint32_t part, std::span<uint32_t> units, Counting& counting) const;

  std::vector<OpenPart> parts_;
  std::shared_ptr<CountMemory> memory_ = std::make_shared<CountMemory>();  // copies answer the same
  uint64_t documents_ = 0;
  uint64_t units_ = 0;
  std::array<uint64_t, kMaxFields> total_lengths_{};
};

struct LiveKeys {
  std::vector<LiveSet> live;         // a set a segment, in their order
  std::vector<std::string> missing;  // keys that no segment holds, in the order given
};
// The live sets under which exactly the documents with these keys are live, each of them once: a key that
// several segments hold is live in the last of them.
Result<LiveKeys> find_live(const std::vector<std::shared_ptr<const SegmentReader>>& segments,
                           const std::vector<std::string>& keys);

}  // namespace knapsack::search
