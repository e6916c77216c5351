#include "model/answer_text.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <optional>

#include "text/json_schema.h"

namespace knapsack::model {
namespace {

using Json = nlohmann::json;

Error unusable(std::string what) {
  return {ErrorCode::kCorrupt, std::move(what), ""};
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
  bool quoted = false;
  for (size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (quoted) {
      if (c == '\\') {
        ++i;
      } else if (c == '"') {
        quoted = false;
      }
    } else if (c == '"') {
      quoted = true;
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
  Json value = Json::parse(text.begin(), text.end(), nullptr, false);
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

}  // namespace

Result<Json> parse_bounded_json(std::string_view text) {
  if (auto value = parse(text)) return std::move(*value);
  return unusable(text.empty() ? "nothing" : "not JSON");
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
