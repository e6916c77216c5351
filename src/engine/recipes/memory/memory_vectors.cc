#include "engine/recipes/memory/memory_vectors.h"

#include <algorithm>
#include <functional>
#include <string_view>
#include <unordered_map>

#include "engine/recipes/memory/memory_session.h"
#include "store/state_folder.h"

namespace knapsack {

Result<std::vector<float>> embed_memories(meaning::TextEncoder& encoder,
                                          std::span<const memory::PassageTexts> texts) {
  // What stands behind one memory of a conversation is what the next one begins with: each text is encoded once.
  std::vector<std::string> passages;
  std::unordered_map<std::string_view, size_t> place;
  for (const memory::PassageTexts& text : texts)
    for (const std::string& each : {std::cref(text.before), std::cref(text.after)})
      if (place.emplace(each, passages.size()).second) passages.push_back(each);
  KNAPSACK_TRY(const std::vector<float> made, encoder.embed(passages, meaning::TextRole::kPassage));
  const size_t width = encoder.width();
  std::vector<float> vectors;
  vectors.reserve(texts.size() * width);
  for (const memory::PassageTexts& text : texts) {
    const float* before = made.data() + place[text.before] * width;
    const float* after = made.data() + place[text.after] * width;
    for (size_t i = 0; i < width; ++i) vectors.push_back(before[i] + after[i]);
  }
  return vectors;
}

Result<MemoryVectors> MemoryVectors::open(Engine::State& state, meaning::TextEncoder& encoder,
                                          std::span<const memory::Memory> memories) {
  KNAPSACK_TRY(const std::string state_folder, ensure_state_folder(*state.files, state.workspace.path));
  KNAPSACK_TRY(auto store,
               open_encoder_store(*state.files, state_folder, state.on_disk, Source::kMemory, encoder));
  return MemoryVectors(encoder, memories, std::move(store));
}

void MemoryVectors::prepare() {
  if (!passages_.empty()) return;
  passages_ = memory::passages_of(memories_);
  for (uint32_t i = 0; i < memories_.size(); ++i) {
    if (!passages_[i].hash.empty()) units_.push_back({passages_[i].hash, i});
  }
}

size_t MemoryVectors::missing() {
  if (store_.size() == 0) return total_;
  prepare();
  return static_cast<size_t>(std::count_if(units_.begin(), units_.end(), [&](const search::VectorUnit& unit) {
    return !store_.holds(unit.hash);
  }));
}

void embed_few_memories(Engine::State& state, const Flags& flags) {
  const auto embed = [&]() -> Status {
    KNAPSACK_TRY(const MemorySession session, MemorySession::open(state, flags));
    KNAPSACK_TRY(const auto encoder, open_encoder(state, session.settings));
    if (!encoder) return ok_status();
    KNAPSACK_TRY(const memory::Catalogue catalogue, session.catalogue());
    KNAPSACK_TRY(MemoryVectors vectors, MemoryVectors::open(state, *encoder, catalogue.memories()));
    return vectors.missing() <= kMaxMadeAtOnce ? vectors.make() : ok_status();
  };
  if (const Status embedded = embed(); !embedded.ok())
    state.options.log.write(LogLevel::kInfo, "the new memory has no vector yet: " + embedded.error().line());
}

Status MemoryVectors::make(const StopEmbedding& stop, const std::function<void(size_t done)>& progress) {
  prepare();
  VectorWriter writer(store_);
  size_t done = 0;
  const auto missing = store_.missing(units_);
  bool stopped = false;
  const auto asked_to_stop = [&] { return stopped = stop && stop(); };
  while (done < missing.size() && !asked_to_stop()) {
    std::vector<memory::PassageTexts> some;
    std::vector<std::string> hashes;
    for (size_t bytes = 0; done + some.size() < missing.size() && bytes < bytes_per_step(*encoder_);) {
      const search::VectorUnit& unit = *missing[done + some.size()];
      some.push_back(memory::texts_of(memories_, unit.unit, passages_[unit.unit]));
      hashes.push_back(unit.hash);
      bytes += some.back().before.size() + some.back().after.size();
    }
    const auto made = embed_memories(*encoder_, some);
    if (!made.ok()) {
      KNAPSACK_CHECK(writer.save());
      return made.error();
    }
    KNAPSACK_CHECK(writer.add(hashes, *made));
    done += some.size();
    if (progress) progress(done);
  }
  KNAPSACK_CHECK(writer.save());
  if (stopped) return ok_status();
  std::vector<std::string_view> live;
  for (const search::VectorUnit& unit : units_) live.push_back(unit.hash);
  return store_.tidy(live);
}

memory::Similarities MemoryVectors::similarities(const std::vector<float>& asked) {
  prepare();
  memory::Similarities similarities;
  similarities.reserve(units_.size());
  for (const search::UnitNeighbour& each : store_.nearest(units_, asked, units_.size()))
    similarities.emplace(&memories_[each.unit], each.score / kPassagesOfMemory);
  return similarities;
}

}  // namespace knapsack
