// Small corpora as plain data, the segments that are built from them, and an exact scorer to compare with.
#pragma once

#include <map>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "core/files/memory_file_system.h"
#include "search/query/query.h"
#include "search/segments/index.h"
#include "search/segments/segment_builder.h"
#include "search/segments/segment_set.h"
#include "support/support.h"

namespace knapsack::search {

struct PlainToken {
  uint32_t field;
  std::string term;
};
using PlainUnit = std::vector<PlainToken>;
struct PlainDocument {
  std::string key;
  std::vector<PlainUnit> units;
};
using Corpus = std::vector<PlainDocument>;

// Words in all three fields 0, 1 and 3 with a skewed distribution; some documents without units, some units
// without words.
Corpus random_corpus(std::mt19937& random, size_t documents, size_t vocabulary);
std::string word(size_t number);

constexpr char kFolder[] = "/segments";

// Builds one segment in the file system; its name.
std::string build(FileSystem& files, const Corpus& corpus);
std::shared_ptr<const SegmentReader> build_and_open(FileSystem& files, const Corpus& corpus);
// An index over all of these documents, in one segment.
Index index_of(FileSystem& files, const Corpus& corpus);
// The same documents dealt out to several segments.
Index index_of_many(FileSystem& files, const Corpus& corpus, size_t segments, std::mt19937& random);

// All matching documents by the formulas of scorer.h, straight from the text, with all their matching units:
// no index, no shortcuts, best first.
std::vector<Hit> reference_scores(const Corpus& corpus, const Query& query, const Scorer& scorer);

// That these are the best k of the reference: every score to 1e-9, and an order that only such differences
// could change.
void expect_best(const std::vector<Hit>& actual, const std::vector<Hit>& reference, const Scorer& scorer,
                 size_t k);

std::shared_ptr<const FileBytes> bytes_in_memory(std::string bytes);

}  // namespace knapsack::search
