// Judge: a model's opinion on a list of candidates, asked in batches that fit its window.
//
// It may sort and exclude, never invent: an answer names candidates by number and picks one of the offered
// words; unknown numbers and words are ignored. Nothing else is asked for, because small models run out of
// room for more; a reason that comes all the same is kept, shortened. Of an answer that is cut off the
// verdicts before the cut count, and the rest is asked about once more. All its calls together keep one
// deadline. What fails costs opinions, not candidates: those without one are left to the rules. One thread at
// a time.
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <vector>

#include "model/model_client.h"
#include "understand/task_query.h"

namespace knapsack::stages {

struct Opinion {
  size_t choice = 0;   // of Question::choices
  std::string reason;  // one line; may be empty
};

struct Question {
  std::string stage;                 // who asks, for the record
  std::string instruction;           // what is to be decided and what each choice means
  std::vector<std::string> choices;  // "relevant", "irrelevant"
};

struct Opinions {
  std::vector<std::optional<Opinion>> opinions;  // one a candidate
  std::vector<std::string> problems;             // one line each; empty when every candidate was answered
};

class Judge {
 public:
  Judge(model::ModelClient& client, std::chrono::milliseconds deadline);

  // `candidates`: one text each, numbered from 1 in the prompt.
  Opinions classify(const Question& question, const TaskQuery& task,
                    const std::vector<std::string>& candidates);

  // What the task needs, in the model's words; added to the query. A line when that failed.
  std::optional<std::string> read_intent(TaskQuery& task);

  // Every exchange so far.
  std::vector<model::CallRecord>& calls() { return calls_; }

 private:
  std::chrono::milliseconds time_left() const;
  model::ChatAnswer ask(model::ChatRequest request);

  model::ModelClient& client_;
  std::chrono::steady_clock::time_point end_;
  std::vector<model::CallRecord> calls_;
  std::chrono::milliseconds deadline_;
  std::string gave_up_;  // why no more questions are asked; empty while they are
};

}  // namespace knapsack::stages
