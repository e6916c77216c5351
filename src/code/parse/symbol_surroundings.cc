// The part of SymbolBuilder that deals with what stands around a definition: wrappers, siblings before it,
// documentation inside it, access marks and the file's package.
#include <algorithm>
#include <string>

#include "code/parse/node_text.h"
#include "code/parse/symbol_builder.h"
#include "code/parse/symbol_names.h"
#include "core/ascii.h"

namespace knapsack::code {

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
  const NodeEnd end = trimmed_end(node, bytes_);
  const uint32_t start = ts_node_start_byte(node);
  Leading& leading = leading_[start];  // a second pattern may say more about it
  leading.range = {start, end.byte};
  leading.start_line = line_of(node);
  leading.end_line = end.line;
  leading.is_test = leading.is_test || is_test;
  if (!ts_node_is_null(docstring)) {
    leading.docstring = {ts_node_start_byte(docstring), ts_node_end_byte(docstring)};
  }
}

void SymbolBuilder::leave_out_of_signatures(TSNode node) {
  annotations_.push_back({ts_node_start_byte(node), ts_node_end_byte(node)});
}

void SymbolBuilder::set_package(TSNode node) {
  if (package_line_ == 0) package_line_ = line_of(node);
  // `package a` followed by `package b` is a.b (Scala).
  file_.package = join_name(file_.package, ".", normalise_name(unquote(text_of(node, bytes_))));
}

void SymbolBuilder::set_access(std::string_view access, uint32_t byte) {
  Open* const type = parent_of(byte, Role::kScope);
  if (type != nullptr) type->is_private = !access.starts_with("public");
}

void SymbolBuilder::document(TSNode docstring, CommentCollector& comments) {
  const NodeEnd end = trimmed_end(docstring, bytes_);
  CommentSpan span;
  span.start_byte = ts_node_start_byte(docstring);
  span.end_byte = end.byte;
  span.start_line = line_of(docstring);
  span.end_line = end.line;
  span.enclosing = enclosing(span.start_byte);
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

void SymbolBuilder::apply_wrapping(Symbol& symbol, Draft& draft, TSNode node) const {
  const auto found = wrappings_.find(node.id);
  if (found == wrappings_.end() || found->second.start > symbol.start_byte) return;
  draft.is_marked_exported = draft.is_marked_exported || found->second.is_exported;
  // Around what a grammar could not read, a wrapper may begin before other definitions: those stay the ones before.
  if (!file_.symbols.empty() && found->second.start < file_.symbols.back().start_byte) return;
  symbol.start_byte = found->second.start;
  symbol.start_line = found->second.start_line;
  draft.signature.start = found->second.start;
}

// White space and whole-line comments.
bool SymbolBuilder::is_only_comment(uint32_t start, uint32_t end) const {
  std::string_view rest = bytes_.substr(start, end - start);
  while (!rest.empty()) {
    const size_t line_end = std::min(rest.find('\n'), rest.size() - 1);
    const std::string_view line = ascii::trim_space(rest.substr(0, line_end + 1));
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

}  // namespace knapsack::code
