// MemoryRanking::coverage: how much of a question a memory holds by its own words.
#include <algorithm>

#include "memory/recall/ranking.h"
#include "memory/recall/relevance_floor.h"
#include "memory/tree/documents.h"

namespace knapsack::memory {
namespace {

constexpr double kDateShare = 0.25;  // of a day that the question names

std::unordered_set<std::string> own_stems(const Memory& memory) {
  std::unordered_set<std::string> stems;
  const auto add = [&](std::string_view text) {
    for (MemoryWord& word : read_memory_words(text)) stems.insert(std::move(word.indexed));
  };
  add(memory.text);
  add(memory.entity);
  for (const std::string& tag : memory.tags) add(tag);
  return stems;
}

bool holds_any(const std::unordered_set<std::string>& stems, const std::vector<std::string>& wanted) {
  return std::any_of(wanted.begin(), wanted.end(), [&](const auto& each) { return stems.contains(each); });
}

// What reaches a unit of a term, its neighbours' share included.
double reaches(const search::SmoothedTerm& term, size_t position) {
  const auto found = std::lower_bound(term.positions.begin(), term.positions.end(), position);
  if (found == term.positions.end() || *found != position) return 0;
  return std::min(1.0, term.frequencies[static_cast<size_t>(found - term.positions.begin())]);
}

}  // namespace

Result<std::vector<double>> MemoryRanking::coverage(std::string_view question,
                                                    std::span<const size_t> positions) {
  const RecallQuery query = read_query(question);
  std::vector<const search::SmoothedTerm*> terms;
  double all = 0;
  bool has_subject = false;
  for (const AskedWord& word : query.asked) {
    KNAPSACK_TRY(const search::SmoothedTerm* term, scorer_.smooth(word.forms));
    terms.push_back(term);
    all += word.weight;
    has_subject = has_subject || word.weight >= 1;
  }
  // Where nothing but the kind of answer is named, there is no subject that a memory could be about.
  if (!has_subject) all *= 2;
  std::vector<double> shares;
  for (const size_t position : positions) {
    const Memory& memory = *memories_[position];
    const auto stems = own_stems(memory);
    double held = 0;
    for (size_t t = 0; t < terms.size(); ++t) {
      double share = holds_any(stems, query.asked[t].forms) ? 1 : 0;
      if (is_turn(memory)) share = std::max(share, reaches(*terms[t], position));
      held += query.asked[t].weight * share;
    }
    double share = all > 0 ? held / all : 0;
    if (memory.created && !query.dates.empty() && date_fit(query.dates, memory.created->days()) > 0)
      share += kDateShare;
    shares.push_back(std::min(1.0, share));
  }
  return shares;
}

}  // namespace knapsack::memory
