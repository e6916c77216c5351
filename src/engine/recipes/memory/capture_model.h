// The model's opinion on a conversation: which of its sentences are worth remembering.
//
// It is asked as a judge is (stages/judge.h): about sentences that were said, by their number, so it can choose and
// never invent. What the rules proposed stays; what the model adds stands behind it and is marked as the model's.
// Sentences with a secret are not sent. Whatever goes wrong costs its opinions and gives a line that says so. One
// thread.
// Private to engine/recipes/memory/.
#pragma once

#include <chrono>
#include <string>
#include <vector>

#include "memory/capture/capture.h"
#include "model/model_client.h"

namespace knapsack {

inline constexpr size_t kMaxAskedSentences = 200;  // the last ones: what holds now was said late
inline constexpr size_t kMaxModelProposals = 20;   // somebody has to read them

// A line for each thing that the model did not do.
std::vector<std::string> add_model_proposals(const memory::Transcript& transcript, model::ModelClient& client,
                                             std::chrono::milliseconds deadline,
                                             std::vector<memory::Proposal>& proposals);

}  // namespace knapsack
