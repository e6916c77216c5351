#include "serve/arguments.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "core/escape.h"
#include "core/nearest.h"
#include "text/json_schema.h"
#include "text/unicode/utf8.h"

namespace knapsack::serve {
namespace {

constexpr size_t kMaxNameBytes = 80;

Error usage(std::string what, std::string next) {
  return {ErrorCode::kUsage, std::move(what), std::move(next)};
}

std::string names_of(const Json& properties) {
  std::string list;
  for (const auto& [name, schema] : properties.items()) list += (list.empty() ? "" : ", ") + name;
  return list;
}

}  // namespace

Result<Json> check_arguments(const Tool& tool, const Json& arguments) {
  const Json& properties = tool.input_schema.at("properties");
  if (!arguments.is_object() && !arguments.is_null())
    return usage("the arguments are not a JSON object", fmt::format("name them: {}", names_of(properties)));
  Json checked = arguments.is_null() ? Json::object() : arguments;
  for (const auto& [name, value] : checked.items()) {
    if (properties.contains(name)) continue;
    std::vector<std::string> known;
    for (const auto& [each, schema] : properties.items()) known.push_back(each);
    return usage(
        fmt::format("{} has no argument '{}'", tool.name, escape_control(utf8_prefix(name, kMaxNameBytes))),
        fmt::format("did you mean {}? It takes {}", nearest_name(name, known), names_of(properties)));
  }
  if (const auto required = tool.input_schema.find("required"); required != tool.input_schema.end()) {
    for (const Json& name : *required) {
      const auto given = checked.find(name.get<std::string>());
      if (given == checked.end() || *given == "") {
        return usage(fmt::format("the argument '{}' is {}", name.get<std::string>(),
                                 given == checked.end() ? "missing" : "empty"),
                     "give it");
      }
    }
  }
  for (const auto& [name, schema] : properties.items()) {
    if (!checked.contains(name) && schema.contains("default")) checked[name] = schema.at("default");
  }
  // "/max_tokens: is 5, at least 200 is needed"
  if (const auto problem = find_mismatch(checked, tool.input_schema))
    return usage(
        fmt::format("argument {}", std::string_view(*problem).substr(problem->starts_with('/') ? 1 : 0)),
        "correct it");
  return checked;
}

}  // namespace knapsack::serve
