#include "memory/recall/recall.h"

#include <fmt/format.h>

#include <algorithm>
#include <unordered_map>
#include <unordered_set>

#include "memory/recall/relevance_floor.h"
#include "memory/tree/documents.h"
#include "memory/tree/infer.h"
#include "text/markdown/markdown_lines.h"

namespace knapsack::memory {
namespace {

std::string shown_namespace(const std::string& name) {
  return name.empty() ? "the default namespace" : fmt::format("namespace {}", name);
}

struct Found {
  const Memory* memory = nullptr;
  double score = 0;  // as the search by words gave it
  size_t rank = 0;   // from 1; 0: no word speaks for it
  size_t query = 0;
  size_t near_rank = 0;  // from 1; 0: not near in meaning
  double cosine = 0;
  SearchShare share = {};
};

class Finder {
 public:
  Finder(const RecallSource& source, std::string_view prompt, Timestamp now, const RecallOptions& options)
      : source_(source), prompt_(prompt), now_(now), options_(options), intent_(infer_intent(prompt)) {
    queries_ = options.query_expansion ? expand_query(prompt) : std::vector<std::string>{std::string(prompt)};
  }

  Result<Recalled> run() {
    if (options_.verbatim_artifacts) KNAPSACK_CHECK(find_anchors());
    if (!options_.search) return std::move(recalled_);
    std::vector<Found> all;
    for (const std::string& name : source_.namespaces) {
      KNAPSACK_TRY(const auto found, search(name));
      all.insert(all.end(), found.begin(), found.end());
    }
    add_near(all);
    share_out(all);
    std::vector<std::vector<RecalledMemory>> kept, dropped;
    for (const std::string& name : source_.namespaces) {
      kept.push_back(score(all, name));
      dropped.push_back(apart_below_floor(kept.back()));
    }
    deal_out(kept);
    deal_out(dropped);
    for (RecalledMemory& each : recalled_.memories)
      each.superseded_by = source_.eligibility.successor(*each.memory);
    return std::move(recalled_);
  }

 private:
  std::vector<const Memory*> eligible(const std::string& name_space, bool artifacts) const {
    std::vector<const Memory*> memories;
    for (const Memory& memory : source_.memories) {
      if (memory.name_space == name_space && (memory.kind == Kind::kArtifact) == artifacts &&
          source_.eligibility.allows(memory))
        memories.push_back(&memory);
    }
    return memories;
  }

  // Artifacts are few and stand for themselves: their own words decide, nothing around them.
  knapsack::Status find_anchors() {
    RankingOptions words_only = options_.ranking;
    for (bool RankingOptions::*part :
         {&RankingOptions::neighbours, &RankingOptions::hand_on, &RankingOptions::feedback,
          &RankingOptions::spread, &RankingOptions::coverage})
      words_only.*part = false;
    std::vector<Found> found;
    for (const std::string& name : source_.namespaces) {
      KNAPSACK_TRY(auto ranking, MemoryRanking::open(source_.index, eligible(name, true), words_only));
      KNAPSACK_TRY(const MemoryOrder order, ranking.rank(prompt_));
      if (!order.matched) continue;
      for (const RankedMemory& each : order.ranked)
        found.push_back({ranking.memories()[each.position], each.score, found.size() + 1, 0});
    }
    std::stable_sort(found.begin(), found.end(),
                     [](const Found& a, const Found& b) { return a.score > b.score; });
    for (const Found& each : found) {
      const double share = each.score / found.front().score;
      const bool taken = recalled_.anchors.size() < kMaxAnchors;
      recalled_.anchors.push_back(
          {each.memory,
           score_memory(*each.memory, {share}, intent_, now_, options_.scoring),
           share,
           {fmt::format("verbatim of {}", each.memory->source_memory)},
           taken ? "" : fmt::format("only {} verbatim memories are shown", kMaxAnchors)});
      if (taken) repeated_.insert(each.memory->name_space + '\0' + each.memory->source_memory);
    }
    return ok_status();
  }

