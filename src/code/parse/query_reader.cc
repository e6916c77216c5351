#include "code/parse/query_reader.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "core/ascii.h"

namespace knapsack::code {
namespace {

bool is_word(char c) {
  return ascii::is_identifier(c) || c == '.' || c == '-' || c == '?' || c == '!';
}

constexpr std::pair<std::string_view, Predicate::Test> kTests[] = {
    {"eq?", Predicate::Test::kEqual},
    {"not-eq?", Predicate::Test::kNotEqual},
    {"not-any-of?", Predicate::Test::kNotEqual},
    {"any-of?", Predicate::Test::kAnyOf},
    {"starts-with?", Predicate::Test::kStartsWith},
    {"not-starts-with?", Predicate::Test::kNotStartsWith},
    {"capital?", Predicate::Test::kCapital},
    {"not-capital?", Predicate::Test::kNotCapital},
};

class Reader {
 public:
  explicit Reader(std::string_view text) : text_(text) {}

  Result<std::vector<Pattern>> read() {
    std::vector<Pattern> patterns;
    for (skip_blank(); !at_end(); skip_blank()) {
      Pattern pattern;
      predicates_.clear();
      KNAPSACK_TRY(pattern.root, read_item());
      pattern.predicates = std::move(predicates_);
      patterns.push_back(std::move(pattern));
    }
    return patterns;
  }

 private:
  bool at_end() const { return position_ >= text_.size(); }
  char peek() const { return at_end() ? '\0' : text_[position_]; }
  bool take(char c) {
    if (peek() != c || at_end()) return false;
    ++position_;
    return true;
  }

  void skip_blank() {
    while (!at_end()) {
      const char c = peek();
      if (c == ';') {
        while (!at_end() && peek() != '\n') ++position_;
      } else if (c == ' ' || c == '\t' || c == '\n' || c == '\r') {
        ++position_;
      } else {
        return;
      }
    }
  }

  uint32_t line() const {
    return 1 + static_cast<uint32_t>(std::count(text_.begin(), text_.begin() + position_, '\n'));
  }
  Error error(const std::string& what) const {
    return {ErrorCode::kInternal, "query line " + std::to_string(line()) + ": " + what, ""};
  }

  // A name as queries spell them; trailing '?' stays with predicates only.
  std::string read_word(bool is_predicate) {
    const size_t start = position_;
    while (!at_end() && is_word(peek()) && (is_predicate || (peek() != '?' && peek() != '!'))) ++position_;
    return std::string(text_.substr(start, position_ - start));
  }

  Result<std::string> read_string() {
    std::string value;
    ++position_;
    while (!at_end() && peek() != '"') {
      if (peek() == '\\') ++position_;
      value += peek();
      ++position_;
    }
    if (!take('"')) return error("a string does not end");
    return value;
  }

  // One node, token or alternation with its quantifier and captures.
  Result<PatternNode> read_item() {
    PatternNode node;
    node.line = line();
    if (peek() == '"') {
      node.is_named = false;
      KNAPSACK_TRY(node.kind, read_string());
    } else if (take('[')) {
      for (skip_blank(); !take(']'); skip_blank()) {
        if (at_end()) return error("an alternation does not end");
        KNAPSACK_TRY(auto alternative, read_item());
        node.children.push_back(std::move(alternative));
      }
    } else if (take('(')) {
      KNAPSACK_TRY(node, read_node());
    } else if (peek() == '_') {
      ++position_;
      node.kind = "_";
      node.is_named = false;
    } else {
      return error(std::string("a node cannot begin with '") + peek() + "'");
    }
    return read_suffixes(std::move(node));
  }

  Result<PatternNode> read_suffixes(PatternNode node) {
    if (take('?')) {
      node.quantifier = Quantifier::kOptional;
    } else if (take('*')) {
      node.quantifier = Quantifier::kAny;
    } else if (take('+')) {
      node.quantifier = Quantifier::kSome;
    }
    for (skip_blank(); take('@'); skip_blank()) node.captures.push_back(read_word(false));
    return node;
  }

  // After '(': a node's kind and children, or a group that holds one node and its predicates.
  Result<PatternNode> read_node() {
    PatternNode node;
    node.line = line();
    skip_blank();
    const bool is_group = peek() == '(' || peek() == '[' || peek() == '"';
    if (is_group) {
      KNAPSACK_TRY(node, read_item());
    } else {
      node.kind = read_word(false);
      if (node.kind.empty()) return error("a node has no kind");
    }
    bool is_first = false;
    for (skip_blank(); !take(')'); skip_blank()) {
      if (at_end()) return error("a node does not end");
      if (text_.substr(position_, 2) == "(#") {
        KNAPSACK_CHECK(read_predicate());
      } else if (is_group) {
        return error("a group holds one node and predicates");
      } else if (take('!')) {
        node.absent_fields.push_back(read_word(false));
      } else if (take('.')) {
        if (!node.children.empty()) return error("an anchor stands only before a first child");
        is_first = true;
      } else {
        KNAPSACK_TRY(auto child, read_child());
        child.is_first = std::exchange(is_first, false);
        node.children.push_back(std::move(child));
      }
    }
    return node;
  }

  Result<PatternNode> read_child() {
    std::string field;
    const size_t start = position_;
    if (is_word(peek()) && peek() != '.') {
      field = read_word(false);
      skip_blank();
      if (take(':')) {
        skip_blank();
      } else {
        position_ = start;
        field.clear();
      }
    }
    KNAPSACK_TRY(auto child, read_item());
    child.field = std::move(field);
    return child;
  }

  Status read_predicate() {
    position_ += 2;
    Predicate predicate;
    const std::string name = read_word(true);
    const auto* const found = std::find_if(std::begin(kTests), std::end(kTests),
                                           [&](const auto& test) { return test.first == name; });
    if (found == std::end(kTests)) return error("unknown predicate #" + name);
    predicate.test = found->second;
    skip_blank();
    if (!take('@')) return error("a predicate begins with a capture");
    predicate.capture = read_word(false);
    for (skip_blank(); !take(')'); skip_blank()) {
      if (peek() != '"') return error("a predicate compares with strings");
      KNAPSACK_TRY(auto value, read_string());
      predicate.values.push_back(std::move(value));
    }
    const bool is_unary =
        predicate.test == Predicate::Test::kCapital || predicate.test == Predicate::Test::kNotCapital;
    if (predicate.values.empty() != is_unary) return error("#" + name + " has the wrong number of values");
    predicates_.push_back(std::move(predicate));
    return ok_status();
  }

  std::string_view text_;
  size_t position_ = 0;
  std::vector<Predicate> predicates_;
};

}  // namespace

Result<std::vector<Pattern>> read_query(std::string_view text) {
  return Reader(text).read();
}

}  // namespace knapsack::code
