#include "graph/select/clarify.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "graph/store/node_text.h"

namespace knapsack::graph {
namespace {

constexpr std::string_view kNoEntity = "the request names no node and shares no distinctive word with one";
constexpr std::string_view kNoTask = "no task bears on the request";
constexpr std::string_view kNoKnowledge = "no knowledge bears on the request";
constexpr size_t kMaxQuotedRequest = 4000;  // bytes of the request in the task's description

// White space says nothing about whether two requests are the same.
std::string normalized(std::string_view request) {
  std::string out;
  bool gap = false;
  for (const char c : request) {
    if (c == ' ' || c == '\t' || c == '\n' || c == '\r') {
      gap = true;
      continue;
    }
    if (gap && !out.empty()) out += ' ';
    gap = false;
    out += c;
  }
  return out;
}

std::string clarify_id(std::string_view request, size_t number) {
  std::string seed = "clarify\n" + normalized(request);
  if (number > 1) seed += fmt::format("\n{}", number);
  return "TG-TASK-" + timeless_ulid(seed);
}

}  // namespace

bool is_clarify_id(std::string_view id) {
  constexpr std::string_view kTimeless = "TG-TASK-0000000000";
  return id.starts_with(kTimeless);
}

void choose_clarify_task(const GraphIndex& index, Clarification& clarification, std::string_view request) {
  for (size_t number = 1;; ++number) {
    clarification.task_id = clarify_id(request, number);
    const auto known = index.find(clarification.task_id);
    const bool closed = known && index.node(*known).exists() && is_finished(index.node(*known).state);
    if (!closed) return;
  }
}

std::vector<std::string> critical_reasons(TaskIntent intent, const Entities& entities,
                                          const Selection& selection) {
  std::vector<std::string> reasons;
  const bool acts = intent == TaskIntent::kExecute || intent == TaskIntent::kDebug;
  if (entities.found.empty() && intent != TaskIntent::kExplain) reasons.emplace_back(kNoEntity);
  if (acts && !selection.of(Layer::kTask).has_candidate) reasons.emplace_back(kNoTask);
  if (intent != TaskIntent::kExplain && !selection.of(Layer::kKnowledge).has_candidate) {
    reasons.emplace_back(kNoKnowledge);
  }
  return reasons;
}

Clarification clarification_for(std::string_view goal, std::string_view request,
                                const std::vector<std::string>& reasons) {
  Clarification clarification;
  clarification.task_id = clarify_id(request, 1);
  clarification.title = fmt::format("Clarify: {}", goal);
  for (const std::string& reason : reasons) {
    if (reason == kNoEntity) {
      clarification.questions.emplace_back(
          "Which task, decision or part of the project is this about? Name its id.");
    } else if (reason == kNoTask) {
      clarification.questions.emplace_back("Which task does this belong to, and when is it done?");
    } else {
      clarification.questions.emplace_back(
          "Which facts and constraints hold here, and where do they come from?");
    }
  }
  return clarification;
}

nlohmann::json clarify_node(const Clarification& clarification, std::string_view request) {
  std::string quoted(request.substr(0, kMaxQuotedRequest));
  nlohmann::json node = {{"id", clarification.task_id},
                         {"type", "task"},
                         {"title", clarification.title},
                         {"description", "Critical information is missing for the request:\n" + quoted},
                         {"status", "ready"},
                         {"priority", "high"},
                         {"owner_role", "requester"},
                         {"dependencies", nlohmann::json::array()},
                         {"blocks", nlohmann::json::array()},
                         {"acceptance_criteria", clarification.questions},
                         {"tags", {"clarify"}}};
  return node;
}

}  // namespace knapsack::graph
