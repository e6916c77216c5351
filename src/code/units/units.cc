#include "code/units/units.h"

#include <re2/re2.h>

#include <algorithm>
#include <functional>
#include <set>

#include "code/parse/language.h"
#include "code/parse/source_text.h"
#include "code/units/comment_lines.h"
#include "code/units/unparsed_units.h"
#include "core/ascii.h"

namespace knapsack::code {
namespace {

// A longer function with functions inside is taken apart like a type.
constexpr uint32_t kLongFunction = 150;
constexpr uint32_t kInnerFunction = 5;
// A function of so many lines is cut like what stands between definitions: one case of a switch is what a task is about.
constexpr uint32_t kHugeFunction = 1000;
// A type of so few lines is shown whole, whatever is in it.
constexpr uint32_t kSmallType = 3;
// A stretch between definitions is cut at a blank line from so many lines on, and always at the second.
constexpr uint32_t kStretch = 12;
constexpr uint32_t kLongStretch = 40;
// What belongs to one statement, such as a table, is cut at twice that.
constexpr uint32_t kLongStatement = 80;
// A longer type without methods is cut like what stands between definitions.
constexpr uint32_t kLongType = 80;
// A value of so many lines is shown apart from its neighbours: a property with a body, a table.
constexpr uint32_t kLongValue = 5;

bool is_import(std::string_view line) {
  static const RE2 kImport(
      R"(^\s*(?:import\b|from\s+\S+\s+import\b|#\s*include\b|(?:pub\s+)?use\s|using\s|require(?:_relative)?\b|package\b)"
      R"(|namespace\b|export\s+\*|export\s*\{|(?:const|let|var)\s+[\w\s,{}:$]*=\s*require\(|extern crate|(?:pub\s+)?mod\s+\w+;)"
      R"(|__all__|["']use strict["']|<\?php|declare\())");
  return RE2::PartialMatch(line, kImport);
}

// The name on the left of the first line's '=': `static const int kLimit = 3;` is kLimit.
std::string assigned_name(std::string_view line) {
  static const RE2 kAssigned(R"(([A-Za-z_$][\w$]*)\s*(?:\[[^\]]*\])?\s*(?::[^=]*)?=[^=>])");
  std::string name;
  RE2::PartialMatch(line, kAssigned, &name);
  return name;
}

struct UnitDefinition {
  int32_t symbol = kNoSymbol;
  LineRange lines;
  UnitKind kind = UnitKind::kType;
  std::vector<size_t> inner;  // definitions directly inside, by place

  bool is_function() const { return kind == UnitKind::kFunction; }
  bool is_value() const { return kind == UnitKind::kValue; }
};

uint32_t length(LineRange range) {
  return range.last - range.first + 1;
}

class Cutter {
 public:
  Cutter(const TextLines& text, std::span<const SymbolRow> symbols, const Language& language)
      : text_(text),
        symbols_(symbols),
        line_comment_(language.line_comment),
        in_comment_(lines_of_comments(text, language)) {
    nest_definitions();
  }

  std::vector<Unit> run() {
    if (text_.count() > 0) walk(nullptr, outermost_, {1, text_.count()});
    std::stable_sort(units_.begin(), units_.end(),
                     [](const Unit& a, const Unit& b) { return a.lines.first < b.lines.first; });
    return std::move(units_);
  }

  std::vector<Unit> run_unparsed() {
    const std::vector<UnparsedPiece> pieces = cut_unparsed(text_);
    if (pieces.empty()) return run();
    for (const UnparsedPiece& piece : pieces) {
      const LineRange lines = trimmed(piece.lines);
      if (only_closes(lines)) continue;
      const size_t before = units_.size();
      add_piece(nullptr, lines, false);
      if (units_.size() == before) continue;
      Unit& unit = units_.back();
      if (piece.is_documentation) unit.kind = UnitKind::kRemarks;
      if (!piece.name.empty() && unit.is_ranked()) unit.name = piece.name;
    }
    return std::move(units_);
  }

 private:
  const Symbol& symbol(int32_t position) const { return symbols_[static_cast<size_t>(position)].symbol; }

