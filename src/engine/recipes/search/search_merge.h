// Merging what sources found into one list: scores on one scale, reranked and spread out where that is on.
//
// A source's scores are divided by its best one and weighted by how well that one answers: by words, the
// share of the query's words that it holds; by meaning, its cosine. So the best of a source that knows one
// word of three stands below the good ones of a source that knows them all. With rrf only ranks count. The
// order is total: score, source, id. Nothing is read or written here but the texts of the best. One thread.
// Private to engine/recipes/search/.
#pragma once

#include <string>
#include <vector>

#include "engine/sources/search_source.h"
#include "search/fusion.h"
#include "search/query/text_match.h"

namespace knapsack {

// How far down the lists of the sources texts are looked at: enough for any rerank to matter.
inline constexpr size_t kMinPool = 50;
inline constexpr size_t kSnippetCharacters = 160;

struct MergeOptions {
  search::Fusion fusion = search::Fusion::kSum;
  double vector_weight = 0.5;
  bool rerank = false;
  bool mmr = false;
  size_t limit = 10;
};

// What one source found, each list best first.
struct SourceFinds {
  SearchSource* source = nullptr;
  std::vector<SourceHit> by_words;
  std::vector<SourceHit> by_meaning;
};

struct MergedHits {
  std::vector<SearchHit> hits;
  std::vector<std::string> problems;  // texts that could not be read, a line each
};

MergedHits merge_finds(const std::vector<SourceFinds>& finds, const search::TextMatch& match,
                       const MergeOptions& options);

// How many different items both lists have.
size_t count_items(const SourceFinds& finds);

}  // namespace knapsack
