#include "model/chat/make_client.h"

#include "model/chat/ollama_client.h"
#include "model/chat/openai_client.h"

namespace knapsack::model {

Result<std::unique_ptr<ModelClient>> make_model_client(const ModelOptions& options) {
  KNAPSACK_TRY(const BaseUrl url, parse_base_url(options.base_url));
  KNAPSACK_TRY(const Provider provider, choose_provider(options.provider, url));
  KNAPSACK_TRY(Endpoint endpoint, make_endpoint(options, provider));
  if (provider == Provider::kOllama) {
    return std::unique_ptr<ModelClient>(std::make_unique<OllamaClient>(std::move(endpoint)));
  }
  return std::unique_ptr<ModelClient>(std::make_unique<OpenAiClient>(std::move(endpoint)));
}

}  // namespace knapsack::model
