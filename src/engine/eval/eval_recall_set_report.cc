#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "core/escape.h"
#include "engine/eval/eval_recall_set.h"

namespace knapsack {
namespace {

using Json = nlohmann::ordered_json;

Json figures_json(const RecallSetFigures& figures) {
  return {{"prompts", figures.prompts},       {"precision", figures.precision()},
          {"recall", figures.recall()},       {"shown", figures.shown},
          {"right", figures.right},           {"expected", figures.expected},
          {"unanswered", figures.unanswered}, {"silent", figures.silent}};
}

std::string figures_row(const std::string& name, const RecallSetFigures& figures) {
  const auto share = [](double value, size_t of) {
    return of == 0 ? std::string("–") : fmt::format("{:.1f}", 100 * value);
  };
  return fmt::format("| {} | {} | {} | {} | {:.1f} | {} of {} |\n", escape_control(name), figures.prompts,
                     share(figures.precision(), figures.shown), share(figures.recall(), figures.expected),
                     static_cast<double>(figures.shown) / static_cast<double>(figures.prompts),
                     figures.silent, figures.unanswered);
}

std::string figures_head(const char* first) {
  return fmt::format(
      "| {} | prompts | precision | recall | shown per prompt | rightly nothing |\n"
      "|---|---:|---:|---:|---:|---:|\n",
      first);
}

}  // namespace

std::string recall_set_json(const RecallSetReport& report) {
  Json json = {{"version", report.version}};
  for (const RecallSetMethodReport& method : report.methods) {
    Json one = {{"overall", figures_json(method.overall)},
                {"superseded",
                 {{"found", method.superseded},
                  {"right", method.rightly_superseded},
                  {"expected", method.replaced}}}};
    for (const auto& [kind, figures] : method.kinds) one["by kind"][kind] = figures_json(figures);
    one["misses"] = Json::array();
    for (const RecallSetMiss& miss : method.misses)
      one["misses"].push_back({{"prompt", miss.prompt}, {"missing", miss.missing}, {"wrong", miss.wrong}});
    json["methods"][method.method] = std::move(one);
  }
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

std::string recall_set_markdown(const RecallSetReport& report) {
  std::string text = fmt::format("# Recall on a set of memories, knapsack {}\n\n", report.version);
  if (report.methods.empty()) return text;
  text += figures_head("method");
  for (const RecallSetMethodReport& method : report.methods)
    text += figures_row(method.method, method.overall);
  const RecallSetMethodReport& first = report.methods.front();
  text += fmt::format("\n## {} by kind\n\n", first.method) + figures_head("kind");
  for (const auto& [kind, figures] : first.kinds) text += figures_row(kind, figures);
  if (first.replaced > 0) {
    text += fmt::format("\nSuperseded: {} of {} that were replaced, {} others.\n", first.rightly_superseded,
                        first.replaced, first.superseded - first.rightly_superseded);
  }
  if (!first.misses.empty()) text += "\n## Not as the set has it\n\n";
  for (const RecallSetMiss& miss : first.misses) {
    text += fmt::format("- {}:", escape_control(miss.prompt));
    if (!miss.missing.empty()) text += fmt::format(" without {}", fmt::join(miss.missing, ", "));
    if (!miss.wrong.empty()) text += fmt::format(" with {}", fmt::join(miss.wrong, ", "));
    text += "\n";
  }
  return text;
}

}  // namespace knapsack
