#include <algorithm>
#include <cmath>
#include <unordered_set>

#include "code/index/code_documents.h"
#include "code/rank/ranking_signals.h"
#include "search/query/query.h"
#include "understand/message_references.h"

namespace knapsack::code {
namespace {

// Beyond the commits that vote: some of the best changed too many files, or only files that are gone.
constexpr size_t kSpareCommits = 500;

void vote(const HistoryTable& history, const HistoryTable::Entry& commit, double weight, FileScores& scores) {
  const auto files = history.files(commit);
  for (const uint32_t file : files) scores[file] += weight / std::sqrt(static_cast<double>(files.size()));
}

}  // namespace

Result<FileScores> message_scores(RankingInput& input) {
  const RankingConstants& constants = input.constants;
  FileScores scores(input.index.files().size());
  KNAPSACK_TRY(const search::Index* commits, input.index.collection(kCommitCollection));
  search::Query query;
  for (const TaskTerm& term : input.terms.names) {
    query.push_back({term.text, search::field_bit(kMessageField), term.weight});
  }
  search::Scorer scorer;
  scorer.k1 = constants.message_k1;
  scorer.b = constants.message_b;
  scorer.pool_units = 1;
  const auto voters = static_cast<size_t>(constants.voting_commits);
  KNAPSACK_TRY(const auto hits, search::top_k(*commits, query, scorer, voters + kSpareCommits));
  KNAPSACK_TRY(const HistoryTable* history, input.index.history_table());
  size_t votes = 0;
  for (const search::Hit& hit : hits) {
    const auto found = history->find(hit.key);
    if (!found) continue;
    const HistoryTable::Entry& commit = history->commits()[*found];
    if (commit.is_merge || history->files(commit).empty() || commit.changed > constants.voting_files)
      continue;
    vote(*history, commit, std::pow(hit.score / hits.front().score, constants.voting_power), scores);
    if (++votes == voters) break;
  }
  normalise(scores);
  return scores;
}

Result<FileScores> reference_scores(RankingInput& input) {
  FileScores scores(input.index.files().size());
  const TaskQuery& task = input.task;
  if (task.issues.empty() && task.commits.empty()) return scores;
  KNAPSACK_TRY(const HistoryTable* history, input.index.history_table());
  KNAPSACK_TRY(const search::Index* messages, input.index.collection(kCommitCollection));
  std::unordered_set<uint32_t> named;  // positions in the history
  // The words of a message are few; which of them are references is read from the message itself.
  search::Query query;
  for (const std::string& issue : task.issues) query.push_back({issue, search::field_bit(kMessageField), 1});
  KNAPSACK_TRY(const auto hits, search::top_k(*messages, query, {}, messages->documents()));
  std::vector<int64_t> numbers;
  for (const search::Hit& hit : hits) {
    if (const auto found = history->find(hit.key)) numbers.push_back(history->commits()[*found].number);
  }
  KNAPSACK_TRY(const auto rows, input.index.rows().commits(numbers, false));
  for (const CommitRow& row : rows) {
    for (const MessageReference& reference : scan_references(row.commit.message)) {
      if (reference.kind != MessageReference::kNumber) continue;
      if (std::find(task.issues.begin(), task.issues.end(), reference.value) == task.issues.end()) continue;
      if (const auto found = history->find(row.commit.id)) named.insert(*found);
    }
  }
  for (uint32_t i = 0; i < history->commits().size() && !task.commits.empty(); ++i) {
    for (const std::string& prefix : task.commits) {
      if (history->commits()[i].id.starts_with(prefix)) named.insert(i);
    }
  }
  // A sum of doubles depends on the order of its parts, and a set has none.
  std::vector<uint32_t> ordered(named.begin(), named.end());
  std::sort(ordered.begin(), ordered.end());
  for (const uint32_t position : ordered) {
    const HistoryTable::Entry& commit = history->commits()[position];
    if (!history->files(commit).empty() && commit.changed <= input.constants.voting_files) {
      vote(*history, commit, 1, scores);
    }
  }
  normalise(scores);
  return scores;
}

}  // namespace knapsack::code
