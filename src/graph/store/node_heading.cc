#include "graph/store/node_heading.h"

#include <simdjson.h>

#include <nlohmann/json.hpp>
#include <string>

#include "graph/store/node.h"

namespace knapsack::graph {

nlohmann::json read_heading(std::string_view line) {
  simdjson::dom::parser parser;
  simdjson::dom::object node;
  if (parser.allocate(line.size(), kMaxDepth) != simdjson::SUCCESS ||
      parser.parse(line.data(), line.size(), true).get(node) != simdjson::SUCCESS) {
    return nullptr;
  }
  nlohmann::json heading = nlohmann::json::object();
  const auto take = [](const simdjson::dom::object& from, const char* key, nlohmann::json& to) {
    std::string_view text;
    if (from[key].get(text) == simdjson::SUCCESS) to[key] = std::string(text);
  };
  for (const char* key : {"id", "type", "title", "status"}) take(node, key, heading);
  simdjson::dom::object outcome;
  if (node["outcome"].get(outcome) == simdjson::SUCCESS) {
    heading["outcome"] = nlohmann::json::object();
    take(outcome, "status", heading["outcome"]);
  }
  return heading;
}

}  // namespace knapsack::graph
