// TaskTerms: the weighted words of a task, as the fields of the code collections are searched for them.
//
// A word weighs log2(1 + Σ over its occurrences of the weight of the place): a title says more than prose,
// and prose more than pasted code. Stop words, numbers and addresses are no terms. Terms come in the order of
// first appearance, each once. Pure; no thread rule.
#pragma once

#include <string>
#include <vector>

#include "code/rank/ranking_constants.h"
#include "understand/task_query.h"

namespace knapsack::code {

struct TaskTerm {
  std::string text;
  double weight = 0;
  std::vector<std::string> written;  // the words that have this stem; for unstemmed terms the term itself
};

struct TaskTerms {
  std::vector<TaskTerm> body;   // unstemmed
  std::vector<TaskTerm> names;  // stemmed
  // 1 for a question of a few words, less for a report of many: who asks briefly names things.
  double brevity = 1;
  double shortness = 0;  // 1 for as few words as that, 0 for twice as many and more
  double forms = 0;      // what other forms of a word weigh, as a share of the word (word_forms.h)
};

TaskTerms task_terms(const TaskQuery& task, const RankingConstants& constants);

}  // namespace knapsack::code
