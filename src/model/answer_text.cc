#include "model/answer_text.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <optional>

#include "text/json_schema.h"
#include "text/parse_json.h"

namespace knapsack::model {
namespace {

using Json = nlohmann::json;

Error unusable(std::string what) {
  return {ErrorCode::kCorrupt, std::move(what), ""};
}

// Where the string ends whose first quote stands at `at`: its last quote, or the end of a text that is cut.
size_t end_of_string(std::string_view text, size_t at) {
  while (++at < text.size() && text[at] != '"') {
    if (text[at] == '\\') ++at;
  }
  return std::min(at, text.size());
}

// Follows brackets outside of texts. Of a whole value the size up to its last bracket, 0 when that is
// missing; the depth is how far it nests, whether it ends or not.
struct Shape {
  size_t size = 0;
  int depth = 0;
};

Shape measure(std::string_view text) {
  Shape shape;
  int depth = 0;
  for (size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (c == '"') {
      i = end_of_string(text, i);
    } else if (c == '{' || c == '[') {
      shape.depth = std::max(shape.depth, ++depth);
    } else if ((c == '}' || c == ']') && --depth <= 0) {
      shape.size = i + 1;
      return shape;
    }
  }
  return shape;
}

std::optional<Json> parse(std::string_view text) {
  if (measure(text).depth > kMaxAnswerDepth) return std::nullopt;
  Json value = parse_json(text);
  if (value.is_discarded()) return std::nullopt;
  return value;
}

// The only object in a text that has more than that.
Result<Json> salvage(std::string_view text) {
  std::optional<Json> found;
  int tries = 0;
  for (size_t at = text.find('{'); at != std::string_view::npos; at = text.find('{', at)) {
    if (++tries > kMaxSalvageTries) return unusable("not JSON, and too many braces to look for some inside");
    const std::string_view rest = text.substr(at);
    const Shape shape = measure(rest);
    auto value = shape.size > 0 ? parse(rest.substr(0, shape.size)) : std::nullopt;
    if (!value) {
      ++at;
      continue;
    }
    if (found) return unusable("more than one JSON object");
    found = std::move(value);
    at += shape.size;
  }
  if (!found) return unusable(text.empty() ? "an empty answer" : "not JSON");
  return std::move(*found);
}

// The object that begins in `text`, up to the last place where everything before it is whole.
std::optional<Json> close_cut(std::string_view text) {
  const size_t begin = text.find('{');
  if (begin == std::string_view::npos) return std::nullopt;
  text.remove_prefix(begin);
  std::string open, open_then;  // the brackets that close what is open: now, and at the last good place
  size_t good = 0;
  for (size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (c == '"') i = end_of_string(text, i);
    if (c == '{' || c == '[') open += c == '{' ? '}' : ']';
    if ((c == '}' || c == ']') && !open.empty()) open.pop_back();
    if (c == ',' || c == '{' || c == '[') {
      good = c == ',' ? i : i + 1;
      open_then = open;
    }
  }
  return parse(std::string(text.substr(0, good)) + std::string(open_then.rbegin(), open_then.rend()));
}

}  // namespace

Result<Json> parse_bounded_json(std::string_view text) {
  if (auto value = parse(text)) return std::move(*value);
  return unusable(text.empty() ? "nothing" : "not JSON");
}

Result<Json> read_listed(std::string_view text, const std::string& name, const Json& item_schema, bool& all) {
  all = false;
  // The last one: what a model wrote while it was thinking comes before its answer.
  const size_t key = text.rfind('"' + name + '"');
  const size_t open = key == std::string_view::npos ? key : text.find('[', key);
  // Some models leave the object around the list out.
  const size_t bare = text.find_first_not_of(" \t\r\n");
  const bool is_bare = key == std::string_view::npos && bare != std::string_view::npos && text[bare] == '[';
  if (open == std::string_view::npos && !is_bare)
    return unusable(text.empty() ? "an empty answer" : fmt::format("no list of {}", name));
  Json items = Json::array();
  bool is_whole = true;
  size_t at = (is_bare ? bare : open) + 1;
  while (at < text.size() && text[at] != ']') {
    if (text[at] != '{') {
      ++at;
      continue;
    }
    const Shape shape = measure(text.substr(at));
    auto item = shape.size > 0 ? parse(text.substr(at, shape.size)) : std::nullopt;
    is_whole = is_whole && item && !find_mismatch(*item, item_schema);
    if (shape.size == 0) break;  // here the answer was cut off
    if (item && !find_mismatch(*item, item_schema)) items.push_back(*std::move(item));
    at += shape.size;
  }
  all = is_whole && at < text.size();
  if (items.empty() && !all) return unusable(fmt::format("no usable item in the list of {}", name));
  return Json{{name, std::move(items)}};
}

Result<Json> read_cut_answer(std::string_view text, const Json& schema) {
  auto answer = close_cut(text);
  if (!answer || !answer->is_object() || answer->empty()) return unusable("nothing whole before the cut");
  for (const Json& name : schema.value("required", Json::array())) {
    const std::string& key = name.get_ref<const std::string&>();
    if (answer->contains(key)) continue;
    (*answer)[key] = schema.at("properties").at(key).at("type") == "array" ? Json::array() : Json("");
  }
  if (const auto problem = find_mismatch(*answer, schema)) return unusable(*problem);
  return *std::move(answer);
}

Result<Json> read_answer(std::string_view text, const Json& schema) {
  Json answer;
  if (auto whole = parse(text)) {
    answer = std::move(*whole);
  } else {
    KNAPSACK_TRY(answer, salvage(text));
  }
  if (const auto problem = find_mismatch(answer, schema)) return unusable(*problem);
  return answer;
}

}  // namespace knapsack::model
