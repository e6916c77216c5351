#include "search/segments/live_set.h"

#include <algorithm>

#include "core/byte_reader.h"
#include "search/segments/segment_format.h"

namespace knapsack::search {

LiveSet::LiveSet() : bitmap_(roaring_bitmap_create()) {}
LiveSet::LiveSet(const LiveSet& other) : bitmap_(roaring_bitmap_copy(other.bitmap_.get())) {}

LiveSet& LiveSet::operator=(const LiveSet& other) {
  if (this != &other) bitmap_.reset(roaring_bitmap_copy(other.bitmap_.get()));
  return *this;
}

LiveSet LiveSet::all(uint32_t documents) {
  LiveSet set;
  roaring_bitmap_add_range(set.bitmap_.get(), 0, documents);
  return set;
}

void LiveSet::add(uint32_t document) {
  roaring_bitmap_add(bitmap_.get(), document);
}

void LiveSet::remove(uint32_t document) {
  roaring_bitmap_remove(bitmap_.get(), document);
}

void LiveSet::intersect(const LiveSet& other) {
  roaring_bitmap_and_inplace(bitmap_.get(), other.bitmap_.get());
}

void LiveSet::unite(const LiveSet& other) {
  roaring_bitmap_or_inplace(bitmap_.get(), other.bitmap_.get());
}

bool LiveSet::contains(uint32_t document) const {
  return roaring_bitmap_contains(bitmap_.get(), document);
}

uint32_t LiveSet::size() const {
  return static_cast<uint32_t>(roaring_bitmap_get_cardinality(bitmap_.get()));
}

bool LiveSet::fits(uint32_t documents) const {
  return roaring_bitmap_is_empty(bitmap_.get()) || roaring_bitmap_maximum(bitmap_.get()) < documents;
}

bool LiveSet::operator==(const LiveSet& other) const {
  return roaring_bitmap_equals(bitmap_.get(), other.bitmap_.get());
}

std::string LiveSet::to_bytes() const {
  // How a set was built must not show in its bytes: runs are chosen afresh from its members.
  const LiveSet canonical(*this);
  roaring_bitmap_remove_run_compression(canonical.bitmap_.get());
  roaring_bitmap_run_optimize(canonical.bitmap_.get());
  std::string bitmap(roaring_bitmap_portable_size_in_bytes(canonical.bitmap_.get()), '\0');
  roaring_bitmap_portable_serialize(canonical.bitmap_.get(), bitmap.data());
  std::string bytes;
  append_number(bytes, page_checksum(bitmap));
  return bytes += bitmap;
}

Result<LiveSet> LiveSet::from_bytes(std::string_view bytes) {
  // The library prints what it finds wrong and trusts much of the rest, so damage must not get that far.
  ByteReader reader(bytes);
  const auto checksum = reader.number<uint64_t>();
  const std::string_view bitmap = bytes.substr(std::min(bytes.size(), sizeof checksum));
  if (!reader.failed() && page_checksum(bitmap) == checksum) {
    auto* set = roaring_bitmap_portable_deserialize_safe(bitmap.data(), bitmap.size());
    if (set != nullptr) return LiveSet(set);
  }
  return Error{ErrorCode::kCorrupt, "a set of live documents is damaged", "build the index again"};
}

}  // namespace knapsack::search
