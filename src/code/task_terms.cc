#include "code/task_terms.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <unordered_map>

#include "code/code_documents.h"
#include "text/stop_words.h"

namespace knapsack::code {
namespace {

// Words that people use to report something, whatever it is about. Sorted.
constexpr std::array<std::string_view, 45> kReportWords = {
    "actual",   "behavior", "behaviour", "bug",       "describe", "description", "etc",   "eg",    "example",
    "expected", "first",    "following", "get",       "gets",     "got",         "hello", "hi",    "ie",
    "instead",  "issue",    "let",       "like",      "made",     "make",        "makes", "need",  "new",
    "now",      "one",      "problem",   "reproduce", "second",   "see",         "seems", "steps", "thank",
    "thanks",   "think",    "use",       "used",      "using",    "version",     "want",  "work",  "works",
};

bool is_report_word(std::string_view word) {
  return word == "working" || std::find(kReportWords.begin(), kReportWords.end(), word) != kReportWords.end();
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
  for (const TaskSegment& segment : task.segments) {
    const double weight = weight_of(segment.kind, constants);
    if (weight <= 0) continue;
    const std::string text = without_addresses(segment.text);
    WordReader reader(text, body_words());
    Word word;
    while (reader.next(word)) {
      const bool is_number =
          text[word.begin] >= '0' && text[word.begin] <= '9' && word.kind != WordKind::kPart;
      if (is_number || is_stop_word(word.text) || is_report_word(word.text)) continue;
      body[word.text].weight += weight;
      const bool has_stem = word.kind == WordKind::kPlain || word.kind == WordKind::kPart;
      TaskTerm& name = names[has_stem ? stem(name_words().stemming, word.text) : word.text];
      name.weight += weight;
      const std::string written(word.text);
      if (std::find(name.written.begin(), name.written.end(), written) == name.written.end()) {
        name.written.push_back(written);
      }
    }
  }
  return {body.take(), names.take()};
}

}  // namespace knapsack::code