  // An object with functions is what a class is elsewhere: `export const cart = { add() {…} }`.
  std::set<int32_t> objects_with_functions() const {
    std::set<int32_t> objects;
    for (const SymbolRow& row : symbols_) {
      const Symbol& each = row.symbol;
      if (!is_callable(each.kind) || each.is_declaration || each.parent == kNoSymbol) continue;
      const Symbol& around = symbol(each.parent);
      const bool holds_it = around.start_line < each.start_line && each.end_line <= around.end_line;
      if (is_value(around.kind) && holds_it) objects.insert(each.parent);
    }
    return objects;
  }

  // A table, or a property with a body, that stands among the members of a type or of a file. What it holds goes with it.
  bool is_long_value(const Symbol& symbol, const std::set<int32_t>& objects) const {
    if (!is_value(symbol.kind) || symbol.end_line < symbol.start_line + kLongValue - 1) return false;
    if (symbol.end_line > text_.count() || symbol.end_line >= symbol.start_line + kLongStatement)
      return false;
    const std::string_view last = ascii::trim_space(text_.line(symbol.end_line));
    if (last.find_first_of(")}]") != 0 && !last.starts_with("end")) return false;
    if (symbol.parent == kNoSymbol || objects.contains(symbol.parent)) return true;
    const SymbolKind around = this->symbol(symbol.parent).kind;
    return is_type(around) || around == SymbolKind::kModule;
  }

  static bool is_definition(const Symbol& symbol) {
    if (symbol.kind == SymbolKind::kTest) return true;
    return is_callable(symbol.kind) || is_type(symbol.kind) || symbol.kind == SymbolKind::kModule ||
           symbol.kind == SymbolKind::kMacro || symbol.kind == SymbolKind::kType;
  }

  // By lines, not by parents: a method of Rust stands outside of its type.
  void nest_definitions() {
    const std::set<int32_t> objects = objects_with_functions();
    for (size_t i = 0; i < symbols_.size(); ++i) {
      const Symbol& each = symbols_[i].symbol;
      const bool is_object = objects.contains(static_cast<int32_t>(i));
      const bool is_apart = !is_object && is_long_value(each, objects);
      if ((!is_definition(each) && !is_object && !is_apart) || each.start_line == 0 ||
          each.start_line > text_.count())
        continue;
      // A type that is declared and not defined, a macro of one line, say nothing alone.
      if (each.kind == SymbolKind::kMacro && each.end_line == each.start_line) continue;
      const LineRange lines{each.start_line,
                            std::min(std::max(each.end_line, each.start_line), text_.count())};
      const UnitKind kind = is_apart                                                    ? UnitKind::kValue
                            : is_callable(each.kind) || each.kind == SymbolKind::kMacro ? UnitKind::kFunction
                                                                                        : UnitKind::kType;
      definitions_.push_back({static_cast<int32_t>(i), lines, kind, {}});
    }
    std::stable_sort(
        definitions_.begin(), definitions_.end(), [](const UnitDefinition& a, const UnitDefinition& b) {
          return a.lines.first != b.lines.first ? a.lines.first < b.lines.first : a.lines.last > b.lines.last;
        });
    std::vector<size_t> open;
    for (size_t i = 0; i < definitions_.size(); ++i) {
      while (!open.empty() && definitions_[open.back()].lines.last < definitions_[i].lines.last)
        open.pop_back();
      (open.empty() ? outermost_ : definitions_[open.back()].inner).push_back(i);
      open.push_back(i);
    }
  }

  bool is_taken_apart(const UnitDefinition& definition) const {
    if (definition.is_value()) return false;
    const uint32_t lines = length(definition.lines);
    const auto inner = [&](const std::function<bool(const UnitDefinition&)>& fits) {
      return std::any_of(definition.inner.begin(), definition.inner.end(),
                         [&](size_t i) { return fits(definitions_[i]); });
    };
    if (definition.is_function()) {
      return lines > kHugeFunction || (lines > kLongFunction && inner([](const UnitDefinition& each) {
                                         return length(each.lines) >= kInnerFunction;
                                       }));
    }
    return lines > kSmallType && inner([](const UnitDefinition& each) {
             return each.is_function() || !each.inner.empty() || (!each.is_value() && length(each.lines) > 3);
           });
  }

