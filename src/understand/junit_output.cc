#include "understand/junit_output.h"

#include <algorithm>
#include <cstdlib>
#include <map>
#include <optional>
#include <string>

#include "text/unicode/utf8.h"

namespace knapsack {
namespace {

constexpr std::string_view kCdata = "<![CDATA[";
constexpr std::string_view kCdataEnd = "]]>";

// The character of "&lt;" or "&#10;"; nothing for what XML does not know by itself.
std::optional<std::string> entity_text(std::string_view name) {
  constexpr std::pair<std::string_view, char> kNamed[] = {
      {"lt", '<'}, {"gt", '>'}, {"amp", '&'}, {"quot", '"'}, {"apos", '\''}};
  for (const auto& [known, character] : kNamed)
    if (known == name) return std::string(1, character);
  if (name.size() < 2 || name[0] != '#') return std::nullopt;
  const bool is_hex = name[1] == 'x' || name[1] == 'X';
  const std::string digits(name.substr(is_hex ? 2 : 1));
  char* end = nullptr;
  const unsigned long code = std::strtoul(digits.c_str(), &end, is_hex ? 16 : 10);
  if (digits.empty() || *end != 0 || code == 0 || code > 0x10FFFF || (code >= 0xD800 && code <= 0xDFFF))
    return std::nullopt;
  std::string text;
  append_code_point(text, static_cast<char32_t>(code));
  return text;
}

std::string without_entities(std::string_view text) {
  constexpr size_t kMaxEntityBytes = 10;
  std::string out;
  for (size_t i = 0; i < text.size(); ++i) {
    const size_t end = text[i] == '&' ? text.substr(i, kMaxEntityBytes).find(';') : std::string_view::npos;
    const auto character =
        end == std::string_view::npos ? std::nullopt : entity_text(text.substr(i + 1, end - 1));
    if (!character) {
      out += text[i];
      continue;
    }
    out += *character;
    i += end;
  }
  return out;
}

struct Tag {
  std::string_view name;  // with a leading '/' where it closes
  std::map<std::string, std::string> attributes;
  bool is_empty = false;  // <failure/>
};

// `inside` is what stands between the angle brackets.
Tag read_tag(std::string_view inside) {
  Tag tag;
  tag.is_empty = inside.ends_with('/');
  if (tag.is_empty) inside.remove_suffix(1);
  const size_t name_end = std::min(inside.find_first_of(" \t\r\n"), inside.size());
  tag.name = inside.substr(0, name_end);
  size_t at = name_end;
  while (at < inside.size()) {
    const size_t begin = inside.find_first_not_of(" \t\r\n", at);
    const size_t equals = begin == std::string_view::npos ? begin : inside.find('=', begin);
    if (equals == std::string_view::npos || equals + 1 >= inside.size()) break;
    const char quote = inside[equals + 1];
    const size_t end =
        quote == '"' || quote == '\'' ? inside.find(quote, equals + 2) : std::string_view::npos;
    if (end == std::string_view::npos) break;
    tag.attributes[std::string(inside.substr(begin, equals - begin))] =
        without_entities(inside.substr(equals + 2, end - equals - 2));
    at = end + 1;
  }
  return tag;
}

// Where a tag ends: a '>' within quotes does not end it.
size_t end_of_tag(std::string_view xml, size_t begin) {
  char quote = 0;
  for (size_t i = begin; i < xml.size(); ++i) {
    if (quote != 0) {
      if (xml[i] == quote) quote = 0;
    } else if (xml[i] == '"' || xml[i] == '\'') {
      quote = xml[i];
    } else if (xml[i] == '>') {
      return i;
    }
  }
  return std::string_view::npos;
}

void each_line(std::string_view text, const std::function<void(std::string_view)>& line) {
  for (size_t at = 0; at < text.size();) {
    const size_t end = std::min(text.find('\n', at), text.size());
    line(text.substr(at, end - at));
    at = end + 1;
  }
}

// classname is "tests.test_cart.TestCart" in Python and Java, a path in JavaScript; its last part is the class.
FailedTest test_of(const std::map<std::string, std::string>& attributes) {
  const auto value = [&](const char* key) {
    const auto found = attributes.find(key);
    return found == attributes.end() ? std::string() : found->second;
  };
  FailedTest test;
  const std::string owner = value("classname");
  std::string function = value("name");
  test.name = owner.empty() ? function : owner + "." + function;
  test.file = value("file");
  // "test_total[3]", "adds(int)": what follows the name is about one case.
  function = function.substr(0, function.find_first_of("[( "));
  const size_t dot = owner.rfind('.');
  const std::string last = dot == std::string::npos ? owner : owner.substr(dot + 1);
  if (!last.empty() && !function.empty()) test.symbols.push_back(last + "." + function);
  if (!function.empty()) test.symbols.push_back(function);
  return test;
}

}  // namespace

void read_junit(std::string_view xml, const std::function<void(FailedTest)>& failed,
                const std::function<void(std::string_view)>& error) {
  std::map<std::string, std::string> test;  // attributes of the case that is being read
  bool in_failure = false;
  for (size_t at = 0; at < xml.size();) {
    const size_t open = xml.find('<', at);
    if (in_failure) each_line(without_entities(xml.substr(at, std::min(open, xml.size()) - at)), error);
    if (open == std::string_view::npos) return;
    if (xml.substr(open).starts_with(kCdata)) {
      const size_t begin = open + kCdata.size();
      const size_t end = std::min(xml.find(kCdataEnd, begin), xml.size());
      if (in_failure) each_line(xml.substr(begin, end - begin), error);
      at = std::min(end + kCdataEnd.size(), xml.size());
      continue;
    }
    const size_t close = end_of_tag(xml, open + 1);
    if (close == std::string_view::npos) return;
    const Tag tag = read_tag(xml.substr(open + 1, close - open - 1));
    if (tag.name == "testcase") test = tag.attributes;
    if (tag.name == "failure" || tag.name == "error") {
      failed(test_of(test));
      if (const auto message = tag.attributes.find("message"); message != tag.attributes.end())
        each_line(message->second, error);
      in_failure = !tag.is_empty;
    }
    if (tag.name == "/failure" || tag.name == "/error") in_failure = false;
    at = close + 1;
  }
}

}  // namespace knapsack
