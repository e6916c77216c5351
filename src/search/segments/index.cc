#include "search/segments/index.h"

#include <algorithm>

namespace knapsack::search {

Result<Index> Index::open(std::vector<Part> parts) {
  Index index;
  for (Part& part : parts) KNAPSACK_CHECK(index.add(std::move(part)));
  return index;
}

Status Index::add(Part part) {
  OpenPart open;
  open.segment = std::move(part.segment);
  open.live = std::move(part.live);
  const SegmentReader& segment = *open.segment;
  if (!open.live.fits(segment.documents())) {
    return segment.damaged("a set of live documents does not belong to it");
  }
  documents_ += open.live.size();
  open.all_live = open.live.size() == segment.documents();
  if (open.all_live) {
    units_ += segment.units();
    for (size_t field = 0; field < kMaxFields; ++field) total_lengths_[field] += segment.total_length(field);
  } else {
    KNAPSACK_CHECK(add_live_units(open));
  }
  parts_.push_back(std::move(open));
  return ok_status();
}

Status Index::add_live_units(OpenPart& open) {
  const SegmentReader& segment = *open.segment;
  open.live_units.words.resize((size_t{segment.units()} + 63) / 64);
  open.documents.resize(segment.units());
  for (uint32_t document = 0; document < segment.documents(); ++document) {
    std::fill(open.documents.begin() + segment.first_unit(document),
              open.documents.begin() + segment.first_unit(document + 1), document);
  }
  std::array<LengthColumn, kMaxFields> lengths;
  for (size_t field = 0; field < kMaxFields; ++field) {
    KNAPSACK_TRY(lengths[field], segment.lengths(field));
  }
  open.live.for_each([&](uint32_t document) {
    const uint32_t end = segment.first_unit(document + 1);
    for (uint32_t unit = segment.first_unit(document); unit < end; ++unit) {
      open.live_units.add(unit);
      ++units_;
      for (size_t field = 0; field < kMaxFields; ++field) total_lengths_[field] += lengths[field][unit];
    }
  });
  return ok_status();
}

// Without a branch on what is live: half of all documents being so is the case to be quick in.
void Index::keep_live(uint32_t part, PostingBlock& block) const {
  const UnitBits& live_units = parts_[part].live_units;
  size_t kept = 0;
  for (size_t i = 0; i < block.size; ++i) {
    const uint32_t unit = block.units[i];
    block.units[kept] = unit;
    block.frequencies[kept] = block.frequencies[i];
    kept += live_units.contains(unit) ? 1 : 0;
  }
  block.size = kept;
}

uint32_t Index::unit_count(DocumentId id) const {
  return segment(id.part).first_unit(id.document + 1) - segment(id.part).first_unit(id.document);
}

Result<uint32_t> Index::unit_length(DocumentId id, uint32_t unit, size_t field) const {
  KNAPSACK_TRY(const LengthColumn lengths, segment(id.part).lengths(field));
  return lengths[segment(id.part).first_unit(id.document) + unit];
}

Result<std::vector<FieldPostings>> Index::postings(uint32_t part, std::string_view term,
                                                   FieldMask fields) const {
  KNAPSACK_TRY(const TermInfo info, segment(part).find_term(term));
  std::vector<FieldPostings> lists;
  for (uint32_t field = 0; field < kMaxFields; ++field) {
    const ListInfo& list = info.fields[field];
    if (list.units == 0 || (fields >> field & 1) == 0) continue;
    KNAPSACK_TRY(PostingReader reader, segment(part).postings(list));
    lists.push_back({field, list, reader});
  }
  return lists;
}

Result<TermCounts> Index::counts(std::string_view term, FieldMask fields) const {
  std::string name(term);
  name += static_cast<char>(fields);
  {
    const std::lock_guard lock(memory_->mutex);
    const auto known = memory_->counts.find(name);
    if (known != memory_->counts.end()) return known->second;
  }
  KNAPSACK_TRY(const TermCounts counted, count_anew(term, fields));
  const std::lock_guard lock(memory_->mutex);
  if (memory_->counts.size() >= CountMemory::kMax) memory_->counts.clear();
  memory_->counts.emplace(std::move(name), counted);
  return counted;
}

Result<TermCounts> Index::count_anew(std::string_view term, FieldMask fields) const {
  TermCounts total;
  for (uint32_t part = 0; part < parts(); ++part) {
    KNAPSACK_TRY(std::vector<FieldPostings> lists, postings(part, term, fields));
    if (lists.empty()) continue;
    TermCounts here{lists[0].info.documents, lists[0].info.units};
    if (lists.size() > 1 || !all_live(part)) {
      KNAPSACK_TRY(here, count_live(part, std::move(lists)));
    }
    total.documents += here.documents;
    total.units += here.units;
  }
  return total;
}

// Drops dead units and counts the rest; as above, without a branch on what is live.
void Index::count_units(uint32_t part, std::span<uint32_t> units, Counting& counting) const {
  const OpenPart& open = parts_[part];
  size_t kept = 0;
  for (const uint32_t unit : units) {
    units[kept] = unit;
    kept += open.all_live || open.live_units.contains(unit) ? 1 : 0;
  }
  uint64_t documents = 0;
  uint32_t last = counting.last_document;
  for (const uint32_t unit : units.first(kept)) {
    const uint32_t document =
        open.all_live ? open.segment->document_of(unit, last == UINT32_MAX ? 0 : last) : open.documents[unit];
    documents += document != last ? 1 : 0;
    last = document;
  }
  counting.last_document = last;
  counting.counts.documents += documents;
  counting.counts.units += kept;
}

// Only for several lists, whose units overlap, or where not all documents are live.
Result<TermCounts> Index::count_live(uint32_t part, std::vector<FieldPostings> lists) const {
  Counting counting;
  std::vector<uint32_t> units;
  PostingBlock block;
  for (FieldPostings& list : lists) {
    const auto before = static_cast<long>(units.size());
    while (!list.reader.done()) {
      if (!list.reader.decode_units(block)) return segment(part).damaged("a posting list is not whole");
      list.reader.advance(block);
      const std::span<uint32_t> decoded(block.units.data(), block.size);
      if (lists.size() == 1) {
        count_units(part, decoded, counting);
      } else {
        units.insert(units.end(), decoded.begin(), decoded.end());
      }
    }
    std::inplace_merge(units.begin(), units.begin() + before, units.end());
  }
  if (lists.size() > 1) {
    units.erase(std::unique(units.begin(), units.end()), units.end());
    count_units(part, units, counting);
  }
  return counting.counts;
}

Result<LiveKeys> find_live(const std::vector<std::shared_ptr<const SegmentReader>>& segments,
                           const std::vector<std::string>& keys) {
  LiveKeys found;
  found.live.resize(segments.size());
  for (const std::string& key : keys) {
    bool seen = false;
    for (size_t i = segments.size(); i-- > 0 && !seen;) {
      KNAPSACK_TRY(const std::optional<uint32_t> document, segments[i]->find_document(key));
      if (!document) continue;
      found.live[i].add(*document);
      seen = true;
    }
    if (!seen) found.missing.push_back(key);
  }
  return found;
}

}  // namespace knapsack::search
