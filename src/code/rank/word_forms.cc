#include "code/rank/word_forms.h"

#include <algorithm>
#include <string>
#include <unordered_set>

#include "code/index/code_documents.h"
#include "core/ascii.h"
#include "text/words/stem.h"

namespace knapsack::code {
namespace {

// Of shorter words, most other forms are other words.
constexpr size_t kShortestWord = 4;

bool has_forms(std::string_view word) {
  return word.size() >= kShortestWord && std::all_of(word.begin(), word.end(), ascii::is_letter);
}

}  // namespace

std::vector<std::string> words_of_stem(const std::string& stem) {
  std::vector<std::string> words = {stem};
  for (const std::string_view ending : {"s", "es", "ed", "ing", "e", "ion", "ions"})
    words.push_back(stem + std::string(ending));
  const char last = stem.back();
  const std::string before = stem.substr(0, stem.size() - 1);
  // "retri" is the stem of retry, retries and retrying, "drop" that of dropped.
  const std::string changed = last == 'i' ? before + "y" : stem + last;
  if (last == 'i') words.push_back(changed);
  words.push_back(changed + "ing");
  words.push_back(changed + "ed");
  std::erase_if(words,
                [&](const std::string& word) { return knapsack::stem(Stemming::kEnglish, word) != stem; });
  return words;
}

Result<std::vector<TaskTerm>> words_and_forms(const search::Index& code, const TaskTerms& terms) {
  std::vector<TaskTerm> all = terms.body;
  if (terms.forms <= 0) return all;
  std::unordered_set<std::string> known;
  for (const TaskTerm& term : terms.body) known.insert(term.text);
  const auto files_with = [&](const std::string& word) -> Result<uint64_t> {
    KNAPSACK_TRY(const auto counts, code.counts(word, search::field_bit(kBodyField)));
    return counts.documents;
  };
  for (const TaskTerm& term : terms.body) {
    if (!has_forms(term.text)) continue;
    const std::string stem(knapsack::stem(Stemming::kEnglish, term.text));
    KNAPSACK_TRY(const uint64_t own, files_with(term.text));
    for (std::string& form : words_of_stem(stem)) {
      if (known.contains(form)) continue;
      KNAPSACK_TRY(const uint64_t files, files_with(form));
      if (files <= own) continue;
      known.insert(form);
      all.push_back({std::move(form), terms.forms * term.weight, {}});
    }
  }
  return all;
}

}  // namespace knapsack::code
