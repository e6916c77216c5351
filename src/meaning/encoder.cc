#include "meaning/encoder.h"

#include <algorithm>
#include <cmath>

#include "meaning/kernels/kernel_choice.h"

namespace knapsack::meaning {
namespace {

// The mean of all rows, or the first.
void pool(const float* rows, size_t count, size_t width, Pooling pooling, float* out) {
  const size_t used = pooling == Pooling::kFirstToken ? std::min<size_t>(count, 1) : count;
  for (size_t row = 0; row < used; ++row) {
    for (size_t i = 0; i < width; ++i) out[i] += rows[row * width + i];
  }
  double squares = 0;
  for (size_t i = 0; i < width; ++i) squares += double{out[i]} * double{out[i]};
  if (squares <= 0) return;
  const double length = std::sqrt(squares);
  for (size_t i = 0; i < width; ++i) out[i] = static_cast<float>(double{out[i]} / length);
}

}  // namespace

Encoder::Encoder(std::shared_ptr<const ModelFile> model, const Kernels* kernels)
    : model_(std::move(model)), kernels_(kernels != nullptr ? kernels : runnable_kernels().front()) {}

void Encoder::make_room(size_t rows, size_t longest) {
  const ModelHeader& header = model_->header();
  const size_t widest = std::max<size_t>(3 * header.width, header.inner);
  const auto grow = [](auto& numbers, size_t size) {
    if (numbers.size() < size) numbers.resize(size);
  };
  grow(rows_, rows * header.width);
  grow(mixed_, rows * header.width);
  grow(wide_, rows * widest);
  grow(bytes_, rows * header.inner);
  grow(factors_, rows);
  grow(zeros_, rows);
  grow(scratch_, attention_scratch(longest));
}

void Encoder::embed(std::span<const std::vector<int32_t>> texts) {
  const ModelHeader& header = model_->header();
  float* row = rows_.data();
  for (const std::vector<int32_t>& tokens : texts) {
    for (size_t at = 0; at < tokens.size() && at < header.positions; ++at, row += header.width) {
      const bool known = tokens[at] >= 0 && static_cast<uint32_t>(tokens[at]) < header.vocabulary;
      const size_t token = known ? static_cast<size_t>(tokens[at]) : header.unknown_token;
      const uint8_t* bytes = model_->token_rows() + token * header.width;
      const float* position = model_->position_rows() + at * header.width;
      for (size_t i = 0; i < header.width; ++i)
        row[i] = (static_cast<float>(bytes[i]) - header.token_zero) * header.token_factor + position[i];
    }
  }
}

void Encoder::product(const float* rows, const Linear& linear, size_t count, float* out) {
  const ByteRows bytes{bytes_.data(), factors_.data(), zeros_.data()};
  kernels_->to_bytes(rows, count, linear.inputs, bytes);
  kernels_->multiply(bytes, count, linear, out);
}

// From wide_ to mixed_, a row at a time up to its bytes: all rows are more than the near caches hold.
void Encoder::activated_product(const Linear& linear, size_t count) {
  const ByteRows bytes{bytes_.data(), factors_.data(), zeros_.data()};
  for (size_t row = 0; row < count; ++row) {
    float* numbers = wide_.data() + row * linear.inputs;
    kernels_->gelu(numbers, linear.inputs);
    kernels_->to_bytes(numbers, 1, linear.inputs,
                       {bytes.bytes + row * linear.inputs, bytes.factors + row, bytes.zeros + row});
  }
  kernels_->multiply(bytes, count, linear, mixed_.data());
}

void Encoder::run_layer(const EncoderLayer& layer, std::span<const size_t> lengths, size_t rows) {
  const size_t width = model_->header().width;
  product(rows_.data(), layer.attention, rows, wide_.data());
  size_t at = 0;
  for (const size_t length : lengths) {
    kernels_->attend(wide_.data() + at * 3 * width, length, width, mixed_.data() + at * width,
                     scratch_.data());
    at += length;
  }
  product(mixed_.data(), layer.attended, rows, wide_.data());
  kernels_->add_and_norm(rows_.data(), wide_.data(), layer.attended_norm, rows, width);
  product(rows_.data(), layer.inner, rows, wide_.data());
  activated_product(layer.outer, rows);
  kernels_->add_and_norm(rows_.data(), mixed_.data(), layer.outer_norm, rows, width);
}

std::vector<float> Encoder::encode(std::span<const std::vector<int32_t>> texts) {
  const ModelHeader& header = model_->header();
  std::vector<size_t> lengths;
  size_t used = 0;
  size_t longest = 0;
  for (const std::vector<int32_t>& tokens : texts) {
    lengths.push_back(std::min<size_t>(tokens.size(), header.positions));
    used += lengths.back();
    longest = std::max(longest, lengths.back());
  }
  std::vector<float> vectors(texts.size() * header.width);
  if (used == 0) return vectors;
  const size_t rows = (used + kRowsTogether - 1) / kRowsTogether * kRowsTogether;
  make_room(rows, longest);
  embed(texts);
  // Rows that only fill up a block hold zeros, whatever was there before.
  const auto behind = static_cast<std::ptrdiff_t>(used * header.width);
  const auto end = static_cast<std::ptrdiff_t>(rows * header.width);
  std::fill(rows_.begin() + behind, rows_.begin() + end, 0.0F);
  std::fill(mixed_.begin() + behind, mixed_.begin() + end, 0.0F);
  std::erase(lengths, 0);
  kernels_->add_and_norm(rows_.data(), nullptr, model_->token_norm(), rows, header.width);
  for (const EncoderLayer& layer : model_->layers()) run_layer(layer, lengths, rows);
  size_t at = 0;
  for (size_t i = 0; i < texts.size(); ++i) {
    const size_t length = std::min<size_t>(texts[i].size(), header.positions);
    pool(rows_.data() + at * header.width, length, header.width, static_cast<Pooling>(header.pooling),
         vectors.data() + i * header.width);
    at += length;
  }
  return vectors;
}

}  // namespace knapsack::meaning
