#include "meaning/text_encoder.h"

#include <algorithm>
#include <atomic>
#include <cmath>

#include "core/helper_threads.h"
#include "meaning/wordpiece.h"

namespace knapsack::meaning {
namespace {

// Tokens that go through the layers together: weights are read once for all of them, and their rows stay near.
constexpr size_t kTokensTogether = 256;

struct Batch {
  size_t begin = 0;
  size_t end = 0;
};

std::vector<Batch> batches_of(const std::vector<std::vector<int32_t>>& tokens) {
  std::vector<Batch> batches;
  for (size_t begin = 0; begin < tokens.size(); begin = batches.back().end) {
    size_t end = begin + 1;
    size_t together = tokens[begin].size();
    while (end < tokens.size() && together + tokens[end].size() <= kTokensTogether)
      together += tokens[end++].size();
    batches.push_back({begin, end});
  }
  return batches;
}

}  // namespace

Result<std::unique_ptr<TextEncoder>> TextEncoder::open(const FileSystem& files, const std::string& path) {
  KNAPSACK_TRY(auto model, ModelFile::open(files, path));
  return std::unique_ptr<TextEncoder>(new TextEncoder(files, std::move(model)));
}

void TextEncoder::use_threads(size_t threads) {
  encoders_.resize(std::max<size_t>(threads, 1), Encoder(model_));
}

Result<std::vector<float>> TextEncoder::embed(const std::vector<std::string>& texts, TextRole role,
                                              size_t most_tokens) {
  const Error changed{ErrorCode::kCorrupt, "the model file was changed while it was in use",
                      "start the program again"};
  if (!model_->unchanged(files_)) return changed;
  const std::string prefix = role == TextRole::kQuestion ? model_->query_prefix() : model_->passage_prefix();
  std::vector<std::vector<int32_t>> tokens;
  for (const std::string& text : texts) tokens.push_back(tokenize(*model_, prefix + text, most_tokens));
  const std::vector<Batch> batches = batches_of(tokens);
  std::vector<float> vectors(texts.size() * width());
  std::atomic<size_t> next{0};
  const auto work = [&](Encoder& encoder) {
    for (size_t i = next++; i < batches.size(); i = next++) {
      const auto [begin, end] = batches[i];
      const std::vector<float> some = encoder.encode(std::span(tokens).subspan(begin, end - begin));
      std::copy(some.begin(), some.end(), vectors.begin() + static_cast<long>(begin * width()));
    }
  };
  {
    HelperThreads others;
    for (size_t i = 1; i < std::min(encoders_.size(), batches.size()); ++i)
      others.run([&, i] { work(encoders_[i]); });
    work(encoders_.front());
  }
  if (!model_->unchanged(files_)) return changed;
  if (!std::all_of(vectors.begin(), vectors.end(), [](float number) { return std::isfinite(number); }))
    return Error{ErrorCode::kCorrupt, "the model file produces invalid numbers: it is damaged",
                 "install Knapsack again"};
  return vectors;
}

}  // namespace knapsack::meaning
