// Reads a query file: the subset of tree-sitter's query language that our one-pass matcher runs.
//
// Supported: nodes and "tokens", fields, negated fields, alternations, captures, the quantifiers ? * +, a
// leading anchor (`.` before a first child), grouping of one node, and the predicates #eq?, #not-eq?,
// #any-of?, #not-any-of?, #starts-with?, #not-starts-with?, #capital? and #not-capital? (of the first
// letter). Anything else is an error that names its line. Siblings may stand in any order. Every file that
// this accepts is a valid tree-sitter query too, and what tree-sitter's own engine finds with it is found
// here (a test holds the two against each other). Values only; no thread rule.
// Private to code/parse/.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/result.h"

namespace knapsack::code {

enum class Quantifier : uint8_t { kOne, kOptional, kAny, kSome };  // nothing, ?, *, +

struct PatternNode {
  std::string kind;  // empty for an alternation, "_" for any node
  bool is_named = true;
  bool is_first = false;  // anchored: the parent's first child that is named and no comment
  std::string field;
  Quantifier quantifier = Quantifier::kOne;
  std::vector<std::string> captures;
  std::vector<std::string> absent_fields;
  std::vector<PatternNode> children;  // of a node, or the alternatives of an alternation
  uint32_t line = 0;
};

struct Predicate {
  enum class Test : uint8_t { kEqual, kNotEqual, kAnyOf, kStartsWith, kNotStartsWith, kCapital, kNotCapital };
  Test test = Test::kEqual;
  std::string capture;
  std::vector<std::string> values;
};

struct Pattern {
  PatternNode root;
  std::vector<Predicate> predicates;
};

Result<std::vector<Pattern>> read_query(std::string_view text);

}  // namespace knapsack::code
