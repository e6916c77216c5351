#include <tree_sitter/api.h>

#include <functional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "code/parse/child_list.h"
#include "code/parse/node_text.h"
#include "code/parse/parser.h"
#include "code/parse/query_program.h"
#include "code/parse/query_reader.h"
#include "code/support_fixtures.h"
#include "support/support.h"

namespace knapsack::code {
namespace {

using ::testing::HasSubstr;
using ::testing::SizeIs;

std::string query_of(const Language& language) {
  std::string text;
  any_word(language.query, [&](std::string_view name) {
    text += embedded_query(name);
    return false;
  });
  return text;
}

TEST(QueryReader, ReadsWhatAPatternSays) {
  const auto patterns = read_query(
      "; a comment\n"
      "(call !receiver name: (identifier) @_f @name (arguments . [(string) (number)]* @import.module)\n"
      "  (#any-of? @_f \"a\" \"b\\\"c\")) @import\n"
      "((comment) @comment)");
  ASSERT_OK(patterns);
  ASSERT_THAT(*patterns, SizeIs(2));
  const PatternNode& call = patterns->front().root;
  EXPECT_EQ(call.kind, "call");
  EXPECT_EQ(call.absent_fields, std::vector<std::string>{"receiver"});
  ASSERT_THAT(call.children, SizeIs(2));
  EXPECT_EQ(call.children[0].field, "name");
  EXPECT_EQ(call.children[0].captures, (std::vector<std::string>{"_f", "name"}));
  const PatternNode& choice = call.children[1].children.front();
  EXPECT_TRUE(choice.is_first);
  EXPECT_EQ(choice.quantifier, Quantifier::kAny);
  ASSERT_THAT(choice.children, SizeIs(2));
  ASSERT_THAT(patterns->front().predicates, SizeIs(1));
  EXPECT_EQ(patterns->front().predicates[0].values, (std::vector<std::string>{"a", "b\"c"}));
}

TEST(QueryReader, RefusesWhatItDoesNotRun) {
  const std::pair<const char*, const char*> cases[] = {
      {"(a", "line 1: a node does not end"},
      {"\n(a (b) . (c))", "line 2: an anchor stands only before a first child"},
      {"(a (#match? @x \"y\"))", "unknown predicate #match?"},
      {"(a (#eq? @x))", "#eq? has the wrong number of values"},
      {"(a (#capital? @x \"y\"))", "#capital? has the wrong number of values"},
      {"(a (#eq? \"x\" \"y\"))", "a predicate begins with a capture"},
      {"[(a)", "an alternation does not end"},
      {"(a \"b)", "a string does not end"},
      {"a", "a node cannot begin with 'a'"},
      {"()", "a node has no kind"},
      {"((a) (b))", "a group holds one node and predicates"},
  };
  for (const auto& [text, message] : cases) {
    const auto patterns = read_query(text);
    ASSERT_FALSE(patterns.ok()) << text;
    EXPECT_THAT(patterns.error().what, HasSubstr(message)) << text;
  }
}

TEST(QueryProgram, RefusesWhatTheGrammarDoesNotHave) {
  const TSLanguage* python = find_language("python")->grammar();
  const std::pair<const char*, const char*> cases[] = {
      {"(no_such_node) @comment", "the grammar has no node 'no_such_node'"},
      {"(call no_such_field: (identifier) @name)", "the grammar has no field 'no_such_field'"},
      {"(identifier) @no.such.capture", "unknown capture @no.such.capture"},
      {"(_) @comment", "a pattern cannot begin with a wildcard"},
  };
  for (const auto& [text, message] : cases) {
    const auto program = QueryProgram::compile(python, text);
    ASSERT_FALSE(program.ok()) << text;
    EXPECT_THAT(program.error().what, HasSubstr(message)) << text;
  }
}

// Calls visit(node) for each named node of a tree, parents first.
void walk(TSNode root, const std::function<void(const Child&)>& visit) {
  ChildLister lister;
  std::vector<Child> pending = {{root, ts_node_symbol(root), 0, true, false}};
  while (!pending.empty()) {
    const Child node = pending.back();
    pending.pop_back();
    visit(node);
    std::vector<Child> children;
    lister.list(node.node, false, children);
    for (const Child& child : children) {
      if (child.is_named) pending.push_back(child);
    }
  }
}

// tree-sitter leaves predicates to its caller: one predicate over the text of a capture.
bool passes(const std::vector<std::string>& predicate, const std::string& text) {
  const std::string& name = predicate.front();
  const std::set<std::string> values(predicate.begin() + 1, predicate.end());
  const bool is_capital = !text.empty() && text[0] >= 'A' && text[0] <= 'Z';
  bool has_prefix = false;
  for (const std::string& value : values) has_prefix = has_prefix || text.starts_with(value);
  if (name == "eq?" || name == "any-of?") return values.count(text) != 0;
  if (name == "not-eq?" || name == "not-any-of?") return values.count(text) == 0;
  if (name == "starts-with?") return has_prefix;
  if (name == "not-starts-with?") return !has_prefix;
  if (name == "capital?") return is_capital;
  if (name == "not-capital?") return !is_capital;
  ADD_FAILURE() << "unknown predicate " << name;
  return false;
}

class QueryCursor {
 public:
  QueryCursor(const TSLanguage* language, const std::string& text) {
    uint32_t at = 0;
    TSQueryError error = TSQueryErrorNone;
    query_ = ts_query_new(language, text.data(), static_cast<uint32_t>(text.size()), &at, &error);
    EXPECT_NE(query_, nullptr) << "tree-sitter refuses the query at: " << text.substr(at, 80);
  }
  ~QueryCursor() {
    if (query_ != nullptr) ts_query_delete(query_);
  }
  QueryCursor(const QueryCursor&) = delete;
  QueryCursor& operator=(const QueryCursor&) = delete;

