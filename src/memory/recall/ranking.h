// MemoryRanking: the order of memories for a question, by words, neighbours, speaker and time, and by meaning
// where similarities are given.
//
// The memories it is given are all there are for it: who must not see one leaves it out, and neither a
// neighbour nor a frequency gives it away. Each step can be switched off; `knapsack eval --memory` measures
// what each gains. The order is total: score, then the order given. One thread.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "memory/recall/ranking_constants.h"
#include "memory/recall/recall_query.h"
#include "memory/tree/memory.h"
#include "search/query/sequence_scorer.h"

namespace knapsack::memory {

struct RankingOptions {
  bool neighbours = true;        // words count in the memories beside them too
  bool hand_on = true;           // a question gives its words to the memory after it
  bool feedback = true;          // words of the best memories are searched for as well
  bool speaker = true;           // the named person's own memories first
  bool question_penalty = true;  // a question answers less than a statement
  bool time_words = true;        // "when" prefers memories that name a time
  bool dates = true;             // a named date prefers memories of that time
  bool spread = true;            // neighbours of a memory that was taken come a little later
  bool irregular_forms = true;
  bool drop_names = true;
  bool meaning = true;  // memories near in meaning, where somebody knows which are
  bool coverage =
      false;  // memories near all of the question's words first; gains nothing beyond the first five
  RankingConstants constants;
};

// How near memories are to a question in meaning, by whatever compared them; not all need to be there.
using Similarities = std::unordered_map<const Memory*, double>;

struct RankedMemory {
  size_t position = 0;  // in the list that was given
  double score = 0;
};

struct MemoryOrder {
  std::vector<RankedMemory> ranked;  // best first, each memory that something speaks for
  std::vector<size_t> near;    // positions that stand out from the rest in meaning, whatever their words
  bool matched = true;         // false: nothing speaks for any, and the nearest stand in, or the newest
  bool names_speaker = false;  // the question names one person
};

class MemoryRanking {
 public:
  // `memories` in the order namespace, session, created, id; each must be in the index under its path, or it
  // is left out. Both must outlive this.
  static Result<MemoryRanking> open(const search::Index& index, std::vector<const Memory*> memories,
                                    const RankingOptions& options = {});

  // With what is known of meaning, all memories count, also those with no word in common.
  Result<MemoryOrder> rank(std::string_view question, const Similarities& similarities = {});
  // How much of what a question asks each of these holds by its own words, 0 to 1, by what the words say of the answer
  // (AskedWord): names most, the kind of answer least. How rare a word is does not count: what nobody wrote down is
  // rarest of all. What was said in a conversation is understood with what was said around it, so there neighbours
  // count too.
  Result<std::vector<double>> coverage(std::string_view question, std::span<const size_t> positions);
  const std::vector<const Memory*>& memories() const { return memories_; }

 private:
  RecallQuery read_query(std::string_view question) const;
  struct Traits {
    std::optional<size_t> speaker;
    bool question = false;
  };
  MemoryRanking(std::vector<const Memory*> memories, const RankingOptions& options,
                search::SequenceScorer scorer)
      : memories_(std::move(memories)), options_(options), scorer_(std::move(scorer)) {}
  void find_traits();
  Result<std::vector<search::SequenceTerm>> feedback_terms(const RecallQuery& query,
                                                           std::vector<double> scores);
  knapsack::Status prefer_coverage(const RecallQuery& query, std::vector<double>& scores);
  std::vector<double> known_of(const Similarities& similarities) const;  // not a number where nobody compared
  // Gives the positions that stand out.
  std::vector<size_t> add_meaning(const Similarities& similarities, std::vector<double>& scores) const;
  void apply_factors(const RecallQuery& query, std::vector<double>& scores) const;
  std::vector<RankedMemory> spread(std::vector<RankedMemory> ranked) const;
  // What stands in where no word matches and no memory is clearly near, with a score of 0: what is nearest if that is
  // known, else what the named person said last.
  std::vector<RankedMemory> nearest(const RecallQuery& query, const Similarities& similarities) const;
  std::vector<RankedMemory> newest(const RecallQuery& query) const;
  double speaker_factor(const RecallQuery& query, size_t position) const;

  std::vector<const Memory*> memories_;
  RankingOptions options_;
  search::SequenceScorer scorer_;
  std::vector<Traits> traits_;
  Speakers speakers_;
  std::vector<int> years_;
};

}  // namespace knapsack::memory
