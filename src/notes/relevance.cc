#include "notes/relevance.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <set>
#include <unordered_map>
#include <unordered_set>

#include "text/stem.h"
#include "text/stop_words.h"
#include "text/words.h"

namespace knapsack::notes {
namespace {

constexpr size_t kMinKeywordCharacters = 3;

// Dates and times inside a text ("2026-02-16-111948") are not words about anything.
std::string without_stamps(std::string_view text) {
  std::string kept;
  for (size_t at = 0; at < text.size();) {
    const bool at_start = at == 0 || text[at - 1] < '0' || text[at - 1] > '9';
    const auto stamp = at_start ? read_stamp(text.substr(at)) : std::nullopt;
    if (stamp) {
      kept += ' ';
      at += stamp->length;
    } else {
      kept += text[at++];
    }
  }
  return kept;
}

// Which keywords stand in a text, looked up by the word as written so that each distinct word is stemmed
// once.
class KeywordFinder {
 public:
  explicit KeywordFinder(const std::vector<std::string>& keywords) {
    for (size_t i = 0; i < keywords.size(); ++i) keyword_[keywords[i]] = i;
  }

  void find(std::string_view text, std::set<size_t>& found) {
    reader_.reset(text);
    for (Word word; reader_.next(word);) {
      auto known = by_word_.find(std::string(word.text));
      if (known == by_word_.end()) known = by_word_.emplace(word.text, look_up(word.text)).first;
      if (known->second != kNone) found.insert(known->second);
    }
  }

 private:
  static constexpr size_t kNone = SIZE_MAX;

  size_t look_up(std::string_view word) const {
    const auto found = keyword_.find(std::string(stem(Stemming::kByScript, word)));
    return found == keyword_.end() ? kNone : found->second;
  }

  WordReader reader_;
  std::unordered_map<std::string, size_t> keyword_;
  std::unordered_map<std::string, size_t> by_word_;
};

}  // namespace

double recency(const std::optional<Timestamp>& date, Timestamp now) {
  if (!date) return kOldest;
  const int64_t age = std::max<int64_t>(0, now.days() - date->days());
  for (const RecencyStep& step : kRecencySteps) {
    if (age <= step.max_age_days) return step.value;
  }
  return kOldest;
}

std::vector<std::string> keywords_of(const std::vector<std::string_view>& texts) {
  std::vector<std::string> keywords;
  std::unordered_set<std::string> seen;
  WordOptions options;
  options.min_length = kMinKeywordCharacters;
  options.min_part_length = kMinKeywordCharacters;
  WordReader reader({}, options);
  for (const std::string_view text : texts) {
    const std::string plain = without_stamps(without_tags(text));
    reader.reset(plain);
    for (Word word; reader.next(word);) {
      if (is_stop_word(word.text)) continue;
      std::string stemmed(stem(Stemming::kByScript, word.text));
      if (seen.insert(stemmed).second) keywords.push_back(std::move(stemmed));
    }
  }
  return keywords;
}

std::vector<EntryScore> score_entries(const std::vector<const FiledEntry*>& entries,
                                      const std::vector<std::string>& keywords, Timestamp now) {
  KeywordFinder finder(keywords);
  std::vector<std::set<size_t>> found(entries.size());
  std::vector<size_t> frequency(keywords.size(), 0);
  for (size_t i = 0; i < entries.size(); ++i) {
    if (keywords.empty()) break;
    finder.find(entries[i]->entry.title, found[i]);
    finder.find(entries[i]->entry.body, found[i]);
    for (const size_t keyword : found[i]) ++frequency[keyword];
  }
  std::vector<EntryScore> scores(entries.size());
  const auto total = static_cast<double>(entries.size());
  for (size_t i = 0; i < entries.size(); ++i) {
    EntryScore& result = scores[i];
    for (const size_t keyword : found[i]) {
      const auto n = static_cast<double>(frequency[keyword]);
      result.overlap += std::log(1 + (total - n + 0.5) / (n + 0.5));
      result.matched.push_back(keywords[keyword]);
    }
    if (entries[i]->entry.superseded) continue;
    const double recent = recency(entries[i]->entry.date, now);
    const double relevant = std::min(static_cast<double>(found[i].size()) / kRelevanceSaturation, 1.0);
    result.score = {recent + relevant, {{"recency", recent}, {"relevance", relevant}}};
  }
  return scores;
}

std::vector<size_t> rank_entries(const std::vector<const FiledEntry*>& entries,
                                 const std::vector<EntryScore>& scores) {
  std::vector<size_t> order(entries.size());
  std::iota(order.begin(), order.end(), 0);
  const auto key = [&](size_t i) {
    const Entry& entry = entries[i]->entry;
    return std::tuple(-scores[i].score.total, -scores[i].overlap,
                      entry.date ? -entry.date->micros : INT64_MAX, std::string_view(entry.title), i);
  };
  std::sort(order.begin(), order.end(), [&](size_t a, size_t b) { return key(a) < key(b); });
  return order;
}

}  // namespace knapsack::notes
