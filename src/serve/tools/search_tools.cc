// The tool that searches all sources.
#include <fmt/format.h>

#include <algorithm>

#include "serve/call.h"
#include "serve/reply_fit.h"
#include "serve/schema.h"

namespace knapsack::serve {
namespace {

constexpr uint64_t kSearchTokens = 4'000;
constexpr uint64_t kSearchResults = 10;
// A character has at most four bytes.
constexpr uint64_t kMaxQueryCharacters = kMaxQueryBytes / 4;

std::string hit_line(const SearchHit& hit) {
  return fmt::format("{} {}\n{}", to_string(hit.source), hit.heading(), hit.shown("    "));
}

Json row_of(const SearchHit& hit) {
  return {{"source", to_string(hit.source)}, {"id", hit.id}, {"path", hit.path}, {"line", hit.line}};
}

Result<ToolReply> search(const Call& call) {
  SearchRequest request;
  request.query = call.text("query");
  request.sources = call.list("sources");
  request.limit = call.whole("limit");
  request.index_progress = call.index_progress();
  request.stop = call.caller.stop;
  KNAPSACK_TRY(const SearchReply found, call.engine.search(request));
  const std::string run = found.run ? found.run_id : "";  // only what explain_packet would find
  return fit_rows(call, found.hits.size(), [&](size_t shown) {
    std::string text;
    Json rows = Json::array();
    for (size_t i = 0; i < shown; ++i) {
      text += hit_line(found.hits[i]);
      rows.push_back(row_of(found.hits[i]));
    }
    const size_t left_out = found.found - std::min(found.found, shown);
    if (found.hits.empty()) text = "Nothing matches.\n";
    if (left_out > 0) text += fmt::format("{} more match.\n", left_out);
    return make_reply(call, std::move(text),
                      {{"run", run},
                       {"status", name_of(found.status)},
                       {"results", std::move(rows)},
                       {"left_out", left_out},
                       {"warnings", shown_warnings(found.notices)}},
                      run);
  });
}

}  // namespace

std::vector<ToolEntry> search_tools() {
  using namespace schema;
  return {
      {{"search", "Search everything",
        "Finds where something is, in code, notes, memories and graph: a name gives its definition first. "
        "Words, "
        "\"phrases\" and -excluded words. To understand a task use pack, not many searches.",
        object(
            {{"query!", text(kMaxQueryCharacters)},
             {"sources",
              {{"type", "array"}, {"items", one_of({"code", "notes", "memory", "graph"})}, {"maxItems", 4}}},
             {"limit", whole(1, kMaxSearchResults, kSearchResults)},
             {"max_tokens", max_tokens(kSearchTokens)}}),
        object({{"workspace!", any_text()},
                {"run!", any_text()},
                {"status", any_text()},
                {"results!", rows(object({{"source", any_text()},
                                          {"id", any_text()},
                                          {"path", any_text()},
                                          {"line", any_whole()}}))},
                {"left_out", any_whole()},
                {"warnings", texts()},
                {"text!", any_text()}})},
       search},
  };
}

}  // namespace knapsack::serve
