#include "text/json_text.h"

#include <fmt/format.h>

#include <array>

#include "text/unicode/utf8.h"

namespace knapsack {
namespace {

constexpr std::array<bool, 256> kEscaped = [] {
  std::array<bool, 256> escaped{};
  for (size_t c = 0; c < 0x20; ++c) escaped[c] = true;
  escaped['"'] = escaped['\\'] = true;
  return escaped;
}();

void append_escaped(std::string& out, char c) {
  switch (c) {
    case '"':
      out += "\\\"";
      break;
    case '\\':
      out += "\\\\";
      break;
    case '\b':
      out += "\\b";
      break;
    case '\f':
      out += "\\f";
      break;
    case '\n':
      out += "\\n";
      break;
    case '\r':
      out += "\\r";
      break;
    case '\t':
      out += "\\t";
      break;
    default:
      out += fmt::format("\\u{:04x}", static_cast<unsigned char>(c));
  }
}

}  // namespace

std::string json_string(std::string_view text) {
  if (!valid_utf8(text)) return json_string(replace_invalid_utf8(text));
  std::string out;
  out.reserve(text.size() + text.size() / 16 + 8);
  out += '"';
  size_t copied = 0;
  for (size_t at = 0; at < text.size(); ++at) {
    if (!kEscaped[static_cast<unsigned char>(text[at])]) continue;
    out.append(text, copied, at - copied);
    append_escaped(out, text[at]);
    copied = at + 1;
  }
  return out.append(text, copied).append("\"");
}

bool is_nested_deeper_than(std::string_view json, size_t levels) {
  size_t depth = 0;
  bool in_text = false;
  for (size_t at = 0; at < json.size(); ++at) {
    const char c = json[at];
    if (in_text) {
      if (c == '\\') ++at;
      if (c == '"') in_text = false;
    } else if (c == '"') {
      in_text = true;
    } else if (c == '{' || c == '[') {
      if (++depth > levels) return true;
    } else if ((c == '}' || c == ']') && depth > 0) {
      --depth;
    }
  }
  return false;
}

}  // namespace knapsack
