#include "engine/recipes/memory/capture_model.h"

#include <fmt/format.h>

#include <algorithm>
#include <unordered_set>

#include "memory/tree/write_memory.h"
#include "stages/judge.h"

namespace knapsack {
namespace {

// The last choice is "nothing".
const stages::Question& capture_question() {
  static const stages::Question question{
      "capture",
      "You decide which sentences of a conversation are worth remembering in later sessions: \"decision\" "
      "says "
      "what was decided, \"preference\" how somebody wants to work, \"correction\" what was wrong and what "
      "is "
      "right, \"fact\" what holds for long, with a name, a number or a date, \"moment\" what was tried and "
      "failed, \"nothing\" all the rest, which is most of it: questions, requests, plans for the next "
      "minute, "
      "small talk.",
      {"decision", "preference", "correction", "fact", "moment", "nothing"}};
  return question;
}

}  // namespace

std::vector<std::string> add_model_proposals(const memory::Transcript& transcript, model::ModelClient& client,
                                             std::chrono::milliseconds deadline,
                                             std::vector<memory::Proposal>& proposals) {
  std::vector<std::string> problems;
  std::unordered_set<std::string> known;
  for (const memory::Proposal& each : proposals) known.insert(memory::normalised_hash(each.text));
  std::vector<memory::Proposal> candidates = memory::capture_candidates(transcript);
  std::erase_if(candidates, [&](const memory::Proposal& each) {
    return known.contains(memory::normalised_hash(each.text));
  });
  if (candidates.size() > kMaxAskedSentences) {
    problems.push_back(fmt::format("capture: the model is asked about the last {} of {} sentences",
                                   kMaxAskedSentences, candidates.size()));
    candidates.erase(candidates.begin(), candidates.end() - static_cast<std::ptrdiff_t>(kMaxAskedSentences));
  }
  std::vector<std::string> lines;
  for (const memory::Proposal& each : candidates)
    lines.push_back(fmt::format("{}: {}", each.user ? "user" : "agent", each.text));
  TaskQuery task;
  task.text = "Which of these sentences are worth remembering?";
  stages::Judge judge(client, deadline);
  const stages::Opinions opinions = judge.classify(capture_question(), task, lines);
  problems.insert(problems.end(), opinions.problems.begin(), opinions.problems.end());
  const std::vector<std::string>& choices = capture_question().choices;
  size_t added = 0, left = 0;
  for (size_t i = 0; i < candidates.size(); ++i) {
    if (!opinions.opinions[i] || opinions.opinions[i]->choice + 1 == choices.size()) continue;
    if (added == kMaxModelProposals || proposals.size() == memory::kMaxProposals) {
      ++left;
      continue;
    }
    candidates[i].category = choices[opinions.opinions[i]->choice];
    candidates[i].because = "the model says so";
    proposals.push_back(std::move(candidates[i]));
    ++added;
  }
  if (left > 0)
    problems.push_back(
        fmt::format("capture: the model chose {} more; the first {} are proposed", left, added));
  return problems;
}

}  // namespace knapsack
