#include "code/units/unparsed_units.h"

#include <re2/re2.h>

#include <algorithm>
#include <optional>

namespace knapsack::code {
namespace {

// A piece that nothing closes is cut all the same: at any blank line, and at last anywhere.
constexpr uint32_t kLongPiece = 60;
constexpr uint32_t kLongestPiece = 120;
// Fewer lines say little alone and go with what follows.
constexpr uint32_t kShortPiece = 4;
constexpr uint32_t kLongComment = 12;

struct LineDefinition {
  std::string name;
  bool is_container = false;  // of further definitions
};

// What the line defines, if its first words say so.
LineDefinition definition_in(std::string_view line) {
  static const RE2 kContainer(
      R"(^[\s(]*(?:\w+\s+){0,3}(?:class|module|interface|extension|mixin|trait|protocol|struct|object|service|defmodule|deftype|@implementation|@interface)\s+([\w.:$]+))");
  static const RE2 kFunction(
      R"(^[\s(]*(?:\w+\s+){0,3}(?:sub|def|defn-?|defun|defmacro|defmulti|defmethod|fn|func|function!?|fun|proc|procedure|subroutine|macro|method|let\s+rec|let|message|enum|rpc|resource|type|get|set)\s+['"]?([\w.:$?!'#-]*\w[?!']?))");
  static const RE2 kAssigned(R"(^\s*([\w.]+)\s*(?:<-|=)\s*function\b)");
  // `Future<int> read(String path) async {`
  static const RE2 kTyped(
      R"(^\s*(?:[\w<>\[\]?,.*&:]+\s+)+\*?(\w+)\s*\((?:[^;{}]*\)[\w\s]*(?:\{|=>)|[^;)]*\{?\s*$))");
  static const RE2 kErlang(R"(^([a-z]\w*)\([^;]*\)\s*(?:when\b.*)?->)");
  static const RE2 kStatement(
      R"(^\s*(?:return|else|if|for|while|switch|catch|await|yield|throw|new|case|assert|my|our|local)\b)");
  LineDefinition found;
  if (RE2::PartialMatch(line, kContainer, &found.name)) {
    found.is_container = true;
    return found;
  }
  if (RE2::PartialMatch(line, kStatement)) return found;
  if (RE2::PartialMatch(line, kFunction, &found.name) || RE2::PartialMatch(line, kAssigned, &found.name) ||
      RE2::PartialMatch(line, kErlang, &found.name))
    return found;
  RE2::PartialMatch(line, kTyped, &found.name);
  return found;
}

size_t indent_of(std::string_view line) {
  return std::min(line.find_first_not_of(" \t"), line.size());
}

class UnparsedCutter {
 public:
  explicit UnparsedCutter(const TextLines& text) : text_(text) {}

  std::vector<UnparsedPiece> run() {
    begin(1);
    for (uint32_t number = 1; number <= text_.count(); ++number) {
      if (begins_documentation(number) || ends_documentation(number)) cut(number);
      see(number);
      const bool is_endless = !in_documentation_ && number - first_ + 1 >= kLongestPiece;
      if (is_endless || (text_.is_blank(number) && may_cut(number))) cut(number + 1);
    }
    cut(text_.count() + 1);
    return defines_something_ ? std::move(pieces_) : std::vector<UnparsedPiece>();
  }

 private:
  // Perl keeps its manual in the program, from `=head1` to `=cut`.
  bool begins_documentation(uint32_t number) {
    static const RE2 kBegins(R"(^=(?:head[1-6]|pod|encoding|over|begin|for)\b)");
    if (in_documentation_ || !RE2::PartialMatch(text_.line(number), kBegins)) return false;
    in_documentation_ = true;
    return true;
  }
  bool ends_documentation(uint32_t number) {
    if (!in_documentation_ || number == 1 || !text_.line(number - 1).starts_with("=cut")) return false;
    in_documentation_ = false;
    return true;
  }

  void see(uint32_t number) {
    const std::string_view line = text_.line(number);
    if (text_.is_blank(number) || in_documentation_) return;
    if (!level_ && opened_) level_ = indent_of(line);
    if (is_remark(line) || opened_) return;
    // A manual of its own above a function is not what is shown of it.
    if (number - first_ >= kLongComment) cut(number);
    LineDefinition definition = definition_in(line);
    defines_something_ = defines_something_ || !definition.name.empty();
    name_ = std::move(definition.name);
    opened_ = true;
    if (!definition.is_container) level_ = indent_of(line);
  }

  // At a blank line: where what began the piece is over, and something begins.
  bool may_cut(uint32_t number) const {
    if (in_documentation_) return false;
    const uint32_t next = number + 1;
    if (!opened_ || next > text_.count() || text_.is_blank(next)) return false;
    const uint32_t lines = number - first_;
    if (lines >= kLongPiece) return true;
    const bool is_back = level_ && indent_of(text_.line(next)) <= *level_;
    return is_back && (lines >= kShortPiece || !name_.empty() || begins_definition(next));
  }

  bool begins_definition(uint32_t number) const {
    while (number < text_.count() && is_remark(text_.line(number))) ++number;
    return !definition_in(text_.line(number)).name.empty();
  }

  void begin(uint32_t number) {
    first_ = number;
    name_.clear();
    opened_ = false;
    is_documentation_ = in_documentation_;
    level_.reset();
  }

  void cut(uint32_t next) {
    if (next > first_) pieces_.push_back({{first_, next - 1}, std::move(name_), is_documentation_});
    begin(next);
  }

  const TextLines& text_;
  std::vector<UnparsedPiece> pieces_;
  uint32_t first_ = 1;
  bool defines_something_ = false;
  std::string name_;
  bool opened_ = false;  // a line that is no comment was seen in this piece
  bool in_documentation_ = false;
  bool is_documentation_ = false;  // the piece
  std::optional<size_t> level_;    // a line at most as deep begins something new
};

}  // namespace

std::vector<UnparsedPiece> cut_unparsed(const TextLines& text) {
  return UnparsedCutter(text).run();
}

}  // namespace knapsack::code
