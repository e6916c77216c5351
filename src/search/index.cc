#include "search/index.h"

#include <algorithm>

namespace knapsack::search {

Result<Index> Index::open(std::vector<Part> parts) {
  Index index;
  for (Part& part : parts) KNAPSACK_CHECK(index.add(std::move(part)));
  return index;
}

Status Index::add(Part part) {
  const SegmentReader& segment = *part.segment;
  if (!part.live.fits(segment.documents())) {
    return segment.damaged("a set of live documents does not belong to it");
  }
  OpenPart open;
  open.all_live = part.live.size() == segment.documents();
  documents_ += part.live.size();
  if (open.all_live) {
    units_ += segment.units();
    for (size_t field = 0; field < kMaxFields; ++field) total_lengths_[field] += segment.total_length(field);
  } else {
    open.live_units.resize((size_t{segment.units()} + 63) / 64);
    part.live.for_each([&](uint32_t document) {
      const uint32_t end = segment.first_unit(document + 1);
      for (uint32_t unit = segment.first_unit(document); unit < end; ++unit) {
        open.live_units[unit / 64] |= uint64_t{1} << (unit % 64);
        ++units_;
      }
    });
    for (size_t field = 0; field < kMaxFields; ++field) {
      if (segment.total_length(field) == 0) continue;
      KNAPSACK_TRY(const LengthColumn lengths, segment.lengths(field));
      for (uint32_t unit = 0; unit < segment.units(); ++unit) {
        if ((open.live_units[unit / 64] >> (unit % 64) & 1) != 0) total_lengths_[field] += lengths[unit];
      }
    }
  }
  open.segment = std::move(part.segment);
  open.live = std::move(part.live);
  parts_.push_back(std::move(open));
  return ok_status();
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

Result<TermCounts> Index::count_live(uint32_t part, std::vector<FieldPostings> lists) const {
  const SegmentReader& source = segment(part);
  TermCounts counts;
  uint32_t document = 0, document_end = 0;
  const auto count = [&](uint32_t unit) {
    if (!is_live_unit(part, unit)) return;
    ++counts.units;
    if (unit < document_end) return;
    ++counts.documents;
    document = source.document_of(unit, document);
    document_end = source.first_unit(document + 1);
  };
  PostingBlock block;
  std::vector<uint32_t> units;  // of several fields, which overlap
  for (FieldPostings& list : lists) {
    while (!list.reader.done()) {
      if (!list.reader.decode_units(block)) return source.damaged("a posting list is not whole");
      if (lists.size() == 1) {
        for (size_t i = 0; i < block.size; ++i) count(block.units[i]);
      } else {
        units.insert(units.end(), block.units.begin(), block.units.begin() + static_cast<long>(block.size));
      }
      list.reader.advance(block);
    }
  }
  std::sort(units.begin(), units.end());
  units.erase(std::unique(units.begin(), units.end()), units.end());
  for (const uint32_t unit : units) count(unit);
  return counts;
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
