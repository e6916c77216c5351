// What memories and code share of the encoder in the program: opening it, the store of its vectors, and writing them in
// pieces.
//
// All of it is derived: what is missing is made again. Pieces are on disk one by one, so that whoever makes them can
// stop, or be stopped, at any moment. Internal to engine/. One request, one thread.
#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "engine/engine_state.h"
#include "meaning/text_encoder.h"
#include "search/vectors/vector_store.h"

namespace knapsack {

// Null where it is switched off, or where there is no model file. kCorrupt for a file that is none.
Result<std::unique_ptr<meaning::TextEncoder>> open_encoder(const Engine::State& state,
                                                           const Settings& settings);

// The vectors of a source by this model, below a state folder. Makes the folders.
Result<search::VectorStore> open_encoder_store(FileSystem& files, const std::string& state_folder,
                                               bool on_disk, Source source,
                                               const meaning::TextEncoder& encoder);

// Text that is embedded between two looks at whether to stop: about what each thread takes at once, a twentieth of a
// second of work.
inline size_t bytes_per_step(const meaning::TextEncoder& encoder) {
  return 1'000 * encoder.threads();
}

// Asked before every step.
using StopEmbedding = std::function<bool()>;

// Gathers vectors and adds them to a store a file at a time.
class VectorWriter {
 public:
  explicit VectorWriter(search::VectorStore& store) : store_(store) {}

  // Vectors that belong to these hashes, in their order.
  Status add(const std::vector<std::string>& hashes, const std::vector<float>& numbers);
  // What was added is on disk when this returns.
  Status save();

 private:
  search::VectorStore& store_;
  std::vector<std::string> hashes_;
  std::vector<float> numbers_;
  std::chrono::steady_clock::time_point saved_ = std::chrono::steady_clock::now();
};

}  // namespace knapsack
