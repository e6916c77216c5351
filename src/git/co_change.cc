#include "git/co_change.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace knapsack {
namespace {

constexpr int64_t kDay = 86'400;
// Occurrences are folded into the sorted pairs this many at a time: 16 MB.
constexpr size_t kFoldAt = 1 << 20;

// One half-life, day by day. Rounded to units, so that a last-digit difference between math libraries is
// gone.
const std::array<uint64_t, kCoChangeHalfLifeDays>& daily_weights() {
  static const auto weights = [] {
    std::array<uint64_t, kCoChangeHalfLifeDays> table{};
    for (int day = 0; day < kCoChangeHalfLifeDays; ++day) {
      const double share = std::exp2(-static_cast<double>(day) / kCoChangeHalfLifeDays);
      table[static_cast<size_t>(day)] =
          static_cast<uint64_t>(std::llround(static_cast<double>(kCoChangeUnit) * share));
    }
    return table;
  }();
  return weights;
}

}  // namespace

uint64_t co_change_weight(int64_t age_seconds) {
  const int64_t days = std::max<int64_t>(age_seconds, 0) / kDay;
  const int64_t half_lives = days / kCoChangeHalfLifeDays;
  if (half_lives >= 32) return 0;
  return daily_weights()[static_cast<size_t>(days % kCoChangeHalfLifeDays)] >> half_lives;
}

uint32_t CoChangeCounter::number_of(const std::string& path) {
  const auto [found, added] = numbers_.try_emplace(path, static_cast<uint32_t>(paths_.size()));
  if (added) paths_.push_back(path);
  return found->second;
}

void CoChangeCounter::add(int64_t commit_time, const std::vector<FileChange>& files) {
  if (files.size() >= options_.min_files && files.size() <= options_.max_files) {
    std::vector<uint32_t> numbers;
    for (const auto& file : files) {
      const std::string& path = newest_(file.path);
      if (!options_.keep || options_.keep(path)) numbers.push_back(number_of(path));
    }
    std::sort(numbers.begin(), numbers.end());
    numbers.erase(std::unique(numbers.begin(), numbers.end()), numbers.end());
    // The subtraction of two times from outside must not overflow.
    const uint64_t weight =
        commit_time >= options_.now
            ? kCoChangeUnit
            : co_change_weight(static_cast<int64_t>(std::min<uint64_t>(
                  static_cast<uint64_t>(options_.now) - static_cast<uint64_t>(commit_time), INT64_MAX)));
    for (size_t i = 0; i < numbers.size(); ++i) {
      for (size_t j = i + 1; j < numbers.size(); ++j) {
        fresh_.push_back({uint64_t{numbers[i]} << 32 | numbers[j], weight});
      }
    }
    if (fresh_.size() >= kFoldAt) fold();
  }
  newest_.step_back(files);
}

void CoChangeCounter::fold() {
  std::sort(fresh_.begin(), fresh_.end(),
            [](const Occurrence& x, const Occurrence& y) { return x.pair < y.pair; });
  std::vector<CoChangePair> merged;
  merged.reserve(pairs_.size() + fresh_.size() / 2);
  auto old = pairs_.begin();
  const auto key = [](const CoChangePair& pair) { return uint64_t{pair.a} << 32 | pair.b; };
  for (auto it = fresh_.begin(); it != fresh_.end();) {
    CoChangePair pair{static_cast<uint32_t>(it->pair >> 32), static_cast<uint32_t>(it->pair)};
    for (; it != fresh_.end() && it->pair == key(pair); ++it) {
      ++pair.count;
      pair.weight += it->weight;
    }
    while (old != pairs_.end() && key(*old) < key(pair)) merged.push_back(*old++);
    if (old != pairs_.end() && key(*old) == key(pair)) {
      pair.count += old->count;
      pair.weight += old->weight;
      ++old;
    }
    merged.push_back(pair);
  }
  merged.insert(merged.end(), old, pairs_.end());
  pairs_ = std::move(merged);
  fresh_.clear();
}

CoChangeTable CoChangeCounter::finish() {
  fold();
  return {std::move(paths_), std::move(pairs_)};
}

CoChangeTable::CoChangeTable(std::vector<std::string> paths, std::vector<CoChangePair> pairs)
    : paths_(std::move(paths)), pairs_(std::move(pairs)) {
  by_path_.resize(paths_.size());
  for (uint32_t i = 0; i < by_path_.size(); ++i) by_path_[i] = i;
  std::sort(by_path_.begin(), by_path_.end(),
            [this](uint32_t x, uint32_t y) { return paths_[x] < paths_[y]; });
  first_pair_.assign(paths_.size() + 1, 0);
  for (const auto& pair : pairs_) {
    ++first_pair_[pair.a + 1];
    ++first_pair_[pair.b + 1];
  }
  for (size_t i = 1; i < first_pair_.size(); ++i) first_pair_[i] += first_pair_[i - 1];
  pairs_of_.resize(2 * pairs_.size());
  auto next = first_pair_;
  for (uint32_t i = 0; i < pairs_.size(); ++i) {
    pairs_of_[next[pairs_[i].a]++] = i;
    pairs_of_[next[pairs_[i].b]++] = i;
  }
}

std::vector<CoChangeNeighbour> CoChangeTable::neighbours(std::string_view path, uint32_t min_count) const {
  const auto found =
      std::lower_bound(by_path_.begin(), by_path_.end(), path,
                       [this](uint32_t number, std::string_view wanted) { return paths_[number] < wanted; });
  std::vector<CoChangeNeighbour> near;
  if (found == by_path_.end() || paths_[*found] != path) return near;
  for (uint32_t i = first_pair_[*found]; i < first_pair_[*found + 1]; ++i) {
    const CoChangePair& pair = pairs_[pairs_of_[i]];
    if (pair.count < min_count) continue;
    near.push_back({paths_[pair.a == *found ? pair.b : pair.a], pair.count, pair.weight});
  }
  std::sort(near.begin(), near.end(), [](const auto& x, const auto& y) {
    if (x.weight != y.weight) return x.weight > y.weight;
    if (x.count != y.count) return x.count > y.count;
    return x.path < y.path;
  });
  return near;
}

}  // namespace knapsack
