// How recent an entry is and how much it has to do with the task: the score of decisions and learnings.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "core/score.h"
#include "notes/folder.h"

namespace knapsack::notes {

// The notes seed's steps; docs/scoring.md repeats them.
inline constexpr double kRelevanceSaturation = 3;  // this many matched keywords make a full relevance
struct RecencyStep {
  int64_t max_age_days;
  double value;
};
inline constexpr RecencyStep kRecencySteps[] = {{7, 1.0}, {30, 0.7}, {90, 0.4}};
inline constexpr double kOldest = 0.2;  // older than every step, or undated

double recency(const std::optional<Timestamp>& date, Timestamp now);

// Distinct stems of the words that say something: no stop words, no tags or timestamps, nothing under 3
// characters.
std::vector<std::string> keywords_of(const std::vector<std::string_view>& texts);

struct EntryScore {
  Score score;           // recency and relevance; nothing for a superseded entry
  double relevance = 0;  // 0 to 1
  double overlap = 0;  // idf-weighted keyword overlap: breaks ties, since the score saturates on real folders
  std::vector<std::string> matched;
};

// Scores for all entries at once (document frequencies are taken over them), in the order given.
std::vector<EntryScore> score_entries(const std::vector<const FiledEntry*>& entries,
                                      const std::vector<std::string>& keywords, Timestamp now);

// The better entry first: score, then overlap, then newer, then title, then place in the folder.
std::vector<size_t> rank_entries(const std::vector<const FiledEntry*>& entries,
                                 const std::vector<EntryScore>& scores);

}  // namespace knapsack::notes
