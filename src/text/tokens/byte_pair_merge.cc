#include "text/tokens/byte_pair_merge.h"

#include <algorithm>
#include <functional>

namespace knapsack {

void BytePairMerge::encode(std::string_view piece, std::vector<uint32_t>& tokens) {
  const size_t size = piece.size();
  if (size < kLongPiece) {
    merge_short(piece);
    for (size_t at = 1; at <= size; at = next_[at]) tokens.push_back(tokens_[at]);
  } else {
    merge_long(piece);
    for (size_t at = 0; at < size; at = parts_[at].next) tokens.push_back(parts_[at].token);
  }
}

size_t BytePairMerge::merge_short(std::string_view piece) {
  constexpr int32_t kNoKey = kNoToken << kPositionBits;
  const size_t size = piece.size();
  const size_t key_count = (size + 1 + kLanes - 1) / kLanes * kLanes;
  const auto update_key = [this](size_t left, size_t right) {
    keys_[left] = static_cast<int32_t>(table_.merge(tokens_[left], tokens_[right]) << kPositionBits | left);
  };
  tokens_[0] = tokens_[size + 1] = kNoToken;
  for (size_t i = 1; i <= size; ++i) {
    tokens_[i] = table_.of_byte(piece[i - 1]);
    previous_[i] = static_cast<uint16_t>(i - 1);
    next_[i] = static_cast<uint16_t>(i + 1);
  }
  keys_[0] = kNoKey;
  for (size_t i = 1; i < size; ++i) update_key(i, i + 1);
  std::fill(keys_ + size, keys_ + key_count, kNoKey);

  for (size_t parts = size;; --parts) {
    // The least key, in lanes that the compiler turns into vectors.
    int32_t least[kLanes];
    std::copy(keys_, keys_ + kLanes, least);
    for (size_t i = kLanes; i < key_count; i += kLanes) {
      for (size_t lane = 0; lane < kLanes; ++lane) least[lane] = std::min(least[lane], keys_[i + lane]);
    }
    const int32_t best = *std::min_element(least, least + kLanes);
    if (best >= kNoKey) return parts;

    const auto at = static_cast<size_t>(best) % kPositions;
    const size_t absorbed = next_[at];
    const size_t after = next_[absorbed];
    tokens_[at] = static_cast<uint32_t>(best >> kPositionBits);
    next_[at] = static_cast<uint16_t>(after);
    previous_[after] = static_cast<uint16_t>(at);
    keys_[absorbed] = kNoKey;
    update_key(at, after);
    update_key(previous_[at], at);
  }
}

size_t BytePairMerge::merge_long(std::string_view piece) {
  const auto size = static_cast<uint32_t>(piece.size());
  parts_.resize(size);
  queue_.clear();
  for (uint32_t i = 0; i < size; ++i) parts_[i] = {table_.of_byte(piece[i]), kNoToken, i - 1, i + 1};
  const auto update_pair = [&](uint32_t at) {
    Part& part = parts_[at];
    part.merged = part.next < size ? table_.merge(part.token, parts_[part.next].token) : kNoToken;
    if (part.merged == kNoToken) return false;
    queue_.push_back(uint64_t{part.merged} << 32 | at);
    return true;
  };
  for (uint32_t i = 0; i < size; ++i) update_pair(i);
  std::make_heap(queue_.begin(), queue_.end(), std::greater<>());

  size_t parts = size;
  while (!queue_.empty()) {
    std::pop_heap(queue_.begin(), queue_.end(), std::greater<>());
    const uint64_t top = queue_.back();
    queue_.pop_back();
    const auto at = static_cast<uint32_t>(top);
    Part& part = parts_[at];
    if (part.merged != top >> 32) continue;  // the pair has changed since, or is part of another

    Part& absorbed = parts_[part.next];
    absorbed.merged = kNoToken;
    part.token = part.merged;
    part.next = absorbed.next;
    if (part.next < size) parts_[part.next].previous = at;
    --parts;
    if (update_pair(at)) std::push_heap(queue_.begin(), queue_.end(), std::greater<>());
    if (at > 0 && update_pair(part.previous)) std::push_heap(queue_.begin(), queue_.end(), std::greater<>());
  }
  return parts;
}

}  // namespace knapsack
