#include "search/query/sequence_scorer.h"

#include <algorithm>

#include "search/query/scorer.h"
#include "search/query/term_frequencies.h"

namespace knapsack::search {
namespace {

constexpr uint32_t kNowhere = UINT32_MAX;
// Of more than one unit in so many, all units are looked at instead of sorting those that were met.
constexpr size_t kSparse = 32;

}  // namespace

Result<SequenceScorer> SequenceScorer::open(const Index& index, std::vector<SequenceUnit> units,
                                            SequenceConstants constants) {
  if (constants.near.empty()) {
    return Error{ErrorCode::kInternal, "a sequence scorer needs the weight of a unit's own words", ""};
  }
  SequenceScorer scorer(index, std::move(units), std::move(constants));
  for (uint32_t field = 0; field < kMaxFields; ++field) {
    if (scorer.constants_.field_weights[field] > 0) scorer.fields_ |= field_bit(field);
  }
  scorer.find_positions();
  KNAPSACK_CHECK(scorer.measure_lengths());
  scorer.sums_.resize(scorer.units_.size());
  return scorer;
}

void SequenceScorer::find_positions() {
  for (uint32_t part = 0; part < index_->parts(); ++part) {
    positions_.emplace_back(index_->segment(part).units(), kNowhere);
  }
  for (size_t position = 0; position < units_.size(); ++position) {
    const auto& [part, document] = units_[position].document;
    positions_[part][index_->segment(part).first_unit(document) + units_[position].unit] =
        static_cast<uint32_t>(position);
  }
}

SequenceScorer::Reach SequenceScorer::reach_of(size_t position) const {
  const size_t distance = constants_.near.size() - 1;
  const auto same = [&](size_t other) { return units_[other].sequence == units_[position].sequence; };
  Reach reach{static_cast<uint32_t>(position), static_cast<uint32_t>(position)};
  while (reach.first > 0 && position - reach.first < distance && same(reach.first - 1)) --reach.first;
  while (reach.last + 1 < units_.size() && reach.last - position < distance && same(reach.last + 1))
    ++reach.last;
  return reach;
}

double SequenceScorer::weight_between(size_t from, size_t to) const {
  if (to == from + 1 && units_[from].hands_on && constants_.hand_on > 0) return constants_.hand_on;
  return constants_.near[from < to ? to - from : from - to];
}

Status SequenceScorer::measure_lengths() {
  std::vector<double> own(units_.size());
  for (uint32_t field = 0; field < kMaxFields; ++field) {
    if ((fields_ & field_bit(field)) == 0) continue;
    std::vector<LengthColumn> columns;
    for (uint32_t part = 0; part < index_->parts(); ++part) {
      KNAPSACK_TRY(const LengthColumn column, index_->segment(part).lengths(field));
      columns.push_back(column);
    }
    for (size_t i = 0; i < units_.size(); ++i) {
      const auto& [part, document] = units_[i].document;
      const uint32_t unit = index_->segment(part).first_unit(document) + units_[i].unit;
      own[i] += constants_.field_weights[field] * columns[part][unit];
    }
  }
  double total = 0;
  for (size_t i = 0; i < units_.size(); ++i) {
    const Reach reach = reach_of(i);
    double length = 0;
    for (size_t j = reach.first; j <= reach.last; ++j) length += own[j];
    norms_.push_back(length);
    total += length;
  }
  const double average = total > 0 ? total / static_cast<double>(units_.size()) : 1;
  for (double& norm : norms_) {
    norm = constants_.k1 * (1 - constants_.b + constants_.b * norm / average);
  }
  return ok_status();
}

Result<double> SequenceScorer::highest_idf(const std::string& form) const {
  KNAPSACK_TRY(const TermCounts counts, index_->counts(form, fields_));
  // Of the documents that hold it, at least those are here that cannot be among the ones left out.
  const uint64_t left_out = index_->documents() - std::min<uint64_t>(index_->documents(), units_.size());
  const uint64_t held = counts.documents - std::min(counts.documents, left_out);
  return inverse_frequency(static_cast<double>(units_.size()), static_cast<double>(held));
}

// Ascending, each once, without those that nothing reached.
void SequenceScorer::put_in_order(std::vector<uint32_t>& positions) const {
  if (positions.size() > sums_.size() / kSparse) {
    positions.clear();
    for (size_t position = 0; position < sums_.size(); ++position) {
      if (sums_[position] != 0) positions.push_back(static_cast<uint32_t>(position));
    }
    return;
  }
  std::sort(positions.begin(), positions.end());
  // A weight of zero puts a unit on the list more than once without reaching it.
  positions.erase(std::unique(positions.begin(), positions.end()), positions.end());
  std::erase_if(positions, [&](uint32_t position) { return sums_[position] == 0; });
}

Result<const SmoothedTerm*> SequenceScorer::smooth(const TermForms& forms) {
  if (const auto known = terms_.find(forms); known != terms_.end()) return known->second.get();
  auto term = std::make_unique<SmoothedTerm>();
  TermForms once = forms;
  std::sort(once.begin(), once.end());
  once.erase(std::unique(once.begin(), once.end()), once.end());
  for (const std::string& form : once) {
    KNAPSACK_TRY(const auto found, term_frequencies(*index_, form, fields_));
    for (const TermFrequency& each : found) {
      const SegmentReader& segment = index_->segment(each.document.part);
      const uint32_t from =
          positions_[each.document.part][segment.first_unit(each.document.document) + each.unit];
      if (from == kNowhere) continue;
      const double times = constants_.field_weights[each.field] * each.frequency;
      const Reach reach = reach_of(from);
      for (uint32_t to = reach.first; to <= reach.last; ++to) {
        if (sums_[to] == 0) term->positions.push_back(to);
        sums_[to] += weight_between(from, to) * times;
      }
    }
  }
  put_in_order(term->positions);
  for (const uint32_t position : term->positions) {
    term->frequencies.push_back(sums_[position]);
    sums_[position] = 0;
  }
  if (!term->positions.empty()) {
    term->idf =
        inverse_frequency(static_cast<double>(units_.size()), static_cast<double>(term->positions.size()));
  }
  return terms_.emplace(forms, std::move(term)).first->second.get();
}

Result<std::vector<double>> SequenceScorer::score(std::span<const SequenceTerm> terms) {
  std::vector<double> scores(units_.size());
  for (const SequenceTerm& term : terms) {
    KNAPSACK_TRY(const SmoothedTerm* smoothed, smooth(term.forms));
    const double factor = term.weight * smoothed->idf * (constants_.k1 + 1);
    for (size_t i = 0; i < smoothed->positions.size(); ++i) {
      const uint32_t position = smoothed->positions[i];
      const double frequency = smoothed->frequencies[i];
      scores[position] += factor * frequency / (frequency + norms_[position]);
    }
  }
  return scores;
}

}  // namespace knapsack::search
