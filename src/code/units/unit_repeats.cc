#include "code/units/unit_repeats.h"

#include <algorithm>
#include <queue>
#include <string_view>
#include <unordered_map>
#include <utility>

#include "code/units/unit_signal.h"

namespace knapsack::code {
namespace {

// A line says something new so often.
constexpr uint32_t kNewTimes = 2;
// Half of the lines of two functions may be alike by their style.
constexpr double kOwnShare = 0.5;
// Few lines are alike by chance.
constexpr size_t kMinRepeatedLines = 3;
// No packet shows more units.
constexpr size_t kComparedUnits = 400;

struct Waiting {
  double key = 0;
  size_t unit = 0;
  // Of equal ones the one that was first.
  bool operator<(const Waiting& other) const {
    return key != other.key ? key < other.key : unit > other.unit;
  }
};

class Repeats {
 public:
  Repeats(std::vector<RankedUnit> units, const LinesOf& lines_of, double weight)
      : units_(std::move(units)), lines_of_(lines_of), weight_(weight), lines_(units_.size()) {}

  std::vector<RankedUnit> run() {
    std::priority_queue<Waiting> waiting;
    for (size_t i = 0; i < units_.size(); ++i) waiting.push({units_[i].key, i});
    std::vector<RankedUnit> ordered;
    ordered.reserve(units_.size());
    while (!waiting.empty()) {
      const Waiting next = waiting.top();
      waiting.pop();
      RankedUnit& unit = units_[next.unit];
      double loss = next.key - unit.key;  // as it was when it was last looked at
      if (ordered.size() < kComparedUnits) {
        const double before = std::exchange(loss, loss_of(next.unit));
        // What was said before only grows, so whoever still leads with what it has now is next.
        if (loss < before && !waiting.empty() && Waiting{unit.key + loss, next.unit} < waiting.top()) {
          waiting.push({unit.key + loss, next.unit});
          continue;
        }
        for (const std::string_view line : lines_[next.unit]) ++times_[line];
      }
      if (loss < 0) {
        unit.score.components.push_back({std::string(to_string(UnitSignal::kRepeat)), loss});
        unit.score.total += loss;
        unit.key += loss;
      }
      ordered.push_back(std::move(unit));
    }
    return ordered;
  }

 private:
  double loss_of(size_t number) {
    std::vector<std::string_view>& lines = lines_[number];
    if (lines.empty()) lines = different_lines(units_[number]);
    if (lines.size() < kMinRepeatedLines) return 0;
    const auto old = std::count_if(lines.begin(), lines.end(), [&](std::string_view line) {
      const auto known = times_.find(line);
      return known != times_.end() && known->second >= kNewTimes;
    });
    const double share = static_cast<double>(old) / static_cast<double>(lines.size());
    return weight_ * units_[number].by_words * std::max(0.0, share - kOwnShare) / (1 - kOwnShare);
  }

  std::vector<std::string_view> different_lines(const RankedUnit& unit) const {
    std::vector<std::string_view> lines = telling_lines(lines_of_(unit), unit.unit.lines);
    std::sort(lines.begin(), lines.end());
    lines.erase(std::unique(lines.begin(), lines.end()), lines.end());
    return lines;
  }

  std::vector<RankedUnit> units_;
  const LinesOf& lines_of_;
  const double weight_;
  std::vector<std::vector<std::string_view>> lines_;  // of units that were looked at
  std::unordered_map<std::string_view, uint32_t> times_;
};

}  // namespace

std::vector<RankedUnit> with_repeats_behind(std::vector<RankedUnit> units, const LinesOf& lines_of,
                                            const UnitConstants& constants) {
  if (constants.repeat == 0) return units;
  return Repeats(std::move(units), lines_of, constants.repeat).run();
}

}  // namespace knapsack::code
