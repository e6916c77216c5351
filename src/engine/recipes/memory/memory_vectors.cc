#include "engine/recipes/memory/memory_vectors.h"

#include <fmt/format.h>

#include <algorithm>

#include "engine/recipes/memory/memory_session.h"
#include "engine/sources/search_vectors.h"
#include "store/state_folder.h"

namespace knapsack {
namespace {

// Memories that are embedded between two looks at whether to stop, and that are written together.
constexpr size_t kMemoriesPerStep = 4;
constexpr size_t kMemoriesPerFile = 400;

// The hash of its weights names a model of ours exactly; no text has to be embedded to compare two of them.
search::VectorSpace space_of(const meaning::TextEncoder& encoder) {
  search::VectorSpace space;
  space.model = encoder.model().space();
  space.dimensions = static_cast<uint32_t>(encoder.width());
  space.encoding = search::VectorEncoding::kInt8;
  space.probe.assign(encoder.width(), 0);
  space.probe.front() = 1;
  return space;
}

}  // namespace

Result<std::unique_ptr<meaning::TextEncoder>> open_encoder(const Engine::State& state,
                                                           const Settings& settings) {
  std::unique_ptr<meaning::TextEncoder> encoder;
  if (!settings.search.meaning || state.options.model_file.empty()) return encoder;
  auto opened = meaning::TextEncoder::open(*state.files, state.options.model_file);
  if (!opened.ok() && opened.error().code == ErrorCode::kNotFound) return encoder;
  return opened;
}

Result<std::vector<float>> embed_memories(meaning::TextEncoder& encoder,
                                          std::span<const memory::PassageTexts> texts) {
  struct Part {
    size_t memory;
    float weight;
  };
  std::vector<std::string> passages;
  std::vector<Part> parts;
  for (size_t i = 0; i < texts.size(); ++i) {
    const bool alone = texts[i].before == texts[i].after;
    passages.push_back(texts[i].before);
    parts.push_back({i, alone ? kPassagesOfMemory : 1});
    if (alone) continue;
    passages.push_back(texts[i].after);
    parts.push_back({i, 1});
  }
  KNAPSACK_TRY(const std::vector<float> made, encoder.embed(passages, meaning::TextRole::kPassage));
  const size_t width = encoder.width();
  std::vector<float> vectors(texts.size() * width);
  for (size_t p = 0; p < parts.size(); ++p) {
    float* sum = vectors.data() + parts[p].memory * width;
    for (size_t i = 0; i < width; ++i) sum[i] += parts[p].weight * made[p * width + i];
  }
  return vectors;
}

Result<MemoryVectors> MemoryVectors::open(Engine::State& state, meaning::TextEncoder& encoder,
                                          std::span<const memory::Memory> memories) {
  KNAPSACK_TRY(const std::string state_folder, ensure_state_folder(*state.files, state.workspace.path));
  const std::string folder = vector_folder(state_folder, Source::kMemory);
  KNAPSACK_CHECK(state.files->make_directory(parent_path(folder)));
  KNAPSACK_CHECK(state.files->make_directory(folder));
  KNAPSACK_TRY(auto store, search::VectorStore::open(*state.files, folder, space_of(encoder),
                                                     {search::kExactLimit, state.on_disk}));
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

std::string describe_meaning(Engine::State& state, const Settings& settings) {
  if (!settings.search.meaning || state.options.model_file.empty())
    return "off: everything is found by words";
  const auto encoder = open_encoder(state, settings);
  if (!encoder.ok()) return encoder.error().line();
  if (*encoder == nullptr) return "off: there is no model file";
  std::string text = fmt::format("{} by {} instructions", (*encoder)->model().name(), (*encoder)->kernels());
  // Opening the vectors would create their folder.
  const std::string folder = vector_folder(state.state_folder(), Source::kMemory);
  if (!state.files->info(folder).ok()) return text + "; no memory has a vector yet";
  const auto count = [&]() -> Result<std::string> {
    KNAPSACK_TRY(const MemorySession session, MemorySession::open(state, {}));
    KNAPSACK_TRY(const memory::Catalogue catalogue, session.catalogue());
    KNAPSACK_TRY(MemoryVectors vectors, MemoryVectors::open(state, **encoder, catalogue.memories()));
    return fmt::format("; {} of {} memories have a vector", vectors.total() - vectors.missing(),
                       vectors.total());
  };
  const auto counted = count();
  return text + (counted.ok() ? *counted : "; " + counted.error().line());
}

Status MemoryVectors::make(const std::function<bool()>& stop,
                           const std::function<void(size_t done)>& progress) {
  std::vector<std::string_view> hashes;
  std::vector<float> numbers;
  const auto save = [&]() -> Status {
    if (hashes.empty()) return ok_status();
    KNAPSACK_CHECK(store_.add(hashes, numbers));
    hashes.clear();
    numbers.clear();
    return ok_status();
  };
  prepare();
  size_t done = 0;
  const auto missing = store_.missing(units_);
  for (size_t begin = 0; begin < missing.size() && !(stop && stop()); begin += kMemoriesPerStep) {
    std::vector<memory::PassageTexts> some;
    for (size_t i = begin; i < std::min(begin + kMemoriesPerStep, missing.size()); ++i) {
      const uint32_t place = missing[i]->unit;
      some.push_back(memory::texts_of(memories_, place, passages_[place]));
    }
    const auto made = embed_memories(*encoder_, some);
    if (!made.ok()) {
      KNAPSACK_CHECK(save());
      return made.error();
    }
    for (size_t i = 0; i < some.size(); ++i) hashes.push_back(missing[begin + i]->hash);
    numbers.insert(numbers.end(), made->begin(), made->end());
    done += some.size();
    if (hashes.size() >= kMemoriesPerFile) KNAPSACK_CHECK(save());
    if (progress) progress(done);
  }
  KNAPSACK_CHECK(save());
  std::vector<std::string_view> live;
  for (const search::VectorUnit& unit : units_) live.push_back(unit.hash);
  return store_.tidy(live);
}

Result<memory::Similarities> MemoryVectors::similarities(const std::string& prompt) {
  KNAPSACK_TRY(const std::vector<float> asked, encoder_->embed({prompt}, meaning::TextRole::kQuestion));
  prepare();
  memory::Similarities similarities;
  similarities.reserve(units_.size());
  for (const search::UnitNeighbour& each : store_.nearest(units_, asked, units_.size()))
    similarities.emplace(&memories_[each.unit], each.score / kPassagesOfMemory);
  return similarities;
}

}  // namespace knapsack
