#include "search/segments/term_table.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

#include <algorithm>
#include <cstring>

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

TermTable::Found TermTable::find_or_add(uint32_t field, std::string_view term) {
  if (entries_.size() * 2 >= slots_.size()) grow();
  std::array<char, kHeadBytes> head{};
  std::memcpy(head.data(), term.data(), std::min(term.size(), kHeadBytes));
  const auto hash = static_cast<uint32_t>(XXH3_64bits_withSeed(term.data(), term.size(), field));
  const size_t mask = slots_.size() - 1;
  for (size_t at = hash & mask;; at = (at + 1) & mask) {
    Slot& slot = slots_[at];
    if (slot.number == 0) {
      entries_.push_back({arena_.size(), static_cast<uint16_t>(term.size()), static_cast<uint16_t>(field)});
      arena_ += term;
      slot = {hash, static_cast<uint32_t>(entries_.size()), 0, entries_.back().size, entries_.back().field,
              head};
      return {slot.number - 1, &slot.mark};
    }
    if (slot.hash != hash || slot.size != term.size() || slot.field != field || slot.head != head) continue;
    if (term.size() <= kHeadBytes || this->term(slot.number - 1) == term)
      return {slot.number - 1, &slot.mark};
  }
}

void TermTable::grow() {
  constexpr size_t kFirstSize = 1024;
  std::vector<Slot> grown(std::max(kFirstSize, slots_.size() * 2));
  const size_t mask = grown.size() - 1;
  for (const Slot& slot : slots_) {
    if (slot.number == 0) continue;
    size_t at = slot.hash & mask;
    while (grown[at].number != 0) at = (at + 1) & mask;
    grown[at] = slot;
  }
  slots_ = std::move(grown);
}

std::vector<uint32_t> TermTable::sorted() const {
  struct Sortable {
    uint64_t prefix;
    uint32_t number;
  };
  std::vector<Sortable> sortable;
  sortable.reserve(entries_.size());
  for (uint32_t i = 0; i < entries_.size(); ++i) sortable.push_back({sort_prefix(term(i)), i});
  std::sort(sortable.begin(), sortable.end(), [&](const Sortable& a, const Sortable& b) {
    if (a.prefix != b.prefix) return a.prefix < b.prefix;
    const int compared = term(a.number).compare(term(b.number));
    return compared != 0 ? compared < 0 : field(a.number) < field(b.number);
  });
  std::vector<uint32_t> numbers;
  numbers.reserve(sortable.size());
  for (const Sortable& item : sortable) numbers.push_back(item.number);
  return numbers;
}

size_t TermTable::memory_bytes() const {
  return slots_.capacity() * sizeof(Slot) + entries_.capacity() * sizeof(Entry) + arena_.capacity();
}

}  // namespace knapsack::search
