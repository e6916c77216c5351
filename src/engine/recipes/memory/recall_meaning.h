// What is near a prompt in meaning among memories, for recall; and a memory as a text that has a vector.
//
// The vectors are those that `search` keeps of memories, by the same model, settings and flags. A model that
// is gone, late or wrong leaves words alone, and a line that says so; it never holds a recall up for longer
// than kMeaningTime. Internal to engine/. One request, one thread.
#pragma once

#include <string>
#include <vector>

#include "engine/sources/search_vectors.h"
#include "memory/recall/recall.h"

namespace knapsack {

// An agent waits for a recall before it begins. What could not be embedded in this time is by the next ones.
inline constexpr std::chrono::milliseconds kMeaningTime{10'000};

struct NearPrompt {
  std::vector<memory::NearMemory> memories;  // nearest first in each namespace, at most kMaxFound of each
  std::string problem;                       // why words alone decide; empty where they do not
  // By the encoder of our own, where no other model is named.
  memory::Similarities similarities = {};
  std::string model = {};  // that compared; empty: words alone
  size_t missing = 0;      // memories that have no vector yet, of …
  size_t total = 0;

  // For people; empty where none is missing.
  std::string missing_line() const;
};

// By the encoder of our own, where it is there and switched on. What goes wrong is left in `problem`.
NearPrompt compare_by_encoder(Engine::State& state, const Settings& settings, const std::string& prompt,
                              std::span<const memory::Memory> memories);

// kUsage for an address that cannot be one.
Result<NearPrompt> find_near(Engine::State& state, const Settings& settings, EmbeddingRequest request,
                             const std::string& prompt, const memory::RecallSource& source);

// The unit and the text of a memory in the vector store. Secrets are replaced.
SourceUnit memory_unit(const memory::Memory& memory, uint32_t item);
// Of all of them: another request reads other namespaces, or another time.
std::vector<std::string> memory_hashes(std::span<const memory::Memory> memories);
SourceText memory_text(const memory::Memory& memory, const std::string& folder);

}  // namespace knapsack