  // (pattern, root node) of each match that captured something and whose predicates hold. Each pattern's last
  // capture is its root.
  std::set<std::pair<uint32_t, const void*>> roots(TSNode root, const std::string& bytes) const {
    std::set<std::pair<uint32_t, const void*>> found;
    if (query_ == nullptr) return found;
    TSQueryCursor* cursor = ts_query_cursor_new();
    ts_query_cursor_exec(cursor, query_, root);
    TSQueryMatch match;
    while (ts_query_cursor_next_match(cursor, &match)) {
      if (!holds(match, bytes)) continue;
      const void* at = nullptr;
      bool has_capture = false;
      for (uint16_t i = 0; i < match.capture_count; ++i) {
        uint32_t length = 0;
        const char* name = ts_query_capture_name_for_id(query_, match.captures[i].index, &length);
        if (std::string_view(name, length) == "_root") at = match.captures[i].node.id;
        has_capture = has_capture || name[0] != '_';
      }
      if (has_capture) found.emplace(match.pattern_index, at);
    }
    ts_query_cursor_delete(cursor);
    return found;
  }

  // The query's text with a capture of the root behind each pattern.
  std::string with_roots(std::string text) const {
    for (uint32_t i = query_ == nullptr ? 0 : ts_query_pattern_count(query_); i-- > 0;) {
      text.insert(end_of_pattern(text, ts_query_end_byte_for_pattern(query_, i)), " @_root");
    }
    return text;
  }

 private:
  // Before the white space and comments that tree-sitter counts as part of a pattern.
  static size_t end_of_pattern(const std::string& text, size_t end) {
    while (end > 0) {
      const size_t line = text.rfind('\n', end - 1) == std::string::npos ? 0 : text.rfind('\n', end - 1) + 1;
      const size_t first = text.find_first_not_of(" \n", line);
      if (first < end && text[first] != ';') break;
      end = line == 0 ? 0 : line - 1;
    }
    return end;
  }

  bool holds(const TSQueryMatch& match, const std::string& bytes) const {
    uint32_t count = 0;
    const TSQueryPredicateStep* steps = ts_query_predicates_for_pattern(query_, match.pattern_index, &count);
    for (uint32_t i = 0; i < count;) {
      std::vector<std::string> predicate;
      uint32_t capture = 0;
      for (; steps[i].type != TSQueryPredicateStepTypeDone; ++i) {
        uint32_t length = 0;
        if (steps[i].type == TSQueryPredicateStepTypeCapture) {
          capture = steps[i].value_id;
        } else {
          const char* value = ts_query_string_value_for_id(query_, steps[i].value_id, &length);
          predicate.emplace_back(value, length);
        }
      }
      ++i;
      for (uint16_t c = 0; c < match.capture_count; ++c) {
        if (match.captures[c].index != capture) continue;
        if (!passes(predicate, std::string(text_of(match.captures[c].node, bytes)))) return false;
      }
    }
    return true;
  }

  TSQuery* query_ = nullptr;
};

TEST(QueryProgram, FindsWhatTreeSittersOwnEngineFinds) {
  for (const Fixture& fixture : read_fixtures()) {
    SCOPED_TRACE(fixture.language->name);
    const TSLanguage* grammar = fixture.language->grammar();
    const std::string text = query_of(*fixture.language);
    TSParser* parser = ts_parser_new();
    ts_parser_set_language(parser, grammar);
    TSTree* tree = ts_parser_parse_string(parser, nullptr, fixture.bytes.data(),
                                          static_cast<uint32_t>(fixture.bytes.size()));
    const TSNode root = ts_tree_root_node(tree);
    const std::string marked = QueryCursor(grammar, text).with_roots(text);
    const auto expected = QueryCursor(grammar, marked).roots(root, fixture.bytes);
    EXPECT_GT(expected.size(), 50U);

    const auto program = QueryProgram::compile(grammar, text);
    ASSERT_OK(program);
    std::set<std::pair<uint32_t, const void*>> actual;
    Matcher matcher;
    ChildLister lister;
    walk(root, [&](const Child& node) {
      std::vector<Child> children;
      lister.list(node.node, true, children);
      matcher.start(node, children, fixture.bytes);
      for (const uint16_t index : program->patterns_for(node.symbol)) {
        if (!matcher.match(program->pattern(index)).empty()) actual.emplace(index, node.node.id);
      }
    });
    for (const auto& one : expected) {
      EXPECT_TRUE(actual.count(one) != 0) << "pattern " << one.first << " is matched by tree-sitter alone";
    }
    ts_tree_delete(tree);
    ts_parser_delete(parser);
  }
}

}  // namespace
}  // namespace knapsack::code
