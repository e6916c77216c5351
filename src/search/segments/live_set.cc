#include "search/segments/live_set.h"

#include <algorithm>
#include <bit>
#include <vector>

#include "core/byte_reader.h"
#include "search/segments/segment_format.h"

namespace knapsack::search {
namespace {

// The portable roaring format (github.com/RoaringBitmap/RoaringFormatSpec): members are split by their upper 16 bits, and
// the lower 16 bits of those that share them lie in one container, as a list, as bits or as runs.
constexpr uint16_t kCookieWithoutRuns = 12346;
constexpr uint16_t kCookieWithRuns = 12347;
constexpr uint32_t kMaxContainers = 1U << 16U;
// Fewer containers have no table of offsets where there are runs.
constexpr uint32_t kMinWithOffsets = 4;
// A container of more members is bits.
constexpr uint32_t kMaxListed = 4096;
constexpr size_t kBitWords = 1024;
constexpr uint32_t kNoMember = UINT32_MAX;

struct RoaringContainer {
  uint32_t members = 0;
  bool runs = false;
};

uint32_t count_list(ByteReader& reader, uint32_t members) {
  uint32_t counted = 0;
  for (uint32_t before = kNoMember; counted < members && !reader.failed(); ++counted) {
    const uint32_t member = reader.number<uint16_t>();
    if (before != kNoMember && member <= before) return kNoMember;
    before = member;
  }
  return counted;
}

uint32_t count_bits(ByteReader& reader) {
  uint32_t counted = 0;
  for (size_t word = 0; word < kBitWords; ++word)
    counted += static_cast<uint32_t>(std::popcount(reader.number<uint64_t>()));
  return counted;
}

uint32_t count_runs(ByteReader& reader) {
  const uint32_t runs = reader.number<uint16_t>();
  uint32_t counted = 0;
  uint32_t free_from = 0;  // a run that touches the one before is a part of it
  for (uint32_t run = 0; run < runs; ++run) {
    const uint32_t begin = reader.number<uint16_t>();
    const uint32_t length = reader.number<uint16_t>() + 1U;
    if (begin < free_from || begin + length > (1U << 16U)) return kNoMember;
    free_from = begin + length + 1;
    counted += length;
  }
  return counted;
}

// Empty for what is no head of a bitmap.
std::vector<RoaringContainer> read_roaring_head(ByteReader& reader) {
  const auto cookie = reader.number<uint32_t>();
  const bool with_runs = (cookie & 0xffffU) == kCookieWithRuns;
  const uint32_t count = with_runs ? (cookie >> 16U) + 1 : reader.number<uint32_t>();
  if ((!with_runs && cookie != kCookieWithoutRuns) || count > kMaxContainers) return {};
  const std::string_view marks = reader.take(with_runs ? (count + 7) / 8 : 0);
  std::vector<RoaringContainer> containers(count);
  uint32_t key_before = kNoMember;
  for (uint32_t i = 0; i < count && !reader.failed(); ++i) {
    const uint32_t key = reader.number<uint16_t>();
    if (key_before != kNoMember && key <= key_before) return {};
    key_before = key;
    containers[i].members = reader.number<uint16_t>() + 1U;
    containers[i].runs = with_runs && (static_cast<unsigned char>(marks[i / 8]) >> (i % 8) & 1U) != 0;
  }
  if (!with_runs || count >= kMinWithOffsets) reader.take(count * sizeof(uint32_t));
  return reader.failed() ? std::vector<RoaringContainer>() : containers;
}

// Whether every container holds as many members as it says, in order. The library believes what is said: room for 4,097 is
// made where 65,536 are, and written past.
bool keeps_its_word(std::string_view bitmap) {
  constexpr std::string_view kEmptyBitmap("\x3a\x30\0\0\0\0\0\0", 8);
  if (bitmap == kEmptyBitmap) return true;
  ByteReader reader(bitmap);
  const std::vector<RoaringContainer> containers = read_roaring_head(reader);
  for (const RoaringContainer& each : containers) {
    const uint32_t counted = each.runs                    ? count_runs(reader)
                             : each.members <= kMaxListed ? count_list(reader, each.members)
                                                          : count_bits(reader);
    if (counted != each.members) return false;
  }
  return !containers.empty() && !reader.failed() && reader.at_end();
}

}  // namespace

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
  // The library prints what it finds wrong and trusts much of the rest, so neither damage nor malice must get that far.
  ByteReader reader(bytes);
  const auto checksum = reader.number<uint64_t>();
  const std::string_view bitmap = bytes.substr(std::min(bytes.size(), sizeof checksum));
  if (!reader.failed() && page_checksum(bitmap) == checksum && keeps_its_word(bitmap)) {
    auto* set = roaring_bitmap_portable_deserialize_safe(bitmap.data(), bitmap.size());
    if (set != nullptr) return LiveSet(set);
  }
  return Error{ErrorCode::kCorrupt, "a set of live documents is damaged", "build the index again"};
}

}  // namespace knapsack::search
