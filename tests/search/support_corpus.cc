#include "search/support_corpus.h"

#include <algorithm>
#include <cmath>
#include <set>

namespace knapsack::search {

std::string word(size_t number) {
  static const char* const kShapes[] = {"", "ключ", "検索", "_part", "é"};
  return "w" + std::to_string(number) + kShapes[number % 5];
}

Corpus random_corpus(std::mt19937& random, size_t documents, size_t vocabulary) {
  Corpus corpus;
  const auto below = [&](size_t limit) {
    return std::uniform_int_distribution<size_t>(0, limit - 1)(random);
  };
  for (size_t i = 0; i < documents; ++i) {
    PlainDocument document{"key" + std::to_string(random()) + "/" + std::to_string(i), {}};
    const size_t units = below(7);
    for (size_t u = 0; u < units; ++u) {
      PlainUnit unit;
      const size_t tokens = below(40);
      for (size_t t = 0; t < tokens; ++t) {
        const double uniform = std::uniform_real_distribution<double>(0, 1)(random);
        const auto rank = static_cast<size_t>(std::pow(static_cast<double>(vocabulary), uniform)) - 1;
        const uint32_t field = std::array<uint32_t, 4>{0, 0, 1, 3}[below(4)];
        unit.push_back({field, word(std::min(rank, vocabulary - 1))});
      }
      document.units.push_back(std::move(unit));
    }
    corpus.push_back(std::move(document));
  }
  return corpus;
}

std::string build(FileSystem& files, const Corpus& corpus) {
  EXPECT_OK(files.make_directory(kFolder));
  SegmentBuilder builder;
  for (const PlainDocument& document : corpus) {
    builder.begin_document(document.key);
    for (const PlainUnit& unit : document.units) {
      builder.begin_unit();
      for (const PlainToken& token : unit) builder.add(token.field, token.term);
    }
  }
  const auto name = builder.write(files, kFolder);
  EXPECT_OK(name);
  return *name;
}

std::shared_ptr<const SegmentReader> build_and_open(FileSystem& files, const Corpus& corpus) {
  const auto segment = open_segment(files, kFolder, build(files, corpus));
  EXPECT_OK(segment);
  return *segment;
}

Index index_of(FileSystem& files, const Corpus& corpus) {
  const auto segment = build_and_open(files, corpus);
  auto index = Index::open({{segment, LiveSet::all(segment->documents())}});
  EXPECT_OK(index);
  return *index;
}

Index index_of_many(FileSystem& files, const Corpus& corpus, size_t segments, std::mt19937& random) {
  std::vector<Corpus> dealt(segments);
  for (const PlainDocument& document : corpus) dealt[random() % segments].push_back(document);
  std::vector<Index::Part> parts;
  for (const Corpus& one : dealt) {
    const auto segment = build_and_open(files, one);
    parts.push_back({segment, LiveSet::all(segment->documents())});
  }
  auto index = Index::open(std::move(parts));
  EXPECT_OK(index);
  return *index;
}

std::vector<Hit> reference_scores(const Corpus& corpus, const Query& query, const Scorer& scorer) {
  const auto in = [](FieldMask fields, uint32_t field) { return (fields >> field & 1) != 0; };
  const auto length = [&](const PlainUnit& unit, FieldMask fields) {
    double sum = 0;
    for (const auto& token : unit) sum += in(fields, token.field) ? scorer.field_weights[token.field] : 0;
    return sum;
  };
  const auto frequency = [&](const PlainUnit& unit, const QueryTerm& term) {
    double sum = 0;
    for (const auto& token : unit) {
      if (token.term == term.term && in(term.fields, token.field)) sum += scorer.field_weights[token.field];
    }
    return sum;
  };
  double units = 0;
  for (const auto& document : corpus) units += static_cast<double>(document.units.size());
  const auto documents = static_cast<double>(corpus.size());
  std::map<std::string, std::vector<double>> scores;
  for (const auto& document : corpus) scores[document.key].resize(document.units.size(), 0);
  for (const QueryTerm& term : query) {
    double holding_units = 0, holding_documents = 0, total_length = 0;
    for (const auto& document : corpus) {
      bool holds = false;
      for (const auto& unit : document.units) {
        total_length += length(unit, term.fields);
        if (frequency(unit, term) > 0) holding_units += 1, holds = true;
      }
      holding_documents += holds ? 1 : 0;
    }
    const bool over_documents = scorer.frequencies == Over::kDocuments;
    const double n = term.holding.value_or(over_documents ? holding_documents : holding_units);
    const double total = over_documents ? documents : units;
    const double idf = std::log(1 + (total - n + 0.5) / (n + 0.5));
    const double average = total_length / (scorer.lengths == Over::kDocuments ? documents : units);
    for (const auto& document : corpus) {
      double document_length = 0;
      for (const auto& unit : document.units) document_length += length(unit, term.fields);
      for (size_t u = 0; u < document.units.size(); ++u) {
        const double f = frequency(document.units[u], term);
        const double l =
            scorer.lengths == Over::kDocuments ? document_length : length(document.units[u], term.fields);
        if (f == 0) continue;
        scores[document.key][u] += term.weight * idf * f * (scorer.k1 + 1) /
                                   (f + scorer.k1 * (1 - scorer.b + scorer.b * l / average));
      }
    }
  }
  std::vector<Hit> hits;
  for (const auto& [key, by_unit] : scores) {
    Hit hit{key, 0, {}, {}};
    for (uint32_t u = 0; u < by_unit.size(); ++u) {
      if (by_unit[u] > 0) hit.units.push_back({u, by_unit[u]});
    }
    std::stable_sort(hit.units.begin(), hit.units.end(), [](auto& a, auto& b) { return a.score > b.score; });
    for (size_t i = 0; i < hit.units.size(); ++i) {
      if (scorer.pooling == Pooling::kHarmonic && i < scorer.pool_units) {
        hit.score += hit.units[i].score / static_cast<double>(i + 1);
      }
      if (scorer.pooling == Pooling::kMax && i == 0) hit.score = hit.units[i].score;
      if (scorer.pooling == Pooling::kSum) hit.score += hit.units[i].score;
    }
    if (hit.score > 0) hits.push_back(std::move(hit));
  }
  std::stable_sort(hits.begin(), hits.end(), [](const Hit& a, const Hit& b) { return a.score > b.score; });
  return hits;
}

void expect_best(const std::vector<Hit>& actual, const std::vector<Hit>& reference, const Scorer& scorer,
                 size_t k) {
  constexpr double kRelative = 1e-9;
  ASSERT_EQ(actual.size(), std::min(k, reference.size()));
  std::map<std::string, const Hit*> by_key;
  for (const Hit& hit : reference) by_key[hit.key] = &hit;
  std::set<std::string> seen;
  for (size_t rank = 0; rank < actual.size(); ++rank) {
    const Hit& hit = actual[rank];
    ASSERT_EQ(by_key.count(hit.key), 1u) << hit.key << " must not match";
    ASSERT_TRUE(seen.insert(hit.key).second) << hit.key << " comes twice";
    const Hit& expected = *by_key[hit.key];
    EXPECT_NEAR(hit.score, expected.score, kRelative * expected.score) << hit.key;
    EXPECT_NEAR(hit.score, reference[rank].score, kRelative * expected.score) << "at rank " << rank;
    ASSERT_EQ(hit.units.size(), std::min(scorer.pool_units, expected.units.size())) << hit.key;
    std::map<uint32_t, double> unit_scores;
    for (const UnitScore& unit : expected.units) unit_scores[unit.unit] = unit.score;
    for (size_t i = 0; i < hit.units.size(); ++i) {
      EXPECT_NEAR(hit.units[i].score, expected.units[i].score, kRelative * hit.units[i].score) << hit.key;
      EXPECT_NEAR(hit.units[i].score, unit_scores[hit.units[i].unit], kRelative * hit.units[i].score)
          << hit.key;
    }
  }
}

std::shared_ptr<const FileBytes> bytes_in_memory(std::string bytes) {
  MemoryFileSystem files;
  files.put("/bytes", std::move(bytes));
  return *files.map("/bytes");
}

}  // namespace knapsack::search
