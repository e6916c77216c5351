// From a prompt to what is recalled for it: what recall() and pack() share.
//
// Reads the memory tree and the profile, searches, scores and chooses; writes nothing but derived files.
// Internal to engine/.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "engine/recipes/memory/memory_session.h"
#include "engine/recipes/memory/recall_packet.h"
#include "memory/recall/recall.h"

namespace knapsack {

struct RecallQuestion {
  std::string prompt;
  RecallMode mode = RecallMode::kFull;
  Timestamp at;       // when memories must be valid
  bool past = false;  // … a time before now
  Timestamp now;
  bool history = false;  // what was superseded too
};

struct GatheredMemories {
  memory::Catalogue catalogue;
  memory::Eligibility eligibility;
  memory::Recalled recalled;  // points into the catalogue
  std::string profile;        // its text; empty where there is none
  std::vector<std::string> warnings;

  // What may be read and is not eligible, the first of it.
  std::vector<FilteredMemory> filtered() const;
  // Of everything that was read.
  std::string fingerprint() const;
};

// What models have to say in between, each where it is there.
struct RecallModels {
  // What is near the prompt in meaning; leaves a problem in the warnings where that cannot be told.
  std::function<Status(memory::RecallSource&, std::vector<std::string>& warnings)> near;
  // May change the order of what was found before the best are chosen.
  std::function<Status(memory::Recalled&)> reorder;
};

Result<GatheredMemories> gather_memories(const MemorySession& session, const RecallQuestion& question,
                                         const RecallModels& models = {});

}  // namespace knapsack
