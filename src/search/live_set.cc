#include "search/live_set.h"

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
  std::string bytes(roaring_bitmap_portable_size_in_bytes(canonical.bitmap_.get()), '\0');
  roaring_bitmap_portable_serialize(canonical.bitmap_.get(), bytes.data());
  return bytes;
}

Result<LiveSet> LiveSet::from_bytes(std::string_view bytes) {
  roaring_bitmap_t* bitmap = roaring_bitmap_portable_deserialize_safe(bytes.data(), bytes.size());
  if (bitmap == nullptr) {
    return Error{ErrorCode::kCorrupt, "a set of live documents is damaged", "build the index again"};
  }
  return LiveSet(bitmap);
}

}  // namespace knapsack::search
