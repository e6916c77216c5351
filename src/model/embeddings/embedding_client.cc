#include "model/embeddings/embedding_client.h"

#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>
#include <utility>

#include "core/escape.h"
#include "model/answer_text.h"
#include "model/http_exchange.h"

namespace knapsack::model {
namespace {

using nlohmann::json;
using std::chrono::steady_clock;

Error malformed(std::string what) {
  return {ErrorCode::kCorrupt, std::move(what), ""};
}

// The arrays of numbers in an answer, in the order of the texts; null where the server left one out.
Result<std::vector<const json*>> vectors_in(const json& body, Provider provider, size_t texts) {
  const char* name = provider == Provider::kOllama ? "embeddings" : "data";
  const auto list = body.is_object() ? body.find(name) : body.end();
  if (list == body.end() || !list->is_array()) return malformed(fmt::format("no list '{}'", name));
  if (list->size() != texts) return malformed(fmt::format("{} vectors for {} texts", list->size(), texts));
  std::vector<const json*> vectors(texts);
  for (size_t i = 0; i < texts; ++i) {
    const json& each = (*list)[i];
    if (provider == Provider::kOllama) {
      vectors[i] = &each;
      continue;
    }
    // OpenAI's answer numbers its vectors and need not have them in order.
    const auto vector = each.is_object() ? each.find("embedding") : each.end();
    if (vector == each.end()) return malformed(fmt::format("no 'embedding' in entry {}", i));
    const auto index = each.find("index");
    size_t place = i;
    if (index != each.end()) {
      if (!index->is_number_unsigned() || index->get<uint64_t>() >= texts)
        return malformed(fmt::format("entry {} has no valid index", i));
      place = index->get<size_t>();
    }
    if (vectors[place] != nullptr) return malformed(fmt::format("two vectors for text {}", place));
    vectors[place] = &*vector;
  }
  return vectors;
}

class HttpEmbeddingClient final : public EmbeddingClient {
 public:
  HttpEmbeddingClient(Endpoint endpoint, Provider provider)
      : endpoint_(std::move(endpoint)), provider_(provider) {}

  const std::string& model() const override { return endpoint_.model; }

  EmbeddingAnswer embed(const std::vector<std::string>& texts, std::chrono::milliseconds deadline) override {
    const auto until = steady_clock::now() + deadline;
    EmbeddingAnswer answer = attempt(texts, until);
    if (answer.outcome != ModelOutcome::kMalformed) return answer;
    answer = attempt(texts, until);
    if (answer.outcome == ModelOutcome::kMalformed) {
      answer.problem = fmt::format("the embedding model '{}' gave no usable answer twice: {}",
                                   escape_control(endpoint_.model), answer.problem);
    }
    return answer;
  }

 private:
  EmbeddingAnswer attempt(const std::vector<std::string>& texts, steady_clock::time_point until) const {
    json body = {{"model", endpoint_.model}, {"input", texts}};
    if (provider_ == Provider::kOpenAi) body["encoding_format"] = "float";
    const Exchange exchanged =
        exchange(endpoint_, provider_ == Provider::kOllama ? "/api/embed" : "/v1/embeddings",
                 body.dump(-1, ' ', false, json::error_handler_t::replace), until, kMaxEmbeddingBytes);
    EmbeddingAnswer answer;
    answer.outcome = exchanged.outcome;
    answer.problem = exchanged.problem;
    if (!answer.ok()) return answer;
    auto read = read_embeddings(exchanged.response, provider_, texts.size());
    if (read.ok()) {
      answer.embeddings = *std::move(read);
    } else {
      answer.outcome = ModelOutcome::kMalformed;
      answer.problem = "the server's answer: " + read.error().what;
    }
    return answer;
  }

  const Endpoint endpoint_;
  const Provider provider_;
};

}  // namespace

Result<Embeddings> read_embeddings(std::string_view bytes, Provider provider, size_t texts) {
  KNAPSACK_TRY(const json body, parse_bounded_json(bytes));
  KNAPSACK_TRY(const auto vectors, vectors_in(body, provider, texts));
  Embeddings embeddings;
  for (size_t i = 0; i < vectors.size(); ++i) {
    const json& vector = *vectors[i];
    if (!vector.is_array() || vector.empty() || vector.size() > kMaxEmbeddingDimensions)
      return malformed(fmt::format("vector {} is not a list of 1 to {} numbers", i, kMaxEmbeddingDimensions));
    if (i == 0) embeddings.dimensions = static_cast<uint32_t>(vector.size());
    if (vector.size() != embeddings.dimensions) {
      return malformed(fmt::format("vector {} has {} numbers and vector 0 has {}", i, vector.size(),
                                   embeddings.dimensions));
    }
    for (const json& each : vector) {
      const float number = each.is_number() ? each.get<float>() : NAN;
      if (!std::isfinite(number))
        return malformed(fmt::format("vector {} contains something that is not a number", i));
      embeddings.numbers.push_back(number);
    }
  }
  return embeddings;
}

Result<std::unique_ptr<EmbeddingClient>> make_embedding_client(const ModelOptions& options) {
  if (options.model.empty() || options.base_url.empty()) {
    return Error{ErrorCode::kUsage, "an embedding model needs a name and an address",
                 "give `embed_model` and `embed_url`"};
  }
  KNAPSACK_TRY(const BaseUrl url, parse_base_url(options.base_url));
  KNAPSACK_TRY(const Provider provider, choose_provider(options.provider, url));
  KNAPSACK_TRY(Endpoint endpoint, make_endpoint(options, provider));
  return std::unique_ptr<EmbeddingClient>(
      std::make_unique<HttpEmbeddingClient>(std::move(endpoint), provider));
}

}  // namespace knapsack::model
