#include "search/query.h"

#include <algorithm>
#include <cmath>

#include "search/prepared_query.h"
#include "search/window_scorer.h"

namespace knapsack::search {
namespace {

bool better_unit(const UnitScore& a, const UnitScore& b) {
  return a.score != b.score ? a.score > b.score : a.unit < b.unit;
}

// Reused from document to document: its best units, best first.
class BestUnits {
 public:
  explicit BestUnits(size_t limit) : limit_(limit) {}

  void collect(std::span<const double> scores) {
    best_.clear();
    for (uint32_t unit = 0; unit < scores.size(); ++unit) {
      const UnitScore candidate{unit, scores[unit]};
      if (candidate.score == 0 || (best_.size() == limit_ && !better_unit(candidate, best_.back()))) continue;
      if (best_.size() == limit_) best_.pop_back();
      best_.insert(std::upper_bound(best_.begin(), best_.end(), candidate, better_unit), candidate);
    }
  }
  const std::vector<UnitScore>& units() const { return best_; }

 private:
  size_t limit_;
  std::vector<UnitScore> best_;
};

double pool(const Scorer& scorer, const std::vector<UnitScore>& best, std::span<const double> all) {
  double score = 0;
  switch (scorer.pooling) {
    case Pooling::kHarmonic:
      for (size_t i = 0; i < best.size(); ++i) score += best[i].score / static_cast<double>(i + 1);
      break;
    case Pooling::kMax:
      score = best.empty() ? 0 : best[0].score;
      break;
    case Pooling::kSum:
      for (const double unit : all) score += unit;
      break;
  }
  return score;
}

// How many times the best unit's score the pooled score of `units` units can be, at most.
double pool_bound(const Scorer& scorer, size_t units) {
  if (scorer.pooling == Pooling::kMax) return 1;
  if (scorer.pooling == Pooling::kSum) return static_cast<double>(units);
  double bound = 0;
  for (size_t i = 1; i <= std::min(units, scorer.pool_units); ++i) bound += 1 / static_cast<double>(i);
  return bound;
}

// The k best documents so far, the worst of them on top of a heap.
class TopDocuments {
 public:
  TopDocuments(const Index& index, const Scorer& scorer, size_t k)
      : index_(index), scorer_(scorer), k_(k), best_(scorer.pool_units) {
    for (size_t units = 0; units < kBounds; ++units) bounds_[units] = pool_bound(scorer, units);
  }

  Status add_window(uint32_t part, const WindowScorer& window) {
    const SegmentReader& segment = index_.segment(part);
    const uint32_t window_begin = segment.first_unit(window.first_document());
    for (uint32_t document = window.first_document(); document < window.end_document(); ++document) {
      const uint32_t begin = segment.first_unit(document) - window_begin;
      const uint32_t end = segment.first_unit(document + 1) - window_begin;
      KNAPSACK_CHECK(add({part, document}, window.scores().subspan(begin, end - begin)));
    }
    return ok_status();
  }

  std::vector<Hit> take() {
    std::sort(hits_.begin(), hits_.end(), better);
    return std::move(hits_);
  }

 private:
  static bool better(const Hit& a, const Hit& b) {
    return a.score != b.score ? a.score > b.score : a.key < b.key;
  }

  Status add(DocumentId id, std::span<const double> units) {
    double largest = 0;
    for (const double unit : units) largest = std::max(largest, unit);
    if (largest == 0) return ok_status();
    const bool full = hits_.size() == k_;
    if (full) {
      // A little more than the bound, because sums are rounded; ties must be looked at, keys decide them.
      constexpr double kRounding = 1 + 1e-9;
      const double bound = units.size() < kBounds ? bounds_[units.size()] : pool_bound(scorer_, units.size());
      if (largest * bound * kRounding < hits_.front().score) return ok_status();
    }
    best_.collect(units);
    const double score = pool(scorer_, best_.units(), units);
    if (full && score < hits_.front().score) return ok_status();
    KNAPSACK_TRY(const std::string_view key, index_.key(id));
    if (full) {
      if (score == hits_.front().score && key >= hits_.front().key) return ok_status();
      std::pop_heap(hits_.begin(), hits_.end(), better);
      hits_.pop_back();
    }
    hits_.push_back({std::string(key), score, best_.units(), id});
    std::push_heap(hits_.begin(), hits_.end(), better);
    return ok_status();
  }

  static constexpr size_t kBounds = 64;
  const Index& index_;
  const Scorer& scorer_;
  size_t k_;
  BestUnits best_;
  std::array<double, kBounds> bounds_{};
  std::vector<Hit> hits_;
};

}  // namespace

Result<std::vector<Hit>> top_k(const Index& index, const Query& query, const Scorer& scorer, size_t k) {
  KNAPSACK_TRY(const PreparedQuery prepared, prepare(index, query, scorer));
  if (k == 0 || prepared.terms.empty()) return std::vector<Hit>();
  TopDocuments top(index, scorer, k);
  for (uint32_t part = 0; part < index.parts(); ++part) {
    KNAPSACK_TRY(WindowScorer window, WindowScorer::start(index, part, prepared, scorer));
    while (true) {
      KNAPSACK_TRY(const bool more, window.next());
      if (!more) break;
      KNAPSACK_CHECK(top.add_window(part, window));
    }
  }
  return top.take();
}

Result<std::vector<double>> contributions(const Index& index, const Query& query, const Scorer& scorer,
                                          const Hit& hit) {
  KNAPSACK_TRY(const PreparedQuery prepared, prepare(index, query, scorer));
  const auto [part, document] = hit.document;
  const SegmentReader& segment = index.segment(part);
  const uint32_t begin = segment.first_unit(document), end = segment.first_unit(document + 1);
  // What share of a unit's score reached the document's.
  std::vector<double> shares(end - begin, scorer.pooling == Pooling::kSum ? 1 : 0);
  if (scorer.pooling == Pooling::kHarmonic) {
    for (size_t i = 0; i < hit.units.size(); ++i) shares[hit.units[i].unit] = 1 / static_cast<double>(i + 1);
  }
  if (scorer.pooling == Pooling::kMax && !hit.units.empty()) shares[hit.units[0].unit] = 1;

  std::vector<double> given(query.size(), 0);
  std::vector<double> norms, frequencies;
  PostingBlock block;
  for (const PreparedTerm& term : prepared.terms) {
    KNAPSACK_CHECK(
        fill_norms(segment, prepared.normalisers[term.normaliser], scorer, document, document + 1, norms));
    frequencies.assign(end - begin, 0);
    KNAPSACK_TRY(std::vector<FieldPostings> lists, index.postings(part, term.term, term.fields));
    for (FieldPostings& list : lists) {
      if (!list.reader.skip_to(begin)) return segment.damaged("a posting list is not whole");
      while (!list.reader.done() && list.reader.next_unit() < end) {
        if (!list.reader.decode(block)) return segment.damaged("a posting list is not whole");
        for (size_t i = 0; i < block.size; ++i) {
          if (block.units[i] < begin || block.units[i] >= end) continue;
          frequencies[block.units[i] - begin] += scorer.field_weights[list.field] * block.frequencies[i];
        }
        list.reader.advance(block);
      }
    }
    for (size_t unit = 0; unit < frequencies.size(); ++unit) {
      if (frequencies[unit] == 0) continue;
      given[term.position] +=
          shares[unit] * term.factor * frequencies[unit] / (frequencies[unit] + norms[unit]);
    }
  }
  return given;
}

}  // namespace knapsack::search
