// The rankings of several repositories for one task, with what one says about another.
//
// Each repository is ranked on its own. How well it answers is the share of the task's words that its best files hold, by how
// rare the words are in all repositories together; imports across repositories add to what they reach as imports within one
// do. Deterministic; one thread.
// Private to engine/linked/.
#pragma once

#include <vector>

#include "code/ask/cross_imports.h"
#include "code/rank/file_ranking.h"
#include "stages/stage.h"

namespace knapsack {

struct RepositoryRanking {
  std::vector<code::RankedFile> files;
  double strength = 1;  // of the best repository's; in (0, 1]
};

// One for each input, in their order; `links` numbers repositories so too.
Result<std::vector<RepositoryRanking>> rank_together(const std::vector<stages::StageInput>& inputs,
                                                     const code::CrossImports& links);

}  // namespace knapsack
