#include "engine/recipes/search/search_document.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "core/escape.h"
#include "text/unicode/visible_text.h"

namespace knapsack {
namespace {

using Json = nlohmann::ordered_json;

const char* on_off(bool on) {
  return on ? "on" : "off";
}

std::string components_text(const Score& score) {
  std::string text;
  for (const ScoreComponent& part : score.components)
    text += fmt::format("{}{} {:.3f}", text.empty() ? "" : ", ", part.name, part.value);
  return text;
}

}  // namespace

std::string SearchHit::place() const {
  if (source == Source::kMemory || source == Source::kGraph || path.empty()) return id;
  return line > 0 ? fmt::format("{}:{}", path, line) : path;
}

std::string SearchHit::heading() const {
  return title == path ? place() : place() + "  " + title;
}

std::string SearchHit::shown(std::string_view margin) const {
  std::string text;
  for (size_t at = 0; at < snippet.size();) {
    const size_t end = std::min(snippet.find('\n', at), snippet.size());
    text += fmt::format("{}{}\n", margin, escape_control(snippet.substr(at, end - at)));
    at = end + 1;
  }
  return text;
}

std::string search_text(const SearchReply& reply, const SearchSettings& settings, bool explain) {
  std::string out;
  if (explain) {
    out += fmt::format("mode {}; fusion {}; rerank {}; mmr {}\n", reply.mode, settings.fusion,
                       on_off(settings.rerank), on_off(settings.mmr));
    for (const SearchedSource& each : reply.sources) {
      out += fmt::format("{}{}{}: {} found{}\n", to_string(each.source),
                         each.repository.empty() ? "" : " of ", escape_control(each.repository), each.found,
                         each.problem.empty() ? "" : "; " + escape_control(each.problem));
    }
    out += '\n';
  }
  if (reply.hits.empty()) out += "Nothing matches.\n";
  // Whoever reads the list alone must not take it for all there is.
  for (const SearchedSource& each : reply.sources) {
    if (each.problem.empty() || explain) continue;
    const bool is_own = each.repository.empty();
    out += fmt::format("  incomplete: {}{}{}: {}\n", to_string(each.source), is_own ? "" : " of ",
                       escape_control(each.repository), escape_control(each.problem));
  }
  size_t rank = 0;
  for (const SearchHit& hit : reply.hits) {
    out += fmt::format("{}. {}  {}  ({:.3f})\n", ++rank, to_string(hit.source), escape_control(hit.heading()),
                       hit.score.total);
    out += hit.shown("   ");
    if (explain) out += fmt::format("   = {}\n", components_text(hit.score));
  }
  if (reply.found > reply.hits.size()) {
    out += fmt::format("  … and {} more; a limit of {} shows them\n", reply.found - reply.hits.size(),
                       std::min(reply.found, kMaxSearchResults));
  }
  return out;
}

std::string search_json(const SearchReply& reply, const SearchRequest& request,
                        const SearchSettings& settings) {
  Json json = {{"run_id", reply.run_id}, {"query", request.query},    {"status", name_of(reply.status)},
               {"mode", reply.mode},     {"fusion", settings.fusion}, {"rerank", settings.rerank},
               {"mmr", settings.mmr},    {"warnings", reply.notices}, {"sources", Json::array()},
               {"found", reply.found},   {"results", Json::array()}};
  for (const SearchedSource& each : reply.sources) {
    Json source = {{"source", to_string(each.source)}, {"found", each.found}};
    if (!each.repository.empty()) source["repository"] = each.repository;
    if (!each.problem.empty()) source["problem"] = each.problem;
    json["sources"].push_back(std::move(source));
  }
  size_t rank = 0;
  for (const SearchHit& hit : reply.hits) {
    Json result = {{"rank", ++rank}, {"source", to_string(hit.source)}, {"id", hit.id}};
    if (!hit.repository.empty()) result["repository"] = hit.repository;
    if (!hit.path.empty()) result["path"] = hit.path;
    if (hit.line > 0) result["line"] = hit.line;
    result["title"] = hit.title;
    result["snippet"] = hit.snippet;
    result["score"] = hit.score.total;
    result["components"] = Json::object();
    for (const ScoreComponent& part : hit.score.components) result["components"][part.name] = part.value;
    json["results"].push_back(std::move(result));
  }
  make_visible(json);
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace knapsack
