// TextMatch: how the words of a query stand in one text: how many, how close together, and which part of the
// text shows it best.
//
// Postings know neither places nor titles, so this is asked of the few texts that rank highest: for a
// deterministic rerank, for telling how well a whole source answers, and for the excerpt that is shown. Words
// are compared by their stems. Linear in the text, of which the first kMaxMatchedBytes count. Any thread.
#pragma once

#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "core/score.h"

namespace knapsack::search {

inline constexpr size_t kMaxMatchedBytes = size_t{1} << 16U;

// What the rerank adds to a score, as shares of it. Judged, not learnt: a text that holds all words beats one
// that repeats some, by less than what doubles a score.
inline constexpr double kCoverageShare = 0.3;
inline constexpr double kProximityShare = 0.1;
inline constexpr double kTitleShare = 0.2;

struct MatchedText {
  double coverage = 0;   // the share of the query's words that title or text hold
  double proximity = 0;  // words of the query in the closest group of all that the text holds, by its length
  double title = 0;      // the share of the query's words in the title
  // Where the closest group stands in the text, in bytes; nothing where the text holds no word.
  size_t begin = 0, end = 0;
};

class TextMatch {
 public:
  // The words of a query as people type it, without what it excludes.
  explicit TextMatch(std::string_view query);

  size_t words() const { return terms_.size(); }
  MatchedText measure(std::string_view title, std::string_view text) const;

 private:
  struct Place {
    size_t term;
    size_t word;  // counted from the beginning of the text
    size_t begin, end;
  };
  std::vector<Place> places_in(std::string_view text) const;

  std::unordered_map<std::string, size_t> terms_;  // by stem
};

// `score` with what the rerank adds to it, each part a component.
void rerank_score(Score& score, const MatchedText& matched);

// One line of at most `characters`, around the closest group; cut ends are marked "…".
std::string excerpt(std::string_view text, const MatchedText& matched, size_t characters);

}  // namespace knapsack::search
