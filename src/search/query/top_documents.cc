#include "search/query/top_documents.h"

#include <algorithm>

namespace knapsack::search {
namespace {

// A little less than bounds say, because sums are rounded; ties must be looked at, keys decide them.
constexpr double kRounding = 1 - 1e-9;

bool better_unit(const UnitScore& a, const UnitScore& b) {
  return a.score != b.score ? a.score > b.score : a.unit < b.unit;
}

bool better_hit(const Hit& a, const Hit& b) {
  return a.score != b.score ? a.score > b.score : a.key < b.key;
}

double pool_bound(const Scorer& scorer) {
  if (scorer.pooling == Pooling::kMax) return 1;
  if (scorer.pooling == Pooling::kSum) return std::numeric_limits<double>::infinity();
  double bound = 0;
  for (size_t i = 1; i <= scorer.pool_units; ++i) bound += 1 / static_cast<double>(i);
  return bound;
}

}  // namespace

TopDocuments::TopDocuments(const Index& index, const Scorer& scorer, size_t k)
    : index_(index), scorer_(scorer), k_(k), bound_(pool_bound(scorer)) {}

Status TopDocuments::add(uint32_t part, const WindowScorer& window) {
  const SegmentReader& segment = index_.segment(part);
  const std::span<const double> scores = window.scores();
  const uint32_t first_unit = segment.first_unit(window.first_document());
  uint32_t document = window.first_document();
  size_t at = 0;
  while ((at = next_candidate(scores, at)) < scores.size()) {
    document = segment.document_of(first_unit + static_cast<uint32_t>(at), document);
    const size_t begin = segment.first_unit(document) - first_unit;
    const size_t end = segment.first_unit(document + 1) - first_unit;
    const std::span<const double> units = scores.subspan(begin, end - begin);
    if (may_be_among_best(units)) KNAPSACK_CHECK(add_document({part, document}, units));
    at = end;
  }
  return ok_status();
}

// The first unit from `at` on whose score is high enough. Most are not, and they are passed over, many at a
// time, without finding out which documents they belong to.
size_t TopDocuments::next_candidate(std::span<const double> scores, size_t at) const {
  // The largest of each of four lanes: plain code that compilers turn into vectors, with one branch a step.
  constexpr size_t kLanes = 4;
  constexpr size_t kStep = 32;
  const auto larger = [](double a, double b) { return a > b ? a : b; };
  for (; at + kStep <= scores.size(); at += kStep) {
    const double* here = scores.data() + at;
    double best[kLanes] = {here[0], here[1], here[2], here[3]};
    for (size_t i = kLanes; i < kStep; i += kLanes) {
      for (size_t lane = 0; lane < kLanes; ++lane) best[lane] = larger(here[i + lane], best[lane]);
    }
    if (larger(larger(best[0], best[1]), larger(best[2], best[3])) >= least_) break;
  }
  while (at < scores.size() && scores[at] < least_) ++at;
  return at;
}

// By a bound that takes no sorting: pooled harmonically, every unit but the best counts half at most.
bool TopDocuments::may_be_among_best(std::span<const double> units) const {
  if (hits_.size() < k_ || scorer_.pooling != Pooling::kHarmonic) return true;
  double best = 0;
  double sum = 0;
  for (const double unit : units) {
    best = std::max(best, unit);
    sum += unit;
  }
  return best + (sum - best) / 2 >= hits_.front().score * kRounding;
}

void TopDocuments::collect_best(std::span<const double> units) {
  best_.clear();
  for (uint32_t unit = 0; unit < units.size(); ++unit) {
    const UnitScore candidate{unit, units[unit]};
    if (candidate.score == 0) continue;
    if (best_.size() == scorer_.pool_units) {
      if (!better_unit(candidate, best_.back())) continue;
      best_.pop_back();
    }
    best_.insert(std::upper_bound(best_.begin(), best_.end(), candidate, better_unit), candidate);
  }
}

double TopDocuments::pool(std::span<const double> units) const {
  double score = 0;
  switch (scorer_.pooling) {
    case Pooling::kHarmonic:
      for (size_t i = 0; i < best_.size(); ++i) score += best_[i].score / static_cast<double>(i + 1);
      break;
    case Pooling::kMax:
      score = best_[0].score;
      break;
    case Pooling::kSum:
      for (const double unit : units) score += unit;
      break;
  }
  return score;
}

Status TopDocuments::add_document(DocumentId id, std::span<const double> units) {
  collect_best(units);
  const double score = pool(units);
  const bool full = hits_.size() == k_;
  if (full && score < hits_.front().score) return ok_status();
  KNAPSACK_TRY(const std::string_view key, index_.key(id));
  if (full) {
    if (score == hits_.front().score && key >= hits_.front().key) return ok_status();
    std::pop_heap(hits_.begin(), hits_.end(), better_hit);
    hits_.pop_back();
  }
  hits_.push_back({std::string(key), score, best_, id});
  std::push_heap(hits_.begin(), hits_.end(), better_hit);
  if (hits_.size() == k_) least_ = std::max(least_, hits_.front().score / bound_ * kRounding);
  return ok_status();
}

std::vector<Hit> TopDocuments::take() {
  std::sort(hits_.begin(), hits_.end(), better_hit);
  return std::move(hits_);
}

}  // namespace knapsack::search
