#include "search/query/prepared_query.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <tuple>

namespace knapsack::search {
namespace {

Normaliser make_normaliser(const Index& index, const Scorer& scorer, FieldMask fields) {
  double total = 0;
  for (size_t field = 0; field < kMaxFields; ++field) {
    if ((fields >> field & 1) == 0) continue;
    total += scorer.field_weights[field] * static_cast<double>(index.total_length(field));
  }
  const auto count = static_cast<double>(scorer.lengths == Over::kUnits ? index.units() : index.documents());
  Normaliser normaliser{fields, scorer.k1 * (1 - scorer.b), 0};
  if (total > 0) normaliser.slope = scorer.k1 * scorer.b * count / total;
  return normaliser;
}

FieldMask weighted_fields(const Scorer& scorer) {
  FieldMask fields = 0;
  for (uint32_t field = 0; field < kMaxFields; ++field) {
    if (scorer.field_weights[field] > 0) fields |= field_bit(field);
  }
  return fields;
}

size_t normaliser_for(const Index& index, const Scorer& scorer, FieldMask fields,
                      std::vector<Normaliser>& known) {
  const auto found =
      std::find_if(known.begin(), known.end(), [&](const Normaliser& one) { return one.fields == fields; });
  if (found != known.end()) return static_cast<size_t>(found - known.begin());
  known.push_back(make_normaliser(index, scorer, fields));
  return known.size() - 1;
}

}  // namespace

Result<PreparedQuery> prepare(const Index& index, const Query& query, const Scorer& scorer) {
  KNAPSACK_CHECK(check_scorer(scorer));
  const FieldMask visible = weighted_fields(scorer);
  const bool over_documents = scorer.frequencies == Over::kDocuments;
  const auto total = static_cast<double>(over_documents ? index.documents() : index.units());

  using Identity = std::tuple<std::string_view, FieldMask, std::optional<double>>;
  std::map<Identity, size_t> seen;
  std::vector<double> weights;
  std::vector<size_t> firsts;
  for (size_t i = 0; i < query.size(); ++i) {
    const QueryTerm& term = query[i];
    if (!std::isfinite(term.weight) || term.weight <= 0 || (term.fields & visible) == 0) continue;
    if (term.holding && !std::isfinite(*term.holding)) continue;
    const auto fields = static_cast<FieldMask>(term.fields & visible);
    const auto [at, is_new] = seen.try_emplace({term.term, fields, term.holding}, weights.size());
    if (is_new) {
      weights.push_back(0);
      firsts.push_back(i);
    }
    weights[at->second] += term.weight;
  }

  PreparedQuery prepared;
  for (size_t i = 0; i < firsts.size(); ++i) {
    const QueryTerm& term = query[firsts[i]];
    const auto fields = static_cast<FieldMask>(term.fields & visible);
    KNAPSACK_TRY(const TermCounts counts, index.counts(term.term, fields));
    if (counts.units == 0) continue;
    const double holding =
        term.holding.value_or(static_cast<double>(over_documents ? counts.documents : counts.units));
    const double factor = weights[i] * inverse_frequency(total, holding) * (scorer.k1 + 1);
    const size_t normaliser = normaliser_for(index, scorer, fields, prepared.normalisers);
    prepared.terms.push_back({term.term, fields, factor, normaliser, firsts[i]});
  }
  return prepared;
}

Result<UnitNorms> UnitNorms::open(const SegmentReader& segment, const Normaliser& normaliser,
                                  const Scorer& scorer) {
  UnitNorms norms;
  norms.segment_ = &segment;
  norms.normaliser_ = &normaliser;
  norms.over_ = scorer.lengths;
  for (uint32_t field = 0; field < kMaxFields; ++field) {
    if ((normaliser.fields >> field & 1) == 0 || segment.total_length(field) == 0) continue;
    KNAPSACK_TRY(const LengthColumn lengths, segment.lengths(field));
    norms.columns_.push_back({lengths, normaliser.slope * scorer.field_weights[field]});
  }
  if (norms.over_ == Over::kUnits && norms.columns_.size() == 1 && norms.columns_[0].lengths.width() == 1) {
    for (uint32_t length = 0; length <= UINT8_MAX; ++length) {
      norms.by_length_.push_back(normaliser.constant + norms.columns_[0].factor * length);
    }
  }
  return norms;
}

double UnitNorms::document_norm(uint32_t document) const {
  double norm = normaliser_->constant;
  for (uint32_t unit = segment_->first_unit(document); unit < segment_->first_unit(document + 1); ++unit) {
    for (const Column& column : columns_) norm += column.factor * column.lengths[unit];
  }
  return norm;
}

void UnitNorms::read(const uint32_t* units, size_t count, double* values) const {
  if (!by_length_.empty()) {
    for (size_t i = 0; i < count; ++i) values[i] = by_length_[length(units[i])];
    return;
  }
  if (over_ == Over::kUnits) {
    std::fill_n(values, count, normaliser_->constant);
    for (const Column& column : columns_) column.lengths.add_to(values, units, count, column.factor);
    return;
  }
  uint32_t document = 0, document_end = 0;
  double norm = 0;
  for (size_t i = 0; i < count; ++i) {
    if (units[i] >= document_end) {
      document = segment_->document_of(units[i], document);
      document_end = segment_->first_unit(document + 1);
      norm = document_norm(document);
    }
    values[i] = norm;
  }
}

}  // namespace knapsack::search
