// Gives changed segment bytes the checksums that they need to pass for whole, as an attacker would: what is
// behind the checksums must hold by itself.
#pragma once

#include <string>
#include <string_view>

#include "core/byte_reader.h"
#include "search/segments/segment_format.h"

namespace knapsack::search {

inline std::string seal_again(std::string bytes) {
  constexpr size_t kMagic = 8, kTail = 2 * sizeof(uint64_t) + kMagic;
  if (bytes.size() < kTail) return bytes;
  const auto content_size = load<uint64_t>(bytes.data() + bytes.size() - kTail);
  if (content_size > bytes.size() - kTail) return bytes;
  const std::string_view content = std::string_view(bytes).substr(0, content_size);
  std::string checksums;
  for (uint64_t at = 0; at < content_size; at += kPageSize) {
    append_number(checksums, page_checksum(content.substr(at, kPageSize)));
  }
  if (checksums.size() > bytes.size() - kTail - content_size) return bytes;
  bytes.replace(content_size, checksums.size(), checksums);
  const size_t end = bytes.size() - kMagic - sizeof(uint64_t);
  std::string checksum;
  append_number(checksum, page_checksum(std::string_view(bytes).substr(content_size, end - content_size)));
  return bytes.replace(end, checksum.size(), checksum);
}

}  // namespace knapsack::search
