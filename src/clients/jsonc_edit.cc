#include "clients/jsonc_edit.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

namespace knapsack::clients {
namespace {

using nlohmann::ordered_json;

// How a file is written.
struct Style {
  std::string line_break = "\n";
  std::string unit = "  ";   // of indentation
  std::string colon = ": ";  // or ":" in a file without white space
  std::string comma = ", ";  // between things on one line
};

bool is_indent(char c) {
  return c == ' ' || c == '\t';
}

// The white space that the line of `at` begins with.
std::string_view indent_of_line(std::string_view text, size_t at) {
  const size_t feed = at == 0 ? std::string_view::npos : text.rfind('\n', at - 1);
  const size_t begin = feed == std::string_view::npos ? 0 : feed + 1;
  size_t end = begin;
  while (end < at && is_indent(text[end])) ++end;
  return text.substr(begin, end - begin);
}

// Whether only white space stands before it on its line.
bool begins_its_line(std::string_view text, size_t at) {
  const std::string_view indent = indent_of_line(text, at);
  return at > indent.size() && indent.data() + indent.size() == text.data() + at;
}

bool is_container(const JsonNode& node) {
  return node.kind == JsonNode::Kind::kObject || node.kind == JsonNode::Kind::kArray;
}

// The things in a container, as spans.
struct Span {
  size_t begin, end;
};
std::vector<Span> parts_of(const JsonNode& node) {
  std::vector<Span> parts;
  for (const JsonMember& member : node.members) parts.push_back({member.begin, member.value.end});
  for (const JsonNode& element : node.elements) parts.push_back({element.begin, element.end});
  return parts;
}

const JsonNode* first_child(const JsonNode& node) {
  if (!node.members.empty()) return &node.members.front().value;
  return node.elements.empty() ? nullptr : &node.elements.front();
}

// One step of indentation: what the first line that is deeper than the one around it adds.
std::string unit_of(std::string_view text, const JsonNode& node) {
  const auto parts = parts_of(node);
  if (!parts.empty() && begins_its_line(text, parts.front().begin)) {
    const std::string_view outer = indent_of_line(text, node.begin);
    const std::string_view inner = indent_of_line(text, parts.front().begin);
    if (inner.size() > outer.size() && inner.starts_with(outer))
      return std::string(inner.substr(outer.size()));
  }
  const JsonNode* child = first_child(node);
  return child != nullptr && is_container(*child) ? unit_of(text, *child) : "";
}

Style style_of(std::string_view text, const JsonNode& root) {
  Style style;
  style.line_break = line_break_of(text);
  if (std::string unit = unit_of(text, root); !unit.empty()) style.unit = std::move(unit);
  if (!root.members.empty()) {
    const JsonMember& first = root.members.front();
    const std::string_view between = text.substr(first.begin, first.value.begin - first.begin);
    if (between.ends_with(':')) {
      style.colon = ":";
      style.comma = ",";
    }
  }
  return style;
}

// Lists of plain values stay on one line, as people write them.
void render(const ordered_json& value, const Style& style, const std::string& indent, bool in_lines,
            std::string& out) {
  const bool opens = (value.is_object() || value.is_array()) && !value.empty();
  if (!opens) {
    out += value.dump();
    return;
  }
  const bool plain =
      value.is_array() &&
      std::none_of(value.begin(), value.end(), [](const ordered_json& each) { return each.is_structured(); });
  const bool lines = in_lines && !plain;
  const std::string inner = indent + style.unit;
  out += value.is_object() ? '{' : '[';
  bool first = true;
  for (const auto& [key, each] : value.items()) {
    if (!first) out += lines ? "," : style.comma;
    first = false;
    if (lines) out += style.line_break + inner;
    if (value.is_object()) out += ordered_json(key).dump() + style.colon;
    render(each, style, inner, lines, out);
  }
  if (lines) out += style.line_break + indent;
  out += value.is_object() ? '}' : ']';
}

// A container that goes over several lines, or an empty one in a file that does.
bool is_in_lines(std::string_view text, const JsonNode& root, const JsonNode& node) {
  const auto has_break = [&](const JsonNode& each) {
    return text.substr(each.begin, each.end - each.begin).find('\n') != std::string_view::npos;
  };
  if (has_break(node)) return true;
  return parts_of(node).empty() && (has_break(root) || parts_of(root).empty());
}

// Puts "key": value, or a bare value, behind the last thing in a container.
class Adder {
 public:
  Adder(std::string_view text, const JsonNode& root, const JsonNode& container)
      : text_(text),
        style_(style_of(text, root)),
        container_(container),
        parts_(parts_of(container)),
        in_lines_(is_in_lines(text, root, container)) {}

  std::vector<Insertion> add(const std::string& key, const ordered_json& value) const {
    const std::string indent = inner_indent();
    std::string thing = key.empty() ? "" : ordered_json(key).dump() + style_.colon;
    render(value, style_, indent, in_lines_, thing);
    return parts_.empty() ? into_empty(thing, indent) : behind_last(thing, indent);
  }

 private:
  std::string inner_indent() const {
    if (!parts_.empty() && begins_its_line(text_, parts_.back().begin))
      return std::string(indent_of_line(text_, parts_.back().begin));
    return std::string(indent_of_line(text_, container_.begin)) + style_.unit;
  }