  Result<std::vector<Found>> search(const std::string& name_space) {
    KNAPSACK_TRY(auto ranking,
                 MemoryRanking::open(source_.index, eligible(name_space, false), options_.ranking));
    std::unordered_map<size_t, size_t> places;  // by position in the ranking's list
    std::vector<Found> found;
    const Similarities without;  // what a query is expanded to was not compared
    for (size_t q = 0; q < queries_.size(); ++q) {
      KNAPSACK_TRY(const MemoryOrder order,
                   ranking.rank(queries_[q], q == 0 ? source_.similarities : without));
      // What stands in for memories that fit says something only to who asked for a person or a story.
      if (!order.matched && !(q == 0 && (order.names_speaker || options_.mode == RecallMode::kGraph)))
        continue;
      for (const size_t position : order.near) near_.insert(ranking.memories()[position]);
      for (size_t rank = 0; rank < std::min(order.ranked.size(), kMaxFound); ++rank) {
        const RankedMemory& each = order.ranked[rank];
        const auto [place, is_new] = places.try_emplace(each.position, found.size());
        const Found now{ranking.memories()[each.position], each.score, rank + 1, q};
        if (is_new) {
          found.push_back(now);
        } else if (each.score > found[place->second].score) {
          found[place->second] = now;
        }
      }
    }
    KNAPSACK_CHECK(note_coverage(ranking, found, places));
    return found;
  }

  // How much of the prompt each holds; not of those that only stand in where no word matched.
  knapsack::Status note_coverage(MemoryRanking& ranking, std::vector<Found>& found,
                                 const std::unordered_map<size_t, size_t>& places) {
    if (options_.floor <= 0) return ok_status();
    std::vector<size_t> positions(found.size());
    for (const auto& [position, place] : places) positions[place] = position;
    KNAPSACK_TRY(const auto shares, ranking.coverage(prompt_, positions));
    for (size_t i = 0; i < found.size(); ++i) {
      if (found[i].score <= 0) continue;
      best_held_ = std::max(best_held_, shares[i]);
      held_[found[i].memory] = shares[i];
    }
    return ok_status();
  }

  // Takes out what has too little to do with the prompt. What is near in meaning needs no words.
  std::vector<RecalledMemory> apart_below_floor(std::vector<RecalledMemory>& scored) const {
    std::vector<RecalledMemory> below;
    for (RecalledMemory& each : scored) {
      const auto holds = held_.find(each.memory);
      if (holds == held_.end() || near_.contains(each.memory) ||
          reaches_floor(*each.memory, holds->second, best_held_, options_.floor))
        continue;
      each.dropped = fmt::format("it holds {:.0f} % of the prompt; the best one {:.0f} %",
                                 100 * holds->second, 100 * best_held_);
      below.push_back(each);
    }
    std::erase_if(scored, [](const RecalledMemory& each) { return !each.dropped.empty(); });
    return below;
  }

  // What is near joins what words found. Whoever worked out what is near may not know who may be recalled.
  void add_near(std::vector<Found>& all) {
    std::unordered_map<const Memory*, size_t> places;
    for (size_t i = 0; i < all.size(); ++i) places.emplace(all[i].memory, i);
    std::unordered_map<std::string_view, size_t> counts;  // by namespace
    for (const NearMemory& near : source_.near) {
      const Memory& memory = *near.memory;
      const bool searched = std::find(source_.namespaces.begin(), source_.namespaces.end(),
                                      memory.name_space) != source_.namespaces.end();
      if (!searched || memory.kind == Kind::kArtifact || !source_.eligibility.allows(memory)) continue;
      const size_t rank = ++counts[memory.name_space];
      if (rank > kMaxFound) continue;
      const auto [place, is_new] = places.try_emplace(&memory, all.size());
      if (is_new) all.push_back({&memory});
      all[place->second].near_rank = rank;
      near_.insert(&memory);
      all[place->second].cosine = near.cosine;
    }
  }

  // Both searches on one scale over all namespaces, whose scores are of one kind.
  void share_out(std::vector<Found>& all) const {
    std::vector<search::ScoredItem> words, meaning;
    for (uint32_t i = 0; i < all.size(); ++i) {
      if (all[i].rank > 0) words.push_back({i, all[i].score});
      if (all[i].near_rank > 0) meaning.push_back({i, all[i].cosine});
    }
    for (auto* list : {&words, &meaning}) {
      std::stable_sort(
          list->begin(), list->end(),
          [](const search::ScoredItem& a, const search::ScoredItem& b) { return a.score > b.score; });
    }
    const bool with_meaning = !meaning.empty();
    const search::HybridOptions options = with_meaning ? options_.hybrid : search::HybridOptions{};
    if (with_meaning) {
      for (Found& each : all) each.share.meaning = 0;
    }
    for (const search::FusedItem& fused :
         search::fuse_hybrid(std::move(words), std::move(meaning), options)) {
      SearchShare& share = all[fused.item].share;
      share.words = fused.parts[0];
      if (with_meaning) share.meaning = fused.parts[1];
    }
  }

