#include "code/parse/symbol_builder.h"

#include <algorithm>
#include <utility>

#include "code/parse/hooks.h"
#include "code/parse/node_text.h"
#include "code/parse/symbol_names.h"
#include "code/parse/text_names.h"
#include "core/ascii.h"

namespace knapsack::code {
namespace {

// Deeper definitions have no name that anyone would say, and qualified names that grow with the square of the
// file.
constexpr size_t kMaxOpenSymbols = 100;

SymbolKind kind_of(Role role) {
  switch (role) {
    case Role::kMethod:
    case Role::kRegistered:
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

// A call statement that names the function at its end: `def('equal', function (a, b) {…})`. Of few lines it says nothing
// that the line does not.
bool registers_function(std::span<const Capture> captures, TSNode statement, std::string_view bytes) {
  constexpr uint32_t kMinLines = 5;
  const TSNode call = ts_node_named_child(statement, 0);
  const TSNode arguments = field(call, "arguments");
  TSNode last = {};
  for (uint32_t i = ts_node_named_child_count(arguments); i-- > 0 && ts_node_is_null(last);) {
    const TSNode child = ts_node_named_child(arguments, i);
    if (std::string_view(ts_node_type(child)) != "comment") last = child;
  }
  if (ts_node_is_null(last) || field(last, "body").id != find_capture(captures, Role::kBody).id) return false;
  if (ts_node_end_point(last).row - ts_node_start_point(last).row + 1 < kMinLines) return false;
  TSNode parameters = field(last, "parameters");
  if (ts_node_is_null(parameters)) parameters = field(last, "parameter");
  const std::string_view given = ts_node_is_null(parameters) ? "" : text_of(parameters, bytes);
  return is_registration(text_of(field(call, "function"), bytes),
                         unquote(text_of(find_capture(captures, Role::kName), bytes)), given);
}

// Names alone, without types and values that would take lines of their own, and not all on one line.
bool is_list_over_lines(std::span<const Capture> captures, std::string_view bytes) {
  uint32_t first = 0, last = 0;
  for (const Capture& capture : captures) {
    if (capture.role != Role::kName) continue;
    last = line_of(capture.node);
    if (first == 0) first = last;
    const size_t behind = bytes.find_first_not_of(" \t\r", ts_node_end_byte(capture.node));
    if (behind != std::string_view::npos &&
        std::string_view(",);\n").find(bytes[behind]) == std::string_view::npos)
      return false;
  }
  return first != last;
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
    if (is_type(kind_of(role)) && open.is_name_only) continue;
    return &open_[i];
  }
  return nullptr;
}

int32_t SymbolBuilder::enclosing(uint32_t byte) const {
  for (size_t i = open_.size(); i-- > 0;) {
    const Open& open = open_[i];
    if (open.symbol != kNoSymbol && open.start <= byte && byte < open.end) return open.symbol;
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

SymbolBuilder::Outcome SymbolBuilder::define(std::span<const Capture> captures, TSNode node, Role role) {
  const Definition definition = {captures, node, role};
  const uint32_t start = ts_node_start_byte(node);
  for (size_t i = open_.size(); i-- > 0 && open_[i].start >= start;) {
    if (open_[i].node == node.id) return Outcome::kIgnored;  // an earlier pattern had it
  }
  if (open_.size() >= kMaxOpenSymbols) return Outcome::kIgnored;
  // What a test registers is there for the test alone.
  if (role == Role::kRegistered &&
      (enclosing_test(start) != kNoSymbol || !registers_function(captures, node, bytes_)))
    return Outcome::kIgnored;
  if (role == Role::kScope) {
    open_scope(definition);
    return Outcome::kDefined;
  }
  if (const Open* parent = parent_of(start, role); parent != nullptr && parent->is_function) {
    const bool is_prototype = role == Role::kFunction && !has_capture(captures, Role::kBody);
    if (is_prototype || is_value(kind_of(role))) return Outcome::kLocal;
  }

  int32_t first = kNoSymbol;
  std::string_view qualifier;
  const bool is_list = role == Role::kField && is_list_over_lines(captures, bytes_);
  for (const Capture& capture : captures) {
    int32_t added = kNoSymbol;
    if (capture.role == Role::kQualifier) {
      qualifier = text_of(capture.node, bytes_);
    } else if (capture.role == Role::kName) {
      added = add_symbol(definition, capture.node, qualifier);
      if (is_list && added != kNoSymbol)
        narrow_to_line(file_.symbols[static_cast<size_t>(added)], capture.node);
    } else if (capture.role == Role::kDeclarator && language_.hooks != nullptr) {
      const DeclaredName declared = language_.hooks->find_name(capture.node, bytes_);
      if (!ts_node_is_null(declared.node)) added = add_symbol(definition, declared.node, declared.qualifier);
    }
    if (first == kNoSymbol) first = added;
  }
  const bool is_anonymous = !has_capture(captures, Role::kName) && has_capture(captures, Role::kExported);
  if (is_anonymous) first = add_symbol(definition, TSNode{}, "");
  if (first == kNoSymbol) return Outcome::kIgnored;
  leading_.erase(leading_.begin(), leading_.lower_bound(start));
  open_symbol(definition, first);
  const bool has_directives = language_.hooks != nullptr && language_.hooks->has_directives;
  if (has_directives && role == Role::kFunction && has_capture(captures, Role::kBody)) add_other_head(first);
  return Outcome::kDefined;
}

void SymbolBuilder::open_scope(const Definition& definition) {
  const TSNode node = definition.node;
  const TSNode name = find_capture(definition.captures, Role::kName);
  const TSNode body = find_capture(definition.captures, Role::kBody);
  const Open* parent = parent_of(ts_node_start_byte(node), Role::kScope);
  const std::string plain = ts_node_is_null(name) ? "" : normalise_name(text_of(name, bytes_));
  Open open;
  open.node = node.id;
  open.start = ts_node_start_byte(node);
  open.end = ts_node_end_byte(node);
  if (parent != nullptr) {
    open.qualified = parent->qualified;
    open.native = parent->native;
    open.symbol = parent->symbol;
  }
  if (plain.empty()) {
    open.is_private = true;  // an anonymous namespace: its members belong to this file alone
  } else {
    open.qualified = join_name(open.qualified, ".", plain);
    open.native = join_name(open.native, language_.separator, plain);
    const auto found = types_.find(open.qualified);
    open.symbol = found == types_.end() ? kNoSymbol : found->second;
    open.is_type = true;
  }
  const NodeEnd end = trimmed_end(node, bytes_);
  scope_drafts_.push_back({open.start, ts_node_is_null(body) ? end.byte : ts_node_start_byte(body)});
  file_.scopes.push_back({open.qualified, "", line_of(node), end.line, open.start});
  open_.push_back(std::move(open));
}

void SymbolBuilder::open_symbol(const Definition& definition, int32_t index) {
  const Symbol& symbol = file_.symbols[static_cast<size_t>(index)];
  Open open;
  open.node = definition.node.id;
  open.symbol = index;
  open.start = ts_node_start_byte(definition.node);
  open.end = ts_node_end_byte(definition.node);
  if (has_capture(definition.captures, Role::kFollowed)) open.end = std::max(open.end, symbol.end_byte);
  open.qualified = symbol.qualified_name;
  open.native = symbol.native_name;
  open.is_function = is_callable(symbol.kind);
  open.is_type = is_type(symbol.kind);
  open.is_private = symbol.kind == SymbolKind::kClass && language_.exports.classes_start_private;
  open.is_name_only = is_value(symbol.kind) || symbol.kind == SymbolKind::kType;
  open_.push_back(std::move(open));
}

// The other head of a function with two, of which a preprocessor takes one: `int fuzz(int a)`, `#else`, `int main(int a)`,
// `#endif`, `{`. Both are names of its body.
void SymbolBuilder::add_other_head(int32_t index) {
  Draft draft = drafts_[static_cast<size_t>(index)];
  Symbol other = file_.symbols[static_cast<size_t>(index)];
  const ByteRange branch = second_branch(bytes_, draft.signature);
  const std::string_view head = ascii::trim_space(bytes_.substr(branch.start, branch.end - branch.start));
  const size_t open = head.find('(');
  if (open == std::string_view::npos || head.back() != ')') return;
  const std::string_view before = ascii::trim_space(head.substr(0, open));
  const auto start = std::find_if_not(before.rbegin(), before.rend(), is_identifier).base();
  const std::string name(start, before.end());
  // With a type before it, or it is a macro's.
  if (name.empty() || name == other.name || start == before.begin() || ascii::is_digit(name.front())) return;
  for (std::string* const each : {&other.qualified_name, &other.native_name})
    each->replace(each->size() - other.name.size(), other.name.size(), name);
  other.name = name;
  other.start_byte = static_cast<uint32_t>(head.data() - bytes_.data());
  const std::string_view above = bytes_.substr(file_.symbols[static_cast<size_t>(index)].start_byte);
  const auto lines = std::count(above.begin(), above.begin() + (head.data() - above.data()), '\n');
  other.start_line += static_cast<uint32_t>(lines);
  other.name_line = other.start_line;
  draft.signature = {other.start_byte, branch.end};
  file_.symbols.push_back(std::move(other));
  drafts_.push_back(draft);
}

// The index of the new symbol, or of the one that this is another clause of.
int32_t SymbolBuilder::add_symbol(const Definition& definition, TSNode name, std::string_view qualifier) {
  Symbol symbol;
  Draft draft;
  symbol.kind = kind_of(definition.role);
  std::string prefix = normalise_name(qualifier);
  if (!set_name(symbol, name, prefix)) return kNoSymbol;
  if (const size_t dot = symbol.name.rfind('.');
      definition.role == Role::kRegistered && dot != std::string::npos) {
    prefix = symbol.name.substr(0, dot);
    symbol.name.erase(0, dot + 1);
  }
  set_span(symbol, draft, definition, name);
  Open* const parent = parent_of(symbol.start_byte, definition.role);
  set_place(symbol, parent, prefix);
  draft.is_registered = definition.role == Role::kRegistered;
  // It is called through what it was given to, and shadows nothing.
  if (draft.is_registered) symbol.kind = SymbolKind::kMethod;
  draft.is_private = parent != nullptr && parent->is_private;
  draft.is_marked_exported = has_capture(definition.captures, Role::kExported);
  symbol.is_declaration =
      !draft.does_something && is_callable(symbol.kind) && symbol.kind != SymbolKind::kTest;
  symbol.is_test = symbol.kind == SymbolKind::kTest || has_capture(definition.captures, Role::kTest);
  apply_wrapping(symbol, draft, definition.node);
  apply_leading(symbol, draft);
  symbol.is_test = symbol.is_test || is_test_by_name(symbol, draft);

  int32_t& last = parent == nullptr ? last_top_level_ : parent->last_child;
  if (merge_clause(last, symbol, draft)) return last;
  const auto index = static_cast<int32_t>(file_.symbols.size());
  // Tables and objects get members from outside too: `function M.run()`, `api.run = function () {}`.
  const bool is_table = is_value(symbol.kind) && symbol.parent == kNoSymbol && prefix.empty();
  const bool has_members = is_type(symbol.kind) || symbol.kind == SymbolKind::kModule ||
                           symbol.kind == SymbolKind::kType || is_table;
  if (has_members) types_.emplace(symbol.qualified_name, index);
  if (symbol.is_test && is_callable(symbol.kind)) file_.tests.push_back({index, {}});
  file_.symbols.push_back(std::move(symbol));
  drafts_.push_back(draft);
  last = index;
  return index;
}

// A name that is no node at all is that of an anonymous default export. False where the node has no text.
bool SymbolBuilder::set_name(Symbol& symbol, TSNode name, std::string& prefix) const {
  symbol.name = ts_node_is_null(name) ? "default" : clean_name(text_of(name, bytes_), symbol.kind);
  if (is_type(symbol.kind) || symbol.kind == SymbolKind::kModule) {
    // `class A::B<int>` is B in A.
    const std::string plain = normalise_name(symbol.name);
    const size_t dot = plain.rfind('.');
    if (dot != std::string::npos) prefix = join_name(prefix, ".", plain.substr(0, dot));
    symbol.name = plain.substr(dot + 1);
  }
  return !symbol.name.empty();
}

void SymbolBuilder::set_span(Symbol& symbol, Draft& draft, const Definition& definition, TSNode name) const {
  NodeEnd end = trimmed_end(definition.node, bytes_);
  const TSNode body = find_capture(definition.captures, Role::kBody);
  const bool has_body = !ts_node_is_null(body);
  // Python's overloads, protocols and type files have three dots for a body.
  draft.does_something = has_body && text_of(body, bytes_) != "...";
  draft.signature = {ts_node_start_byte(definition.node), has_body ? ts_node_start_byte(body) : end.byte};
  if (symbol.kind == SymbolKind::kTest && !ts_node_is_null(name))
    draft.signature.end = ts_node_end_byte(name);
  if (has_capture(definition.captures, Role::kFollowed)) {
    const TSNode block = ts_node_next_named_sibling(definition.node);
    if (!ts_node_is_null(block)) end = trimmed_end(block, bytes_);
  }
  symbol.start_byte = draft.signature.start;
  symbol.start_line = line_of(definition.node);
  symbol.end_byte = end.byte;
  symbol.end_line = end.line;
  symbol.name_line = ts_node_is_null(name) ? symbol.start_line : line_of(name);
}

// Of `attr_accessor :a,` and `:b` below it each name has its own line.
void SymbolBuilder::narrow_to_line(Symbol& symbol, TSNode name) const {
  const NodeEnd end = trimmed_end(name, bytes_);
  if (symbol.name_line != symbol.start_line) symbol.start_byte = ts_node_start_byte(name);
  symbol.start_line = symbol.name_line;
  symbol.end_byte = end.byte;
  symbol.end_line = end.line;
}

// Its parent, its names with the parents', and the kind that follows from them.
void SymbolBuilder::set_place(Symbol& symbol, const Open* parent, const std::string& prefix) const {
  std::string outer = parent == nullptr ? "" : parent->qualified;
  std::string native = parent == nullptr ? "" : parent->native;
  symbol.parent = parent == nullptr ? kNoSymbol : parent->symbol;
  bool in_type = parent != nullptr && parent->is_type;
  if (!prefix.empty()) {
    outer = join_name(outer, ".", prefix);
    native = join_name(native, language_.separator, with_separator(prefix, language_.separator));
    const auto type = types_.find(outer);
    if (type != types_.end()) symbol.parent = type->second;
    in_type = true;
  }
  const bool is_alone = parent == nullptr && prefix.empty();
  const bool can_be_constant = symbol.kind == SymbolKind::kVariable || symbol.kind == SymbolKind::kField;
  if (symbol.kind == SymbolKind::kFunction && in_type) {
    symbol.kind = SymbolKind::kMethod;
  } else if (symbol.kind == SymbolKind::kMethod && is_alone) {
    symbol.kind = SymbolKind::kFunction;
  } else if (can_be_constant && language_.upper_case_is_constant && is_upper_case(symbol.name)) {
    symbol.kind = SymbolKind::kConstant;
  } else if (symbol.kind == SymbolKind::kVariable && in_type) {
    symbol.kind = SymbolKind::kField;
  }
  symbol.qualified_name = join_name(outer, ".", symbol.name);
  // Ruby marks methods only, PHP every member.
  const bool is_member = !language_.member_separator.empty() && in_type &&
                         (symbol.kind == SymbolKind::kMethod || language_.member_separator == "::");
  symbol.native_name =
      join_name(native, is_member ? language_.member_separator : language_.separator, symbol.name);
}

bool SymbolBuilder::merge_clause(int32_t last, const Symbol& symbol, const Draft& draft) {
  const bool can_merge = symbol.kind == SymbolKind::kFunction || symbol.kind == SymbolKind::kMethod;
  if (language_.clauses == ClauseMerging::kNever || !can_merge || last == kNoSymbol) return false;
  Symbol& before = file_.symbols[static_cast<size_t>(last)];
  if (before.qualified_name != symbol.qualified_name || before.kind != symbol.kind) return false;
  if (language_.clauses == ClauseMerging::kDeclarations && !before.is_declaration) return false;
  before.end_byte = symbol.end_byte;
  before.end_line = symbol.end_line;
  before.is_declaration = before.is_declaration && !draft.does_something;
  return true;
}

}  // namespace knapsack::code
