#include "engine/search_vectors.h"

#include <fmt/format.h>

#include <algorithm>
#include <unordered_set>

#include "search/embed_missing.h"
#include "store/state_folder.h"
#include "text/redact.h"
#include "text/utf8.h"

namespace knapsack {
namespace {

// Several parts of one item may be near; so many times as many parts as items are looked at.
constexpr size_t kPartsPerItem = 8;

std::string embedded_text(const SourceText& text) {
  std::string whole = text.title + "\n" + text.text;
  if (whole.size() > kMaxEmbeddedBytes) whole.resize(kMaxEmbeddedBytes);
  return replace_invalid_utf8(whole);  // a character that was cut, too
}

}  // namespace

bool VectorSearch::configured() const {
  return state_.given_embeddings != nullptr || settings_.search.vectors != "none" ||
         !request_.embed_model.empty() || !request_.embed_url.empty();
}

Result<std::vector<float>> VectorSearch::embed(const std::vector<std::string>& texts,
                                               std::chrono::milliseconds deadline) {
  model::EmbeddingAnswer answer = client_->embed(texts, deadline);
  if (!answer.ok()) return Error{ErrorCode::kIo, answer.problem, ""};
  model::Embeddings& made = answer.embeddings;
  if (space_.dimensions == 0) space_.dimensions = made.dimensions;
  if (made.dimensions != space_.dimensions) {
    return Error{ErrorCode::kCorrupt,
                 fmt::format("the embedding model's vectors changed from {} to {} numbers", space_.dimensions,
                             made.dimensions),
                 "search again"};
  }
  for (size_t i = 0; i < texts.size(); ++i) {
    const auto vector = std::span(made.numbers).subspan(i * made.dimensions, made.dimensions);
    KNAPSACK_CHECK(search::normalise_vector(vector));
  }
  return std::move(made.numbers);
}

Status VectorSearch::start(const std::string& words) {
  client_ = state_.given_embeddings;
  if (!client_) {
    if (request_.embed_model.empty() || request_.embed_url.empty()) {
      problem_ = "an embedding model needs a name and an address: give --embed-model and --embed-url";
      return ok_status();
    }
    model::ModelOptions options;
    options.model = request_.embed_model;
    options.base_url = request_.embed_url;
    options.provider = settings_.search.vectors == "none" ? "auto" : settings_.search.vectors;
    options.environment = state_.options.environment;
    KNAPSACK_TRY(client_, model::make_embedding_client(options));
  }
  space_.model = client_->model();
  if (const auto encoding = search::parse_vector_encoding(settings_.search.vector_encoding))
    space_.encoding = *encoding;
  std::string query = replace_invalid_utf8(words);
  redact_secrets(query);
  const std::chrono::milliseconds timeout = std::chrono::seconds(settings_.model_timeout_seconds);
  auto vectors = embed({std::string(search::kSpaceProbe), query}, std::min(kQueryDeadline, timeout));
  if (!vectors.ok()) {
    problem_ = vectors.error().line();
    return ok_status();
  }
  const auto middle = vectors->begin() + static_cast<long>(space_.dimensions);
  space_.probe.assign(vectors->begin(), middle);
  query_.assign(middle, vectors->end());
  return ok_status();
}

Result<std::string> VectorSearch::folder_of(Source source) const {
  KNAPSACK_TRY(std::string folder, ensure_state_folder(*state_.files, state_.workspace.path));
  for (const std::string_view below : {std::string_view("vectors"), to_string(source)}) {
    folder = join_path(folder, below);
    KNAPSACK_CHECK(state_.files->make_directory(folder));
  }
  return folder;
}

Result<std::vector<SourceHit>> VectorSearch::nearest(SearchSource& source, size_t limit) {
  KNAPSACK_TRY(const std::vector<SourceUnit> units, source.units());
  std::vector<search::VectorUnit> wanted;
  for (uint32_t i = 0; i < units.size(); ++i) wanted.push_back({units[i].hash, i});
  KNAPSACK_TRY(const std::string folder, folder_of(source.source()));
  KNAPSACK_TRY(auto store, search::VectorStore::open(*state_.files, folder, space_));
  const auto text_of = [&](const search::VectorUnit& unit) -> Result<std::string> {
    KNAPSACK_TRY(const SourceText text, source.text(units[unit.unit].item, units[unit.unit].part));
    return embedded_text(text);
  };
  const std::chrono::milliseconds timeout = std::chrono::seconds(settings_.model_timeout_seconds);
  const auto ask = [&](const std::vector<std::string>& texts) { return embed(texts, timeout); };
  const auto tell = [&](const search::EmbedProgress& progress) {
    if (request_.progress) request_.progress({source.source(), progress.done, progress.total});
  };
  KNAPSACK_CHECK(search::embed_missing(store, wanted, text_of, ask, tell));
  std::vector<SourceHit> hits;
  std::unordered_set<uint32_t> seen;
  for (const search::UnitNeighbour& near : store.nearest(wanted, query_, limit * kPartsPerItem)) {
    const SourceUnit& unit = units[near.unit];
    if (near.score <= 0 || hits.size() == limit) break;
    if (seen.insert(unit.item).second)
      hits.push_back({unit.item, unit.part, {near.score, {{"meaning", near.score}}}});
  }
  return hits;
}

}  // namespace knapsack
