// Recall: the memories that a prompt needs, found, scored and chosen. No model, no printing.
//
// find_memories() searches each readable namespace on its own and deals their results out in turn, so that
// each is represented; choose_memories() takes as many as the mode allows, and in graph_mode walks from them
// to what happened around. What was found and not taken stays in the account with the reason. The same
// memories, prompt and time give the same answer. Any thread.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/score.h"
#include "memory/recall/ranking.h"
#include "memory/recall/recall_score.h"
#include "memory/tree/eligibility.h"
#include "search/fusion.h"
#include "understand/recall_planner.h"

namespace knapsack::memory {

inline constexpr size_t kMaxQueries = 4;    // the prompt and what it is expanded to
inline constexpr size_t kMaxAnchors = 5;    // verbatim memories before everything else
inline constexpr size_t kMaxFound = 50;     // in each namespace
inline constexpr size_t kGraphFactor = 2;   // graph_mode shows so many times what full shows
inline constexpr size_t kMaxTaken = 1'000;  // whatever the settings say

struct RecallOptions {
  RecallMode mode = RecallMode::kFull;
  bool search = true;
  size_t max_results = 8;
  size_t minimal_results = 4;
  bool verbatim_artifacts = false;
  bool query_expansion = false;
  double floor = 0;  // the least share of the prompt that a memory must hold (relevance_floor.h); 0: any
  ScoreOptions scoring;
  RankingOptions ranking;
  search::HybridOptions hybrid;  // how words and meaning are joined, where there is meaning
};

// A memory near the prompt by the vectors of an embedding model, which is somebody else's business.
struct NearMemory {
  const Memory* memory = nullptr;
  double cosine = 0;
};

struct RecallSource {
  std::span<const Memory> memories;  // in the order of Catalogue::memories()
  const search::Index& index;
  const Eligibility& eligibility;
  std::vector<std::string> namespaces;  // that are searched, in the order in which they are dealt out
  // Nearest first; those that are not eligible, or of no such namespace, count for nothing. Empty: words
  // alone decide.
  std::vector<NearMemory> near = {};
  // How near the prompt memories are by the encoder of our own: part of the ranking itself, where it is known.
  Similarities similarities = {};
};

struct RecalledMemory {
  const Memory* memory = nullptr;
  Score score;
  double by_words = 0;  // how well its words fit the prompt, 0 to 1 beside the best
  std::vector<std::string> provenance;
  std::string dropped;             // why it was not taken; empty for one that was
  std::string superseded_by = "";  // where history is asked for: what holds instead
};

struct Recalled {
  std::vector<RecalledMemory> anchors;   // verbatim artifacts, best first
  std::vector<RecalledMemory> memories;  // best first, those that were not taken at the end
  bool by_time = false;                  // they are to be shown in the order of time
};

Result<Recalled> find_memories(const RecallSource& source, std::string_view prompt, Timestamp now,
                               const RecallOptions& options);

// After whatever re-ordered what was found.
void choose_memories(Recalled& recalled, const RecallSource& source, const RecallOptions& options);

// The prompt first, then combinations of its leading content words: at most kMaxQueries, each once.
std::vector<std::string> expand_query(std::string_view prompt);

}  // namespace knapsack::memory
