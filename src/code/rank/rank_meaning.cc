#include <algorithm>

#include "code/rank/ranking_signals.h"

namespace knapsack::code {

FileScores meaning_scores(const FileMeaning& near, const FileScores& lexical) {
  FileScores scores = lexical;
  for (size_t i = 0; i < std::min(scores.size(), near.scores.size()); ++i) {
    if (near.scores[i] != kUnknownMeaning) scores[i] = near.scores[i];
  }
  return scores;
}

}  // namespace knapsack::code