  bool is_remark_at(uint32_t number) const {
    if (in_comment_[number - 1]) return true;
    const std::string_view line = ascii::trim_space(text_.line(number));
    if (!line_comment_.empty() && line.starts_with(line_comment_)) return true;
    return is_remark(line) && !is_import(line);
  }

  // The comment and the attributes directly above belong to what follows, also where directives stand between.
  uint32_t with_remarks(uint32_t first, uint32_t least) const {
    while (first > least) {
      uint32_t above = first - 1;
      while (above > least && is_directive(text_.line(above)) && !is_remark_at(above)) --above;
      if (!is_remark_at(above)) break;
      first = above;
    }
    return first;
  }

  bool are_remarks(LineRange range) const {
    for (uint32_t number = range.first; number <= range.last; ++number)
      if (!text_.is_blank(number) && !is_remark_at(number) && !is_directive(text_.line(number))) return false;
    return true;
  }

  // Told line by line: an import may go on for some lines.
  class ImportLines {
   public:
    bool holds(std::string_view line) {
      const auto has = [&](char c) { return line.find(c) != std::string_view::npos; };
      if (is_import(line)) {
        goes_on_ =
            (has('(') && !has(')')) || (has('{') && !has('}')) || line.ends_with('\\') || line.ends_with(',');
        return true;
      }
      if (!goes_on_) return false;
      if (has(')') || has('}') || line.ends_with(';')) goes_on_ = false;
      return true;
    }

   private:
    bool goes_on_ = false;
  };

  bool is_aside(uint32_t number) const {
    return text_.is_blank(number) || is_remark_at(number) || is_remark(text_.line(number));
  }

  // At least half of what is there, continuation lines included.
  bool are_imports(LineRange range) const {
    uint32_t code = 0, imports = 0;
    ImportLines lines;
    for (uint32_t number = range.first; number <= range.last; ++number) {
      if (is_aside(number)) continue;
      ++code;
      imports += lines.holds(ascii::trim_space(text_.line(number))) ? 1 : 0;
    }
    return imports * 2 >= code;
  }

  // The last line of the imports that a stretch begins with; the line before it where it begins with something else.
  uint32_t end_of_imports(LineRange range) const {
    uint32_t last = range.first - 1;
    ImportLines lines;
    for (uint32_t number = range.first; number <= range.last; ++number) {
      if (is_aside(number)) continue;
      if (!lines.holds(ascii::trim_space(text_.line(number)))) break;
      last = number;
    }
    return last;
  }

  // Where a definition begins if the comment above it is too long to go with it; attributes stay.
  uint32_t without_long_comment(uint32_t first, uint32_t definition) const {
    if (definition < first + kStretch) return first;
    const auto is_attribute = [&](uint32_t number) {
      const std::string_view line = ascii::trim_space(text_.line(number));
      return line.starts_with('@') || line.starts_with("#[") || line.starts_with('[');
    };
    while (definition > first && is_attribute(definition - 1)) --definition;
    return definition;
  }

  void walk(const UnitDefinition* container, const std::vector<size_t>& inner, LineRange range) {
    uint32_t at = range.first;
    bool is_head = container != nullptr;
    for (const size_t i : inner) {
      const UnitDefinition& definition = definitions_[i];
      if (definition.lines.last < at) continue;
      uint32_t first = std::max(at, definition.lines.first);
      first = with_remarks(first, at);
      if (first > at) {
        at = behind_closer(at, first - 1);
        add_stretch(container, {at, without_opener({at, first - 1}, first)}, is_head);
        is_head = false;
      }
      LineRange lines{first, definition.lines.last};
      if (is_taken_apart(definition)) {
        // A long comment would be cut from the line that it describes.
        lines.first = without_long_comment(lines.first, definition.lines.first);
        if (first < lines.first) add_stretch(container, {first, lines.first - 1}, false);
        walk(&definition, definition.inner, lines);
      } else if (!definition.is_function() && length(definition.lines) > kLongType) {
        add_stretch(&definition, lines, true);
      } else {
        units_.push_back({lines, definition.kind, definition.symbol, owner_of(container, definition),
                          symbol(definition.symbol).name});
      }
      at = std::max(at, definition.lines.last + 1);
    }
    at = behind_closer(at, range.last);
    if (at <= range.last) add_stretch(container, {at, range.last}, is_head);
  }

