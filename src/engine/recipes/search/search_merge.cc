#include "engine/recipes/search/search_merge.h"

#include <algorithm>
#include <tuple>
#include <unordered_map>
#include <unordered_set>

#include "search/diversity.h"

namespace knapsack {
namespace {

struct Pooled {
  const SourceFinds* finds = nullptr;
  uint32_t item = 0, part = 0;
  uint32_t line = 0;  // that is meant; 0: where the words stand
  Score score;
};

// The share of the query's words that the best result of a source holds. Its very best may be there for
// another reason (a file name, a commit), so the best of three.
double confidence(const SourceFinds& finds, const search::TextMatch& match) {
  constexpr size_t kLookedAt = 3;
  if (match.words() == 0) return 1;
  double best = 0;
  for (size_t i = 0; i < std::min(finds.by_words.size(), kLookedAt); ++i) {
    const SourceHit& hit = finds.by_words[i];
    const auto text = finds.source->text(hit.item, hit.part);
    if (text.ok()) best = std::max(best, match.measure(text->title, text->text).coverage);
  }
  // It matched somehow: at least one word.
  return std::max(best, 1 / static_cast<double>(match.words()));
}

std::vector<search::ScoredItem> list_of(const std::vector<SourceHit>& hits) {
  std::vector<search::ScoredItem> items;
  for (const SourceHit& hit : hits) items.push_back({hit.item, hit.score.total});
  return items;
}

// Both lists of a source as one, on the scale of all sources.
std::vector<Pooled> pool_source(const SourceFinds& finds, const search::TextMatch& match,
                                const MergeOptions& options) {
  search::HybridOptions hybrid{options.fusion, options.vector_weight, 1};
  if (options.fusion == search::Fusion::kSum && !finds.by_words.empty())
    hybrid.words_trust = confidence(finds, match);
  // What matches by meaning is shown where no word matches.
  std::unordered_map<uint32_t, const SourceHit*> first;
  for (const auto* hits : {&finds.by_words, &finds.by_meaning}) {
    for (const SourceHit& hit : *hits) first.try_emplace(hit.item, &hit);
  }
  std::vector<Pooled> pooled;
  for (const search::FusedItem& fused :
       search::fuse_hybrid(list_of(finds.by_words), list_of(finds.by_meaning), hybrid)) {
    const SourceHit& hit = *first.at(fused.item);
    Pooled next{&finds, hit.item, hit.part, hit.line, {}};
    const char* names[] = {"words", "meaning"};
    for (size_t i = 0; i < fused.parts.size(); ++i) {
      const double value = fused.parts[i];
      if (value <= 0) continue;
      next.score.components.push_back({names[i], value});
      next.score.total += value;
    }
    pooled.push_back(std::move(next));
  }
  return pooled;
}

struct Shown {
  SearchHit hit;
  std::string text;  // for comparing
};

Result<Shown> show(const Pooled& pooled, const search::TextMatch& match, bool rerank) {
  SearchSource& source = *pooled.finds->source;
  KNAPSACK_TRY(SourceText text, source.text(pooled.item, pooled.part));
  const search::MatchedText matched = match.measure(text.title, text.text);
  Shown shown;
  SearchHit& hit = shown.hit;
  hit.source = source.source();
  hit.repository = source.repository();
  hit.id = std::move(text.id);
  hit.path = std::move(text.path);
  hit.score = pooled.score;
  if (rerank) search::rerank_score(hit.score, matched);
  if (pooled.line > 0) {
    hit.line = pooled.line;
  } else if (text.line > 0) {
    const auto begin = text.text.begin();
    const auto before = std::count(begin, begin + static_cast<long>(matched.begin), '\n');
    hit.line = text.line + (source.source() == Source::kCode ? static_cast<uint32_t>(before) : 0);
  }
  hit.title = source.title_of_line(pooled.item, hit.line);
  if (hit.title.empty()) hit.title = text.title;
  hit.snippet = source.excerpt(pooled.item, text, hit.line, match);
  shown.text = std::move(text.text);
  return shown;
}

bool before(const Shown& a, const Shown& b) {
  if (a.hit.score.total != b.hit.score.total) return a.hit.score.total > b.hit.score.total;
  return std::tie(a.hit.source, a.hit.id, a.hit.line) < std::tie(b.hit.source, b.hit.id, b.hit.line);
}

std::vector<Shown> spread_out(std::vector<Shown> shown) {
  std::vector<search::WordSet> words;
  std::vector<double> scores;
  for (const Shown& each : shown) {
    words.emplace_back(each.hit.title + "\n" + each.text);
    scores.push_back(each.hit.score.total);
  }
  std::vector<Shown> spread;
  for (const size_t position :
       search::diversify(scores, [&](size_t a, size_t b) { return words[a].similarity(words[b]); }))
    spread.push_back(std::move(shown[position]));
  return spread;
}

}  // namespace

size_t count_items(const SourceFinds& finds) {
  std::unordered_set<uint32_t> items;
  for (const auto* hits : {&finds.by_words, &finds.by_meaning}) {
    for (const SourceHit& hit : *hits) items.insert(hit.item);
  }
  return items.size();
}

MergedHits merge_finds(const std::vector<SourceFinds>& finds, const search::TextMatch& match,
                       const MergeOptions& options) {
  std::vector<Pooled> pool;
  for (const SourceFinds& each : finds) {
    for (Pooled& pooled : pool_source(each, match, options)) pool.push_back(std::move(pooled));
  }
  // Stable: sources come in their order, items of one in theirs.
  std::stable_sort(pool.begin(), pool.end(),
                   [](const Pooled& a, const Pooled& b) { return a.score.total > b.score.total; });
  const bool reorders = options.rerank || options.mmr;
  const size_t wanted = reorders ? std::max(kMinPool, options.limit) : options.limit;
  MergedHits merged;
  std::vector<Shown> shown;
  for (const Pooled& each : pool) {
    if (shown.size() == wanted) break;
    auto next = show(each, match, options.rerank);
    if (next.ok()) {
      shown.push_back(*std::move(next));
    } else {
      merged.problems.push_back(next.error().line());
    }
  }
  std::stable_sort(shown.begin(), shown.end(), before);
  if (options.mmr) shown = spread_out(std::move(shown));
  for (size_t i = 0; i < std::min(shown.size(), options.limit); ++i)
    merged.hits.push_back(std::move(shown[i].hit));
  return merged;
}

}  // namespace knapsack
