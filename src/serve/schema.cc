#include "serve/schema.h"

#include "serve/call.h"

namespace knapsack::serve::schema {
namespace {

Json described(Json schema, std::string description) {
  if (!description.empty()) schema["description"] = std::move(description);
  return schema;
}

}  // namespace

Json object(std::initializer_list<Property> properties) {
  Json schema = {{"type", "object"}, {"properties", Json::object()}};
  Json required = Json::array();
  for (const auto& [marked, property] : properties) {
    std::string name = marked;
    if (name.ends_with('!')) {
      name.pop_back();
      required.push_back(name);
    }
    schema["properties"][name] = property;
  }
  if (!required.empty()) schema["required"] = std::move(required);
  schema["additionalProperties"] = false;
  return schema;
}

Json text(uint64_t most_characters, std::string description) {
  return described({{"type", "string"}, {"maxLength", most_characters}}, std::move(description));
}

Json text_list(uint64_t most_items, uint64_t most_characters, std::string description) {
  return described({{"type", "array"}, {"items", text(most_characters)}, {"maxItems", most_items}},
                   std::move(description));
}

Json one_of(std::vector<std::string> names, std::string fallback, std::string description) {
  Json schema = {{"type", "string"}, {"enum", std::move(names)}};
  if (!fallback.empty()) schema["default"] = std::move(fallback);
  return described(std::move(schema), std::move(description));
}

Json flag(bool fallback, std::string description) {
  return described({{"type", "boolean"}, {"default", fallback}}, std::move(description));
}

Json whole(uint64_t least, uint64_t most, uint64_t fallback, std::string description) {
  return described({{"type", "integer"}, {"minimum", least}, {"maximum", most}, {"default", fallback}},
                   std::move(description));
}

Json share(std::string description) {
  return described({{"type", "number"}, {"minimum", 0}, {"maximum", 1}}, std::move(description));
}

Json max_tokens(uint64_t fallback, std::string description) {
  return whole(kMinTokens, kMaxTokens, fallback, std::move(description));
}

Json any_text() {
  return {{"type", "string"}};
}
Json any_whole() {
  return {{"type", "integer"}};
}
Json any_flag() {
  return {{"type", "boolean"}};
}
Json any_list() {
  return {{"type", "array"}};
}
Json texts() {
  return rows(any_text());
}
Json rows(Json of) {
  return {{"type", "array"}, {"items", std::move(of)}};
}

}  // namespace knapsack::serve::schema
