// Encoder: from the tokens of texts to their vectors, by the layers of a model file.
//
// The same tokens give the same numbers, alone or beside others, whatever the machine. It keeps room for its
// work, which grows with the longest batch: one encoder, one thread; any number of them share a model.
// Private to meaning/.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "meaning/kernels/kernels.h"
#include "meaning/model_file.h"

namespace knapsack::meaning {

class Encoder {
 public:
  // With the best kernels of this machine where none are named.
  explicit Encoder(std::shared_ptr<const ModelFile> model, const Kernels* kernels = nullptr);

  // One vector of width() numbers with the length 1 for each text, one after the other. Tokens that the
  // vocabulary lacks count as unknown; at most as many of a text as there are positions are read, and a text
  // without any gives zeros.
  std::vector<float> encode(std::span<const std::vector<int32_t>> texts);

  size_t width() const { return model_->header().width; }
  const char* kernels() const { return kernels_->name; }

 private:
  void make_room(size_t rows, size_t longest);
  void embed(std::span<const std::vector<int32_t>> texts);
  void run_layer(const EncoderLayer& layer, std::span<const size_t> lengths, size_t rows);
  void product(const float* rows, const Linear& linear, size_t count, float* out);
  void activated_product(const Linear& linear, size_t count);

  std::shared_ptr<const ModelFile> model_;
  const Kernels* kernels_;
  std::vector<float> rows_, mixed_, wide_, scratch_, factors_;
  std::vector<int32_t> zeros_;
  std::vector<uint8_t> bytes_;
};

}  // namespace knapsack::meaning
