#include "code/support_dump.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

namespace knapsack::code {
namespace {

std::string one_line(std::string text) {
  std::string line;
  for (const char c : text) {
    if (c == '\n') {
      line += "\\n";
    } else if (c == '\\') {
      line += "\\\\";
    } else {
      line += c;
    }
  }
  return line;
}

std::string name_of(const ParsedFile& file, int32_t symbol) {
  return symbol == kNoSymbol ? "-" : file.symbols.at(static_cast<size_t>(symbol)).qualified_name;
}

void dump_symbol(const ParsedFile& file, const Symbol& symbol, std::string& out) {
  out += fmt::format("{} {} {}-{}", to_string(symbol.kind), symbol.qualified_name, symbol.start_line,
                     symbol.end_line);
  if (symbol.name_line != symbol.start_line) out += fmt::format(" name@{}", symbol.name_line);
  if (symbol.is_exported) out += " exported";
  if (symbol.is_test) out += " test";
  if (symbol.is_declaration) out += " declaration";
  out += '\n';
  if (!symbol.native_name.empty()) out += fmt::format("    native {}\n", symbol.native_name);
  const bool is_nested = symbol.qualified_name != symbol.name;
  if (is_nested) out += fmt::format("    in {} as {}\n", name_of(file, symbol.parent), symbol.name);
  out += fmt::format("    {}\n", symbol.signature);
  if (symbol.doc_start_line != 0) {
    out += fmt::format("    doc {}-{}: {}\n", symbol.doc_start_line, symbol.doc_end_line,
                       one_line(symbol.docstring));
  }
}

void dump_references(const ParsedFile& file, std::string& out) {
  // By enclosing symbol, so that a reader sees what each function uses.
  for (int32_t symbol = kNoSymbol; symbol < static_cast<int32_t>(file.symbols.size()); ++symbol) {
    for (const auto kind : {ReferenceKind::kCall, ReferenceKind::kType, ReferenceKind::kName}) {
      std::string row;
      for (const Reference& reference : file.references) {
        if (reference.enclosing != symbol || reference.kind != kind) continue;
        const std::string& qualifier = file.names.at(reference.qualifier);
        row += fmt::format(" {}{}{}@{}", qualifier, qualifier.empty() ? "" : "|",
                           file.names.at(reference.name), reference.line);
        if (reference.count > 1) row += fmt::format("x{}", reference.count);
      }
      if (!row.empty()) out += fmt::format("{} {}:{}\n", name_of(file, symbol), to_string(kind), row);
    }
  }
}

}  // namespace

std::string dump(const ParsedFile& file) {
  std::string out = fmt::format("status {}, {} lines, {} error nodes", to_string(file.status),
                                file.line_count, file.error_nodes);
  if (file.fallback != FallbackReason::kNone) out += fmt::format(", {}", to_string(file.fallback));
  if (!file.package.empty()) out += fmt::format("\npackage {}", file.package);
  out += "\n\n== symbols\n";
  for (const Symbol& symbol : file.symbols) dump_symbol(file, symbol, out);
  if (!file.scopes.empty()) out += "\n== scopes\n";
  for (const Scope& scope : file.scopes) {
    out += fmt::format("{} {}-{}: {}\n", scope.qualified_name, scope.start_line, scope.end_line,
                       scope.signature);
  }
  out += "\n== imports\n";
  for (const Import& import : file.imports) {
    out += fmt::format("{} {} {}", import.line, to_string(import.kind), import.module);
    if (!import.alias.empty()) out += fmt::format(" as {}", import.alias);
    for (const ImportedName& name : import.names) {
      out += fmt::format(" [{}{}{}]", name.name, name.alias.empty() ? "" : " as ", name.alias);
    }
    if (import.is_wildcard) out += " wildcard";
    if (import.is_relative) out += " relative";
    out += '\n';
  }
  out += "\n== references\n";
  dump_references(file, out);
  out += "\n== comments\n";
  for (const Comment& comment : file.comments) {
    out += fmt::format("{}-{} {} in {}: {}", comment.start_line, comment.end_line, to_string(comment.kind),
                       name_of(file, comment.enclosing), one_line(comment.text));
    for (const uint32_t issue : comment.issues) out += fmt::format(" #{}", issue);
    out += '\n';
  }
  out += "\n== tests\n";
  for (const TestCase& test : file.tests) {
    out += fmt::format("{}\n", name_of(file, test.symbol));
    for (const std::string& assertion : test.assertions) out += fmt::format("    {}\n", assertion);
  }
  out += "\n== chunks\n";
  for (const Chunk& chunk : file.chunks) {
    out += fmt::format("{}-{} {}\n", chunk.start_line, chunk.end_line, chunk.header);
  }
  return out;
}

std::vector<std::string> names_in(const ParsedFile& file) {
  std::vector<std::string> all;
  for (const Symbol& symbol : file.symbols) all.push_back(symbol.qualified_name);
  return all;
}

}  // namespace knapsack::code
