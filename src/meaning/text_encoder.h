// TextEncoder: the vectors of texts, as questions or as what answers them. The one door to a model file.
//
// A model whose file was changed under it answers with an error from then on, never with other numbers. One
// thread at a time.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "meaning/encoder.h"

namespace knapsack::meaning {

inline constexpr size_t kMaxTokens = 256;  // of one text; what is beyond them adds little and costs as much

enum class TextRole { kQuestion, kPassage };

class TextEncoder {
 public:
  // kNotFound and kCorrupt as ModelFile::open. `files` must outlive this.
  static Result<std::unique_ptr<TextEncoder>> open(const FileSystem& files, const std::string& path);

  const ModelFile& model() const { return *model_; }
  const char* kernels() const { return encoders_.front().kernels(); }
  size_t width() const { return encoders_.front().width(); }
  // How many threads may work on the texts of one call (at first one). What they make is the same.
  void use_threads(size_t threads);
  size_t threads() const { return encoders_.size(); }
  // One vector of the length 1 for each text, one after the other.
  Result<std::vector<float>> embed(const std::vector<std::string>& texts, TextRole role,
                                   size_t most_tokens = kMaxTokens);

 private:
  TextEncoder(const FileSystem& files, std::shared_ptr<const ModelFile> model)
      : files_(files), model_(model), encoders_(1, Encoder(std::move(model))) {}

  const FileSystem& files_;
  std::shared_ptr<const ModelFile> model_;
  std::vector<Encoder> encoders_;  // one for each thread
};

}  // namespace knapsack::meaning
