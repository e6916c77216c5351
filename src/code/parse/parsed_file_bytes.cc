#include "code/parse/parsed_file_bytes.h"

#include <algorithm>
#include <cstdint>

#include "core/byte_reader.h"
#include "text/unicode/utf8.h"

namespace knapsack::code {
namespace {

// A name, a module or an alias is part of a file; a qualified name joins some.
constexpr size_t kMaxStoredNameBytes = size_t{1} << 20U;

class ParsedWriter {
 public:
  std::string take() { return std::move(out_); }

  void number(uint64_t value) { append_varint(out_, value); }
  // An index, or kNoSymbol.
  void symbol(int32_t index) { number(static_cast<uint64_t>(index + 1)); }
  void text(std::string_view bytes) {
    number(bytes.size());
    out_ += bytes;
  }
  void flags(std::initializer_list<bool> each) {
    uint8_t packed = 0;
    for (const bool flag : each) packed = static_cast<uint8_t>(packed << 1U | (flag ? 1U : 0U));
    out_ += static_cast<char>(packed);
  }
  template <class Enum>
  void choice(Enum value) {
    out_ += static_cast<char>(value);
  }
  template <class T, class Write>
  void list(const std::vector<T>& items, const Write& write) {
    number(items.size());
    for (const T& item : items) write(item);
  }

 private:
  std::string out_;
};

// What is cut to its limit may have a name added behind it (code/parse/symbol_details.cc).
constexpr size_t kMaxSignature = kMaxSignatureBytes + 201;

// Every read checks; ok() says whether all of them were satisfied.
class ParsedReader {
 public:
  ParsedReader(std::string_view bytes, std::string_view source)
      : bytes_(bytes),
        source_bytes_(source.size()),
        lines_(static_cast<uint64_t>(std::count(source.begin(), source.end(), '\n')) +
               (source.empty() || source.back() == '\n' ? 0 : 1)) {}

  bool ok() const { return good_ && !bytes_.failed(); }
  bool at_end() const { return bytes_.at_end(); }

  uint32_t number() { return bytes_.varint32(); }
  uint32_t below(uint64_t end) {
    const uint32_t value = number();
    good_ = good_ && value < end;
    return good_ ? value : 0;
  }
  uint32_t line() { return below(lines_ + 1); }
  uint32_t byte() { return below(source_bytes_ + 1); }
  int32_t symbol(size_t count) { return static_cast<int32_t>(below(uint64_t{count} + 1)) - 1; }
  std::string text(size_t max_bytes) {
    const uint32_t size = number();
    good_ = good_ && size <= max_bytes;
    if (!good_) return {};
    std::string value(bytes_.take(size));
    good_ = valid_utf8(value);
    return value;
  }
  uint8_t flags() { return bytes_.number<uint8_t>(); }
  template <class Enum>
  void choice(Enum& value, Enum last) {
    const auto read = bytes_.number<uint8_t>();
    good_ = good_ && read <= static_cast<uint8_t>(last);
    if (good_) value = static_cast<Enum>(read);
  }
  // Stops at the first item that is wrong; what was announced is not believed before it is there.
  template <class T, class Read>
  void list(std::vector<T>& items, size_t max_items, const Read& read) {
    const uint32_t count = number();
    good_ = good_ && count <= max_items;
    for (uint32_t i = 0; i < count && ok(); ++i) {
      items.emplace_back();
      read(items.back());
    }
  }
  void require(bool holds) { good_ = good_ && holds; }

