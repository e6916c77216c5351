#include "memory/recall/ranking.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <unordered_map>

#include "memory/recall/passages.h"
#include "memory/tree/documents.h"

namespace knapsack::memory {
namespace {

constexpr size_t kStandIns = 50;         // that stand in where nothing matches
constexpr size_t kShortestFeedback = 3;  // characters of a word that is worth searching for

using DocumentsByKey = std::unordered_map<std::string_view, search::DocumentId>;

// Where each document of an index is.
Result<DocumentsByKey> documents_by_key(const search::Index& index) {
  DocumentsByKey documents;
  std::optional<Error> problem;
  for (uint32_t part = 0; part < index.parts(); ++part) {
    index.live(part).for_each([&](uint32_t document) {
      const auto key = index.key({part, document});
      if (key.ok()) {
        documents.emplace(*key, search::DocumentId{part, document});
      } else {
        problem = key.error();
      }
    });
  }
  if (problem) return *problem;
  return documents;
}

search::SequenceConstants sequence_constants(const RankingOptions& options) {
  const RankingConstants& constants = options.constants;
  search::SequenceConstants sequence;
  sequence.k1 = constants.k1;
  sequence.b = constants.b;
  sequence.near = {1};
  if (options.neighbours) sequence.near = {1, constants.beside, constants.two_away};
  sequence.hand_on = options.hand_on && options.neighbours ? constants.hand_on : 0;
  sequence.field_weights = {};
  sequence.field_weights[kTextField] = 1;
  sequence.field_weights[kTitleField] = 1;
  sequence.field_weights[kTagField] = 1;
  return sequence;
}

int year_of(Timestamp time) {
  const std::string text = format_rfc3339(time);
  return text.size() > 4 && text[4] == '-' ? std::stoi(text.substr(0, 4)) : 0;
}

bool names_time(std::string_view text) {
  WordReader words(text);
  for (Word word; words.next(word);) {
    if (is_time_word(word.text)) return true;
  }
  return false;
}

std::vector<RankedMemory> sorted(const std::vector<double>& scores) {
  std::vector<RankedMemory> ranked;
  for (size_t i = 0; i < scores.size(); ++i) {
    if (scores[i] > 0) ranked.push_back({i, scores[i]});
  }
  std::stable_sort(ranked.begin(), ranked.end(),
                   [](const RankedMemory& a, const RankedMemory& b) { return a.score > b.score; });
  return ranked;
}

}  // namespace

Result<MemoryRanking> MemoryRanking::open(const search::Index& index, std::vector<const Memory*> memories,
                                          const RankingOptions& options) {
  DocumentsByKey documents;
  if (!memories.empty()) {
    KNAPSACK_TRY(documents, documents_by_key(index));
  }
  std::erase_if(memories, [&](const Memory* memory) { return !documents.contains(memory->path); });
  std::vector<search::SequenceUnit> units;
  uint32_t sequence = 0;
  for (size_t i = 0; i < memories.size(); ++i) {
    const Memory& memory = *memories[i];
    if (i == 0 || !go_together(*memories[i - 1], memory)) ++sequence;
    units.push_back({documents.at(memory.path), 0, sequence, is_question(memory.text)});
  }
  KNAPSACK_TRY(auto scorer,
               search::SequenceScorer::open(index, std::move(units), sequence_constants(options)));
  MemoryRanking ranking(std::move(memories), options, std::move(scorer));
  ranking.find_traits();
  return ranking;
}

void MemoryRanking::find_traits() {
  std::optional<int64_t> day;
  for (const Memory* memory : memories_) {
    Traits traits;
    traits.speaker = speakers_.add(memory->speaker);
    traits.question = is_question(memory->text);
    traits_.push_back(traits);
    // Neighbours are of the same day most of the time.
    if (memory->created && memory->created->days() != day) {
      day = memory->created->days();
      years_.push_back(year_of(*memory->created));
    }
  }
  std::sort(years_.begin(), years_.end());
  years_.erase(std::unique(years_.begin(), years_.end()), years_.end());
}

RecallQuery MemoryRanking::read_query(std::string_view question) const {
  return read_recall_query(question, speakers_, years_,
                           {options_.irregular_forms, options_.drop_names, options_.dates});
}

Result<MemoryOrder> MemoryRanking::rank(std::string_view question, const Similarities& similarities) {
  const RecallQuery query = read_query(question);
  std::vector<search::SequenceTerm> terms = query.terms;
  KNAPSACK_TRY(std::vector<double> scores, scorer_.score(terms));
  if (options_.feedback) {
    KNAPSACK_TRY(const auto further, feedback_terms(query, scores));
    terms.insert(terms.end(), further.begin(), further.end());
    KNAPSACK_TRY(scores, scorer_.score(terms));
  }
  if (options_.coverage) KNAPSACK_CHECK(prefer_coverage(query, scores));
  MemoryOrder order;
  if (options_.meaning && !similarities.empty() && !scores.empty())
    order.near = add_meaning(similarities, scores);
  apply_factors(query, scores);
  order.names_speaker = query.speaker.has_value();
  order.ranked = sorted(scores);
  if (order.ranked.empty()) {
    order.matched = false;
    order.ranked = nearest(query, similarities);
    if (order.ranked.empty()) order.ranked = newest(query);
  } else if (options_.spread) {
    order.ranked = spread(std::move(order.ranked));
  }
  return order;
}

double MemoryRanking::speaker_factor(const RecallQuery& query, size_t position) const {
  const bool theirs = options_.speaker && query.speaker && traits_[position].speaker == query.speaker;
  return theirs ? options_.constants.speaker : 1;
}

// Words that the best memories share say what the question is about in the memories' own words.
Result<std::vector<search::SequenceTerm>> MemoryRanking::feedback_terms(const RecallQuery& query,
                                                                        std::vector<double> scores) {
  const RankingConstants& constants = options_.constants;
  for (size_t i = 0; i < scores.size(); ++i) scores[i] *= speaker_factor(query, i);
  std::vector<RankedMemory> best = sorted(scores);
  best.resize(std::min(best.size(), static_cast<size_t>(constants.feedback_units)));
  struct Seen {
    double score = 0;
    size_t holders = 0;
  };
  std::map<std::string, Seen> seen;
  for (const RankedMemory& each : best) {
    std::unordered_set<std::string> once;
    for (MemoryWord& word : read_memory_words(memories_[each.position]->text)) {
      const bool worth = word.written.size() >= kShortestFeedback && !is_filler_word(word.written) &&
                         !speakers_.is_name(word.written) && !query.stems.contains(word.indexed);
      if (worth) once.insert(std::move(word.indexed));
    }
    for (const std::string& stem : once) {
      seen[stem].score += each.score;
      ++seen[stem].holders;
    }
  }
  std::vector<std::pair<double, std::string>> values;
  for (const auto& [stem, sums] : seen) {
    if (static_cast<double>(sums.holders) < constants.feedback_holders) continue;
    KNAPSACK_TRY(const double at_most, scorer_.highest_idf(stem));
    if (at_most < constants.feedback_idf) continue;
    KNAPSACK_TRY(const search::SmoothedTerm* term, scorer_.smooth({stem}));
    if (term->idf >= constants.feedback_idf) values.emplace_back(term->idf * sums.score, stem);
  }
  std::stable_sort(values.begin(), values.end(),
                   [](const auto& a, const auto& b) { return a.first > b.first; });
  values.resize(std::min(values.size(), static_cast<size_t>(constants.feedback_terms)));
  std::vector<search::SequenceTerm> terms;
  for (const auto& [value, stem] : values) {
    terms.push_back({{stem}, constants.feedback_weight * value / values.front().first});
  }
  return terms;
}

knapsack::Status MemoryRanking::prefer_coverage(const RecallQuery& query, std::vector<double>& scores) {
  std::vector<double> covered(scores.size());
  double all = 0;
  for (const search::SequenceTerm& each : query.terms) {
    KNAPSACK_TRY(const search::SmoothedTerm* term, scorer_.smooth(each.forms));
    all += term->idf;
    for (const uint32_t position : term->positions) covered[position] += term->idf;
  }
  if (all <= 0) return ok_status();
  for (size_t i = 0; i < scores.size(); ++i) scores[i] *= 1 + options_.constants.coverage * covered[i] / all;
  return ok_status();
}

std::vector<double> MemoryRanking::known_of(const Similarities& similarities) const {
  std::vector<double> known(memories_.size(), std::numeric_limits<double>::quiet_NaN());
  for (size_t i = 0; i < known.size(); ++i) {
    const auto found = similarities.find(memories_[i]);
    if (found != similarities.end()) known[i] = found->second;
  }
  return known;
}

std::vector<size_t> MemoryRanking::add_meaning(const Similarities& similarities,
                                               std::vector<double>& scores) const {
  const RankingConstants& constants = options_.constants;
  const std::vector<double> known = known_of(similarities);
  double sum = 0;
  size_t count = 0;
  for (const double each : known) {
    if (std::isnan(each)) continue;
    sum += each;
    ++count;
  }
  std::vector<size_t> near;
  if (count == 0) return near;
  // Similarities of one question all lie close together, some questions' higher than others': what fits stands
  // out from the rest, which is the others' mean.
  const double others = static_cast<double>(count) - 1;
  const double mean = sum / static_cast<double>(count);
  const double most = *std::max_element(scores.begin(), scores.end());
  const double above = most > 0 ? constants.meaning_floor : constants.meaning_alone;
  const double floor = mean + above * others / (others + 1);
  const std::vector<double> nearness = nearness_of(known);
  const double best = std::max(1e-9, most);
  for (size_t i = 0; i < scores.size(); ++i) {
    const bool fits = scores[i] > 0 || (others > 0 && known[i] >= floor);
    scores[i] /= best;
    if (fits) scores[i] += constants.meaning * std::pow(nearness[i], constants.meaning_power);
    if (others > 0 && known[i] >= mean + constants.meaning_alone * others / (others + 1)) near.push_back(i);
  }
  return near;
}

void MemoryRanking::apply_factors(const RecallQuery& query, std::vector<double>& scores) const {
  const RankingConstants& constants = options_.constants;
  for (size_t i = 0; i < scores.size(); ++i) {
    if (scores[i] <= 0) continue;
    scores[i] *= speaker_factor(query, i);
    if (options_.question_penalty && traits_[i].question) scores[i] *= constants.question;
    if (options_.time_words && query.asks_when && names_time(memories_[i]->text))
      scores[i] *= constants.time_words;
    if (!query.dates.empty() && memories_[i]->created) {
      scores[i] *= 1 + constants.date * date_fit(query.dates, memories_[i]->created->days());
    }
  }
}

// Greedy: the next one is the best of what is left after its neighbours were taken.
std::vector<RankedMemory> MemoryRanking::spread(std::vector<RankedMemory> ranked) const {
  const size_t looked_at = std::min(ranked.size(), static_cast<size_t>(options_.constants.spread_units));
  std::unordered_map<size_t, size_t> places;  // by position
  for (size_t i = 0; i < looked_at; ++i) places.emplace(ranked[i].position, i);
  std::vector<RankedMemory> taken;
  std::vector<bool> gone(looked_at);
  while (taken.size() < looked_at) {
    size_t best = looked_at;
    for (size_t i = 0; i < looked_at; ++i) {
      if (gone[i]) continue;
      const bool better =
          best == looked_at || ranked[i].score > ranked[best].score ||
          (ranked[i].score == ranked[best].score && ranked[i].position < ranked[best].position);
      if (better) best = i;
    }
    gone[best] = true;
    taken.push_back(ranked[best]);
    const size_t position = ranked[best].position;
    for (const size_t beside : {position - 1, position + 1}) {
      const auto place = places.find(beside);
      if (place == places.end() || gone[place->second] ||
          !go_together(*memories_[position], *memories_[beside]))
        continue;
      ranked[place->second].score *= options_.constants.spread;
    }
  }
  std::copy(taken.begin(), taken.end(), ranked.begin());
  return ranked;
}

std::vector<RankedMemory> MemoryRanking::nearest(const RecallQuery& query,
                                                 const Similarities& similarities) const {
  if (!options_.meaning || similarities.empty()) return {};
  std::vector<double> scores = nearness_of(known_of(similarities));
  apply_factors(query, scores);
  std::vector<RankedMemory> ranked = sorted(scores);
  if (options_.spread) ranked = spread(std::move(ranked));
  ranked.resize(std::min(ranked.size(), kStandIns));
  for (RankedMemory& each : ranked) each.score = 0;
  return ranked;
}

std::vector<RankedMemory> MemoryRanking::newest(const RecallQuery& query) const {
  std::vector<RankedMemory> ranked;
  for (size_t i = memories_.size(); i-- > 0;) {
    if (!query.speaker || traits_[i].speaker == query.speaker) ranked.push_back({i, 0});
  }
  std::stable_sort(ranked.begin(), ranked.end(), [&](const RankedMemory& a, const RankedMemory& b) {
    return memories_[a.position]->created > memories_[b.position]->created;
  });
  ranked.resize(std::min(ranked.size(), kStandIns));
  return ranked;
}

}  // namespace knapsack::memory
