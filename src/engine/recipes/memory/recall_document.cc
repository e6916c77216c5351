#include "engine/recipes/memory/recall_document.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "core/escape.h"
#include "text/unicode/visible_text.h"

namespace knapsack {
namespace {

using Json = nlohmann::ordered_json;

Json item_json(const PacketItem& item) {
  const Candidate& candidate = item.candidate;
  Json components = Json::object();
  for (const ScoreComponent& component : candidate.score.components)
    components[component.name] = component.value;
  Json json = {{"id", candidate.id},
               {"kind", candidate.kind},
               {"title", candidate.title},
               {"created", candidate.when ? Json(format_rfc3339(*candidate.when)) : Json()},
               {"score", {{"total", candidate.score.total}, {"components", components}}},
               {"provenance", candidate.provenance}};
  if (item.shown) {
    json["form"] = to_string(candidate.forms[*item.shown].kind);
    json["tokens"] = item.tokens;
    json["text"] = candidate.forms[*item.shown].text;
  }
  if (!item.reason.empty()) json["reason"] = item.reason;
  return json;
}

}  // namespace

std::string recall_document(const Packet& packet, const RecallPlan& plan, const UsedMeaning& meaning,
                            const std::string& as_of) {
  Json sections = Json::array(), omitted = Json::array();
  for (const PacketSection& section : packet.sections) {
    Json items = Json::array();
    for (size_t i = 0; i < section.items.size(); ++i) {
      const PacketItem& item = section.items[section.display_order.empty() ? i : section.display_order[i]];
      (item.shown ? items : omitted).push_back(item_json(item));
    }
    if (!items.empty())
      sections.push_back({{"key", section.key}, {"heading", section.heading}, {"items", std::move(items)}});
  }
  Json json = {
      {"run_id", packet.run_id},
      {"status", name_of(packet.status)},
      {"warnings", packet.warnings},
      {"generated", format_rfc3339(packet.generated)},
      {"plan", {{"mode", to_string(plan.mode)}, {"rule", plan.rule}, {"words", plan.words}}},
      {"meaning",
       {{"model", meaning.model.empty() ? Json() : Json(meaning.model)}, {"missing", meaning.missing}}},
      {"as_of", as_of},
      {"tokenizer", packet.tokenizer},
      {"budget", packet.budget},
      {"used", packet.used},
      {"sections", sections},
      {"omitted", omitted}};
  make_visible(json);
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

std::string recall_account(const Packet& packet, const RecallPlan& plan) {
  std::string out =
      fmt::format("\n## Why these memories\n\nmode {} by rule {}", to_string(plan.mode), plan.rule);
  if (!plan.words.empty()) out += fmt::format(" (\"{}\")", escape_control(plan.words));
  out += "\n\n";
  // What is there whatever was asked, the profile and what may not be recalled, has no score.
  const bool found_any = std::any_of(packet.sections.begin(), packet.sections.end(), [](const auto& section) {
    return std::any_of(section.items.begin(), section.items.end(),
                       [](const PacketItem& item) { return !item.candidate.score.components.empty(); });
  });
  if (!found_any && plan.mode != RecallMode::kNone)
    out += "No memory shares a word with the prompt or is clearly near it in meaning.\n";
  for (const PacketSection& section : packet.sections) {
    for (const PacketItem& item : section.items) {
      const Candidate& candidate = item.candidate;
      out += fmt::format("- {} | {}", escape_control(candidate.id),
                         item.shown ? to_string(candidate.forms[*item.shown].kind) : "left out");
      if (!candidate.score.components.empty()) {
        out += fmt::format(" | score {:.3f} =", candidate.score.total);
        for (const ScoreComponent& component : candidate.score.components)
          out += fmt::format(" {} {:+.3f}", component.name, component.value);
      }
      for (const std::string& line : candidate.provenance) out += " | " + escape_control(line);
      if (!item.reason.empty()) out += " | " + item.reason;
      out += '\n';
    }
  }
  return out;
}

}  // namespace knapsack
