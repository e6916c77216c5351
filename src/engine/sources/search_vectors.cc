#include "engine/sources/search_vectors.h"

#include <fmt/format.h>

#include <algorithm>
#include <unordered_set>

#include "search/vectors/embed_missing.h"
#include "store/state_folder.h"
#include "text/secrets/redact.h"
#include "text/unicode/utf8.h"

namespace knapsack {
namespace {

// Several parts of one item may be near; so many times as many parts as items are looked at.
constexpr size_t kPartsPerItem = 8;

std::string embedded_text(std::string whole) {
  if (whole.size() > kMaxEmbeddedBytes) whole.resize(kMaxEmbeddedBytes);
  return replace_invalid_utf8(whole);  // a character that was cut, too
}

std::vector<search::VectorUnit> vector_units(const std::vector<SourceUnit>& units,
                                             const std::function<bool(uint32_t item)>& wanted = {}) {
  std::vector<search::VectorUnit> chosen;
  for (uint32_t i = 0; i < units.size(); ++i) {
    if (!wanted || wanted(units[i].item)) chosen.push_back({units[i].hash, i});
  }
  return chosen;
}

}  // namespace

std::string vector_folder(const std::string& state_folder, Source source) {
  return join_path(join_path(state_folder, "vectors"), to_string(source));
}

bool VectorSearch::configured() const {
  return state_.given_embeddings != nullptr || !request_.model.empty() || !request_.url.empty();
}

Result<std::vector<float>> VectorSearch::embed(const std::vector<std::string>& texts,
                                               std::chrono::milliseconds deadline) {
  if (end_) {
    const auto left =
        std::chrono::duration_cast<std::chrono::milliseconds>(*end_ - std::chrono::steady_clock::now());
    if (left.count() <= 0) {
      return Error{
          ErrorCode::kBusy,
          fmt::format("the embedding model took longer than {} s", request_.most_time->count() / 1000.0),
          "what it answered is kept: ask again, or embed everything with `knapsack search`"};
    }
    deadline = std::min(deadline, left);
  }
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
    if (request_.model.empty() || request_.url.empty()) {
      problem_ = "an embedding model needs a name and an address: give `embed_model` and `embed_url`";
      return ok_status();
    }
    model::ModelOptions options;
    options.model = request_.model;
    options.base_url = request_.url;
    options.provider = settings_.search.vectors == "none" ? "auto" : settings_.search.vectors;
    options.environment = state_.options.environment;
    KNAPSACK_TRY(client_, model::make_embedding_client(options));
  }
  space_.model = client_->model();
  if (const auto encoding = search::parse_vector_encoding(settings_.search.vector_encoding))
    space_.encoding = *encoding;
  std::string query = words;
  redact_secrets(query);
  query = embedded_text(std::move(query));
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
  KNAPSACK_TRY(const std::string state_folder, ensure_state_folder(*state_.files, state_.workspace.path));
  std::string folder = vector_folder(state_folder, source);
  KNAPSACK_CHECK(state_.files->make_directory(parent_path(folder)));
  KNAPSACK_CHECK(state_.files->make_directory(folder));
  return folder;
}

Result<EmbeddedTexts> VectorSearch::embed_texts(VectorTexts texts) {
  const std::vector<search::VectorUnit> wanted = vector_units(texts.units);
  KNAPSACK_TRY(const std::string folder, folder_of(texts.source));
  KNAPSACK_TRY(auto store, search::VectorStore::open(*state_.files, folder, space_, {state_.on_disk}));
  const auto text_of = [&](const search::VectorUnit& unit) -> Result<std::string> {
    KNAPSACK_TRY(const SourceText text, texts.text(texts.units[unit.unit]));
    return embedded_text(text.title + "\n" + text.text);
  };
  const std::chrono::milliseconds timeout = std::chrono::seconds(settings_.model_timeout_seconds);
  const auto ask = [&](const std::vector<std::string>& some) { return embed(some, timeout); };
  const auto tell = [&](const search::EmbedProgress& progress) {
    if (request_.progress) request_.progress({texts.source, progress.done, progress.total});
  };
  KNAPSACK_CHECK(search::embed_missing(store, wanted, text_of, ask, tell));
  std::vector<std::string_view> live(texts.kept.begin(), texts.kept.end());
  for (const SourceUnit& each : texts.units) live.push_back(each.hash);
  KNAPSACK_CHECK(store.tidy(live));
  return EmbeddedTexts(std::move(store), std::move(texts.units), query_);
}

std::vector<SourceHit> EmbeddedTexts::nearest(size_t limit,
                                              const std::function<bool(uint32_t item)>& wanted) {
  std::vector<SourceHit> hits;
  std::unordered_set<uint32_t> seen;
  const auto near = store_.nearest(vector_units(units_, wanted), query_, limit * kPartsPerItem);
  for (const search::UnitNeighbour& each : near) {
    const SourceUnit& unit = units_[each.unit];
    if (each.score <= 0 || hits.size() == limit) break;
    if (seen.insert(unit.item).second)
      hits.push_back({unit.item, unit.part, {each.score, {{"meaning", each.score}}}});
  }
  return hits;
}

}  // namespace knapsack
