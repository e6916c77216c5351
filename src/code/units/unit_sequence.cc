#include "code/units/unit_sequence.h"

#include <algorithm>
#include <unordered_set>

#include "code/units/rung_order.h"

namespace knapsack::code {
namespace {

constexpr uint64_t kFirstRung = 1000;
// What a packet needs beside the code: its title, the line of figures, how it ends.
constexpr uint64_t kPacketTokens = 50;
// Up to this rung costs are counted.
constexpr uint64_t kLastCountedRung = 16'000;
// An estimate is no more than twice what a unit costs: what would not fit even so need not be counted.
constexpr uint64_t kLargestError = 2;
// Beyond this everything follows in order.
constexpr uint64_t kLastRung = 256'000;
// What the first unit of a file brings with it: its heading.
constexpr uint64_t kFileTokens = 25;
// What the most telling lines of a unit take, where all of it is too long for a low rung and it is among the best.
constexpr uint64_t kBestPartTokens = 250;
// At most this part of a rung is left to one that the next rung has room for.
constexpr uint64_t kMostLeft = 4;
constexpr uint64_t kLastSharedRung = 4000;
// The first import stretches of the best file tell what its names mean.
constexpr size_t kShownImports = 2;

class Ladder {
 public:
  Ladder(std::span<const SequenceItem> items, const CountCost& count, const UnitConstants& constants)
      : items_(items),
        count_(count),
        constants_(constants),
        order_(items, constants),
        taken_(items.size()),
        counted_(items.size()),
        comments_(items.size()) {
    for (size_t i = 0; i < items.size(); ++i)
      if (items[i].after) comments_[*items[i].after] = i;
    for (const SequenceItem& item : items) costs_.push_back(item.cost);
    for (size_t i = 0; i < items.size() && best_.size() < kBestUnits; ++i)
      if (!items[i].after) best_.push_back(i);
    ranked_ = static_cast<size_t>(
        std::find_if(items.begin(), items.end(), [](const SequenceItem& item) { return item.is_import; }) -
        items.begin());
  }

  UnitSequence run(size_t worthy) {
    climb(0, std::min(worthy, ranked_));
    sequence_.until_stop = sequence_.steps.size();
    climb(std::min(worthy, ranked_), ranked_);
    return std::move(sequence_);
  }

 private:
  uint64_t price(size_t i) const { return costs_[i] + (files_.contains(items_[i].file) ? 0 : kFileTokens); }

  void take(size_t i) {
    spent_ += price(i);
    files_.insert(items_[i].file);
    taken_[i] = true;
    sequence_.steps.push_back(i);
  }

  void count(size_t i, uint64_t rung) {
    if (!count_ || counted_[i] || rung > kLastCountedRung || spent_ + costs_[i] / kLargestError > rung)
      return;
    counted_[i] = true;
    costs_[i] = count_(i);
  }

  // Tokens that the others leave to a unit that is among the best and too long for this rung: to a part of it, or what
  // it lacks on the next rung.
  uint64_t left_to_the_best(size_t i, uint64_t budget) const {
    if (budget > kLastSharedRung) return 0;
    uint64_t left = 0;
    for (const size_t better : best_) {
      if (better >= i || taken_[better]) continue;
      const uint64_t lacks = price(better) + kPacketTokens - std::min(price(better) + kPacketTokens, budget);
      left = std::max({left, kBestPartTokens, lacks <= budget / kMostLeft ? lacks : 0});
    }
    return left;
  }

  void try_to_take(size_t i, uint64_t rung, uint64_t left) {
    if (taken_[i] || (items_[i].after && !taken_[*items_[i].after])) return;
    count(i, rung);
    if (spent_ + price(i) + left <= rung) take(i);
  }

  // Whether the comment of a unit comes with it.
  bool goes_with(size_t i) const {
    if (!comments_[i]) return false;
    return costs_[*comments_[i]] <= kLongCommentTokens ||
           std::find(best_.begin(), best_.end(), i) != best_.end();
  }

  void climb(size_t first, size_t last) {
    for (uint64_t budget = kFirstRung; budget < kLastRung; budget *= 2) {
      const uint64_t rung = budget - kPacketTokens;
      if (rung < spent_) continue;
      if (first > 0 && static_cast<double>(budget) >= constants_.imports_from) add_imports();
      const bool with_comments = static_cast<double>(budget) >= constants_.comments_from;
      for (const size_t i : order_.on_rung(budget, first, last, taken_)) {
        const uint64_t left = first == 0 ? left_to_the_best(i, budget) : 0;
        try_to_take(i, rung, left);
        if (with_comments && taken_[i] && goes_with(i)) try_to_take(*comments_[i], rung, left);
      }
    }
    for (const size_t i : order_.on_rung(kLastRung, first, last, taken_))
      if (!taken_[i]) take(i);
  }

  void add_imports() {
    if (ranked_ == items_.size() || imports_added_ || !files_.contains(items_[ranked_].file)) return;
    imports_added_ = true;
    for (size_t i = ranked_; i < std::min(ranked_ + kShownImports, items_.size()); ++i) take(i);
  }

  const std::span<const SequenceItem> items_;
  const CountCost& count_;
  const UnitConstants& constants_;
  const RungOrder order_;
  size_t ranked_ = 0;         // items before the imports
  std::vector<size_t> best_;  // the first units; comments aside
  std::vector<uint64_t> costs_;
  std::vector<bool> taken_, counted_;
  std::vector<std::optional<size_t>> comments_;  // of units
  std::unordered_set<uint32_t> files_;
  uint64_t spent_ = 0;
  bool imports_added_ = false;
  UnitSequence sequence_;
};

}  // namespace

UnitSequence sequence_units(std::span<const SequenceItem> items, size_t worthy, const CountCost& count,
                            const UnitConstants& constants) {
  return Ladder(items, count, constants).run(worthy);
}

}  // namespace knapsack::code
