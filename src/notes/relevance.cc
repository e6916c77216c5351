#include "notes/relevance.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <unordered_map>
#include <unordered_set>

#include "core/ascii.h"
#include "core/string_hash.h"
#include "text/words/stem.h"
#include "text/words/stop_words.h"
#include "text/words/words.h"

namespace knapsack::notes {
namespace {

constexpr size_t kMinKeywordCharacters = 3;

// Dates and times inside a text ("2026-02-16-111948") are not words about anything.
std::string without_stamps(std::string_view text) {
  std::string kept;
  kept.reserve(text.size());
  size_t copied = 0;
  for (size_t at = 0; at < text.size(); ++at) {
    if (!ascii::is_digit(text[at]) || (at > 0 && ascii::is_digit(text[at - 1]))) continue;
    const auto stamp = read_stamp(text.substr(at));
    if (!stamp) continue;
    kept.append(text, copied, at - copied).append(" ");
    copied = at + stamp->length;
    at = copied - 1;
  }
  return kept.append(text, copied);
}

// Looked up by what a WordReader gives, without a copy of it.
using NumberByWord = std::unordered_map<std::string, size_t, StringHash, std::equal_to<>>;
using WordSet = std::unordered_set<std::string, StringHash, std::equal_to<>>;

// Which keywords stand in a text, looked up by the word as written so that each distinct word is stemmed
// once.
class KeywordFinder {
 public:
  explicit KeywordFinder(const std::vector<std::string>& keywords) : found_by_(keywords.size(), 0) {
    for (size_t i = 0; i < keywords.size(); ++i) keyword_[keywords[i]] = i;
  }

  // The numbers of the keywords that stand in any of the texts, in order.
  std::vector<size_t> find(std::initializer_list<std::string_view> texts) {
    ++search_;
    std::vector<size_t> found;
    for (const std::string_view text : texts) {
      reader_.reset(text);
      for (Word word; reader_.next(word);) {
        auto known = by_word_.find(word.text);
        if (known == by_word_.end()) known = by_word_.emplace(word.text, look_up(word.text)).first;
        const size_t keyword = known->second;
        if (keyword == kNone || found_by_[keyword] == search_) continue;
        found_by_[keyword] = search_;
        found.push_back(keyword);
      }
    }
    std::sort(found.begin(), found.end());
    return found;
  }

 private:
  static constexpr size_t kNone = SIZE_MAX;

  size_t look_up(std::string_view word) const {
    const auto found = keyword_.find(stem(Stemming::kByScript, word));
    return found == keyword_.end() ? kNone : found->second;
  }

  WordReader reader_;
  NumberByWord keyword_;
  NumberByWord by_word_;
  std::vector<size_t> found_by_;  // for each keyword the last search that found it
  size_t search_ = 0;
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
  WordSet words;  // as written: most come again, and looking one up is cheaper than stemming it
  WordSet stems;
  WordOptions options;
  options.min_length = kMinKeywordCharacters;
  options.min_part_length = kMinKeywordCharacters;
  WordReader reader({}, options);
  for (const std::string_view text : texts) {
    const std::string plain = without_stamps(without_tags(text));
    reader.reset(plain);
    for (Word word; reader.next(word);) {
      if (words.contains(word.text)) continue;
      words.emplace(word.text);
      if (is_stop_word(word.text)) continue;
      std::string stemmed(stem(Stemming::kByScript, word.text));
      if (stems.insert(stemmed).second) keywords.push_back(std::move(stemmed));
    }
  }
  return keywords;
}

std::vector<EntryScore> score_entries(const std::vector<const FiledEntry*>& entries,
                                      const std::vector<std::string>& keywords, Timestamp now) {
  KeywordFinder finder(keywords);
  std::vector<std::vector<size_t>> found(entries.size());
  std::vector<size_t> frequency(keywords.size(), 0);
  for (size_t i = 0; i < entries.size(); ++i) {
    if (keywords.empty()) break;
    found[i] = finder.find({entries[i]->entry.title, entries[i]->entry.body});
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
    result.relevance = relevant;
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
