#include "code/symbol_builder.h"

#include <algorithm>
#include <tuple>
#include <utility>

#include "code/hooks.h"

namespace knapsack::code {
namespace {

constexpr size_t kMaxNameBytes = 200;
// Deeper definitions have no name that anyone would say, and qualified names that grow with the square of the
// file.
constexpr size_t kMaxDepth = 100;

SymbolKind kind_of(Role role) {
  switch (role) {
    case Role::kMethod:
      return SymbolKind::kMethod;
    case Role::kClass:
      return SymbolKind::kClass;
    case Role::kInterface:
      return SymbolKind::kInterface;
    case Role::kEnum:
      return SymbolKind::kEnum;
    case Role::kStruct:
      return SymbolKind::kStruct;
    case Role::kTrait:
      return SymbolKind::kTrait;
    case Role::kModule:
      return SymbolKind::kModule;
    case Role::kConstant:
      return SymbolKind::kConstant;
    case Role::kVariable:
      return SymbolKind::kVariable;
    case Role::kField:
      return SymbolKind::kField;
    case Role::kMacro:
      return SymbolKind::kMacro;
    case Role::kType:
      return SymbolKind::kType;
    case Role::kTestBlock:
      return SymbolKind::kTest;
    default:
      return SymbolKind::kFunction;
  }
}

bool is_type_like(SymbolKind kind) {
  return kind == SymbolKind::kClass || kind == SymbolKind::kInterface || kind == SymbolKind::kEnum ||
         kind == SymbolKind::kStruct || kind == SymbolKind::kTrait;
}
bool is_callable(SymbolKind kind) {
  return kind == SymbolKind::kFunction || kind == SymbolKind::kMethod || kind == SymbolKind::kTest;
}
bool is_value(SymbolKind kind) {
  return kind == SymbolKind::kVariable || kind == SymbolKind::kConstant || kind == SymbolKind::kField;
}

bool is_upper_case(std::string_view name) {
  bool has_letter = false;
  for (const char c : name) {
    if (c >= 'a' && c <= 'z') return false;
    if (c >= 'A' && c <= 'Z') has_letter = true;
  }
  return has_letter && name.size() > 1;
}

// "a::B<T>", "A\B" or "a:b" with '.' between its parts and without type arguments.
std::string normalise(std::string_view name) {
  std::string plain;
  int depth = 0;
  for (const char c : name) {
    if (c == '<' || c == '[' || c == '(') ++depth;
    if (depth == 0 && !is_space(c) && c != '*' && c != '&') {
      const bool is_separator = c == ':' || c == '\\' || c == '#' || c == '/' || c == '.';
      if (!is_separator) {
        plain += c;
      } else if (!plain.empty() && plain.back() != '.') {
        plain += '.';
      }
    }
    if ((c == '>' || c == ']' || c == ')') && depth > 0) --depth;
  }
  while (plain.ends_with('.')) plain.pop_back();
  return plain;
}

std::string join(std::string_view parent, std::string_view separator, std::string_view name) {
  std::string joined(parent);
  if (!joined.empty()) joined += separator;
  joined += name;
  return joined;
}

// A conversion operator's name ends before its parameters: "operator bool() const".
void drop_parameters(std::string& name) {
  constexpr std::string_view kOperator = "operator ";
  if (!name.starts_with(kOperator)) return;
  const size_t bracket = name.find('(');
  if (bracket != std::string::npos && bracket > kOperator.size()) name.resize(bracket);
}

std::string with_separator(std::string_view dotted, std::string_view separator) {
  std::string text;
  for (const char c : dotted) {
    if (c == '.') {
      text += separator;
    } else {
      text += c;
    }
  }
  return text;
}

// A node's last line, without the line break or blank lines that some grammars count as part of it.
std::pair<uint32_t, uint32_t> trimmed_end(TSNode node, std::string_view bytes) {
  uint32_t end = ts_node_end_byte(node);
  uint32_t line = ts_node_end_point(node).row + 1;
  const uint32_t start = ts_node_start_byte(node);
  while (end > start && is_space(bytes[end - 1])) {
    if (bytes[end - 1] == '\n') --line;
    --end;
  }
  return {end, line};
}

TSNode captured(std::span<const Capture> captures, Role role) {
  for (const Capture& capture : captures) {
    if (capture.role == role) return capture.node;
  }
  return TSNode{};
}

}  // namespace

void SymbolBuilder::advance_to(uint32_t byte) {
  while (!open_.empty() && open_.back().end <= byte) open_.pop_back();
}

SymbolBuilder::Open* SymbolBuilder::parent_of(uint32_t byte, Role role) {
  for (size_t i = open_.size(); i-- > 0;) {
    const Open& open = open_[i];
    if (open.start > byte || byte >= open.end) continue;
    // `struct Point {…} origin;` and `typedef struct Point {…} Point;` declare a type beside a name, not
    // inside it.
    if (is_type_like(kind_of(role)) && open.is_name_only) continue;
    return &open_[i];
  }
  return nullptr;
}

int32_t SymbolBuilder::enclosing(uint32_t byte) const {
  for (size_t i = open_.size(); i-- > 0;) {
    if (open_[i].symbol != kNoSymbol && open_[i].start <= byte && byte < open_[i].end) return open_[i].symbol;
  }
  return kNoSymbol;
}

int32_t SymbolBuilder::enclosing_test(uint32_t byte) const {
  for (size_t i = open_.size(); i-- > 0;) {
    const Open& open = open_[i];
    if (open.symbol == kNoSymbol || open.start > byte || byte >= open.end) continue;
    const Symbol& symbol = file_.symbols[static_cast<size_t>(open.symbol)];
    if (symbol.is_test && is_callable(symbol.kind)) return open.symbol;
  }
  return kNoSymbol;
}

void SymbolBuilder::wrap(TSNode wrapper, TSNode start, TSNode wrapped, bool is_exported) {
  Wrapping wrapping = {ts_node_start_byte(start), ts_node_start_point(start).row + 1, is_exported};
  // `export` around a decorated class around…: the outermost span and any export reach the definition.
  if (const auto outer = wrappings_.find(wrapper.id); outer != wrappings_.end()) {
    if (start.id == wrapper.id) {
      wrapping.start = outer->second.start;
      wrapping.start_line = outer->second.start_line;
    }
    wrapping.is_exported = wrapping.is_exported || outer->second.is_exported;
  }
  wrappings_[wrapped.id] = wrapping;
}

void SymbolBuilder::lead(TSNode node, bool is_test, TSNode docstring) {
  const auto [end, end_line] = trimmed_end(node, bytes_);
  const uint32_t start = ts_node_start_byte(node);
  Leading& leading = leading_[start];  // a second pattern may say more about it
  leading.range = {start, end};
  leading.start_line = ts_node_start_point(node).row + 1;
  leading.end_line = end_line;
  leading.is_test = leading.is_test || is_test;
  if (!ts_node_is_null(docstring))
    leading.docstring = {ts_node_start_byte(docstring), ts_node_end_byte(docstring)};
}

void SymbolBuilder::leave_out_of_signatures(TSNode node) {
  annotations_.push_back({ts_node_start_byte(node), ts_node_end_byte(node)});
}

void SymbolBuilder::set_package(TSNode node) {
  if (package_line_ == 0) package_line_ = ts_node_start_point(node).row + 1;
  const std::string_view name = text_of(node, bytes_);
  const std::string plain = normalise(unquote(name));
  // `package a` followed by `package b` is a.b (Scala); a second namespace of a PHP file is left to its
  // symbols.
  file_.package = file_.package.empty() ? plain : join(file_.package, ".", plain);
}

void SymbolBuilder::set_access(std::string_view access, uint32_t byte) {
  Open* const type = parent_of(byte, Role::kScope);
  if (type != nullptr) type->is_private = !access.starts_with("public");
}

void SymbolBuilder::document(TSNode docstring, CommentCollector& comments) {
  const uint32_t start = ts_node_start_byte(docstring);
  const auto [end, end_line] = trimmed_end(docstring, bytes_);
  CommentSpan span = {start, end, ts_node_start_point(docstring).row + 1, end_line, enclosing(start)};
  span.is_string = true;
  span.is_doc = true;
  if (span.enclosing != kNoSymbol) {
    Symbol& symbol = file_.symbols[static_cast<size_t>(span.enclosing)];
    Draft& draft = drafts_[static_cast<size_t>(span.enclosing)];
    if (!draft.has_docstring) {
      draft.has_docstring = true;
      symbol.docstring = strip_comment(unquote(text_of(docstring, bytes_)), "", "", kMaxDocstringBytes);
      symbol.doc_start_line = span.start_line;
      symbol.doc_end_line = span.end_line;
      span.is_attached = true;
    }
  }
  comments.add(span);
}

void SymbolBuilder::open_scope(std::span<const Capture> captures, TSNode node) {
  const TSNode name = captured(captures, Role::kName);
  const Open* parent = parent_of(ts_node_start_byte(node), Role::kScope);
  Open open;
  open.node = node.id;
  open.start = ts_node_start_byte(node);
  open.end = ts_node_end_byte(node);
  const std::string plain = ts_node_is_null(name) ? "" : normalise(text_of(name, bytes_));
  const std::string outer = parent == nullptr ? "" : parent->qualified;
  open.qualified = plain.empty() ? outer : join(outer, ".", plain);
  const std::string outer_native = parent == nullptr ? "" : parent->native;
  open.native = plain.empty() ? outer_native : join(outer_native, language_.separator, plain);
  const auto found = types_.find(open.qualified);
  open.symbol = found == types_.end() ? kNoSymbol : found->second;
  open.is_type = !plain.empty();
  if (plain.empty()) {
    // An anonymous namespace: its members belong to what is around it, and to this file alone.
    open.symbol = parent == nullptr ? kNoSymbol : parent->symbol;
    open.is_private = true;
  }
  const TSNode body = captured(captures, Role::kBody);
  const auto [end, end_line] = trimmed_end(node, bytes_);
  scope_drafts_.push_back({open.start, ts_node_is_null(body) ? end : ts_node_start_byte(body)});
  file_.scopes.push_back({open.qualified, "", ts_node_start_point(node).row + 1, end_line, open.start});
  open_.push_back(std::move(open));
}

SymbolBuilder::Outcome SymbolBuilder::define(std::span<const Capture> captures, TSNode definition,
                                             Role role) {
  for (size_t i = open_.size(); i-- > 0 && open_[i].start >= ts_node_start_byte(definition);) {
    if (open_[i].node == definition.id) return Outcome::kIgnored;  // an earlier pattern had it
  }
  if (open_.size() >= kMaxDepth) return Outcome::kIgnored;
  if (role == Role::kScope) {
    open_scope(captures, definition);
    return Outcome::kDefined;
  }
  const Open* parent = parent_of(ts_node_start_byte(definition), role);
  if (parent != nullptr && parent->is_function) {
    const bool is_prototype = role == Role::kFunction && ts_node_is_null(captured(captures, Role::kBody));
    if (is_prototype || is_value(kind_of(role))) return Outcome::kLocal;
  }

  int32_t first = kNoSymbol;
  std::string_view qualifier;
  for (const Capture& capture : captures) {
    int32_t added = kNoSymbol;
    if (capture.role == Role::kQualifier) {
      qualifier = text_of(capture.node, bytes_);
    } else if (capture.role == Role::kName) {
      added = add_symbol(captures, definition, role, capture.node, qualifier);
    } else if (capture.role == Role::kDeclarator && language_.hooks != nullptr) {
      const DeclaredName declared = language_.hooks->find_name(capture.node, bytes_);
      if (ts_node_is_null(declared.node)) continue;
      added = add_symbol(captures, definition, role, declared.node, declared.qualifier);
    }
    if (first == kNoSymbol) first = added;
  }
  const bool is_default_export = !ts_node_is_null(captured(captures, Role::kExported));
  if (first == kNoSymbol && is_default_export && ts_node_is_null(captured(captures, Role::kName))) {
    first = add_symbol(captures, definition, role, TSNode{}, qualifier);
  }
  if (first == kNoSymbol) return Outcome::kIgnored;
  leading_.erase(leading_.begin(), leading_.lower_bound(ts_node_start_byte(definition)));
  const Symbol& symbol = file_.symbols[static_cast<size_t>(first)];
  Open open;
  open.node = definition.id;
  open.symbol = first;
  open.start = ts_node_start_byte(definition);
  open.end = ts_node_end_byte(definition);
  open.qualified = symbol.qualified_name;
  open.native = symbol.native_name;
  open.is_function = is_callable(symbol.kind);
  open.is_type = is_type_like(symbol.kind);
  open.is_private = symbol.kind == SymbolKind::kClass && language_.exports.classes_start_private;
  open.is_name_only = is_value(symbol.kind) || symbol.kind == SymbolKind::kType;
  if (!ts_node_is_null(captured(captures, Role::kFollowed))) {
    open.end = std::max(open.end, symbol.end_byte);
  }
  open_.push_back(std::move(open));
  return Outcome::kDefined;
}

// A name that is no node at all is that of an anonymous default export.
int32_t SymbolBuilder::add_symbol(std::span<const Capture> captures, TSNode node, Role role, TSNode name,
                                  std::string_view qualifier) {
  Symbol symbol;
  Draft draft;
  symbol.kind = kind_of(role);
  symbol.start_byte = ts_node_start_byte(node);
  symbol.start_line = ts_node_start_point(node).row + 1;
  symbol.name_line = symbol.start_line;
  if (ts_node_is_null(name)) {
    symbol.name = "default";
  } else {
    const std::string_view text = text_of(name, bytes_);
    const bool is_literal = text.starts_with('"') || text.starts_with('\'') || text.starts_with('`');
    const ByteRange range = {ts_node_start_byte(name), ts_node_end_byte(name)};
    symbol.name = is_literal ? std::string(cut_utf8(trim(unquote(text)), kMaxNameBytes))
                             : fold(bytes_, range, {}, kMaxNameBytes);
    drop_parameters(symbol.name);
    // Symbols of Ruby and atoms and keywords of Elixir.
    if (symbol.name.size() > 1 && symbol.name.starts_with(':')) symbol.name.erase(0, 1);
    if (symbol.kind == SymbolKind::kField && symbol.name.ends_with(':')) symbol.name.pop_back();
    symbol.name_line = ts_node_start_point(name).row + 1;
  }
  if (symbol.name.empty()) return kNoSymbol;
  std::string prefix = normalise(qualifier);
  if (is_type_like(symbol.kind) || symbol.kind == SymbolKind::kModule) {
    // `class A::B<int>` is B in A.
    std::string plain = normalise(unquote(symbol.name));
    const size_t dot = plain.rfind('.');
    if (dot != std::string::npos) prefix = join(prefix, ".", plain.substr(0, dot));
    symbol.name = plain.substr(dot + 1);
    if (symbol.name.empty()) return kNoSymbol;
  }
  std::tie(symbol.end_byte, symbol.end_line) = trimmed_end(node, bytes_);
  if (!ts_node_is_null(captured(captures, Role::kFollowed))) {
    const TSNode block = ts_node_next_named_sibling(node);
    if (!ts_node_is_null(block)) std::tie(symbol.end_byte, symbol.end_line) = trimmed_end(block, bytes_);
    draft.signature.end = ts_node_end_byte(node);
  }

  Open* parent = parent_of(symbol.start_byte, role);
  std::string outer = parent == nullptr ? "" : parent->qualified;
  std::string native = parent == nullptr ? "" : parent->native;
  symbol.parent = parent == nullptr ? kNoSymbol : parent->symbol;
  bool in_type = parent != nullptr && parent->is_type;
  if (!prefix.empty()) {
    outer = join(outer, ".", prefix);
    native = join(native, language_.separator, with_separator(prefix, language_.separator));
    const auto type = types_.find(outer);
    if (type != types_.end()) symbol.parent = type->second;
    in_type = true;
  }
  if (symbol.kind == SymbolKind::kFunction && in_type) symbol.kind = SymbolKind::kMethod;
  if (symbol.kind == SymbolKind::kMethod && parent == nullptr && prefix.empty())
    symbol.kind = SymbolKind::kFunction;
  const bool can_be_constant = symbol.kind == SymbolKind::kVariable || symbol.kind == SymbolKind::kField;
  if (can_be_constant && language_.upper_case_is_constant && is_upper_case(symbol.name)) {
    symbol.kind = SymbolKind::kConstant;
  }
  if (symbol.kind == SymbolKind::kVariable && in_type) symbol.kind = SymbolKind::kField;
  symbol.qualified_name = join(outer, ".", symbol.name);
  // Ruby marks methods only, PHP every member.
  const bool is_member = !language_.member_separator.empty() && in_type &&
                         (symbol.kind == SymbolKind::kMethod || language_.member_separator == "::");
  symbol.native_name =
      join(native, is_member ? language_.member_separator : language_.separator, symbol.name);

  const TSNode body = captured(captures, Role::kBody);
  draft.has_body = !ts_node_is_null(body);
  draft.signature.start = symbol.start_byte;
  if (draft.signature.end == 0)
    draft.signature.end = draft.has_body ? ts_node_start_byte(body) : symbol.end_byte;
  if (role == Role::kTestBlock && !ts_node_is_null(name)) draft.signature.end = ts_node_end_byte(name);
  draft.is_private = parent != nullptr && parent->is_private;
  draft.is_marked_exported = !ts_node_is_null(captured(captures, Role::kExported));
  symbol.is_declaration = !draft.has_body && is_callable(symbol.kind) && symbol.kind != SymbolKind::kTest;
  symbol.is_test = role == Role::kTestBlock || !ts_node_is_null(captured(captures, Role::kTest));
  apply_wrapping(symbol, draft, node);
  apply_leading(symbol, draft);
  if (!symbol.is_test) symbol.is_test = is_test_by_name(symbol, draft);
  if (merge_clause(parent, symbol, draft)) return parent == nullptr ? last_top_level_ : parent->last_child;

  const auto index = static_cast<int32_t>(file_.symbols.size());
  // Tables and objects get members from outside too: `function M.run()`, `api.run = function () {}`.
  const bool is_table = is_value(symbol.kind) && symbol.parent == kNoSymbol && prefix.empty();
  if (is_type_like(symbol.kind) || symbol.kind == SymbolKind::kModule || symbol.kind == SymbolKind::kType ||
      is_table) {
    types_.emplace(symbol.qualified_name, index);
  }
  if (symbol.is_test && is_callable(symbol.kind)) file_.tests.push_back({index, {}});
  file_.symbols.push_back(std::move(symbol));
  drafts_.push_back(draft);
  (parent == nullptr ? last_top_level_ : parent->last_child) = index;
  return index;
}

void SymbolBuilder::apply_wrapping(Symbol& symbol, Draft& draft, TSNode node) const {
  const auto found = wrappings_.find(node.id);
  if (found == wrappings_.end() || found->second.start > symbol.start_byte) return;
  symbol.start_byte = found->second.start;
  symbol.start_line = found->second.start_line;
  draft.signature.start = found->second.start;
  draft.is_marked_exported = draft.is_marked_exported || found->second.is_exported;
}

// White space and whole-line comments.
bool SymbolBuilder::is_only_comment(uint32_t start, uint32_t end) const {
  std::string_view rest = bytes_.substr(start, end - start);
  while (!rest.empty()) {
    const size_t line_end = std::min(rest.find('\n'), rest.size() - 1);
    const std::string_view line = trim(rest.substr(0, line_end + 1));
    if (!line.empty() && (language_.line_comment.empty() || !line.starts_with(language_.line_comment)))
      return false;
    rest.remove_prefix(line_end + 1);
  }
  return true;
}

// From the nearest sibling upwards, as long as nothing else stands between.
void SymbolBuilder::apply_leading(Symbol& symbol, Draft& draft) const {
  for (auto at = leading_.lower_bound(symbol.start_byte); at != leading_.begin();) {
    const Leading& one = (--at)->second;
    if (one.range.end > symbol.start_byte) return;
    if (!is_only_comment(one.range.end, symbol.start_byte)) return;
    symbol.start_byte = one.range.start;
    symbol.start_line = one.start_line;
    symbol.is_test = symbol.is_test || one.is_test;
    const auto [start, end] = one.docstring;
    if (start == end || draft.has_docstring) continue;
    const std::string_view text = bytes_.substr(start, end - start);
    symbol.docstring = strip_comment(unquote(text), "", "", kMaxDocstringBytes);
    symbol.doc_start_line = one.start_line;
    symbol.doc_end_line = one.end_line;
    draft.has_docstring = true;
  }
}

bool SymbolBuilder::merge_clause(const Open* parent, Symbol& symbol, const Draft& draft) {
  if (language_.clauses == ClauseMerging::kNever || !is_callable(symbol.kind) ||
      symbol.kind == SymbolKind::kTest) {
    return false;
  }
  const int32_t last = parent == nullptr ? last_top_level_ : parent->last_child;
  if (last == kNoSymbol) return false;
  Symbol& before = file_.symbols[static_cast<size_t>(last)];
  if (before.qualified_name != symbol.qualified_name || before.kind != symbol.kind) return false;
  if (language_.clauses == ClauseMerging::kDeclarations && !before.is_declaration) return false;
  before.end_byte = symbol.end_byte;
  before.end_line = symbol.end_line;
  before.is_declaration = before.is_declaration && !draft.has_body;
  return true;
}

}  // namespace knapsack::code
