// LiveSet: which documents of one segment a query may see, as a roaring bitmap.
//
// A snapshot, a namespace or a status is a live set a segment. A value; no thread rule beyond that of values.
#pragma once

#include <roaring/roaring.h>

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "core/result.h"

namespace knapsack::search {

class LiveSet {
 public:
  LiveSet();
  LiveSet(const LiveSet& other);
  LiveSet& operator=(const LiveSet& other);
  LiveSet(LiveSet&&) noexcept = default;
  LiveSet& operator=(LiveSet&&) noexcept = default;
  ~LiveSet() = default;

  static LiveSet all(uint32_t documents);

  void add(uint32_t document);
  void remove(uint32_t document);
  void intersect(const LiveSet& other);
  void unite(const LiveSet& other);
  bool contains(uint32_t document) const;
  uint32_t size() const;
  // Whether all members are below `documents`, as they must be for a segment of that many.
  bool fits(uint32_t documents) const;
  bool operator==(const LiveSet& other) const;

  // Ascending.
  template <class Function>
  void for_each(const Function& function) const {
    roaring_uint32_iterator_t at;
    roaring_init_iterator(bitmap_.get(), &at);
    for (; at.has_value; roaring_advance_uint32_iterator(&at)) function(at.current_value);
  }

  // A checksum and the portable roaring format; the same bytes for the same set.
  std::string to_bytes() const;
  static Result<LiveSet> from_bytes(std::string_view bytes);

 private:
  struct Free {
    void operator()(roaring_bitmap_t* bitmap) const { roaring_bitmap_free(bitmap); }
  };
  explicit LiveSet(roaring_bitmap_t* bitmap) : bitmap_(bitmap) {}

  std::unique_ptr<roaring_bitmap_t, Free> bitmap_;
};

}  // namespace knapsack::search