  std::vector<Insertion> into_empty(const std::string& thing, const std::string& indent) const {
    if (!in_lines_) return {{container_.begin + 1, thing}};
    const size_t at = skip_blank_of_line(text_, container_.begin + 1);
    std::string inserted = style_.line_break + indent + thing;
    // The closing bracket stands on the same line: it goes to one of its own.
    if (at == container_.end - 1)
      inserted += style_.line_break + std::string(indent_of_line(text_, container_.begin));
    return {{at, inserted}};
  }

  std::vector<Insertion> behind_last(const std::string& thing, const std::string& indent) const {
    const size_t end = parts_.back().end;
    const size_t next = skip_blank(text_, end);
    const bool has_comma = next < text_.size() && text_[next] == ',';
    std::vector<Insertion> insertions;
    if (!has_comma) insertions.push_back({end, ","});
    if (!in_lines_) {
      const std::string space = style_.comma.substr(1);
      insertions.push_back({has_comma ? next + 1 : end, space + thing});
      return insertions;
    }
    // A comment behind the last thing on its line is about that one.
    size_t at = skip_blank_of_line(text_, has_comma ? next + 1 : end);
    if (at == container_.end - 1) at = has_comma ? next + 1 : end;
    insertions.push_back({at, style_.line_break + indent + thing});
    return insertions;
  }

  std::string_view text_;
  Style style_;
  const JsonNode& container_;
  std::vector<Span> parts_;
  bool in_lines_;
};

ordered_json nested(const std::vector<std::string>& path, size_t from, ordered_json value) {
  for (size_t i = path.size(); i > from; --i) {
    ordered_json outer = ordered_json::object();
    outer[path[i - 1]] = std::move(value);
    value = std::move(outer);
  }
  return value;
}

Error not_an(std::string_view text, std::string_view name, size_t at, const std::string& what,
             std::string_view kind) {
  const auto line = std::count(text.begin(), text.begin() + static_cast<ptrdiff_t>(at), '\n') + 1;
  return {ErrorCode::kConfig, fmt::format("{}:{}: {} is not an {}", name, line, what, kind),
          "correct it first"};
}

Result<std::vector<Insertion>> add(std::string_view text, std::string_view name,
                                   const std::vector<std::string>& path, const ordered_json& value,
                                   bool is_element) {
  KNAPSACK_TRY(const JsonDocument document, scan_jsonc(text, name));
  const ordered_json last = is_element ? ordered_json::array({value}) : value;
  if (document.is_blank) {
    std::string whole;
    Style style;
    style.line_break = line_break_of(text);
    render(nested(path, 0, last), style, "", true, whole);
    const bool own_line = text.empty() || text.back() == '\n' || text == "\xEF\xBB\xBF";
    return std::vector<Insertion>{
        {text.size(), (own_line ? "" : style.line_break) + whole + style.line_break}};
  }
  const JsonNode* node = &document.root;
  if (node->kind != JsonNode::Kind::kObject)
    return not_an(text, name, node->begin, "the top level", "object");
  const size_t objects = is_element ? path.size() : path.size() - 1;
  for (size_t i = 0; i < objects; ++i) {
    const JsonNode* next = node->find(path[i]);
    if (next == nullptr) return Adder(text, document.root, *node).add(path[i], nested(path, i + 1, last));
    const bool wants_array = is_element && i + 1 == path.size();
    const auto kind = wants_array ? JsonNode::Kind::kArray : JsonNode::Kind::kObject;
    if (next->kind != kind)
      return not_an(text, name, next->begin, "\"" + path[i] + "\"", wants_array ? "array" : "object");
    node = next;
  }
  return Adder(text, document.root, *node).add(is_element ? "" : path.back(), value);
}

std::string without_part(std::string_view text, const std::vector<Span>& parts, size_t index) {
  size_t begin = parts[index].begin, end = parts[index].end;
  while (begin > 0 && (is_indent(text[begin - 1]) || text[begin - 1] == '\n' || text[begin - 1] == '\r'))
    --begin;
  const size_t next = skip_blank(text, end);
  std::string out;
  if (next < text.size() && text[next] == ',') {
    out.append(text.substr(0, begin)).append(text.substr(end, next - end)).append(text.substr(next + 1));
    return out;
  }
  // The last one: the comma before it goes as well.
  const size_t comma = index == 0 ? begin : skip_blank(text, parts[index - 1].end);
  out.append(text.substr(0, comma));
  if (index > 0) out.append(text.substr(comma + 1, begin - comma - 1));
  return out.append(text.substr(end));
}

}  // namespace

Result<std::vector<Insertion>> add_member(std::string_view text, std::string_view name,
                                          const std::vector<std::string>& path, const ordered_json& value) {
  return add(text, name, path, value, false);
}

Result<std::vector<Insertion>> add_element(std::string_view text, std::string_view name,
                                           const std::vector<std::string>& path, const ordered_json& value) {
  return add(text, name, path, value, true);
}

std::string without_member(std::string_view text, const JsonNode& object, size_t index) {
  return without_part(text, parts_of(object), index);
}

std::string without_element(std::string_view text, const JsonNode& array, size_t index) {
  return without_part(text, parts_of(array), index);
}

std::string new_json_file(const ordered_json& value) {
  std::string out;
  render(value, Style{}, "", true, out);
  return out + "\n";
}

}  // namespace knapsack::clients