  std::vector<std::string> how_found(const Found& found) const {
    const std::string where = shown_namespace(found.memory->name_space);
    std::vector<std::string> how;
    if (found.rank > 0) {
      const auto near = source_.similarities.find(found.memory);
      const bool with_meaning = found.query == 0 && near != source_.similarities.end();
      how.push_back(
          found.score > 0
              ? fmt::format("rank {} by words{} in {}", found.rank, with_meaning ? " and meaning" : "", where)
              : fmt::format("among the {} of {}", with_meaning ? "nearest" : "newest", where));
      if (with_meaning) how.back() += fmt::format(", similarity {:.3f}", near->second);
      if (found.query > 0) how.back() += fmt::format(" for \"{}\"", queries_[found.query]);
    }
    if (found.near_rank > 0) {
      how.push_back(
          fmt::format("rank {} by meaning in {}, cosine {:.3f}", found.near_rank, where, found.cosine));
    }
    return how;
  }

  std::vector<RecalledMemory> score(const std::vector<Found>& all, const std::string& name_space) const {
    std::vector<RecalledMemory> scored;
    for (const Found& each : all) {
      if (each.memory->name_space != name_space) continue;
      scored.push_back({each.memory, score_memory(*each.memory, each.share, intent_, now_, options_.scoring),
                        each.share.words, how_found(each), ""});
    }
    // Score, then the newer, then the id: a total order.
    std::sort(scored.begin(), scored.end(), [](const RecalledMemory& a, const RecalledMemory& b) {
      if (a.score.total != b.score.total) return a.score.total > b.score.total;
      if (a.memory->created != b.memory->created) return a.memory->created > b.memory->created;
      return std::tie(a.memory->id, a.memory->path) < std::tie(b.memory->id, b.memory->path);
    });
    return scored;
  }

  // One of each namespace in turn; what somebody else has said already is passed over.
  void deal_out(const std::vector<std::vector<RecalledMemory>>& namespaces) {
    size_t longest = 0;
    for (const auto& scored : namespaces) longest = std::max(longest, scored.size());
    std::vector<size_t> next(namespaces.size());
    for (size_t round = 0; round < longest; ++round) {
      for (size_t n = 0; n < namespaces.size(); ++n) {
        while (next[n] < namespaces[n].size()) {
          const RecalledMemory& each = namespaces[n][next[n]++];
          const bool anchored = repeated_.contains(each.memory->name_space + '\0' + each.memory->id);
          if (anchored || !said_.insert(std::string(trim(each.memory->text))).second) continue;
          recalled_.memories.push_back(each);
          break;
        }
      }
    }
  }

  const RecallSource& source_;
  std::string_view prompt_;
  Timestamp now_;
  const RecallOptions& options_;
  Intent intent_;
  std::vector<std::string> queries_;
  std::unordered_map<const Memory*, double> held_;  // the share of the prompt that each holds
  double best_held_ = 0;
  std::unordered_set<const Memory*> near_;    // by meaning
  std::unordered_set<std::string> said_;      // texts
  std::unordered_set<std::string> repeated_;  // sources of anchors: namespace, zero byte, id
  Recalled recalled_;
};

}  // namespace

std::vector<std::string> expand_query(std::string_view prompt) {
  std::vector<std::string> queries = {std::string(prompt)};
  std::vector<std::string> content;
  for (MemoryWord& word : read_memory_words(prompt)) {
    const bool counts = !is_filler_word(word.written) && word.written.size() > 2;
    if (counts && std::find(content.begin(), content.end(), word.written) == content.end())
      content.push_back(std::move(word.written));
  }
  if (content.size() > 3) queries.push_back(fmt::format("{} {} {}", content[0], content[1], content[2]));
  if (content.size() > 2) queries.push_back(fmt::format("{} {}", content[0], content[1]));
  if (content.size() > 2) queries.push_back(fmt::format("{} {}", content[1], content[2]));
  return queries;
}

Result<Recalled> find_memories(const RecallSource& source, std::string_view prompt, Timestamp now,
                               const RecallOptions& options) {
  if (options.mode == RecallMode::kNone) return Recalled{};
  return Finder(source, prompt, now, options).run();
}

}  // namespace knapsack::memory
