#include "engine/recipes/memory/recall_meaning.h"

#include <fmt/format.h>

#include "core/helper_threads.h"
#include "core/ids.h"
#include "engine/recipes/memory/memory_session.h"
#include "engine/recipes/memory/memory_vectors.h"

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

// A file that is no model, or a folder that cannot be written, costs meaning and leaves a line.
NearPrompt compare_by_encoder(Engine::State& state, const Settings& settings, const std::string& prompt,
                              std::span<const memory::Memory> memories) {
  NearPrompt near;
  const auto compare = [&]() -> Status {
    KNAPSACK_TRY(const auto encoder, open_encoder(state, settings));
    if (!encoder || memories.empty()) return ok_status();
    // Where nothing can be written there is nothing to compare with, which is nobody's fault.
    auto opened = MemoryVectors::open(state, *encoder, memories);
    if (!opened.ok()) {
      state.options.log.write(LogLevel::kWarning,
                              "memories are found by words only: " + opened.error().line());
      return ok_status();
    }
    MemoryVectors vectors = *std::move(opened);
    // The prompt's vector is made while all memories are looked at for those that have none.
    Result<std::vector<float>> asked = std::vector<float>{};
    HelperThreads beside;
    if (!vectors.empty()) beside.run([&] { asked = encoder->embed({prompt}, meaning::TextRole::kQuestion); });
    near.missing = vectors.missing();
    near.total = vectors.total();
    beside.join();
    if (near.missing > 0 && near.missing <= kMaxMadeAtOnce) {
      if (const Status made = vectors.make(); !made.ok())
        state.options.log.write(LogLevel::kWarning, "some memories have no vector: " + made.error().line());
      near.missing = vectors.missing();
    }
    const auto folder = memory_folder(*state.files, settings, state.settings_request({}));
    if (near.missing > 0 && state.options.start_embedding && folder.ok())
      state.options.start_embedding(state.workspace.path, *folder);
    if (near.missing == near.total) return ok_status();
    if (asked.ok() && asked->empty()) asked = encoder->embed({prompt}, meaning::TextRole::kQuestion);
    if (!asked.ok()) return asked.error();
    near.similarities = vectors.similarities(*asked);
    near.model = encoder->model().name();
    return ok_status();
  };
  if (const Status compared = compare(); !compared.ok()) near.problem = compared.error().line();
  return near;
}

std::string NearPrompt::missing_line() const {
  if (missing == 0) return "";
  if (total == 1)
    return "the one memory is found by words only: its vector is being made, or `knapsack embed` makes it";
  return fmt::format(
      "{} of {} memories are found by words only: their vectors are being made, or `knapsack embed` makes "
      "them",
      missing, total);
}

Result<NearPrompt> find_near(Engine::State& state, const Settings& settings, EmbeddingRequest request,
                             const std::string& prompt, const memory::RecallSource& source) {
  VectorSearch vectors(state, settings, std::move(request));
  NearPrompt near;
  if (!vectors.configured()) return compare_by_encoder(state, settings, prompt, source.memories);
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
    for (const SourceHit& hit : embedded->nearest(memory::kMaxFound, wanted))
      near.memories.push_back({memories[hit.item], hit.score.total});
  }
  return near;
}

}  // namespace knapsack
