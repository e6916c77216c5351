#include "code/rank/task_terms.h"

#include <algorithm>
#include <cmath>
#include <unordered_map>
#include <unordered_set>

#include "code/index/code_documents.h"
#include "code/parse/language.h"
#include "core/ascii.h"
#include "text/words/stop_words.h"

namespace knapsack::code {
namespace {

// What says nothing about the code that is meant: function words, and words in which anything is reported. A
// shorter list than that of text/words/stop_words.h: "once", "under" or "between" may be what a function is called.
constexpr std::string_view kPassedOver =
    "a actual after all also am an and any are aren as at be because been before behavior behaviour "
    "being both bug but by can cannot could couldn d describe description did didn do does doesn "
    "doing don done each eg etc example expected few first following for from get gets got had has "
    "have he hello her here hi him his how however i ie if in instead into is isn issue it its just "
    "let like ll m made make makes may me more most my need new no not now of on one only or other "
    "our out over please problem re reproduce s same second see seems she should shouldn so some "
    "steps such t than thank thanks that the their them then there these they think this those to too "
    "up us use used using ve version very via want was wasn we were what when where which while who "
    "why will with won work working works would wouldn you your";

bool is_passed_over(std::string_view word) {
  static const std::unordered_set<std::string_view> words = [] {
    std::unordered_set<std::string_view> set;
    any_word(kPassedOver, [&](std::string_view one) { return set.insert(one), false; });
    return set;
  }();
  const bool is_ascii = static_cast<unsigned char>(word.front()) < 0x80;
  return is_ascii ? words.contains(word) : is_stop_word(word);
}

double weight_of(SegmentKind kind, const RankingConstants& constants) {
  switch (kind) {
    case SegmentKind::kTitle:
      return constants.title;
    case SegmentKind::kProse:
      return constants.prose;
    case SegmentKind::kInline:
      return constants.inline_code;
    case SegmentKind::kCode:
      return constants.code_block;
    case SegmentKind::kTrace:
    case SegmentKind::kTemplate:
      return 0;
  }
  return 0;
}

// An address says where something is written about, not what it is about.
std::string without_addresses(std::string_view text) {
  std::string kept;
  while (true) {
    size_t at = std::min(text.find("http://"), text.find("https://"));
    kept += text.substr(0, at);
    if (at == std::string_view::npos) return kept;
    kept += ' ';
    at = text.find_first_of(" \t\r\n", at);
    if (at == std::string_view::npos) return kept;
    text.remove_prefix(at);
  }
}

// UTF-8, HTTP/2 and keep-alive are one word in code.
bool is_one_word(std::string_view text, const Word& first, const Word& second, bool is_number) {
  if (first.end == 0 || second.begin != first.end + 1 || ascii::is_digit(text[first.begin])) return false;
  return text[first.end] == '-' || (text[first.end] == '/' && is_number);
}

class TermList {
 public:
  TaskTerm& operator[](std::string_view text) {
    const auto [found, added] = numbers_.try_emplace(std::string(text), terms_.size());
    if (added) terms_.push_back({std::string(text), 0, {}});
    return terms_[found->second];
  }
  std::vector<TaskTerm> take() {
    for (TaskTerm& term : terms_) term.weight = std::log2(1 + term.weight);
    return std::move(terms_);
  }

 private:
  std::vector<TaskTerm> terms_;
  std::unordered_map<std::string, size_t> numbers_;
};

}  // namespace

TaskTerms task_terms(const TaskQuery& task, const RankingConstants& constants) {
  TermList body, names;
  const auto add = [&](const std::string& written, bool has_stem, double weight) {
    body[written].weight += weight;
    TaskTerm& name = names[has_stem ? stem(name_words().stemming, written) : written];
    name.weight += weight;
    if (std::find(name.written.begin(), name.written.end(), written) == name.written.end())
      name.written.push_back(written);
  };
  for (const TaskSegment& segment : task.segments) {
    const double weight = weight_of(segment.kind, constants);
    if (weight <= 0) continue;
    const std::string text = without_addresses(segment.text);
    WordReader reader(text, body_words());
    Word word, before;
    std::string first;  // the text of the word before
    while (reader.next(word)) {
      const bool is_number = ascii::is_digit(text[word.begin]) && word.kind != WordKind::kPart;
      const std::string written(word.text);
      if (word.kind == WordKind::kPlain) {
        if (is_one_word(text, before, word, is_number)) add(first + written, false, weight);
        first = written;
        before = word;
      }
      // "C" and "X" stand in most code, as names of something else.
      const bool is_letter = written.size() == 1 && ascii::is_letter(written[0]);
      if (is_number || is_passed_over(written) || (is_letter && segment.kind != SegmentKind::kInline))
        continue;
      add(written, word.kind == WordKind::kPlain || word.kind == WordKind::kPart, weight);
    }
  }
  TaskTerms terms{body.take(), names.take()};
  const auto count = static_cast<double>(std::max<size_t>(terms.body.size(), 1));
  terms.brevity = std::min(1.0, constants.short_terms / count);
  // A report of twice as many words says each thing in several ways by itself.
  terms.shortness = std::max(0.0, 2 * terms.brevity - 1);
  terms.forms = constants.short_forms * terms.shortness;
  return terms;
}

}  // namespace knapsack::code
