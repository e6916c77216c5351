// Any bytes as what an embedding server sent: reading never crashes, and what comes out is as many vectors as
// texts were asked about, all of one length and of finite numbers.
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "model/embeddings/embedding_client.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace knapsack::model;
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  for (const Provider provider : {Provider::kOllama, Provider::kOpenAi}) {
    for (const size_t texts : {size_t{1}, size_t{2}, size_t{3}}) {
      const auto read = read_embeddings(bytes, provider, texts);
      if (!read.ok()) continue;
      if (read->dimensions == 0 || read->dimensions > kMaxEmbeddingDimensions) std::abort();
      if (read->numbers.size() != texts * read->dimensions) std::abort();
      for (const float each : read->numbers) {
        if (!std::isfinite(each)) std::abort();
      }
    }
  }
  return 0;
}
