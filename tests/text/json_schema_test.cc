#include "text/json_schema.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "support/support.h"

namespace knapsack::model {
namespace {

using nlohmann::json;
using ::testing::HasSubstr;

struct Case {
  const char* schema;
  const char* value;
  const char* mismatch;  // a part of the message; null when the value keeps the schema
};

const Case kCases[] = {
    {R"({})", R"([1, "x", null])", nullptr},
    {R"({"type": "string"})", R"("x")", nullptr},
    {R"({"type": "string"})", "1", "the answer: must be of type string"},
    {R"({"type": "integer"})", "3", nullptr},
    {R"({"type": "integer"})", "-3", nullptr},
    {R"({"type": "integer"})", "3.0", nullptr},
    {R"({"type": "integer"})", "3.5", "must be of type integer"},
    {R"({"type": "integer"})", "1e300", nullptr},
    {R"({"type": "number"})", "3.5", nullptr},
    {R"({"type": "number"})", R"("3.5")", "must be of type number"},
    {R"({"type": "boolean"})", "0", "must be of type boolean"},
    {R"({"type": "null"})", "null", nullptr},
    {R"({"type": ["string", "null"]})", "null", nullptr},
    {R"({"type": ["string", "null"]})", "[]", R"(must be of type ["string","null"])"},
    {R"({"type": "array"})", "{}", "must be of type array"},
    {R"({"type": "object"})", "[]", "must be of type object"},
    {R"({"enum": ["a", 1, null]})", "1", nullptr},
    {R"({"enum": ["a", "b"]})", R"("c")", R"(must be one of ["a","b"])"},
    {R"({"minimum": 2})", "2", nullptr},
    {R"({"minimum": 2})", "1.5", "is 1.5, at least 2 is needed"},
    {R"({"maximum": 2})", "2", nullptr},
    {R"({"maximum": 2})", "3", "is 3, at most 2 is allowed"},
    {R"({"maximum": 2})", "18446744073709551615", "at most 2 is allowed"},
    {R"({"minimum": 0})", "-9223372036854775808", "at least 0 is needed"},
    {R"({"minimum": 5, "maximum": 1})", R"("no number")", nullptr},
    {R"({"minLength": 1})", R"("")", "has 0 characters, at least 1 are needed"},
    {R"({"minLength": 1})", R"("ж")", nullptr},
    {R"({"minItems": 1})", "[]", "has 0 items, at least 1 are needed"},
    {R"({"minItems": 1})", "[null]", nullptr},
    {R"({"default": 5})", R"("anything")", nullptr},
    {R"({"maxLength": 3})", R"("жуё")", nullptr},
    {R"({"maxLength": 3})", R"("жуёк")", "has 4 characters, at most 3 are allowed"},
    {R"({"maxLength": 3})", "12345", nullptr},
    {R"({"maxItems": 2})", "[1, 2]", nullptr},
    {R"({"maxItems": 2})", "[1, 2, 3]", "has 3 items, at most 2 are allowed"},
    {R"({"items": {"type": "string"}})", R"(["a", "b"])", nullptr},
    {R"({"items": {"type": "string"}})", R"(["a", 2])", "/1: must be of type string"},
    {R"({"properties": {"a": {"type": "string"}}})", R"({})", nullptr},
    {R"({"properties": {"a": {"type": "string"}}})", R"({"a": 1})", "/a: must be of type string"},
    {R"({"properties": {"a": {"type": "string"}}})", R"({"b": 1})", nullptr},
    {R"({"properties": {"a": {}}, "additionalProperties": false})", R"({"b": 1})", "'b' is not allowed"},
    {R"({"additionalProperties": true})", R"({"b": 1})", nullptr},
    {R"({"required": ["a"]})", R"({"a": null})", nullptr},
    {R"({"required": ["a"]})", R"({"A": null})", "'a' is missing"},
    {R"({"properties": {"files": {"items": {"properties": {"v": {"enum": ["x"]}}}}}})",
     R"({"files": [{"v": "x"}, {"v": "y"}]})", "/files/1/v: must be one of"},
    {R"({"additionalProperties": false})", "{\"a\\nb\": 1}", "'a\\nb' is not allowed"},
};

TEST(JsonSchema, SaysWhetherAValueKeepsItAndWhereNot) {
  for (const Case& each : kCases) {
    const json schema = json::parse(each.schema);
    ASSERT_OK(check_schema(schema));
    const auto mismatch = find_mismatch(json::parse(each.value), schema);
    ASSERT_EQ(mismatch.has_value(), each.mismatch != nullptr)
        << each.schema << " with " << each.value << ": " << mismatch.value_or("nothing");
    if (mismatch) {
      EXPECT_THAT(*mismatch, HasSubstr(each.mismatch));
    }
  }
}

TEST(JsonSchema, RefusesWhatItWouldNotCheck) {
  for (const char* wrong :
       {R"([])", R"("string")", R"({"type": "text"})", R"({"type": []})", R"({"type": 3})",
        R"({"minLength": -1})", R"({"minimum": "1"})", R"({"pattern": "a"})", R"({"properties": []})",
        R"({"properties": {"a": 1}})", R"({"required": "a"})", R"({"required": [1]})", R"({"enum": []})",
        R"({"items": []})", R"({"maxItems": -1})", R"({"maxItems": "1"})", R"({"additionalProperties": {}})",
        R"({"$ref": "#"})", R"({"items": {"pattern": "x"}})"}) {
    EXPECT_FALSE(check_schema(json::parse(wrong)).ok()) << wrong;
  }
}

TEST(JsonSchema, RefusesASchemaThatNestsWithoutEnd) {
  json schema = json::object();
  for (int i = 0; i < 200; ++i) schema = json{{"items", std::move(schema)}};
  EXPECT_FALSE(check_schema(schema).ok());
}

TEST(JsonSchema, NamesNoMoreThanTheBeginningOfALongName) {
  const json value = {{std::string(100'000, 'x'), 1}};
  const auto mismatch = find_mismatch(value, json{{"additionalProperties", false}});
  ASSERT_TRUE(mismatch);
  EXPECT_LT(mismatch->size(), 200u);
}

}  // namespace
}  // namespace knapsack::model
