// RecallQuery: what a question asks of a list of memories: words, whose memories, and when.
//
// A pure function of the question and the people and years of the memories; any thread.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

#include "memory/recall/query_dates.h"
#include "search/query/sequence_scorer.h"

namespace knapsack::memory {

// Who speaks in the memories. Anna Weber is named by "Anna".
class Speakers {
 public:
  // The number of a speaker; nothing for an empty name. The same name has the same number.
  std::optional<size_t> add(std::string_view name);
  // Any part of anybody's name.
  bool is_name(const std::string& word) const { return words_.contains(word); }
  // Those whose first name is among the words.
  std::vector<size_t> named_in(const std::unordered_set<std::string>& words) const;

 private:
  std::vector<std::string> names_;
  std::vector<std::string> first_words_;
  std::unordered_set<std::string> words_;
};

struct RecallQueryOptions {
  bool irregular_forms = true;  // "went" finds "go"
  bool drop_names = true;       // a speaker's name is who, not what
  bool dates = true;
};

// One word of a question and what it says of the answer.
struct AskedWord {
  search::TermForms forms;
  double weight = 1;  // a name says more than "use" or "many"
};

struct RecallQuery {
  std::vector<search::SequenceTerm> terms;
  std::vector<AskedWord> asked;           // one a term, in their order
  std::unordered_set<std::string> stems;  // of all forms of the terms
  std::optional<size_t> speaker;          // the only one that is named
  bool asks_when = false;
  std::vector<DateRange> dates;
};

// `years`: of the memories, for dates without one.
RecallQuery read_recall_query(std::string_view question, const Speakers& speakers, std::span<const int> years,
                              const RecallQueryOptions& options = {});

// Words that questions are made of. Fewer than text/words/stop_words.h has: in a short memory "all", "only" or
// "again" may be the point.
bool is_filler_word(std::string_view word);

// The words that say the same of a subject in another form ("owns", "owner"), itself among them; empty for most. They
// count where it is asked what a text says, not where texts are searched.
std::vector<std::string> derived_stems(std::string_view word);

// What a word of a question says of the answer, against 1 for a plain word: less where it only says what kind of
// answer is wanted ("own", "use", "happened"), more for a name inside the question.
double asked_weight(std::string_view question, std::string_view word, size_t begin);

// Whether a text asks something: a question mark in its second half. One further up is rhetorical.
bool is_question(std::string_view text);

// "yesterday", "last", "Monday": words that tell when.
bool is_time_word(std::string_view word);

}  // namespace knapsack::memory
