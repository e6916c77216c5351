#include "meaning/text_encoder.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "meaning/wordpiece.h"

namespace knapsack::meaning {
namespace {

// Tokens that go through the layers together: weights are read once for all of them, and their rows stay near.
constexpr size_t kTokensTogether = 256;

}  // namespace

Result<std::unique_ptr<TextEncoder>> TextEncoder::open(const FileSystem& files, const std::string& path) {
  KNAPSACK_TRY(auto model, ModelFile::open(files, path));
  return std::unique_ptr<TextEncoder>(new TextEncoder(files, std::move(model)));
}

Result<std::vector<float>> TextEncoder::embed(const std::vector<std::string>& texts, TextRole role,
                                              size_t most_tokens) {
  const Error changed{ErrorCode::kCorrupt, "the model file was changed while it was in use",
                      "start the program again"};
  if (!model_->unchanged(files_)) return changed;
  const std::string prefix = role == TextRole::kQuestion ? model_->query_prefix() : model_->passage_prefix();
  std::vector<std::vector<int32_t>> tokens;
  for (const std::string& text : texts) tokens.push_back(tokenize(*model_, prefix + text, most_tokens));
  std::vector<float> vectors;
  vectors.reserve(texts.size() * width());
  for (size_t begin = 0; begin < tokens.size();) {
    size_t end = begin + 1;
    size_t together = tokens[begin].size();
    while (end < tokens.size() && together + tokens[end].size() <= kTokensTogether)
      together += tokens[end++].size();
    const std::vector<float> some = encoder_.encode(std::span(tokens).subspan(begin, end - begin));
    vectors.insert(vectors.end(), some.begin(), some.end());
    begin = end;
  }
  if (!model_->unchanged(files_)) return changed;
  if (!std::all_of(vectors.begin(), vectors.end(), [](float number) { return std::isfinite(number); }))
    return Error{ErrorCode::kCorrupt, "the model file makes numbers that are none: it is damaged",
                 "install Knapsack again"};
  return vectors;
}

}  // namespace knapsack::meaning
