#include "understand/understand.h"

#include "understand/question_translation.h"

namespace knapsack {

TaskQuery understand(std::string_view text) {
  TaskQuery task = analyze_question(text);
  task.matched = classify_intent(text);
  task.recall = plan_recall(text);
  return task;
}

}  // namespace knapsack