  // The line that closes what the unit before it stands in goes with that unit, whose opener is shown too. Gives the line
  // behind it.
  uint32_t behind_closer(uint32_t at, uint32_t last) {
    if (at > last || units_.empty() || closed_ == units_.size()) return at;
    Unit& before = units_.back();
    const bool is_closed = before.lines.last + 1 == at && before.is_ranked() && only_closes({at, at}) &&
                           !is_directive(text_.line(at)) && !is_access_label(text_.line(at)) &&
                           indentation(at) < indentation(before.lines.first);
    if (!is_closed || text_.is_blank(at)) return at;
    before.lines.last = at;
    closed_ = units_.size();
    return at + 1;
  }

  size_t indentation(uint32_t number) const {
    return std::min(text_.line(number).find_first_not_of(" \t"), text_.line(number).size());
  }

  // What stands around it in the text, or what its language says it belongs to.
  int32_t owner_of(const UnitDefinition* container, const UnitDefinition& definition) const {
    if (container != nullptr) return container->symbol;
    return symbol(definition.symbol).parent;
  }

  LineRange trimmed(LineRange range) const {
    while (range.first <= range.last && text_.is_blank(range.first)) ++range.first;
    while (range.last > range.first && text_.is_blank(range.last)) --range.last;
    return range;
  }

  // `);` at the beginning closes what no part shows.
  bool is_closer(uint32_t number) const {
    return ascii::trim_space(text_.line(number)).find_first_not_of(")}];,") == std::string_view::npos;
  }

  // Lines that say nothing alone.
  bool only_closes(LineRange range) const {
    for (uint32_t number = range.first; number <= range.last; ++number) {
      std::string_view line = ascii::trim_space(text_.line(number));
      // `}  // namespace` closes, whatever it says.
      if (line.starts_with('}')) line = ascii::trim_space(line.substr(0, line.find("//")));
      const std::string_view marks = line.starts_with("end") ? line.substr(3) : line;
      const bool closes = line.size() <= 2 || marks.find_first_not_of(")}];,") == std::string_view::npos;
      if (!closes && !is_access_label(line) && !is_directive(line)) return false;
    }
    return true;
  }

  // The last line of a stretch above a definition, without the `impl Cart {` or `class << self` that ends it: what no
  // language calls a definition, and what is shown above each part of it.
  uint32_t without_opener(LineRange range, uint32_t definition) const {
    range = trimmed(range);
    uint32_t first = range.last;
    while (first > range.first && !text_.is_blank(first - 1)) --first;
    // Above it a comment may stand that says what the block is.
    while (first < range.last && (is_remark_at(first) || is_directive(text_.line(first)))) ++first;
    return opens_block_of({first, range.last}, definition) ? first - 1 : range.last;
  }

  bool opens_block_of(LineRange range, uint32_t definition) const {
    if (range.last < range.first || range.last >= range.first + kStretch) return false;
    if (indentation(range.first) >= indentation(definition)) return false;
    for (uint32_t number = range.first; number <= range.last; ++number) {
      const std::string_view line = text_.line(number);
      if (is_remark_at(number) || line.find_first_of(";}") != std::string_view::npos || assigns(line))
        return false;
    }
    return range.first == range.last || ascii::trim_space(text_.line(range.last)).ends_with('{');
  }

  // `Output = T` between angle brackets is said of a type.
  static bool assigns(std::string_view line) {
    int depth = 0;
    for (const char c : line) {
      depth += c == '<' ? 1 : c == '>' && depth > 0 ? -1 : 0;
      if (c == '=' && depth == 0) return true;
    }
    return false;
  }

