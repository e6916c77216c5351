#include "text/json_schema.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <nlohmann/json.hpp>

#include "core/escape.h"
#include "text/unicode/utf8.h"

namespace knapsack {
namespace {

using Json = nlohmann::json;

// Our own schemas are a few levels deep; this only keeps a wrong one from exhausting the stack.
constexpr int kMaxSchemaDepth = 32;
// Of a name or a value that a message quotes.
constexpr size_t kMaxQuotedName = 80;

constexpr std::array<std::string_view, 7> kTypes = {"object", "array",   "string", "integer",
                                                    "number", "boolean", "null"};

Error wrong_schema(const std::string& where, const std::string& what) {
  return {ErrorCode::kInternal, fmt::format("schema{}: {}", where, what), ""};
}

bool known_type(const Json& name) {
  return name.is_string() &&
         std::find(kTypes.begin(), kTypes.end(), name.get_ref<const std::string&>()) != kTypes.end();
}

Status check_at(const Json& schema, const std::string& where, int depth);

Status check_keyword(const std::string& key, const Json& value, const std::string& where, int depth) {
  const auto expect = [&](bool right, const char* what) -> Status {
    if (right) return ok_status();
    return wrong_schema(where, fmt::format("'{}' must be {}", key, what));
  };
  if (key == "type") {
    const bool list =
        value.is_array() && !value.empty() && std::all_of(value.begin(), value.end(), known_type);
    return expect(list || known_type(value), "a type or a list of types");
  }
  if (key == "properties") {
    KNAPSACK_CHECK(expect(value.is_object(), "an object"));
    for (const auto& [name, property] : value.items()) {
      KNAPSACK_CHECK(check_at(property, fmt::format("{}/{}", where, name), depth + 1));
    }
    return ok_status();
  }
  if (key == "required") {
    const bool names = value.is_array() && std::all_of(value.begin(), value.end(),
                                                       [](const Json& name) { return name.is_string(); });
    return expect(names, "a list of names");
  }
  if (key == "items") return check_at(value, where + "/items", depth + 1);
  if (key == "enum") return expect(value.is_array() && !value.empty(), "a list of values");
  if (key == "additionalProperties") return expect(value.is_boolean(), "true or false");
  if (key == "maxItems" || key == "maxLength" || key == "minItems" || key == "minLength") {
    // A literal in C++ is signed, a number that was parsed is not.
    return expect(value.is_number_unsigned() || (value.is_number_integer() && value.get<int64_t>() >= 0),
                  "a whole number");
  }
  if (key == "minimum" || key == "maximum") return expect(value.is_number(), "a number");
  if (key == "default") return ok_status();  // told to whoever writes a value; nothing to check
  if (key == "description") return expect(value.is_string(), "a text");
  return wrong_schema(where, fmt::format("'{}' is not checked here", key));
}

Status check_at(const Json& schema, const std::string& where, int depth) {
  if (depth > kMaxSchemaDepth) return wrong_schema(where, "nested too deep");
  if (!schema.is_object()) return wrong_schema(where, "must be an object");
  for (const auto& [key, value] : schema.items()) KNAPSACK_CHECK(check_keyword(key, value, where, depth));
  return ok_status();
}

bool has_type(const Json& value, const std::string& type) {
  if (type == "object") return value.is_object();
  if (type == "array") return value.is_array();
  if (type == "string") return value.is_string();
  if (type == "boolean") return value.is_boolean();
  if (type == "null") return value.is_null();
  if (type == "number") return value.is_number();
  // 3.0 is an integer in JSON Schema.
  if (value.is_number_integer()) return true;
  return value.is_number_float() && std::trunc(value.get<double>()) == value.get<double>();
}

std::string quoted(const Json& value) {
  return value.dump(-1, ' ', false, Json::error_handler_t::replace);
}

std::string shortened(std::string_view name) {
  return escape_control(name.substr(0, kMaxQuotedName));
}

class Checker {
 public:
  std::optional<std::string> check(const Json& value, const Json& schema) {
    if (const auto type = schema.find("type"); type != schema.end() && !type_matches(value, *type)) {
      return here(
          fmt::format("must be of type {}", type->is_array() ? quoted(*type) : type->get<std::string>()));
    }
    if (const auto allowed = schema.find("enum"); allowed != schema.end()) {
      if (std::find(allowed->begin(), allowed->end(), value) == allowed->end())
        return here("must be one of " + quoted(*allowed));
    }
    if (value.is_number()) return check_number(value, schema);
    if (value.is_string()) return check_text(value, schema);
    if (value.is_array()) return check_array(value, schema);
    if (value.is_object()) return check_object(value, schema);
    return std::nullopt;
  }

