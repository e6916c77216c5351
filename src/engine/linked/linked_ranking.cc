#include "engine/linked/linked_ranking.h"

#include <algorithm>
#include <map>
#include <string_view>
#include <unordered_map>

#include "code/index/code_documents.h"
#include "code/rank/task_terms.h"
#include "code/walk/file_role.h"
#include "search/query/scorer.h"
#include "text/words/words.h"

namespace knapsack {
namespace {

// The very best file may be there for its name alone, so the best of three tell how well a repository answers.
constexpr size_t kTellingFiles = 3;
// One that holds none of the words was found by something else: it is not nothing.
constexpr double kMinStrength = 0.05;
constexpr size_t kImportingFiles = 20;  // as within a repository (code/rank/rank_neighbours.cc)

struct WeighedTerms {
  std::vector<double> weights;                        // of the words that any repository has
  std::unordered_map<std::string, size_t> positions;  // of these words
  double all = 0;
};

Result<WeighedTerms> weigh_terms(const std::vector<stages::StageInput>& inputs) {
  WeighedTerms terms;
  for (const code::TaskTerm& term : code::task_terms(inputs.front().task, {}).body) {
    double documents = 0, holding = 0;
    for (const stages::StageInput& input : inputs) {
      KNAPSACK_TRY(const search::Index* bodies, input.index.collection(code::kCodeCollection));
      KNAPSACK_TRY(const auto counts, bodies->counts(term.text, search::field_bit(code::kBodyField)));
      documents += static_cast<double>(bodies->documents());
      holding += static_cast<double>(counts.documents);
    }
    if (holding == 0) continue;
    const double weight = term.weight * search::inverse_frequency(documents, holding);
    terms.positions.emplace(term.text, terms.weights.size());
    terms.weights.push_back(weight);
    terms.all += weight;
  }
  return terms;
}

double share_of_words(std::string_view text, const WeighedTerms& terms) {
  if (terms.all <= 0) return 0;
  std::vector<bool> held(terms.weights.size(), false);
  WordReader reader(text, code::body_words());
  Word word;
  while (reader.next(word)) {
    const auto found = terms.positions.find(std::string(word.text));
    if (found != terms.positions.end()) held[found->second] = true;
  }
  double sum = 0;
  for (size_t i = 0; i < held.size(); ++i) sum += held[i] ? terms.weights[i] : 0;
  return sum / terms.all;
}

double best_share(const stages::StageInput& input, const std::vector<code::RankedFile>& files,
                  const WeighedTerms& terms) {
  double best = 0;
  for (size_t i = 0; i < std::min(files.size(), kTellingFiles); ++i) {
    const auto text = input.texts.read(files[i].file);
    if (text.ok()) best = std::max(best, share_of_words(**text, terms));
  }
  return best;
}

void add_imports(const std::vector<stages::StageInput>& inputs, const code::CrossImports& links,
                 std::vector<RepositoryRanking>& rankings) {
  if (links.edges().empty()) return;
  std::map<std::pair<uint32_t, uint32_t>, double> reached;
  for (uint32_t from = 0; from < rankings.size(); ++from) {
    const auto& files = rankings[from].files;
    size_t looked_at = 0;
    for (size_t i = 0; i < files.size() && looked_at < kImportingFiles; ++i) {
      if (files[i].is_test) continue;
      ++looked_at;
      const auto imports = links.imports_of(from, files[i].file);
      const double share = rankings[from].strength * files[i].score.total / files.front().score.total;
      for (const code::CrossEdge& edge : imports)
        reached[{edge.to, edge.to_file}] += share * share / static_cast<double>(imports.size());
    }
  }
  double most = 0;
  for (const auto& [place, sum] : reached) most = std::max(most, sum);
  if (most <= 0) return;
  const double weight = code::RankingConstants().import;
  for (const auto& [place, sum] : reached) {
    auto& files = rankings[place.first].files;
    auto file = std::find_if(files.begin(), files.end(),
                             [id = place.second](const code::RankedFile& each) { return each.file == id; });
    if (file == files.end()) {
      const code::FileRow& row = inputs[place.first].index.file(place.second);
      const code::FileRole role = code::role_of(row.name, row.language);
      file = files.insert(files.end(), {place.second, {}, {}, role.is_test, role.is_auxiliary});
    }
    file->score.components.push_back({"imported from outside", weight * sum / most});
    file->score.total += weight * sum / most;
  }
  for (RepositoryRanking& ranking : rankings) {
    std::stable_sort(
        ranking.files.begin(), ranking.files.end(), [](const code::RankedFile& a, const code::RankedFile& b) {
          return a.score.total != b.score.total ? a.score.total > b.score.total : a.file < b.file;
        });
  }
}

}  // namespace

Result<std::vector<RepositoryRanking>> rank_together(const std::vector<stages::StageInput>& inputs,
                                                     const code::CrossImports& links) {
  std::vector<RepositoryRanking> rankings(inputs.size());
  KNAPSACK_TRY(const WeighedTerms terms, weigh_terms(inputs));
  double best = 0;
  for (size_t i = 0; i < inputs.size(); ++i) {
    code::RankingOptions options;
    options.near = inputs[i].near;
    KNAPSACK_TRY(rankings[i].files, code::rank_files(inputs[i].index, inputs[i].task, options));
    rankings[i].strength = std::max(best_share(inputs[i], rankings[i].files, terms), kMinStrength);
    best = std::max(best, rankings[i].strength);
  }
  for (RepositoryRanking& ranking : rankings) ranking.strength /= best;
  add_imports(inputs, links, rankings);
  return rankings;
}

}  // namespace knapsack