  // One line that says what the parts stand in, a brace and a label aside: it is shown above each of them.
  bool only_opens(const UnitDefinition& type, LineRange range) const {
    if (type.lines.first < range.first || type.lines.first > range.last) return false;
    uint32_t lines = 0;
    for (uint32_t number = range.first; number <= range.last && lines < 2; ++number) {
      const std::string_view line = ascii::trim_space(text_.line(number));
      lines += line.size() > 2 && !is_access_label(line) ? 1 : 0;
    }
    return lines == 1;
  }

  void add_stretch(const UnitDefinition* container, LineRange range, bool is_head) {
    range = trimmed(range);
    if (range.first > range.last || only_closes(range) || (is_head && only_opens(*container, range))) return;
    uint32_t first = range.first, last_blank = 0;
    if (const uint32_t imports = is_head ? 0 : end_of_imports(range);
        first <= imports && imports < range.last) {
      add_piece(container, {first, imports}, false);
      first = imports + 1;
    }
    bool begins_with_long_comment = false;
    for (uint32_t number = first; number < range.last; ++number) {
      // The comment above a type is no part of how long its head is.
      const uint32_t begin = is_head ? std::clamp(container->lines.first, first, number) : first;
      const uint32_t lines = number - begin + 1;
      const std::string_view next = text_.line(number + 1);
      const bool has_members =
          is_head && !container->is_function() && !is_inner_text(container, {number, number});
      const uint32_t stretch = has_members ? kLongStretch : kStretch;
      const bool is_gap = text_.is_blank(number) && lines >= stretch && !in_comment_[number - 1];
      if (is_gap) last_blank = number;
      const bool ends_text =
          is_inner_text(container, {first, number}) && !is_inner_text(container, {first, number + 1});
      const bool may_cut =
          ends_text || (is_gap && (container != nullptr || next.empty() || !is_space(next[0])));
      if (!may_cut && lines < (is_in_statement(first, number + 1) ? kLongStatement : kLongStretch)) continue;
      // A comment stays with the line that it describes.
      if (!may_cut && is_remark_at(number)) {
        const uint32_t comment = begins_with_long_comment ? first : with_remarks(number, first);
        begins_with_long_comment = comment <= first;
        if (begins_with_long_comment) continue;
        number = comment - 1;
      } else if (!may_cut && last_blank > first) {
        // Inside of something that is no definition, a blank line is still the better place.
        number = last_blank;
      }
      add_piece(container, {first, number}, is_head);
      is_head = false;
      first = number + 1;
      last_blank = 0;
      begins_with_long_comment = false;
    }
    add_piece(container, {first, range.last}, is_head);
  }

  // Whether a line goes on with what another one began.
  bool is_in_statement(uint32_t first, uint32_t number) const {
    return !text_.is_blank(first) && !is_remark_at(number) &&
           (indentation(number) > indentation(first) || only_closes({number, number}));
  }

  // The docstring of a class; a comment above one goes with its first line.
  bool is_inner_text(const UnitDefinition* container, LineRange range) const {
    return is_documentation(container, range) &&
           symbol(container->symbol).doc_start_line > symbol(container->symbol).start_line;
  }

  // Text about what the lines stand in.
  bool is_documentation(const UnitDefinition* container, LineRange range) const {
    if (container == nullptr) return false;
    const Symbol& owner = symbol(container->symbol);
    return owner.doc_start_line > 0 && range.first >= owner.doc_start_line &&
           range.last <= owner.doc_end_line;
  }

  void add_piece(const UnitDefinition* container, LineRange range, bool is_head) {
    range = trimmed(range);
    while (range.first < range.last && is_closer(range.first)) range = trimmed({range.first + 1, range.last});
    if (range.first > range.last || text_.is_blank(range.first)) return;
    Unit unit{range, UnitKind::kBetween, kNoSymbol, container == nullptr ? kNoSymbol : container->symbol, ""};
    if (is_head) {
      unit.kind = UnitKind::kHead;
      unit.symbol = container->symbol;
      unit.owner = symbol(container->symbol).parent;
      unit.name = symbol(container->symbol).name;
    } else if (are_remarks(range) || is_documentation(container, range)) {
      unit.kind = UnitKind::kRemarks;
    } else if (are_imports(range)) {
      unit.kind = UnitKind::kImports;
    } else {
      unit.name = assigned_name(text_.line(range.first));
    }
    units_.push_back(std::move(unit));
  }

