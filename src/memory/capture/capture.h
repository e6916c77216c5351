// Capture: what of a conversation is worth remembering, by rule. English and Russian.
//
// Sentence by sentence: decisions, preferences, corrections, facts with a date, a number or an owner, and attempts that
// failed. Questions, wishes for the moment ("fix the test"), guesses ("maybe", "if we") and code are not. The same sentence
// twice is one proposal; one that holds a secret is none. A proposal is not a memory: somebody accepts it first
// (memory/capture/review.h). The same transcript gives the same proposals. Pure functions; any thread.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "memory/capture/transcript.h"

namespace knapsack::memory {

inline constexpr size_t kShortestProposal = 12;  // characters
inline constexpr size_t kLongestProposal = 300;
inline constexpr size_t kMaxProposals = 100;  // of one transcript

struct Proposal {
  std::string text;
  std::string category;  // decision, preference, correction, fact, moment
  std::string because;   // the words that told: "we decided"
  size_t turn = 0;       // in the transcript
  bool user = false;     // who said it
};

std::vector<Proposal> propose_memories(const Transcript& transcript);

// Every sentence that could be one, in order and without a category: for whoever tells better than these rules. A
// proposal is always a sentence of the transcript, whoever chose it.
std::vector<Proposal> capture_candidates(const Transcript& transcript);

}  // namespace knapsack::memory
