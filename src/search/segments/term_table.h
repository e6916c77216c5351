// TermTable: numbers the terms of each field while a segment is built.
//
// Looking up a word is what building spends its time on, and most of that is waiting for memory: so a slot
// holds short terms itself, and a look-up touches one half of a cache line. One thread.
// Private to search/segments/.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace knapsack::search {

class TermTable {
 public:
  struct Found {
    uint32_t number;  // counts from zero, in the order in which terms first came
    uint32_t* mark;   // for the caller to keep something by, zero at first; until the next call
  };
  // `term` has at most 65,535 bytes, `field` fits a byte.
  Found find_or_add(uint32_t field, std::string_view term);

  size_t size() const { return entries_.size(); }
  std::string_view term(uint32_t number) const {
    return {arena_.data() + entries_[number].begin, entries_[number].size};
  }
  uint32_t field(uint32_t number) const { return entries_[number].field; }
  // All numbers, by term as bytes, then by field.
  std::vector<uint32_t> sorted() const;
  size_t memory_bytes() const;

 private:
  static constexpr size_t kHeadBytes = 16;
  struct alignas(32) Slot {
    uint32_t hash = 0;
    uint32_t number = 0;  // plus one; zero: free
    uint32_t mark = 0;
    uint16_t size = 0;
    uint16_t field = 0;
    std::array<char, kHeadBytes> head{};  // the first bytes, zeros after a shorter term
  };
  struct Entry {
    uint64_t begin;  // in the arena
    uint16_t size;
    uint16_t field;
  };
  void grow();

  std::vector<Slot> slots_;  // open addressing, a power of two, at most half full
  std::vector<Entry> entries_;
  std::string arena_;
};

}  // namespace knapsack::search
