// EmbeddingClient: the vectors of texts, from an embedding model. The seam to every such model.
//
// Whatever a server can do wrong comes back as an outcome, never as a hang or an exception. An answer that is
// kOk has exactly one vector a text, all of one length and all of finite numbers; anything else is kMalformed
// and asked for once more, since a busy server may cut an answer short. No key is ever among the texts. Any
// thread may use the same client.
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "core/result.h"
#include "model/endpoint.h"
#include "model/model_client.h"

namespace knapsack::model {

// The largest answer that is read: 64 vectors of 16,384 numbers with 20 digits each take a third of it.
inline constexpr uint64_t kMaxEmbeddingBytes = uint64_t{64} * 1024 * 1024;
inline constexpr uint32_t kMaxEmbeddingDimensions = 16'384;

struct Embeddings {
  uint32_t dimensions = 0;
  std::vector<float> numbers;  // one vector after the other, as the model gave them
};

struct EmbeddingAnswer {
  ModelOutcome outcome = ModelOutcome::kUnreachable;
  std::string problem;  // one line unless kOk: what happened and what to do next
  Embeddings embeddings;

  bool ok() const { return outcome == ModelOutcome::kOk; }
};

class EmbeddingClient {
 public:
  virtual ~EmbeddingClient() = default;

  virtual const std::string& model() const = 0;
  // Ends within the deadline (at most a tenth later), the second try included.
  virtual EmbeddingAnswer embed(const std::vector<std::string>& texts,
                                std::chrono::milliseconds deadline) = 0;
};

// A client for these options, of which the window says nothing here; kUsage for what cannot be one. Nothing
// is sent yet.
Result<std::unique_ptr<EmbeddingClient>> make_embedding_client(const ModelOptions& options);

// What a server sent for `texts` texts; any bytes. kCorrupt, with the reason, for what is not its answer.
Result<Embeddings> read_embeddings(std::string_view bytes, Provider provider, size_t texts);

}  // namespace knapsack::model
