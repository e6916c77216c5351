#include "graph/store/node_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "text/json_members.h"
#include "text/unicode/utf8.h"

namespace knapsack::graph {
namespace {

using Json = nlohmann::json;

bool is_control(char c) {
  return static_cast<unsigned char>(c) < 0x20 || c == 0x7F;
}

// Line feeds stay where a text may have several lines.
std::string clean(std::string text, bool lines) {
  std::replace_if(
      text.begin(), text.end(), [&](char c) { return is_control(c) && !(lines && c == '\n'); }, ' ');
  // C1 control characters are two bytes in UTF-8.
  for (size_t at = 0; (at = text.find('\xC2', at)) != std::string::npos && at + 1 < text.size(); ++at) {
    if (static_cast<unsigned char>(text[at + 1]) < 0xA0) text.replace(at, 2, "  ");
  }
  return text;
}

std::string shorten(std::string text, size_t characters) {
  size_t at = 0;
  for (size_t count = 0; at < text.size() && count < characters; ++count) {
    at += decode_code_point(std::string_view(text).substr(at)).size;
  }
  if (at < text.size()) text.replace(at, std::string::npos, "…");
  return text;
}

std::string value_text(const Json& value) {
  return clean(value.is_string() ? value.get<std::string>()
                                 : value.dump(-1, ' ', false, Json::error_handler_t::replace),
               true);
}

void add_line(std::string& out, std::string_view label, const std::string& text) {
  if (text.empty()) return;
  out += fmt::format("{}:{}{}\n", label, text.front() == '\n' ? "" : " ", text);
}

// An entry of a log reads as a line; other objects stay JSON.
std::string item_text(const Json& item) {
  if (!item.is_object() || !item.contains("text") || !item["text"].is_string()) return value_text(item);
  std::string line;
  for (const auto& [key, value] : item.items()) {
    if (key != "text") line += (line.empty() ? "" : ", ") + value_text(value);
  }
  return line.empty() ? value_text(item["text"]) : fmt::format("{}: {}", line, value_text(item["text"]));
}

// Ids and tags stand in one line; sentences have one each.
bool is_plain(const Json& item) {
  constexpr size_t kMaxPlain = 60;
  const auto* text = item.get_ptr<const std::string*>();
  return text != nullptr && text->size() < kMaxPlain && text->find_first_of(" \n") == std::string::npos;
}

// What fields of references are called in words.
std::string label_of(const std::string& field) {
  constexpr std::pair<const char*, const char*> kLabels[] = {
      {"kg_refs", "knowledge"}, {"rg_refs", "decisions"}, {"tg_refs", "tasks"}};
  for (const auto& [name, label] : kLabels) {
    if (field == name) return label;
  }
  return clean(field, false);
}

void add_list(std::string& out, const Json& node, const char* key, std::string_view label) {
  const auto found = node.find(key);
  if (found == node.end() || !found->is_array() || found->empty()) return;
  std::string list;
  const bool plain = std::all_of(found->begin(), found->end(), is_plain);
  for (const Json& each : *found) {
    const std::string text = item_text(each);
    list += plain ? (list.empty() ? "" : ", ") + text : fmt::format("\n- {}", text);
  }
  add_line(out, label, list);
}

void add_object(std::string& out, const Json& node, const char* key) {
  const auto found = node.find(key);
  if (found == node.end() || !found->is_object()) return;
  for (const auto& [name, value] : found->items()) {
    if (value.empty()) continue;
    if (value.is_array()) {
      add_list(out, *found, name.c_str(), label_of(name));
    } else {
      add_line(out, label_of(name), value_text(value));
    }
  }
}

void add_relationships(std::string& out, const Json& node) {
  const auto found = node.find("relationships");
  if (found == node.end() || !found->is_array()) return;
  for (const Json& each : *found) {
    if (!each.is_object()) continue;
    const std::string rel = clean(text_member(each, "rel"), false),
                      target = clean(text_member(each, "target_id"), false);
    if (!target.empty()) out += fmt::format("{} {}\n", rel.empty() ? "related to" : rel, target);
  }
}

void add_evidence(std::string& out, const Json& node) {
  const auto found = node.find("evidence");
  if (found == node.end() || !found->is_array()) return;
  for (const Json& each : *found) {
    if (!each.is_object()) continue;
    std::string line = clean(text_member(each, "source_id"), false);
    const auto confidence = each.find("confidence");
    if (confidence != each.end()) line += fmt::format(" (confidence {})", value_text(*confidence));
    const std::string excerpt = clean(text_member(each, "excerpt"), true);
    if (!excerpt.empty()) line += (line.empty() ? "" : ": ") + excerpt;
    add_line(out, "evidence", line);
  }
}

std::string main_text(const Json& node, Layer layer) {
  const char* key = layer == Layer::kKnowledge   ? "summary"
                    : layer == Layer::kReasoning ? "decision"
                                                 : "description";
  return clean(text_member(node, key), true);
}

std::string body_of(const Json& node, Layer layer) {
  std::string out = main_text(node, layer);
  if (!out.empty()) out += '\n';
  add_list(out, node, "tags", "tags");
  switch (layer) {
    case Layer::kKnowledge:
      add_object(out, node, "attributes");
      add_relationships(out, node);
      add_evidence(out, node);
      break;
    case Layer::kReasoning:
      add_line(out, "context", clean(text_member(node, "context"), true));
      for (const char* key : {"rationale", "alternatives", "assumptions", "risks", "validation"}) {
        add_list(out, node, key, key);
      }
      if (const auto outcome = node.find("outcome"); outcome != node.end() && outcome->is_object()) {
        add_list(out, *outcome, "supersedes", "supersedes");
        add_line(out, "notes", clean(text_member(*outcome, "notes"), true));
      }
      add_object(out, node, "refs");
      break;
    case Layer::kTask:
      add_line(out, "priority", node.contains("priority") ? value_text(node["priority"]) : "");
      add_line(out, "owner", clean(text_member(node, "owner_role"), false));
      add_list(out, node, "dependencies", "depends on");
      add_list(out, node, "blocks", "blocks");
      add_list(out, node, "acceptance_criteria", "done when");
      add_object(out, node, "inputs");
      add_object(out, node, "outputs");
      add_list(out, node, "log", "log");
      break;
  }
  add_list(out, node, "links", "links");
  return out;
}

std::string state_text(const Json& node) {
  const auto outcome = node.find("outcome");
  const std::string state = outcome != node.end() && outcome->is_object() ? text_member(*outcome, "status")
                                                                          : text_member(node, "status");
  return clean(state, false);
}

}  // namespace

std::string shown_title(const Json& node) {
  const std::string title = clean(text_member(node, "title"), false);
  return shorten(title.empty() ? "(no title)" : title, kMaxShownTitle);
}

std::string title_line(const Json& node) {
  const std::string state = shorten(state_text(node), 40);
  const std::string type = shorten(clean(text_member(node, "type"), false), 40);
  std::string kind = type;
  if (!state.empty()) kind += (kind.empty() ? "" : ", ") + state;
  const std::string line = fmt::format("{} {}", clean(text_member(node, "id"), false), shown_title(node));
  return kind.empty() ? line : fmt::format("{} ({})", line, kind);
}

std::vector<Form> forms_of(const Json& node, Layer layer, const std::string& why) {
  const std::string title = title_line(node);
  const std::string reason = why.empty() ? "" : "why: " + why + "\n";
  std::string body = body_of(node, layer);
  std::string summary = shorten(main_text(node, layer), kMaxShownSummary);
  if (!summary.empty()) summary += '\n';
  std::vector<Form> forms = {{FormKind::kFull, title + "\n\n" + reason + body}};
  if (!summary.empty() && summary.size() < body.size()) {
    forms.push_back({FormKind::kReduced, title + "\n\n" + reason + summary});
  }
  if (!body.empty() || !reason.empty()) forms.push_back({FormKind::kTitle, title});
  return forms;
}

}  // namespace knapsack::graph
