// Nodes of the graph as results of `search`.
#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "core/ids.h"
#include "engine/recipes/graph/graph_session.h"
#include "engine/sources/search_source.h"
#include "graph/select/node_search.h"
#include "graph/store/node_text.h"

namespace knapsack {
namespace {

class GraphSource final : public SearchSource {
 public:
  explicit GraphSource(GraphSession session) : session_(std::move(session)) {}

  Source source() const override { return Source::kGraph; }
  std::string folder() const override { return session_.shown_as; }

  std::vector<std::string> warnings() const override {
    if (session_.index.problem_count == 0) return {};
    return {fmt::format("{} lines of {} cannot be read: `knapsack graph validate` names them",
                        session_.index.problem_count, session_.shown_as)};
  }

  Result<std::vector<SourceHit>> by_words(const std::string& words, size_t limit) override {
    std::vector<SourceHit> hits;
    for (const graph::FoundNode& each : graph::find_nodes(session_.index, words, limit))
      hits.push_back({each.node, 0, {each.score, {{"words", each.score}}}});
    return hits;
  }

  Result<std::vector<SourceUnit>> units() override {
    std::vector<SourceUnit> units;
    for (uint32_t node = 0; node < session_.index.size(); ++node) {
      const graph::NodeRecord& record = session_.index.node(node);
      if (!record.exists() || graph::is_retired(record.state)) continue;
      const std::string content = fmt::format("{:016x}", session_.index.history(node).content);
      units.push_back({node, 0, hash_parts({session_.index.id(node), content})});
    }
    return units;
  }

  Result<SourceText> text(uint32_t item, uint32_t) override {
    uint64_t secrets = 0;
    KNAPSACK_TRY(const nlohmann::json node, session_.shown_node(item, secrets));
    const graph::Layer layer = session_.index.node(item).layer;
    std::string text = graph::forms_of(node, layer, "").front().text;
    // The first line repeats id and title.
    const size_t body = text.find("\n\n");
    text = body == std::string::npos ? "" : text.substr(body + 2);
    return SourceText{std::string(session_.index.id(item)),
                      join_path(session_.shown_as, graph::file_of(layer)), 0, graph::shown_title(node),
                      std::move(text)};
  }

 private:
  GraphSession session_;
};

}  // namespace

OpenedSource open_graph_source(Engine::State& state, const SearchRequest& request) {
  KNAPSACK_TRY(GraphSession session, GraphSession::open(state, request.settings));
  const auto info = state.files->info(session.folder);
  if (!info.ok() && info.error().code == ErrorCode::kNotFound) return std::unique_ptr<SearchSource>();
  session.finish_interrupted_change();
  KNAPSACK_CHECK(session.read(GraphSession::Access::kWrite));
  return std::unique_ptr<SearchSource>(std::make_unique<GraphSource>(std::move(session)));
}

}  // namespace knapsack
