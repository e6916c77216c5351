#include "search/query/window_scorer.h"

#include <algorithm>

namespace knapsack::search {
namespace {

// Units in a window: their scores are 128 KB, which fits a second-level cache.
constexpr uint32_t kWindowUnits = 16'384;

// The frequencies whose shares are tabulated, and from how many units on that pays.
constexpr uint32_t kTabulated = 4;
constexpr uint32_t kLongList = 4096;

}  // namespace

WindowScorer::WindowScorer(const Index& index, uint32_t part, const Scorer& scorer)
    : index_(&index), part_(part), segment_(&index.segment(part)), scorer_(&scorer) {}

Result<WindowScorer> WindowScorer::start(const Index& index, uint32_t part, const PreparedQuery& query,
                                         const Scorer& scorer) {
  WindowScorer windows(index, part, scorer);
  for (const PreparedTerm& term : query.terms) {
    KNAPSACK_TRY(std::vector<FieldPostings> lists, index.postings(part, term.term, term.fields));
    if (!lists.empty()) windows.terms_.push_back({&term, std::move(lists)});
  }
  for (const Normaliser& normaliser : query.normalisers) {
    KNAPSACK_TRY(UnitNorms norms, UnitNorms::open(index.segment(part), normaliser, scorer));
    windows.norms_.push_back(std::move(norms));
  }
  for (TermLists& term : windows.terms_) windows.tabulate(term);
  return windows;
}

// From the document of the first posting that is left, as many whole documents as fit; at least one.
bool WindowScorer::choose_window() {
  uint32_t next = UINT32_MAX;
  for (const TermLists& term : terms_) {
    for (const FieldPostings& list : term.lists) {
      if (!list.reader.done()) next = std::min(next, list.reader.next_unit());
    }
  }
  if (next >= segment_->units()) return false;
  first_document_ = segment_->document_of(next, end_document_ == 0 ? 0 : end_document_ - 1);
  first_unit_ = segment_->first_unit(first_document_);
  if (segment_->units() - first_unit_ <= kWindowUnits) {
    end_document_ = segment_->documents();
  } else {
    end_document_ = segment_->document_of(first_unit_ + kWindowUnits, first_document_);
    end_document_ = std::max(end_document_, first_document_ + 1);
  }
  end_unit_ = segment_->first_unit(end_document_);
  return true;
}

Result<bool> WindowScorer::next() {
  if (!choose_window()) return false;
  scores_.assign(end_unit_ - first_unit_, 0);
  for (TermLists& term : terms_) KNAPSACK_CHECK(add_term(term));
  return true;
}

void WindowScorer::cut_to_window(PostingBlock& block, PostingReader& reader) const {
  const auto begin = block.units.begin();
  const auto end = begin + static_cast<long>(block.size);
  if (*begin >= first_unit_ && *(end - 1) < end_unit_) {
    reader.advance(block);
    return;
  }
  const auto from = std::lower_bound(begin, end, first_unit_);
  const auto to = std::lower_bound(from, end, end_unit_);
  if (to == end) {
    reader.advance(block);
  } else {
    reader.set_next_unit(*to);
  }
  const auto offset = from - begin;
  block.size = static_cast<size_t>(to - from);
  if (offset == 0) return;
  std::copy(from, to, begin);
  std::copy_n(block.frequencies.begin() + offset, block.size, block.frequencies.begin());
}

template <class Use>
Status WindowScorer::for_each_block(PostingReader& reader, const Use& use) {
  PostingBlock block;
  while (!reader.done() && reader.next_unit() < end_unit_) {
    if (!reader.decode(block)) return segment_->damaged("a posting list is not whole");
    cut_to_window(block, reader);
    if (!index_->all_live(part_)) index_->keep_live(part_, block);
    use(block);
  }
  return ok_status();
}

// Two loads take the place of a division for nearly all postings of a long list.
void WindowScorer::tabulate(TermLists& term) const {
  const std::span<const double> norms = norms_[term.term->normaliser].by_length();
  if (term.lists.size() != 1 || norms.empty() || term.lists[0].info.units < kLongList) return;
  const double weight = scorer_->field_weights[term.lists[0].field];
  term.shares.reserve(kTabulated * norms.size());
  for (uint32_t times = 1; times <= kTabulated; ++times) {
    const double frequency = weight * times;
    for (const double norm : norms) term.shares.push_back(term.term->factor * frequency / (frequency + norm));
  }
}

// Of a term with one list.
void WindowScorer::add_block(const TermLists& term, const PostingBlock& block) {
  const UnitNorms& norms = norms_[term.term->normaliser];
  if (!term.shares.empty() && block.frequency_limit <= kTabulated) {
    const double* shares = term.shares.data();
    double* scores = scores_.data();
    for (size_t i = 0; i < block.size; ++i) {
      const uint32_t unit = block.units[i];
      scores[unit - first_unit_] += shares[(block.frequencies[i] - 1) << 8 | norms.length(unit)];
    }
    return;
  }
  // Step by step, so that the division in the middle works on several units at once.
  const double factor = term.term->factor;
  const double weight = scorer_->field_weights[term.lists[0].field];
  std::array<double, kBlockSize> norm, share;
  norms.read(block.units.data(), block.size, norm.data());
  for (size_t i = 0; i < block.size; ++i) {
    const double frequency = weight * static_cast<double>(block.frequencies[i]);
    share[i] = factor * frequency / (frequency + norm[i]);
  }
  for (size_t i = 0; i < block.size; ++i) scores_[block.units[i] - first_unit_] += share[i];
}

Status WindowScorer::add_term(TermLists& term) {
  if (term.lists.size() == 1) {
    return for_each_block(term.lists[0].reader, [&](const PostingBlock& block) { add_block(term, block); });
  }
  const double factor = term.term->factor;
  const UnitNorms& norms = norms_[term.term->normaliser];
  // Frequencies of all fields add up before they saturate.
  frequencies_.resize(scores_.size(), 0);
  touched_.clear();
  for (FieldPostings& list : term.lists) {
    const double weight = scorer_->field_weights[list.field];
    KNAPSACK_CHECK(for_each_block(list.reader, [&](const PostingBlock& block) {
      for (size_t i = 0; i < block.size; ++i) {
        double& sum = frequencies_[block.units[i] - first_unit_];
        if (sum == 0) touched_.push_back(block.units[i]);
        sum += weight * static_cast<double>(block.frequencies[i]);
      }
    }));
  }
  std::sort(touched_.begin(), touched_.end());
  touched_norms_.resize(touched_.size());
  norms.read(touched_.data(), touched_.size(), touched_norms_.data());
  for (size_t i = 0; i < touched_.size(); ++i) {
    double& frequency = frequencies_[touched_[i] - first_unit_];
    scores_[touched_[i] - first_unit_] += factor * frequency / (frequency + touched_norms_[i]);
    frequency = 0;
  }
  return ok_status();
}

}  // namespace knapsack::search
