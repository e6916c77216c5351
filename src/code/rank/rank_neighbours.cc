#include <algorithm>
#include <cmath>
#include <unordered_map>

#include "code/rank/ranking_signals.h"

namespace knapsack::code {
namespace {

constexpr size_t kRecentNeighbours = 2000;  // what belonged together longer ago may have been parted since
constexpr size_t kBestFiles = 10;           // whose company is asked for
constexpr size_t kBestTests = 10;
constexpr size_t kBestImporters = 20;
constexpr uint32_t kMaxCommitFiles = 10;  // larger commits change what does not belong together
constexpr uint32_t kMaxTestCommitFiles = 15;
constexpr uint32_t kMinTogether = 2;  // once is chance
// Added to how often a file changed: a file that changed twice, both times with another, is no proof.
constexpr double kDoubt = 3;
constexpr double kTestDoubt = 2;

std::vector<uint32_t> first_of(const std::vector<uint32_t>& order, const std::vector<FileRole>& roles,
                               bool tests, size_t limit) {
  std::vector<uint32_t> chosen;
  for (size_t i = 0; i < order.size() && chosen.size() < limit; ++i) {
    if (roles[order[i]].is_test == tests) chosen.push_back(order[i]);
  }
  return chosen;
}

// Commits that changed a chosen file, and what they changed beside it.
struct Company {
  double commits = 0;
  std::unordered_map<uint32_t, double> weight;
  std::unordered_map<uint32_t, uint32_t> times;
};

template <class Visit>
void for_each_recent(const HistoryTable& history, uint32_t max_files, const Visit& visit) {
  size_t seen = 0;
  for (const HistoryTable::Entry& commit : history.commits()) {
    if (commit.is_merge || commit.changed == 0) continue;
    if (++seen > kRecentNeighbours) return;
    if (commit.changed <= max_files) visit(history.files(commit));
  }
}

}  // namespace

Result<FileScores> co_change_scores(RankingInput& input, const RankedSoFar& so_far) {
  FileScores scores(input.index.files().size());
  KNAPSACK_TRY(const HistoryTable* history, input.index.history_table());
  std::unordered_map<uint32_t, Company> companies;
  const auto best = first_of(so_far.order, input.roles, false, kBestFiles);
  for (const uint32_t file : best) companies[file];
  for_each_recent(*history, kMaxCommitFiles, [&](std::span<const uint32_t> files) {
    for (const uint32_t file : files) {
      const auto company = companies.find(file);
      if (company == companies.end()) continue;
      company->second.commits += 1;
      for (const uint32_t other : files) {
        if (other != file) ++company->second.times[other];
      }
    }
  });
  for (const uint32_t file : best) {
    const Company& company = companies[file];
    for (const auto& [other, times] : company.times) {
      if (times >= kMinTogether) scores[other] += so_far.scores[file] * times / (company.commits + kDoubt);
    }
  }
  normalise(scores);
  return scores;
}

Result<FileScores> test_co_change_scores(RankingInput& input, const RankedSoFar& so_far) {
  FileScores scores(input.index.files().size());
  KNAPSACK_TRY(const HistoryTable* history, input.index.history_table());
  std::unordered_map<uint32_t, Company> companies;
  const auto tests = first_of(best_first(so_far.lexical), input.roles, true, kBestTests);
  for (const uint32_t file : tests) companies[file];
  for_each_recent(*history, kMaxTestCommitFiles, [&](std::span<const uint32_t> files) {
    const auto subjects = static_cast<double>(
        std::count_if(files.begin(), files.end(), [&](uint32_t file) { return !input.roles[file].is_test; }));
    for (const uint32_t file : files) {
      const auto company = companies.find(file);
      if (company == companies.end()) continue;
      company->second.commits += 1;
      for (const uint32_t other : files) {
        if (!input.roles[other].is_test) company->second.weight[other] += 1 / std::sqrt(subjects);
      }
    }
  });
  for (const uint32_t file : tests) {
    const Company& company = companies[file];
    const double relevance = so_far.lexical[file] * so_far.lexical[file];
    for (const auto& [other, weight] : company.weight) {
      scores[other] += relevance * weight / (company.commits + kTestDoubt);
    }
  }
  normalise(scores);
  return scores;
}

Result<FileScores> import_scores(RankingInput& input, const RankedSoFar& so_far) {
  FileScores scores(input.index.files().size());
  for (const uint32_t file : first_of(so_far.order, input.roles, false, kBestImporters)) {
    KNAPSACK_TRY(auto imports, input.index.imports_of(file));
    std::erase_if(imports, [&](const FileLink& link) { return input.roles[link.file].is_test; });
    const double share = so_far.scores[file] * so_far.scores[file] / static_cast<double>(imports.size());
    for (const FileLink& link : imports) scores[link.file] += share;
  }
  normalise(scores);
  return scores;
}

}  // namespace knapsack::code
