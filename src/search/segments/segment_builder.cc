#include "search/segments/segment_builder.h"

#include <algorithm>
#include <cassert>
#include <numeric>

namespace knapsack::search {

void SegmentBuilder::begin_document(std::string_view key) {
  documents_.push_back({std::string(key), units_.size(), units_.size()});
}

void SegmentBuilder::begin_unit() {
  assert(!documents_.empty());
  units_.push_back({occurrences_.size(), {}});
  documents_.back().units_end = units_.size();
}

void SegmentBuilder::add(uint32_t field, std::string_view term) {
  assert(field < kMaxFields);
  assert(!documents_.empty() && documents_.back().units_begin < documents_.back().units_end);
  Unit& unit = units_.back();
  ++unit.lengths[field];
  const auto [number, mark] = terms_.find_or_add(field, cut_term(term));
  if (*mark > unit.begin) {
    ++occurrences_[*mark - 1].frequency;
  } else if (occurrences_.size() < UINT32_MAX) {
    occurrences_.push_back({number, 1});
    *mark = static_cast<uint32_t>(occurrences_.size());
  } else {
    overflowed_ = true;
  }
}

void SegmentBuilder::add_text(uint32_t field, std::string_view text, const WordOptions& options) {
  WordReader reader(text, options);
  for (Word word; reader.next(word);) add(field, word.text);
}

size_t SegmentBuilder::memory_bytes() const {
  return terms_.memory_bytes() + occurrences_.capacity() * sizeof(Occurrence) +
         units_.capacity() * sizeof(Unit) + documents_.capacity() * sizeof(Document);
}

// Sorted by key; of documents with the same key only the last one that was added.
std::vector<uint32_t> SegmentBuilder::documents_by_key() const {
  std::vector<uint32_t> order(documents_.size());
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(),
                   [&](uint32_t a, uint32_t b) { return documents_[a].key < documents_[b].key; });
  size_t kept = 0;
  for (size_t i = 0; i < order.size(); ++i) {
    const bool replaced = i + 1 < order.size() && documents_[order[i]].key == documents_[order[i + 1]].key;
    if (!replaced) order[kept++] = order[i];
  }
  order.resize(kept);
  return order;
}

Status SegmentBuilder::write_documents(SegmentWriter& writer, const std::vector<uint32_t>& order) const {
  std::vector<UnitLengths> lengths;
  for (const uint32_t number : order) {
    const Document& document = documents_[number];
    lengths.clear();
    for (uint64_t unit = document.units_begin; unit < document.units_end; ++unit) {
      lengths.push_back(units_[unit].lengths);
    }
    KNAPSACK_CHECK(writer.add_document(document.key, lengths));
  }
  return ok_status();
}

// Occurrences lie by unit and must lie by term: counts them by term, then puts each where it belongs. Going
// over documents in their final order makes the units of every term ascend.
Status SegmentBuilder::write_terms(SegmentWriter& writer, const std::vector<uint32_t>& order) const {
  const auto for_each_occurrence = [&](const auto& use) {
    uint32_t unit_number = 0;
    for (const uint32_t number : order) {
      for (uint64_t unit = documents_[number].units_begin; unit < documents_[number].units_end; ++unit) {
        const uint64_t end = unit + 1 < units_.size() ? units_[unit + 1].begin : occurrences_.size();
        for (uint64_t at = units_[unit].begin; at < end; ++at) use(unit_number, occurrences_[at]);
        ++unit_number;
      }
    }
  };
  std::vector<uint64_t> ends(terms_.size(), 0);
  for_each_occurrence([&](uint32_t, const Occurrence& occurrence) { ++ends[occurrence.term]; });
  const std::vector<uint32_t> sorted = terms_.sorted();
  uint64_t total = 0;
  for (const uint32_t term : sorted) {
    const uint64_t count = ends[term];
    ends[term] = total;  // where its next posting goes; where its postings end, after all are placed
    total += count;
  }
  std::vector<Posting> postings(total);
  for_each_occurrence([&](uint32_t unit, const Occurrence& occurrence) {
    postings[ends[occurrence.term]++] = {unit, std::min(occurrence.frequency, kMaxFrequency)};
  });

  uint64_t begin = 0;
  for (size_t next = 0; next < sorted.size();) {
    const std::string_view term = terms_.term(sorted[next]);
    std::array<std::span<const Posting>, kMaxFields> fields{};
    for (; next < sorted.size() && terms_.term(sorted[next]) == term; ++next) {
      const uint64_t end = ends[sorted[next]];
      fields[terms_.field(sorted[next])] = std::span(postings).subspan(begin, end - begin);
      begin = end;
    }
    KNAPSACK_CHECK(writer.add_term(term, fields));
  }
  return ok_status();
}

Result<std::string> SegmentBuilder::write(FileSystem& files, const std::string& folder) {
  if (overflowed_) {
    return Error{ErrorCode::kLimit, "a search segment cannot hold that many words",
                 "index fewer documents at a time"};
  }
  KNAPSACK_TRY(SegmentWriter writer, SegmentWriter::create(files, folder));
  const std::vector<uint32_t> order = documents_by_key();
  KNAPSACK_CHECK(write_documents(writer, order));
  KNAPSACK_CHECK(write_terms(writer, order));
  KNAPSACK_TRY(std::string name, writer.finish());
  *this = SegmentBuilder();
  return name;
}

}  // namespace knapsack::search
