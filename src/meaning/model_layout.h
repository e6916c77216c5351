// The order of what is in a model file: one walk, by which the tool writes and the program reads.
//
// Plain data; any thread.
// Private to meaning/.
#pragma once

#include "meaning/model_file.h"

namespace knapsack::meaning {

struct ModelSections {
  const uint8_t* token_rows = nullptr;
  const float* position_rows = nullptr;
  Norm token_norm;
  std::vector<EncoderLayer> layers;
  const int32_t* slots = nullptr;
  const uint32_t* word_ends = nullptr;
  const char* words = nullptr;
};

// Hands out places one after the other, each at a multiple of kSectionAlignment. Without bytes it only counts.
class SectionWalk {
 public:
  explicit SectionWalk(uint64_t begin, const char* bytes = nullptr) : end_(begin), bytes_(bytes) {}

  template <typename Number>
  const Number* take(uint64_t count) {
    const uint64_t begin = (end_ + kSectionAlignment - 1) / kSectionAlignment * kSectionAlignment;
    end_ = begin + count * sizeof(Number);
    return bytes_ == nullptr ? nullptr : reinterpret_cast<const Number*>(bytes_ + begin);
  }
  uint64_t end() const { return end_; }

 private:
  uint64_t end_;
  const char* bytes_;
};

inline Linear take_linear(SectionWalk& walk, uint32_t inputs, uint32_t outputs) {
  Linear linear{inputs, outputs};
  linear.weights = walk.take<int8_t>(uint64_t{inputs} * outputs);
  linear.factors = walk.take<float>(outputs);
  linear.bias = walk.take<float>(outputs);
  linear.sums = walk.take<int32_t>(outputs);
  return linear;
}

inline Norm take_norm(SectionWalk& walk, uint32_t width) {
  Norm norm;
  norm.gain = walk.take<float>(width);
  norm.bias = walk.take<float>(width);
  return norm;
}

inline ModelSections walk_sections(const ModelHeader& header, SectionWalk& walk) {
  ModelSections sections;
  sections.token_rows = walk.take<uint8_t>(uint64_t{header.vocabulary} * header.width);
  sections.position_rows = walk.take<float>(uint64_t{header.positions} * header.width);
  sections.token_norm = take_norm(walk, header.width);
  for (uint32_t i = 0; i < header.layers; ++i) {
    EncoderLayer layer;
    layer.attention = take_linear(walk, header.width, header.width * 3);
    layer.attended = take_linear(walk, header.width, header.width);
    layer.attended_norm = take_norm(walk, header.width);
    layer.inner = take_linear(walk, header.width, header.inner);
    layer.outer = take_linear(walk, header.inner, header.width);
    layer.outer_norm = take_norm(walk, header.width);
    sections.layers.push_back(layer);
  }
  sections.slots = walk.take<int32_t>(header.word_slots);
  sections.word_ends = walk.take<uint32_t>(header.vocabulary);
  sections.words = walk.take<char>(header.word_bytes);
  return sections;
}

}  // namespace knapsack::meaning
