#include "engine/recipes/graph/graph_document.h"

#include <nlohmann/json.hpp>

#include "packet/budget.h"

namespace knapsack {
namespace {

using Json = nlohmann::ordered_json;

Json node_document(const GraphPacket& made, const PacketItem& item) {
  const nlohmann::json& node = made.nodes.at(item.candidate.id);
  const Form& form = item.candidate.forms[*item.shown];
  Json components = Json::object();
  for (const auto& component : item.candidate.score.components) {
    components[component.name] = static_cast<int64_t>(component.value);
  }
  Json document = {{"id", item.candidate.id},
                   {"title", item.candidate.title},
                   {"score", static_cast<int64_t>(item.candidate.score.total)},
                   {"components", components},
                   {"why", item.candidate.provenance},
                   {"form", to_string(form.kind)},
                   {"tokens", item.tokens}};
  if (form.kind == FormKind::kFull) {
    document["node"] = node;
  } else {
    document["text"] = form.text;
    document["reason"] = item.reason;
  }
  return document;
}

Json snapshot(const GraphPacket& made, std::string_view key) {
  Json list = Json::array();
  for (const PacketSection& section : made.packet.sections) {
    if (section.key != key) continue;
    for (const PacketItem& item : section.items) {
      if (item.shown) list.push_back(node_document(made, item));
    }
  }
  return list;
}

Json entities(const GraphSession& session, const GraphAnswer& answer) {
  Json list = Json::array();
  for (const graph::Entity& entity : answer.entities.found) {
    Json one = {{"id", session.index.id(entity.node)}, {"match", entity.by_id ? "id" : "words"}};
    if (!entity.by_id) one["words"] = entity.words;
    list.push_back(std::move(one));
  }
  return list;
}

Json active_tasks(const GraphSession& session, const GraphAnswer& answer) {
  Json list = Json::array();
  for (const graph::SelectedNode& task : answer.selection.of(graph::Layer::kTask).chosen) {
    if (is_active(session.index.node(task.node).state)) list.push_back(session.index.id(task.node));
  }
  return list;
}

Json deltas(const GraphAnswer& answer, const Packet& packet) {
  Json list = Json::array();
  const auto& items = packet.sections.back().items;
  for (size_t i = 0; i < answer.deltas.rows.size(); ++i) {
    if (!items[i].shown) continue;
    const graph::Delta& delta = answer.deltas.rows[i];
    Json row = {
        {"layer", to_string(delta.layer)}, {"id", delta.id}, {"change", delta.change}, {"at", delta.at}};
    if (!delta.commit_id.empty()) row["commit_id"] = delta.commit_id;
    list.push_back(std::move(row));
  }
  return list;
}

Json omitted(const Packet& packet) {
  Json list = Json::array();
  for (const PacketSection& section : packet.sections) {
    for (const PacketItem& item : section.items) {
      if (!item.shown)
        list.push_back({{"id", item.candidate.id}, {"title", item.candidate.title}, {"reason", item.reason}});
    }
  }
  return list;
}

}  // namespace

Json graph_document(const GraphSession& session, const GraphAnswer& answer, const GraphPacket& made,
                    const RequestIdentity& identity) {
  const Packet& packet = made.packet;
  Json document = {{"request_id", identity.id},
                   {"request_seq", identity.seq},
                   {"run_id", packet.run_id},
                   {"status", name_of(packet.status)},
                   {"warnings", packet.warnings},
                   {"generated_at", format_rfc3339(packet.generated)},
                   {"intent", to_string(answer.intent.intent)},
                   {"intent_reason", answer.intent.reason},
                   {"entities", entities(session, answer)},
                   {"unknown_ids", answer.entities.unknown_ids},
                   {"goal", answer.goal},
                   {"active_tasks", active_tasks(session, answer)},
                   {"task_snapshot", snapshot(made, "tasks")},
                   {"decision_snapshot", snapshot(made, "decisions")},
                   {"knowledge_snapshot", snapshot(made, "knowledge")},
                   {"recent_deltas", deltas(answer, packet)},
                   {"critical_info_missing", !answer.critical_reasons.empty()},
                   {"critical_reasons", answer.critical_reasons}};
  if (answer.suggested && answer.applied_task_id.empty()) {
    document["clarify_suggestion"] = {{"title", answer.clarification.title},
                                      {"questions", answer.clarification.questions}};
  }
  if (!answer.applied_task_id.empty()) document["clarify_applied_task_id"] = answer.applied_task_id;
  const std::string& commit =
      answer.applied_commit_id.empty() ? answer.deltas.anchor : answer.applied_commit_id;
  if (!commit.empty()) document["commit_id"] = commit;
  document["tokenizer"] = packet.tokenizer;
  if (packet.budget < kMaxBudget) document["budget"] = packet.budget;
  document["used"] = packet.used;
  document["omitted"] = omitted(packet);
  return document;
}

}  // namespace knapsack
