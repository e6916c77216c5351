#include "code/units/unit_sequence.h"

#include <algorithm>
#include <unordered_set>

namespace knapsack::code {
namespace {

constexpr uint64_t kFirstRung = 1000;
// What a packet needs beside the code: its title, the line of figures, how it ends.
constexpr uint64_t kPacketTokens = 80;
// How far below the best a unit of the first rung may lie; as much more for each rung above it.
constexpr double kReachOfRung = 1.0;
// Beyond this everything follows in order.
constexpr uint64_t kLastRung = 256'000;
// What the first unit of a file brings with it: its heading.
constexpr uint64_t kFileTokens = 20;
// The first import stretches of the best file tell what its names mean.
constexpr size_t kShownImports = 2;

class Ladder {
 public:
  Ladder(std::span<const SequenceItem> items, const UnitConstants& constants)
      : items_(items), constants_(constants), taken_(items.size()) {
    ranked_ = static_cast<size_t>(
        std::find_if(items.begin(), items.end(), [](const SequenceItem& item) { return item.is_import; }) -
        items.begin());
    for (size_t i = 0; i < ranked_; ++i) best_ = i == 0 ? items[i].key : std::max(best_, items[i].key);
  }

  UnitSequence run(size_t worthy) {
    climb(0, std::min(worthy, ranked_));
    sequence_.until_stop = sequence_.steps.size();
    climb(std::min(worthy, ranked_), ranked_);
    return std::move(sequence_);
  }

 private:
  uint64_t frame(const SequenceItem& item) const { return files_.contains(item.file) ? 0 : kFileTokens; }
  uint64_t price(size_t i) const { return items_[i].cost + frame(items_[i]); }

  void take(size_t i) {
    spent_ += price(i);
    files_.insert(items_[i].file);
    taken_[i] = true;
    sequence_.steps.push_back(i);
  }

  void climb(size_t first, size_t last) {
    double reach = 0;
    for (uint64_t budget = kFirstRung; budget < kLastRung; budget *= 2) {
      const uint64_t rung = budget - kPacketTokens;
      reach += kReachOfRung;
      if (rung < spent_) continue;
      if (first > 0 && static_cast<double>(budget) >= constants_.imports_from) add_imports();
      for (size_t i = first; i < last; ++i) {
        if (taken_[i]) continue;
        const SequenceItem& item = items_[i];
        if (first == 0 && reach < constants_.stop && item.key < best_ - reach) continue;
        if (spent_ + price(i) <= rung) take(i);
      }
    }
    for (size_t i = first; i < last; ++i)
      if (!taken_[i]) take(i);
  }

  void add_imports() {
    if (ranked_ == items_.size() || imports_added_ || !files_.contains(items_[ranked_].file)) return;
    imports_added_ = true;
    for (size_t i = ranked_; i < std::min(ranked_ + kShownImports, items_.size()); ++i) take(i);
  }

  const std::span<const SequenceItem> items_;
  const UnitConstants& constants_;
  size_t ranked_ = 0;  // items before the imports
  double best_ = 0;    // key
  std::vector<bool> taken_;
  std::unordered_set<uint32_t> files_;
  uint64_t spent_ = 0;
  bool imports_added_ = false;
  UnitSequence sequence_;
};

}  // namespace

UnitSequence sequence_units(std::span<const SequenceItem> items, size_t worthy,
                            const UnitConstants& constants) {
  return Ladder(items, constants).run(worthy);
}

}  // namespace knapsack::code