  const TextLines& text_;
  const std::span<const SymbolRow> symbols_;
  const std::string_view line_comment_;
  const std::vector<bool> in_comment_;
  std::vector<UnitDefinition> definitions_;
  std::vector<size_t> outermost_;
  std::vector<Unit> units_;
  size_t closed_ = 0;  // how many units there were when the last one was given a closing line
};

}  // namespace

std::string_view to_string(UnitKind kind) {
  switch (kind) {
    case UnitKind::kFunction:
      return "function";
    case UnitKind::kType:
      return "type";
    case UnitKind::kHead:
      return "head";
    case UnitKind::kValue:
      return "value";
    case UnitKind::kBetween:
      return "between";
    case UnitKind::kImports:
      return "imports";
    case UnitKind::kRemarks:
      return "remarks";
  }
  return "";
}

TextLines::TextLines(std::string_view text) : text_(text) {
  for (size_t at = 0; at < text.size();) {
    starts_.push_back(at);
    const size_t end = text.find('\n', at);
    if (end == std::string_view::npos) break;
    at = end + 1;
  }
}

std::string_view TextLines::line(uint32_t number) const {
  if (number == 0 || number > count()) return {};
  const std::string_view rest = text_.substr(starts_[number - 1]);
  return rest.substr(0, rest.find('\n'));
}

std::string_view TextLines::lines(LineRange range) const {
  if (range.first == 0 || range.first > count() || range.last < range.first) return {};
  const size_t end = range.last >= count() ? text_.size() : starts_[range.last];
  return text_.substr(starts_[range.first - 1], end - starts_[range.first - 1]);
}

bool TextLines::is_blank(uint32_t number) const {
  return line(number).find_first_not_of(" \t\r\f\v") == std::string_view::npos;
}

uint32_t TextLines::line_of(size_t byte) const {
  const auto after = std::upper_bound(starts_.begin(), starts_.end(), byte);
  return static_cast<uint32_t>(after - starts_.begin());
}

std::vector<std::string_view> telling_lines(const TextLines& text, LineRange range) {
  constexpr size_t kMinLineBytes = 10;
  std::vector<std::string_view> lines;
  for (uint32_t number = range.first; number <= range.last; ++number) {
    const std::string_view line = ascii::trim_space(text.line(number));
    if (line.size() >= kMinLineBytes) lines.push_back(line);
  }
  return lines;
}

bool is_access_label(std::string_view line) {
  line = ascii::trim_space(line);
  constexpr std::string_view kLabels[] = {"public:",   "protected:", "private:",       "public",
                                          "protected", "private",    "module_function"};
  return std::find(std::begin(kLabels), std::end(kLabels), line) != std::end(kLabels);
}

bool is_directive(std::string_view line) {
  line = ascii::trim_space(line);
  if (!line.starts_with('#')) return false;
  line = ascii::trim_space(line.substr(1));
  for (const std::string_view word :
       {"if", "ifdef", "ifndef", "elif", "elseif", "else", "endif", "pragma", "region", "endregion"})
    if (line.starts_with(word) && (line.size() == word.size() || !is_identifier(line[word.size()])))
      return true;
  return false;
}

bool is_remark(std::string_view line) {
  line = ascii::trim_space(line);
  for (const std::string_view mark : {"//", "/*", "*", "@", ";;", "; ", "%%", "% "})
    if (line.starts_with(mark)) return true;
  if (!line.starts_with('#')) return false;
  // Directives of the C preprocessor are code.
  line = ascii::trim_space(line.substr(1));
  for (const std::string_view word : {"include", "define", "if", "else", "elif", "endif", "pragma", "undef"})
    if (line.starts_with(word)) return false;
  return true;
}

std::vector<Unit> cut_units(const TextLines& text, std::span<const SymbolRow> symbols,
                            std::string_view language) {
  const Language* known = find_language(language);
  Cutter cutter(text, symbols, known != nullptr ? *known : Language());
  return known != nullptr && known->is_program ? cutter.run_unparsed() : cutter.run();
}

}  // namespace knapsack::code
