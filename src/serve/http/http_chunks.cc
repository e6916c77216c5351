#include "serve/http/http_chunks.h"

#include <algorithm>
#include <utility>

#include "core/ascii.h"

namespace knapsack::serve {
namespace {

// A size and an extension; nobody sends these.
constexpr size_t kMaxLine = 1024;
constexpr size_t kMaxTrailers = size_t{8} * 1024;
// Sixteen digits fill 64 bits.
constexpr size_t kMaxSizeDigits = 15;

bool read_size(std::string_view line, uint64_t& size) {
  size_t digits = 0;
  size = 0;
  while (digits < line.size() && ascii::hex_value(line[digits]) >= 0) {
    size = size * 16 + static_cast<uint64_t>(ascii::hex_value(line[digits]));
    if (++digits > kMaxSizeDigits) return false;
  }
  return digits > 0 && (digits == line.size() || line[digits] == ';');
}

}  // namespace

ChunkState ChunkReader::end_line(const std::string& body) {
  if (line_.empty() || line_.back() != '\r') return ChunkState::kMalformed;
  line_.pop_back();
  const std::string line = std::exchange(line_, {});
  switch (part_) {
    case Part::kSize:
      if (!read_size(line, left_)) return ChunkState::kMalformed;
      if (left_ > max_bytes_ - body.size()) return ChunkState::kTooLarge;
      part_ = left_ > 0 ? Part::kData : Part::kTrailer;
      return ChunkState::kMore;
    case Part::kDataEnd:
      part_ = Part::kSize;
      return line.empty() ? ChunkState::kMore : ChunkState::kMalformed;
    default:
      if (line.empty()) return ChunkState::kDone;
      trailer_bytes_ += line.size();
      return trailer_bytes_ > kMaxTrailers ? ChunkState::kTooLarge : ChunkState::kMore;
  }
}

ChunkState ChunkReader::take(std::string_view& input, std::string& body) {
  while (!input.empty()) {
    if (part_ == Part::kData) {
      const size_t size = std::min<uint64_t>(left_, input.size());
      body.append(input.substr(0, size));
      input.remove_prefix(size);
      left_ -= size;
      if (left_ == 0) part_ = Part::kDataEnd;
      continue;
    }
    const char c = input.front();
    input.remove_prefix(1);
    if (c != '\n') {
      if (line_.size() == kMaxLine) return ChunkState::kMalformed;
      line_.push_back(c);
    } else if (const ChunkState state = end_line(body); state != ChunkState::kMore) {
      return state;
    }
  }
  return ChunkState::kMore;
}

}  // namespace knapsack::serve
