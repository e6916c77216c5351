// Other forms of the words of a task: who writes "etags" means the code that says "etag".
//
// Bodies of files are searched unstemmed, which is right for names in code. In a short task every word has to count,
// so a word is looked for in those of its other forms (plural, tense) that more files hold than hold the word itself.
// Nothing is kept between calls; the index has its own thread rule.
#pragma once

#include <string>
#include <vector>

#include "code/rank/task_terms.h"
#include "core/result.h"
#include "search/segments/index.h"

namespace knapsack::code {

// What may have this stem, itself included where it is a word; most of the rest is none.
std::vector<std::string> words_of_stem(const std::string& stem);

// The words of a task as bodies are searched for them, and behind them their other forms; none that the task has itself.
Result<std::vector<TaskTerm>> words_and_forms(const search::Index& code, const TaskTerms& terms);

}  // namespace knapsack::code
