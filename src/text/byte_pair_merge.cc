#include "text/byte_pair_merge.h"

#include <algorithm>
#include <functional>
#include <numeric>

namespace knapsack {

size_t BytePairMerge::count(std::string_view piece) {
  return piece.size() < kLongPiece ? merge_short(piece) : count_by_heap(piece);
}

size_t BytePairMerge::count_by_heap(std::string_view piece) {
  return merge_long(piece);
}

void BytePairMerge::encode(std::string_view piece, std::vector<uint32_t>& tokens) {
  if (piece.size() < kLongPiece) {
    const size_t parts = merge_short(piece);
    for (size_t i = 0; i < parts; ++i) {
      tokens.push_back(ranks_.find(piece.substr(starts_[i], starts_[i + 1] - starts_[i])));
    }
    return;
  }
  merge_long(piece);
  for (size_t begin = 0; begin < piece.size(); begin = parts_[begin].next) {
    tokens.push_back(ranks_.find(piece.substr(begin, parts_[begin].next - begin)));
  }
}

size_t BytePairMerge::merge_short(std::string_view piece) {
  size_t parts = piece.size();
  std::iota(starts_, starts_ + parts + 1, 0U);
  const auto update_pair = [&](size_t i) {
    pair_ranks_[i] = ranks_.find(piece.substr(starts_[i], starts_[i + 2] - starts_[i]));
  };
  for (size_t i = 0; i + 1 < parts; ++i) update_pair(i);

  while (parts > 1) {
    const uint32_t* best = std::min_element(pair_ranks_, pair_ranks_ + parts - 1);
    if (*best == RankTable::kNoRank) break;
    const auto merged = static_cast<size_t>(best - pair_ranks_);
    std::copy(starts_ + merged + 2, starts_ + parts + 1, starts_ + merged + 1);
    if (merged + 2 < parts) {
      std::copy(pair_ranks_ + merged + 2, pair_ranks_ + parts - 1, pair_ranks_ + merged + 1);
      update_pair(merged);
    }
    if (merged > 0) update_pair(merged - 1);
    --parts;
  }
  return parts;
}

uint32_t BytePairMerge::rank_of_pair(std::string_view piece, const Part& part, size_t begin) const {
  if (part.next == piece.size()) return RankTable::kNoRank;
  return ranks_.find(piece.substr(begin, parts_[part.next].next - begin));
}

size_t BytePairMerge::merge_long(std::string_view piece) {
  const auto size = static_cast<uint32_t>(piece.size());
  parts_.resize(size);
  queue_.clear();
  for (uint32_t i = 0; i < size; ++i) parts_[i] = {i - 1, i + 1, RankTable::kNoRank};

  const auto entry = [](uint32_t rank, uint32_t begin) { return uint64_t{rank} << 32 | begin; };
  for (uint32_t i = 0; i + 1 < size; ++i) {
    parts_[i].pair_rank = ranks_.find(piece.substr(i, 2));
    if (parts_[i].pair_rank != RankTable::kNoRank) queue_.push_back(entry(parts_[i].pair_rank, i));
  }
  std::make_heap(queue_.begin(), queue_.end(), std::greater<>());
  const auto update_pair = [&](uint32_t begin) {
    parts_[begin].pair_rank = rank_of_pair(piece, parts_[begin], begin);
    if (parts_[begin].pair_rank == RankTable::kNoRank) return;
    queue_.push_back(entry(parts_[begin].pair_rank, begin));
    std::push_heap(queue_.begin(), queue_.end(), std::greater<>());
  };

  size_t parts = size;
  while (!queue_.empty()) {
    std::pop_heap(queue_.begin(), queue_.end(), std::greater<>());
    const uint64_t top = queue_.back();
    queue_.pop_back();
    const auto begin = static_cast<uint32_t>(top);
    Part& part = parts_[begin];
    if (part.pair_rank != top >> 32) continue;  // this pair has changed since, or its left part is gone

    Part& absorbed = parts_[part.next];
    absorbed.pair_rank = RankTable::kNoRank;
    part.next = absorbed.next;
    if (part.next < size) parts_[part.next].previous = begin;
    --parts;
    update_pair(begin);
    if (begin > 0) update_pair(part.previous);
  }
  return parts;
}

}  // namespace knapsack
