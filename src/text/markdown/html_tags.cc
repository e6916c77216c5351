#include "text/markdown/html_tags.h"

#include <algorithm>
#include <unordered_set>

#include "core/ascii.h"

namespace knapsack {
namespace {

constexpr size_t kLongestName = 10;  // "blockquote"

bool is_known_tag(std::string_view name) {
  static const std::unordered_set<std::string_view> names = {
      "a",    "b",      "blockquote", "br",     "code", "dd",      "del", "details", "div",
      "dl",   "dt",     "em",         "h1",     "h2",   "h3",      "h4",  "h5",      "h6",
      "hr",   "i",      "img",        "kbd",    "li",   "ol",      "p",   "picture", "pre",
      "samp", "source", "span",       "strong", "sub",  "summary", "sup", "table",   "tbody",
      "td",   "th",     "thead",      "tr",     "tt",   "u",       "ul",  "video",
  };
  return name.size() <= kLongestName && names.count(ascii::lower(name)) > 0;
}

// How long the tag is that begins here; 0 when none does. Attributes hold no angle brackets, so scans never
// overlap.
size_t tag_size(std::string_view text) {
  size_t at = text.substr(1).starts_with('/') ? 2 : 1;
  const size_t name = at;
  while (at < text.size() && (ascii::is_letter(text[at]) || ascii::is_digit(text[at]))) ++at;
  if (at - name > kLongestName || !is_known_tag(text.substr(name, at - name))) return 0;
  if (at < text.size() && std::string_view(" \t/>").find(text[at]) == std::string_view::npos) return 0;
  const size_t end = text.find_first_of("<>", at);
  return end != std::string_view::npos && text[end] == '>' ? end + 1 : 0;
}

}  // namespace

std::string drop_tags(std::string_view line) {
  std::string kept;
  bool code = false;
  for (size_t at = 0; at < line.size();) {
    code = code != (line[at] == '`');
    const size_t tag = line[at] == '<' && !code ? tag_size(line.substr(at)) : 0;
    kept.push_back(tag > 0 ? ' ' : line[at]);
    at += std::max<size_t>(tag, 1);
  }
  return kept;
}

}  // namespace knapsack
