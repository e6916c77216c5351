#include "search/segment_builder.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

#include <algorithm>
#include <cassert>
#include <numeric>

namespace knapsack::search {
namespace {

// The first eight bytes as a number that sorts like them: most comparisons of terms end here.
uint64_t sort_prefix(std::string_view term) {
  uint64_t prefix = 0;
  for (size_t i = 0; i < sizeof prefix; ++i) {
    prefix = prefix << 8 | (i < term.size() ? static_cast<unsigned char>(term[i]) : 0);
  }
  return prefix;
}

}  // namespace

void SegmentBuilder::begin_document(std::string_view key) {
  documents_.push_back({std::string(key), units_.size(), units_.size()});
}

void SegmentBuilder::begin_unit() {
  assert(!documents_.empty());
  units_.push_back({postings_.size(), {}});
  documents_.back().units_end = units_.size();
}

void SegmentBuilder::add(uint32_t field, std::string_view term) {
  assert(field < kMaxFields);
  assert(!documents_.empty() && documents_.back().units_begin < documents_.back().units_end);
  Unit& unit = units_.back();
  if (unit.lengths[field] < UINT32_MAX) ++unit.lengths[field];
  const uint32_t number = find_or_add(field, cut_term(term));
  Entry& entry = entries_[number];
  if (entry.last_posting >= unit.postings_begin && entry.last_posting < postings_.size()) {
    uint32_t& frequency = postings_[entry.last_posting].frequency;
    if (frequency < kMaxFrequency) ++frequency;
  } else {
    entry.last_posting = postings_.size();
    postings_.push_back({number, 1});
  }
}

uint32_t SegmentBuilder::find_or_add(uint32_t field, std::string_view term) {
  if (entries_.size() * 2 >= table_.size()) grow_table();
  const auto hash = static_cast<uint32_t>(XXH3_64bits_withSeed(term.data(), term.size(), field));
  const size_t mask = table_.size() - 1;
  for (size_t at = hash & mask;; at = (at + 1) & mask) {
    Slot& slot = table_[at];
    if (slot.entry == 0) {
      entries_.push_back({arena_.size(), static_cast<uint32_t>(term.size()), field, UINT64_MAX});
      arena_ += term;
      slot = {hash, static_cast<uint32_t>(entries_.size())};
      return slot.entry - 1;
    }
    if (slot.hash != hash) continue;
    const Entry& entry = entries_[slot.entry - 1];
    if (entry.field == field && text(entry) == term) return slot.entry - 1;
  }
}

void SegmentBuilder::grow_table() {
  constexpr size_t kFirstSize = 1024;
  std::vector<Slot> grown(std::max(kFirstSize, table_.size() * 2));
  const size_t mask = grown.size() - 1;
  for (const Slot& slot : table_) {
    if (slot.entry == 0) continue;
    size_t at = slot.hash & mask;
    while (grown[at].entry != 0) at = (at + 1) & mask;
    grown[at] = slot;
  }
  table_ = std::move(grown);
}

size_t SegmentBuilder::memory_bytes() const {
  return table_.capacity() * sizeof(Slot) + entries_.capacity() * sizeof(Entry) + arena_.capacity() +
         postings_.capacity() * sizeof(Posting) + units_.capacity() * sizeof(Unit) +
         documents_.capacity() * sizeof(Document);
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

// Sorted by term, then by field.
std::vector<uint32_t> SegmentBuilder::entries_by_term() const {
  struct Sortable {
    uint64_t prefix;
    uint32_t entry;
  };
  std::vector<Sortable> sortable;
  sortable.reserve(entries_.size());
  for (uint32_t i = 0; i < entries_.size(); ++i) sortable.push_back({sort_prefix(text(entries_[i])), i});
  std::sort(sortable.begin(), sortable.end(), [&](const Sortable& a, const Sortable& b) {
    if (a.prefix != b.prefix) return a.prefix < b.prefix;
    const Entry &left = entries_[a.entry], &right = entries_[b.entry];
    const int compared = text(left).compare(text(right));
    return compared != 0 ? compared < 0 : left.field < right.field;
  });
  std::vector<uint32_t> order;
  order.reserve(sortable.size());
  for (const Sortable& item : sortable) order.push_back(item.entry);
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

// Postings lie by unit and must lie by term: counts them by term, then puts each where it belongs. Going over
// documents in their final order makes the units of every term ascend.
Status SegmentBuilder::write_terms(SegmentWriter& writer, const std::vector<uint32_t>& order) const {
  const auto for_each_posting = [&](const auto& use) {
    uint32_t unit_number = 0;
    for (const uint32_t number : order) {
      for (uint64_t unit = documents_[number].units_begin; unit < documents_[number].units_end; ++unit) {
        const uint64_t end = unit + 1 < units_.size() ? units_[unit + 1].postings_begin : postings_.size();
        for (uint64_t at = units_[unit].postings_begin; at < end; ++at) use(unit_number, postings_[at]);
        ++unit_number;
      }
    }
  };
  std::vector<uint64_t> ends(entries_.size(), 0);
  for_each_posting([&](uint32_t, const Posting& posting) { ++ends[posting.entry]; });
  const std::vector<uint32_t> terms = entries_by_term();
  uint64_t total = 0;
  for (const uint32_t entry : terms) {
    const uint64_t count = ends[entry];
    ends[entry] = total;  // where its next posting goes; where its postings end, after all are placed
    total += count;
  }
  std::vector<uint32_t> units(total), frequencies(total);
  for_each_posting([&](uint32_t unit, const Posting& posting) {
    const uint64_t at = ends[posting.entry]++;
    units[at] = unit;
    frequencies[at] = posting.frequency;
  });

  uint64_t begin = 0;
  for (size_t first = 0; first < terms.size();) {
    const std::string_view term = text(entries_[terms[first]]);
    std::array<PostingSpan, kMaxFields> fields{};
    size_t next = first;
    for (; next < terms.size() && text(entries_[terms[next]]) == term; ++next) {
      const uint64_t end = ends[terms[next]];
      fields[entries_[terms[next]].field] = {std::span(units).subspan(begin, end - begin),
                                             std::span(frequencies).subspan(begin, end - begin)};
      begin = end;
    }
    KNAPSACK_CHECK(writer.add_term(term, fields));
    first = next;
  }
  return ok_status();
}

Result<std::string> SegmentBuilder::write(FileSystem& files, const std::string& folder) {
  KNAPSACK_TRY(SegmentWriter writer, SegmentWriter::create(files, folder));
  const std::vector<uint32_t> order = documents_by_key();
  KNAPSACK_CHECK(write_documents(writer, order));
  KNAPSACK_CHECK(write_terms(writer, order));
  KNAPSACK_TRY(std::string name, writer.finish());
  *this = SegmentBuilder();
  return name;
}

}  // namespace knapsack::search
