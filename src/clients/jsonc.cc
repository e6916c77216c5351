#include "clients/jsonc.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "core/ascii.h"
#include "text/parse_json.h"

namespace knapsack::clients {
namespace {

constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";

bool is_json_space(char c) {
  return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

// The end of the comment that begins at `at`; `at` itself where none does, npos for one that never ends.
size_t comment_end(std::string_view text, size_t at) {
  const std::string_view start = text.substr(at, 2);
  if (start == "//") {
    const size_t end = std::min(text.find('\n', at), text.size());
    return end < text.size() && text[end - 1] == '\r' ? end - 1 : end;  // the line break is not part of it
  }
  if (start != "/*") return at;
  const size_t close = text.find("*/", at + 2);
  return close == std::string_view::npos ? close : close + 2;
}

class Scanner {
 public:
  Scanner(std::string_view text, std::string_view name) : text_(text), name_(name) {}

  Result<JsonDocument> run() {
    if (text_.starts_with(kByteOrderMark)) at_ = kByteOrderMark.size();
    JsonDocument document;
    KNAPSACK_CHECK(skip());
    if (at_ == text_.size()) {
      document.is_blank = true;
      return document;
    }
    KNAPSACK_CHECK(value(document.root, 0));
    KNAPSACK_CHECK(skip());
    if (at_ != text_.size()) return wrong("there is more after the end of the value");
    return document;
  }

 private:
  Error wrong(std::string_view what) const {
    const std::string_view before = text_.substr(0, std::min(at_, text_.size()));
    const auto line = std::count(before.begin(), before.end(), '\n') + 1;
    const size_t start = before.rfind('\n');
    const size_t column = before.size() - (start == std::string_view::npos ? 0 : start + 1) + 1;
    return {ErrorCode::kConfig, fmt::format("{}:{}:{}: {}", name_, line, column, what), "correct it first"};
  }

  Status skip() {
    while (at_ < text_.size()) {
      if (is_json_space(text_[at_])) {
        ++at_;
        continue;
      }
      const size_t end = comment_end(text_, at_);
      if (end == std::string_view::npos) return wrong("a comment that never ends");
      if (end == at_) break;
      at_ = end;
    }
    return ok_status();
  }

  bool next_is(char c) const { return at_ < text_.size() && text_[at_] == c; }

  Status value(JsonNode& node, size_t depth) {
    if (depth > kMaxJsonDepth) return wrong("nested too deeply");
    if (at_ == text_.size()) return wrong("the file ends where a value is expected");
    node.begin = at_;
    const char c = text_[at_];
    if (c == '{') {
      node.kind = JsonNode::Kind::kObject;
      KNAPSACK_CHECK(list('}', [&] { return member(node, depth); }));
    } else if (c == '[') {
      node.kind = JsonNode::Kind::kArray;
      KNAPSACK_CHECK(list(']', [&] { return value(node.elements.emplace_back(), depth + 1); }));
    } else if (c == '"') {
      node.kind = JsonNode::Kind::kString;
      std::string unused;
      KNAPSACK_CHECK(string(unused));
    } else {
      KNAPSACK_CHECK(word(node));
    }
    node.end = at_;
    return ok_status();
  }

  // From the opening bracket to behind the closing one.
  template <class Each>
  Status list(char close, Each each) {
    ++at_;
    while (true) {
      KNAPSACK_CHECK(skip());
      if (next_is(close)) break;
      KNAPSACK_CHECK(each());
      KNAPSACK_CHECK(skip());
      if (next_is(close)) break;
      if (!next_is(',')) return wrong(fmt::format("',' or '{}' is expected here", close));
      ++at_;
    }
    ++at_;
    return ok_status();
  }

  Status member(JsonNode& object, size_t depth) {
    JsonMember& member = object.members.emplace_back();
    member.begin = at_;
    if (!next_is('"')) return wrong("a name in quotes is expected here");
    KNAPSACK_CHECK(string(member.key));
    KNAPSACK_CHECK(skip());
    if (!next_is(':')) return wrong("':' is expected here");
    ++at_;
    KNAPSACK_CHECK(skip());
    return value(member.value, depth + 1);
  }

  // What is inside the quotes is read by a JSON library: escapes and UTF-8 are as it says.
  Status string(std::string& out) {
    const size_t begin = at_;
    for (++at_; at_ < text_.size() && text_[at_] != '"'; ++at_) {
      if (text_[at_] == '\\') ++at_;
      if (at_ < text_.size() && text_[at_] == '\n') break;
    }
    if (!next_is('"')) {
      at_ = begin;
      return wrong("a text in quotes does not end on its line");
    }
    ++at_;
    return token(begin, out);
  }

  Status token(size_t begin, std::string& out) {
    const std::string_view bytes = text_.substr(begin, at_ - begin);
    const auto parsed = parse_json(bytes);
    if (parsed.is_discarded()) {
      at_ = begin;
      return wrong("this is not JSON value");
    }
    if (parsed.is_string()) out = parsed.get<std::string>();
    return ok_status();
  }

  Status word(JsonNode& node) {
    const size_t begin = at_;
    const auto is_part = [](char c) {
      return ascii::is_letter_or_digit(c) || c == '+' || c == '-' || c == '.' || c == '_';
    };
    while (at_ < text_.size() && is_part(text_[at_])) ++at_;
    const char first = text_[begin];
    node.kind = first == '-' || ascii::is_digit(first) ? JsonNode::Kind::kNumber : JsonNode::Kind::kWord;
    std::string unused;
    return token(begin, unused);
  }

  std::string_view text_;
  std::string_view name_;
  size_t at_ = 0;
};

}  // namespace

const JsonNode* JsonNode::find(std::string_view key) const {
  const auto found = std::find_if(members.rbegin(), members.rend(),
                                  [&](const JsonMember& member) { return member.key == key; });
  return found == members.rend() ? nullptr : &found->value;
}

Result<JsonDocument> scan_jsonc(std::string_view text, std::string_view name) {
  return Scanner(text, name).run();
}

nlohmann::ordered_json to_json(std::string_view text, const JsonNode& node) {
  nlohmann::ordered_json json;
  switch (node.kind) {
    case JsonNode::Kind::kObject:
      json = nlohmann::ordered_json::object();
      for (const JsonMember& member : node.members) json[member.key] = to_json(text, member.value);
      break;
    case JsonNode::Kind::kArray:
      json = nlohmann::ordered_json::array();
      for (const JsonNode& element : node.elements) json.push_back(to_json(text, element));
      break;
    default:
      json = parse_ordered_json(text.substr(node.begin, node.end - node.begin));
  }
  return json;
}

size_t skip_blank(std::string_view text, size_t at) {
  while (at < text.size()) {
    const size_t end = is_json_space(text[at]) ? at + 1 : comment_end(text, at);
    if (end == at || end == std::string_view::npos) break;
    at = end;
  }
  return at;
}

size_t skip_blank_of_line(std::string_view text, size_t at) {
  while (at < text.size() && text[at] != '\n' && text.substr(at, 2) != "\r\n") {
    const size_t end = is_json_space(text[at]) ? at + 1 : comment_end(text, at);
    if (end == at || end == std::string_view::npos) break;
    at = end;
  }
  return at;
}

}  // namespace knapsack::clients
