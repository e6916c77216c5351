#include "engine/recall_meaning.h"

#include "core/ids.h"
#include "engine/memory_session.h"

namespace knapsack {

SourceUnit memory_unit(const memory::Memory& memory, uint32_t item) {
  return {item, 0, hash_parts({memory.text})};
}

std::vector<std::string> memory_hashes(std::span<const memory::Memory> memories) {
  std::vector<std::string> hashes;
  for (const memory::Memory& each : memories) hashes.push_back(memory_unit(each, 0).hash);
  return hashes;
}

SourceText memory_text(const memory::Memory& memory, const std::string& folder) {
  return {memory.id, join_path(folder, memory.path), 0, memory_title(memory), memory.text};
}

Result<NearPrompt> find_near(Engine::State& state, const Settings& settings, EmbeddingRequest request,
                             const std::string& prompt, const memory::RecallSource& source) {
  VectorSearch vectors(state, settings, std::move(request));
  NearPrompt near;
  if (!vectors.configured()) return near;
  KNAPSACK_CHECK(vectors.start(prompt));
  if (!vectors.ready()) {
    near.problem = vectors.problem();
    return near;
  }
  std::vector<const memory::Memory*> memories;
  VectorTexts texts{
      Source::kMemory,
      {},
      [&](const SourceUnit& unit) -> Result<SourceText> { return memory_text(*memories[unit.item], ""); },
      memory_hashes(source.memories)};
  for (const memory::Memory& each : source.memories) {
    if (each.kind == memory::Kind::kArtifact || !source.eligibility.allows(each)) continue;
    texts.units.push_back(memory_unit(each, static_cast<uint32_t>(memories.size())));
    memories.push_back(&each);
  }
  auto embedded = vectors.embed_texts(std::move(texts));
  if (!embedded.ok()) {
    near.problem = embedded.error().line();
    return near;
  }
  for (const std::string& name : source.namespaces) {
    const auto wanted = [&](uint32_t item) { return memories[item]->name_space == name; };
    for (const SourceHit& hit : embedded->nearest(memory::kMostFound, wanted))
      near.memories.push_back({memories[hit.item], hit.score.total});
  }
  return near;
}

}  // namespace knapsack
