// VectorSearch: what is near a query in meaning, by an embedding model that somebody named. Fails open.
//
// Texts without a vector are embedded first, which the first time takes as long as the model does; a server
// that is not there, or answers nonsense, leaves a problem in words and the search goes on without meaning.
// One request, one thread.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "engine/search_source.h"
#include "model/embedding_client.h"
#include "search/vector_file.h"

namespace knapsack {

// A person waits for the query's own vector; texts have the time that model.timeout gives.
inline constexpr std::chrono::milliseconds kQueryDeadline{10'000};
// Of one text that is embedded: models see a few hundred to a few thousand tokens.
inline constexpr size_t kMaxEmbeddedBytes = 8'000;

class VectorSearch {
 public:
  VectorSearch(Engine::State& state, const Settings& settings, const SearchRequest& request)
      : state_(state), settings_(settings), request_(request) {}

  // Whether a model is named at all, by setting or flags.
  bool configured() const;
  // Asks for the vector of the query. kUsage for an address that cannot be one; everything else that goes
  // wrong is left in problem().
  Status start(const std::string& words);
  bool ready() const { return !query_.empty(); }
  const std::string& problem() const { return problem_; }

  // Items by their nearest part, best first; the score is the cosine.
  Result<std::vector<SourceHit>> nearest(SearchSource& source, size_t limit);

 private:
  Result<std::vector<float>> embed(const std::vector<std::string>& texts, std::chrono::milliseconds deadline);
  Result<std::string> folder_of(Source source) const;

  Engine::State& state_;
  const Settings& settings_;
  const SearchRequest& request_;
  std::shared_ptr<model::EmbeddingClient> client_;
  search::VectorSpace space_;
  std::vector<float> query_;
  std::string problem_;
};

}  // namespace knapsack