 private:
  ByteReader bytes_;
  uint64_t source_bytes_;
  uint64_t lines_;
  bool good_ = true;
};

// A list of which nothing but the length of the answer bounds the number of its items.
constexpr size_t kAnyNumber = SIZE_MAX;

void write_symbol(ParsedWriter& out, const Symbol& symbol) {
  out.choice(symbol.kind);
  out.text(symbol.name);
  out.text(symbol.qualified_name);
  out.text(symbol.native_name);
  for (const uint32_t value : {symbol.start_line, symbol.end_line, symbol.start_byte, symbol.end_byte,
                               symbol.name_line, symbol.doc_start_line, symbol.doc_end_line})
    out.number(value);
  out.symbol(symbol.parent);
  out.text(symbol.signature);
  out.text(symbol.docstring);
  out.flags({symbol.is_test, symbol.is_exported, symbol.is_declaration});
}

void read_symbol(ParsedReader& in, size_t position, Symbol& symbol) {
  in.choice(symbol.kind, SymbolKind::kTest);
  symbol.name = in.text(kMaxStoredNameBytes);
  symbol.qualified_name = in.text(kMaxStoredNameBytes);
  symbol.native_name = in.text(kMaxStoredNameBytes);
  symbol.start_line = in.line();
  symbol.end_line = in.line();
  symbol.start_byte = in.byte();
  symbol.end_byte = in.byte();
  symbol.name_line = in.line();
  symbol.doc_start_line = in.line();
  symbol.doc_end_line = in.line();
  symbol.parent = in.symbol(position);
  symbol.signature = in.text(kMaxSignature);
  symbol.docstring = in.text(kMaxDocstringBytes);
  const uint8_t flags = in.flags();
  symbol.is_test = (flags & 4U) != 0;
  symbol.is_exported = (flags & 2U) != 0;
  symbol.is_declaration = (flags & 1U) != 0;
  in.require(symbol.start_line >= 1 && symbol.start_line <= symbol.end_line &&
             symbol.start_byte <= symbol.end_byte && symbol.doc_start_line <= symbol.doc_end_line);
}

void write_import(ParsedWriter& out, const Import& import) {
  out.choice(import.kind);
  out.text(import.module);
  out.list(import.names, [&out](const ImportedName& name) {
    out.text(name.name);
    out.text(name.alias);
  });
  out.text(import.alias);
  out.number(import.line);
  out.flags({import.is_relative, import.is_wildcard});
}

void read_import(ParsedReader& in, Import& import) {
  in.choice(import.kind, ImportKind::kDynamic);
  import.module = in.text(kMaxStoredNameBytes);
  in.list(import.names, kAnyNumber, [&in](ImportedName& name) {
    name.name = in.text(kMaxStoredNameBytes);
    name.alias = in.text(kMaxStoredNameBytes);
  });
  import.alias = in.text(kMaxStoredNameBytes);
  import.line = in.line();
  const uint8_t flags = in.flags();
  import.is_relative = (flags & 2U) != 0;
  import.is_wildcard = (flags & 1U) != 0;
}

void write_comment(ParsedWriter& out, const Comment& comment) {
  out.choice(comment.kind);
  out.number(comment.start_line);
  out.number(comment.end_line);
  out.symbol(comment.enclosing);
  out.text(comment.text);
  out.list(comment.issues, [&out](uint32_t issue) { out.number(issue); });
}

void read_comment(ParsedReader& in, size_t symbols, Comment& comment) {
  in.choice(comment.kind, CommentKind::kPlain);
  comment.start_line = in.line();
  comment.end_line = in.line();
  comment.enclosing = in.symbol(symbols);
  comment.text = in.text(kMaxCommentBytes);
  in.list(comment.issues, kAnyNumber, [&in](uint32_t& issue) { issue = in.number(); });
  in.require(comment.start_line >= 1 && comment.start_line <= comment.end_line);
}

void read_scope(ParsedReader& in, Scope& scope) {
  scope.qualified_name = in.text(kMaxStoredNameBytes);
  scope.signature = in.text(kMaxSignatureBytes);
  scope.start_line = in.line();
  scope.end_line = in.line();
  scope.start_byte = in.byte();
  in.require(scope.start_line >= 1 && scope.start_line <= scope.end_line);
}

void read_reference(ParsedReader& in, size_t names, size_t symbols, Reference& reference) {
  reference.name = in.below(names);
  reference.qualifier = in.below(names);
  reference.line = in.line();
  in.require(reference.line >= 1);
  reference.count = in.number();
  reference.enclosing = in.symbol(symbols);
  in.choice(reference.kind, ReferenceKind::kText);
}

}  // namespace

std::string encode_parsed_file(const ParsedFile& file) {
  ParsedWriter out;
  out.choice(file.status);
  out.choice(file.fallback);
  out.number(file.error_nodes);
  out.text(file.package);
  out.list(file.symbols, [&out](const Symbol& symbol) { write_symbol(out, symbol); });
  out.list(file.scopes, [&out](const Scope& scope) {
    out.text(scope.qualified_name);
    out.text(scope.signature);
    for (const uint32_t value : {scope.start_line, scope.end_line, scope.start_byte}) out.number(value);
  });
  out.list(file.names, [&out](const std::string& name) { out.text(name); });
  out.list(file.references, [&out](const Reference& reference) {
    for (const uint32_t value : {reference.name, reference.qualifier, reference.line, reference.count})
      out.number(value);
    out.symbol(reference.enclosing);
    out.choice(reference.kind);
  });
  out.list(file.imports, [&out](const Import& import) { write_import(out, import); });
  out.list(file.comments, [&out](const Comment& comment) { write_comment(out, comment); });
  out.list(file.tests, [&out](const TestCase& test) {
    out.symbol(test.symbol);
    out.list(test.assertions, [&out](const std::string& assertion) { out.text(assertion); });
  });
  return out.take();
}

Result<ParsedFile> decode_parsed_file(std::string_view bytes, std::string_view source) {
  ParsedFile file;
  file.names.clear();
  ParsedReader in(bytes, source);
  in.require(bytes.size() <= max_parsed_bytes(source.size()));
  in.choice(file.status, ParseStatus::kDocument);
  in.choice(file.fallback, FallbackReason::kLineLength);
  file.error_nodes = in.number();
  file.package = in.text(kMaxStoredNameBytes);
  in.list(file.symbols, kAnyNumber,
          [&](Symbol& symbol) { read_symbol(in, file.symbols.size() - 1, symbol); });
  in.list(file.scopes, kAnyNumber, [&](Scope& scope) { read_scope(in, scope); });
  in.list(file.names, kAnyNumber, [&](std::string& name) { name = in.text(kMaxStoredNameBytes); });
  in.require(!file.names.empty() && file.names.front().empty());
  const size_t symbols = file.symbols.size();
  in.list(file.references, kAnyNumber,
          [&](Reference& reference) { read_reference(in, file.names.size(), symbols, reference); });
  in.list(file.imports, kAnyNumber, [&](Import& import) { read_import(in, import); });
  in.list(file.comments, kAnyNumber, [&](Comment& comment) { read_comment(in, symbols, comment); });
  in.list(file.tests, kAnyNumber, [&](TestCase& test) {
    test.symbol = in.symbol(symbols);
    in.list(test.assertions, kMaxAssertions,
            [&](std::string& assertion) { assertion = in.text(kMaxAssertionBytes); });
  });
  // Each starts where the one before does, or later.
  const auto starts_before = [](const auto& a, const auto& b) { return a.start_byte < b.start_byte; };
  in.require(std::is_sorted(file.symbols.begin(), file.symbols.end(), starts_before));
  if (!in.ok() || !in.at_end())
    return Error{ErrorCode::kCorrupt, "the answer of a parsing process makes no sense", ""};
  return file;
}

}  // namespace knapsack::code
