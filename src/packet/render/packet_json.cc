#include "packet/render/packet_json.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "packet/render/group_view.h"
#include "text/unicode/visible_text.h"

namespace knapsack {
namespace {

using Json = nlohmann::ordered_json;

Json score_json(const Score& score) {
  Json components = Json::object();
  for (const auto& component : score.components) components[component.name] = component.value;
  return {{"total", score.total}, {"components", components}};
}

Json item_json(const PacketItem& item) {
  Json json = {{"id", item.candidate.id},
               {"source", to_string(item.candidate.source)},
               {"kind", item.candidate.kind},
               {"title", item.candidate.title},
               {"form", to_string(item.candidate.forms[*item.shown].kind)},
               {"tokens", item.tokens},
               {"full_tokens", item.full_tokens},
               {"score", score_json(item.candidate.score)},
               {"provenance", item.candidate.provenance}};
  if (item.candidate.group) {
    json["file"] = item.candidate.group->id;
  } else {
    json["text"] = item.candidate.forms[*item.shown].text;
  }
  if (!item.reason.empty()) json["reason"] = item.reason;
  return json;
}

Json file_json(const CandidateGroup& group, const GroupView& view) {
  Json parts = Json::array();
  for (const LineRange range : view.ranges) {
    parts.push_back({{"first_line", range.first}, {"last_line", range.last}, {"text", group.lines(range)}});
  }
  Json signatures = Json::array();
  for (const OutlineLine& line : view.outline)
    signatures.push_back({{"line", line.line}, {"text", line.text}});
  return {{"path", group.id},
          {"language", group.language},
          {"about", group.about},
          {"parts", parts},
          {"signatures", signatures}};
}

// Between files that are shown, whether or not the text has room to say so.
Json edges_json(const Packet& packet, const std::vector<GroupView>& views) {
  const auto is_shown = [&](const std::shared_ptr<const CandidateGroup>& group) {
    const auto place = std::find(packet.groups.begin(), packet.groups.end(), group);
    return place != packet.groups.end() && views[static_cast<size_t>(place - packet.groups.begin())].shown;
  };
  Json edges = Json::array();
  for (const auto& section : packet.sections) {
    for (const auto& item : section.items) {
      const auto& needs = item.candidate.needs;
      if (item.candidate.role != CandidateRole::kConnection || !is_shown(needs[0]) || !is_shown(needs[1]))
        continue;
      edges.push_back({{"from", needs[0]->id}, {"to", needs[1]->id}, {"kind", "imports"}});
    }
  }
  return edges;
}

}  // namespace

std::string packet_json(const Packet& packet) {
  const auto views = view_groups(packet);
  Json sections = Json::array();
  Json omitted = Json::array();
  for (const auto& section : packet.sections) {
    Json items = Json::array();
    for (const auto& item : section.items) {
      if (item.shown) {
        items.push_back(item_json(item));
      } else {
        omitted.push_back({{"id", item.candidate.id}, {"section", section.key}, {"reason", item.reason}});
        if (item.candidate.stands_for > 1) omitted.back()["count"] = item.candidate.stands_for;
      }
    }
    sections.push_back(
        {{"key", section.key}, {"heading", section.heading}, {"tier", section.tier}, {"items", items}});
  }
  Json preambles = Json::array();
  for (const auto& preamble : packet.preambles) {
    if (preamble.lines.empty()) continue;
    preambles.push_back(
        {{"key", to_string(preamble.kind)}, {"heading", preamble.heading}, {"lines", preamble.lines}});
  }
  Json files = Json::array();
  for (size_t g = 0; g < views.size(); ++g) {
    if (views[g].shown) files.push_back(file_json(*packet.groups[g], views[g]));
  }
  Json json = {{"run_id", packet.run_id},
               {"task_id", packet.task_id},
               {"status", name_of(packet.status)},
               {"warnings", packet.warnings},
               {"generated", format_rfc3339(packet.generated)},
               {"tokenizer", packet.tokenizer},
               {"budget", packet.budget},
               {"margin", packet.margin},
               {"used", packet.used},
               {"used_counts", "the content as the md format prints it"},
               {"title", packet.title},
               {"preambles", preambles},
               {"files", files},
               {"sections", sections},
               {"omitted", omitted},
               {"behind_stop", packet.behind_stop},
               {"edges", edges_json(packet, views)}};
  make_visible(json);
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace knapsack
