// The part of SymbolBuilder that needs the whole file: signatures, documentation, exports, tests by name.
#include <algorithm>
#include <utility>

#include "code/parse/hooks.h"
#include "code/parse/symbol_builder.h"
#include "core/ascii.h"

namespace knapsack::code {
namespace {

// A value's signature is its first line: what follows is data.
constexpr size_t kMaxValueBytes = 120;

void drop_openers(std::string& signature) {
  constexpr std::string_view kOpeners = "{=:;,(>[\\";
  while (!signature.empty()) {
    const char last = signature.back();
    if (is_space(last)) {
      signature.pop_back();
    } else if (signature.ends_with("=>") || signature.ends_with("->")) {
      signature.resize(signature.size() - 2);
    } else if (last != '>' && kOpeners.find(last) != std::string_view::npos) {
      signature.pop_back();
    } else if (signature.ends_with(" do")) {
      signature.resize(signature.size() - 3);
    } else if (signature.ends_with(" where")) {
      signature.resize(signature.size() - 6);
    } else {
      return;
    }
  }
}

std::vector<ByteRange> skipped_ranges(std::vector<ByteRange> annotations,
                                      const std::vector<CommentSpan>& comments) {
  for (const CommentSpan& span : comments) annotations.push_back({span.start_byte, span.end_byte});
  std::sort(annotations.begin(), annotations.end(), [](const ByteRange& a, const ByteRange& b) {
    return a.start != b.start ? a.start < b.start : a.end > b.end;
  });
  return annotations;
}

// Where text begins that is shown: behind annotations, comments and directives.
uint32_t begin_of_text(std::string_view bytes, ByteRange range, std::span<const ByteRange> skipped) {
  uint32_t at = range.start;
  auto next = std::lower_bound(skipped.begin(), skipped.end(), at,
                               [](const ByteRange& piece, uint32_t start) { return piece.start < start; });
  while (at < range.end) {
    while (next != skipped.end() && next->start < at) ++next;
    if (next != skipped.end() && next->start == at && next->end > at) {
      at = next->end;
    } else if (is_space(bytes[at])) {
      ++at;
    } else {
      break;
    }
  }
  return std::min(at, range.end);
}

}  // namespace

std::string SymbolBuilder::make_signature(const Symbol& symbol, const Draft& draft,
                                          std::span<const ByteRange> skipped) const {
  ByteRange range = draft.signature;
  size_t limit = kMaxSignatureBytes;
  if (is_value(symbol.kind)) {
    range.start = begin_of_text(bytes_, range, skipped);
    const size_t line_end = bytes_.find('\n', range.start);
    if (line_end < range.end) range.end = static_cast<uint32_t>(line_end);
    limit = kMaxValueBytes;
  }
  std::string signature = fold(bytes_, range, skipped, limit);
  drop_openers(signature);
  if (draft.is_registered) signature += ')';
  if (symbol.kind == SymbolKind::kTest && signature.find('(') < signature.find_first_of("\"'`"))
    signature += ')';
  // `typedef struct {…} Point`: the name stands behind the body.
  if (symbol.name != "default" && signature.find(symbol.name) == std::string::npos)
    signature += " " + symbol.name;
  return signature;
}

bool SymbolBuilder::is_test_by_name(const Symbol& symbol, const Draft& draft) const {
  const TestRule& rule = language_.tests;
  if (symbol.kind != SymbolKind::kFunction && symbol.kind != SymbolKind::kMethod) return false;
  const bool has_prefix = any_word(rule.prefixes, [&](std::string_view prefix) {
    if (!symbol.name.starts_with(prefix)) return false;
    // "testament" is no test, "testFoo", "test_foo" and "test" are.
    const char next = symbol.name.size() > prefix.size() ? symbol.name[prefix.size()] : '_';
    return prefix.back() == '_' || next < 'a' || next > 'z';
  });
  if (!has_prefix) return false;
  if (!rule.signature.empty()) {
    const auto text = bytes_.substr(draft.signature.start, draft.signature.end - draft.signature.start);
    if (text.find(rule.signature) == std::string_view::npos) return false;
  }
  if (!rule.needs_test_class) return true;
  if (symbol.parent == kNoSymbol) return false;
  return file_.symbols[static_cast<size_t>(symbol.parent)].name.find("Test") != std::string::npos;
}

bool SymbolBuilder::is_exported(const Symbol& symbol, const Draft& draft) const {
  const ExportRule& rule = language_.exports;
  const std::string_view head = std::string_view(symbol.signature).substr(0, symbol.signature.find('('));
  const auto has_one = [&] {
    return any_word(rule.words, [&](std::string_view word) { return has_word(head, word); });
  };
  const Symbol* parent =
      symbol.parent == kNoSymbol ? nullptr : &file_.symbols[static_cast<size_t>(symbol.parent)];
  switch (rule.kind) {
    case ExportRule::Kind::kAlways:
      return true;
    case ExportRule::Kind::kCapital:
      return ascii::is_upper(symbol.name[0]);
    case ExportRule::Kind::kNoUnderscore:
      return symbol.name[0] != '_' || symbol.name.ends_with("__");
    case ExportRule::Kind::kWithWord:
      // Members of an interface or trait, and the values of an enum, are as visible as it is.
      if (parent != nullptr &&
          (parent->kind == SymbolKind::kInterface || parent->kind == SymbolKind::kTrait ||
           (parent->kind == SymbolKind::kEnum && symbol.kind == SymbolKind::kConstant))) {
        return parent->is_exported;
      }
      return has_one();
    case ExportRule::Kind::kWithoutWord:
      return !has_one();
    case ExportRule::Kind::kAccess:
      if (parent != nullptr && is_type(parent->kind)) {
        return parent->is_exported && !draft.is_private;
      }
      return !draft.is_private && !has_one();
    case ExportRule::Kind::kMarked:
      if (symbol.kind == SymbolKind::kTest) return false;
      if (rule.all_without_list && exported_names_.empty()) return true;
      if (draft.is_marked_exported || (parent == nullptr && exported_names_.count(symbol.name) != 0))
        return true;
      return parent != nullptr && (is_type(parent->kind) || parent->kind == SymbolKind::kModule) &&
             parent->is_exported && symbol.name[0] != '#' && !has_one();
  }
  return true;
}

void SymbolBuilder::attach_comment(Symbol& symbol, CommentCollector& comments) const {
  CommentSpan* span = symbol.start_line > 1 ? comments.ending_on(symbol.start_line - 1) : nullptr;
  if (span == nullptr && symbol.start_line > 2) {
    // Some leave a blank line after a comment that is marked as documentation.
    CommentSpan* const above = comments.ending_on(symbol.start_line - 2);
    const bool is_doc = above != nullptr && has_doc_mark(comments.text_of(*above));
    if (is_doc &&
        ascii::trim_space(bytes_.substr(above->end_byte, symbol.start_byte - above->end_byte)).empty())
      span = above;
  }
  // Of several names on one line the first is the one that the comment is about.
  if (span == nullptr || span->is_attached) return;
  const std::string_view raw = comments.text_of(*span);
  std::string text = strip_comment(raw, language_.line_comment, language_.block_comment, kMaxDocstringBytes);
  if (text.empty() || classify_comment(text, span->start_line) == CommentKind::kLicense) return;
  symbol.docstring = std::move(text);
  symbol.doc_start_line = span->start_line;
  symbol.doc_end_line = span->end_line;
  span->is_attached = true;
}

void SymbolBuilder::finish(CommentCollector& comments) {
  if (CommentSpan* span = package_line_ > 1 ? comments.ending_on(package_line_ - 1) : nullptr;
      span != nullptr) {
    span->is_doc = true;
  }
  if (language_.hooks != nullptr && language_.hooks->has_directives) add_directives(bytes_, annotations_);
  const std::vector<ByteRange> skipped = skipped_ranges(std::move(annotations_), comments.spans());
  for (size_t i = 0; i < file_.symbols.size(); ++i) {
    Symbol& symbol = file_.symbols[i];
    symbol.signature = make_signature(symbol, drafts_[i], skipped);
    if (!drafts_[i].has_docstring) attach_comment(symbol, comments);
    symbol.is_exported = is_exported(symbol, drafts_[i]);
  }
  for (size_t i = 0; i < file_.scopes.size(); ++i) {
    file_.scopes[i].signature = fold(bytes_, scope_drafts_[i], skipped, kMaxSignatureBytes);
    drop_openers(file_.scopes[i].signature);
  }
  // Kept until here because children read their parent's native name.
  for (Symbol& symbol : file_.symbols) {
    if (symbol.native_name == symbol.qualified_name) symbol.native_name.clear();
  }
}

}  // namespace knapsack::code
