// VectorSearch: what is near a query in meaning, by an embedding model that somebody named. Fails open.
//
// Texts without a vector are embedded first, which the first time takes as long as the model does, or as long
// as the request allows; a server that is not there, or answers nonsense, leaves a problem in words and the
// search goes on without meaning. What `search` and `recall` share. One request, one thread.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "engine/sources/search_source.h"
#include "model/embeddings/embedding_client.h"
#include "search/vectors/vector_store.h"

namespace knapsack {

// A person waits for the query's own vector; texts have the time that model.timeout gives.
inline constexpr std::chrono::milliseconds kQueryDeadline{10'000};
// Of one text that is embedded: models see a few hundred to a few thousand tokens.
inline constexpr size_t kMaxEmbeddedBytes = 8'000;

struct EmbeddingRequest {
  std::string model;  // by flags; empty: as the settings say. See docs/search.md
  std::string url;
  // For all questions to the model together; nothing: as long as each of them may take.
  std::optional<std::chrono::milliseconds> most_time = std::nullopt;
  std::function<void(const SearchProgress&)> progress = {};
};

// Texts that have vectors, or shall have them.
struct VectorTexts {
  Source source = Source::kCode;
  std::vector<SourceUnit> units;
  std::function<Result<SourceText>(const SourceUnit&)> text;
  // Hashes of texts that are not searched now and will be another time: their vectors stay.
  std::vector<std::string> kept = {};
};

// Texts that all have a vector, and the query's own.
class EmbeddedTexts {
 public:
  EmbeddedTexts(search::VectorStore store, std::vector<SourceUnit> units, std::vector<float> query)
      : store_(std::move(store)), units_(std::move(units)), query_(std::move(query)) {}

  // Items by their nearest part, best first; the score is the cosine. `wanted` chooses among items.
  std::vector<SourceHit> nearest(size_t limit, const std::function<bool(uint32_t item)>& wanted = {});

 private:
  search::VectorStore store_;
  std::vector<SourceUnit> units_;
  std::vector<float> query_;
};

// Where the vectors of a source are kept.
std::string vector_folder(const std::string& state_folder, Source source);

class VectorSearch {
 public:
  VectorSearch(Engine::State& state, const Settings& settings, EmbeddingRequest request)
      : state_(state), settings_(settings), request_(std::move(request)) {
    if (request_.model.empty() && request_.url.empty() && !settings.search.embed_model.empty()) {
      request_.model = settings.search.embed_model;
      request_.url = settings.search.embed_url;
      // Nobody waits at a terminal for a model that is always asked: what is embedded by then is kept.
      if (!request_.most_time) request_.most_time = kQueryDeadline;
    }
    if (request_.most_time) end_ = std::chrono::steady_clock::now() + *request_.most_time;
  }

  // Whether a model is named at all: by flags, or by the user's own settings.
  bool configured() const;
  // Asks for the vector of the query. kUsage for an address that cannot be one; everything else that goes
  // wrong is left in problem().
  Status start(const std::string& words);
  bool ready() const { return !query_.empty(); }
  const std::string& problem() const { return problem_; }

  // Embeds what has no vector yet. After start(), where that made it ready.
  Result<EmbeddedTexts> embed_texts(VectorTexts texts);

 private:
  Result<std::vector<float>> embed(const std::vector<std::string>& texts, std::chrono::milliseconds deadline);
  Result<std::string> folder_of(Source source) const;

  Engine::State& state_;
  const Settings& settings_;
  EmbeddingRequest request_;
  std::optional<std::chrono::steady_clock::time_point> end_;
  std::shared_ptr<model::EmbeddingClient> client_;
  search::VectorSpace space_;
  std::vector<float> query_;
  std::string problem_;
};

}  // namespace knapsack
