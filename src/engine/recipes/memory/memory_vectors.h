// MemoryVectors: the vectors of memories by the encoder of our own, and how near each is to a prompt.
//
// They are kept in the vector store, keyed by what was embedded and by the model; all of it is derived. What is
// missing is made in pieces that are on disk one by one, so that whoever makes them can stop, or be stopped, at any
// moment. Internal to engine/. One request, one thread.
#pragma once

#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "engine/sources/encoder_vectors.h"
#include "memory/recall/passages.h"
#include "memory/recall/ranking.h"

namespace knapsack {

inline constexpr float kPassagesOfMemory = 2;  // whose vectors are added
// Missing vectors that a request makes itself: those of a few new memories, in a tenth of a second.
inline constexpr size_t kMaxMadeAtOnce = 12;

// One vector a text of a memory, the sum of those of its passages.
Result<std::vector<float>> embed_memories(meaning::TextEncoder& encoder,
                                          std::span<const memory::PassageTexts> texts);

// Makes the missing vectors of the workspace's memories where they are few. A failure costs them, and a line in the log.
void embed_few_memories(Engine::State& state, const Flags& flags);

class MemoryVectors {
 public:
  // `memories` must outlive this.
  static Result<MemoryVectors> open(Engine::State& state, meaning::TextEncoder& encoder,
                                    std::span<const memory::Memory> memories);

  // How many memories shall have a vector, and how many have none yet.
  size_t total() const { return total_; }
  size_t missing();
  bool empty() const { return store_.size() == 0; }

  // Makes what is missing, until `stop` says so. What was made stays.
  Status make(const StopEmbedding& stop = {}, const std::function<void(size_t done)>& progress = {});

  // How near each memory that has a vector is to a prompt with this vector, as the mean cosine of its passages.
  memory::Similarities similarities(const std::vector<float>& asked);

 private:
  MemoryVectors(meaning::TextEncoder& encoder, std::span<const memory::Memory> memories,
                search::VectorStore store)
      : encoder_(&encoder),
        memories_(memories),
        store_(std::move(store)),
        total_(memory::count_passages(memories)) {}
  // Reads all memories: not before somebody needs it.
  void prepare();

  meaning::TextEncoder* encoder_;
  std::span<const memory::Memory> memories_;
  search::VectorStore store_;
  size_t total_;
  std::vector<memory::MemoryPassages> passages_;
  std::vector<search::VectorUnit> units_;  // by place in `memories_`
};

}  // namespace knapsack