 private:
  static bool type_matches(const Json& value, const Json& type) {
    if (type.is_string()) return has_type(value, type.get_ref<const std::string&>());
    return std::any_of(type.begin(), type.end(),
                       [&](const Json& each) { return has_type(value, each.get_ref<const std::string&>()); });
  }

  std::optional<std::string> check_number(const Json& value, const Json& schema) const {
    if (const auto least = schema.find("minimum"); least != schema.end() && value < *least)
      return here(fmt::format("is {}, at least {} is needed", quoted(value), quoted(*least)));
    if (const auto most = schema.find("maximum"); most != schema.end() && value > *most)
      return here(fmt::format("is {}, at most {} is allowed", quoted(value), quoted(*most)));
    return std::nullopt;
  }

  std::optional<std::string> check_text(const Json& value, const Json& schema) const {
    return check_size(count_code_points(value.get_ref<const std::string&>()), schema, "minLength",
                      "maxLength", "characters");
  }

  std::optional<std::string> check_size(uint64_t size, const Json& schema, const char* at_least,
                                        const char* at_most, const char* of_what) const {
    if (const auto least = schema.find(at_least); least != schema.end() && size < least->get<uint64_t>())
      return here(fmt::format("has {} {}, at least {} are needed", size, of_what, least->get<uint64_t>()));
    if (const auto most = schema.find(at_most); most != schema.end() && size > most->get<uint64_t>())
      return here(fmt::format("has {} {}, at most {} are allowed", size, of_what, most->get<uint64_t>()));
    return std::nullopt;
  }

  std::optional<std::string> check_array(const Json& value, const Json& schema) {
    if (auto problem = check_size(value.size(), schema, "minItems", "maxItems", "items")) return problem;
    const auto items = schema.find("items");
    if (items == schema.end()) return std::nullopt;
    for (size_t i = 0; i < value.size(); ++i) {
      if (auto problem = below(std::to_string(i), value[i], *items)) return problem;
    }
    return std::nullopt;
  }

  std::optional<std::string> check_object(const Json& value, const Json& schema) {
    if (const auto required = schema.find("required"); required != schema.end()) {
      for (const auto& name : *required) {
        if (!value.contains(name.get_ref<const std::string&>()))
          return here(fmt::format("'{}' is missing", name.get_ref<const std::string&>()));
      }
    }
    const auto properties = schema.find("properties");
    const auto others = schema.find("additionalProperties");
    const bool closed = others != schema.end() && !others->get<bool>();
    for (const auto& [name, member] : value.items()) {
      if (properties != schema.end() && properties->contains(name)) {
        if (auto problem = below(name, member, properties->at(name))) return problem;
      } else if (closed) {
        return here(fmt::format("'{}' is not allowed", shortened(name)));
      }
    }
    return std::nullopt;
  }

  std::optional<std::string> below(const std::string& step, const Json& value, const Json& schema) {
    path_.push_back(step);
    auto problem = check(value, schema);
    path_.pop_back();
    return problem;
  }

  std::string here(const std::string& what) const {
    std::string where;
    for (const auto& step : path_) where += "/" + shortened(step);
    return fmt::format("{}: {}", where.empty() ? "the answer" : where, what);
  }

  std::vector<std::string> path_;
};

}  // namespace

Status check_schema(const Json& schema) {
  return check_at(schema, "", 0);
}

std::optional<std::string> find_mismatch(const Json& value, const Json& schema) {
  return Checker().check(value, schema);
}

}  // namespace knapsack
