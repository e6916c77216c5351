#include "code/parse/chunker.h"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "code/parse/source_text.h"
#include "core/ascii.h"

namespace knapsack::code {
namespace {

// Something that can be cut before and that gives a header to the chunks inside it.
struct Section {
  uint32_t cut_line = 0;  // where a chunk may begin: the first line of its comment
  uint32_t start_line = 0;
  uint32_t end_line = 0;
  bool is_boundary = true;
  int32_t symbol = kNoSymbol;
  std::string_view name;  // of the symbol or scope, or a heading
  std::string_view signature;
};

std::vector<uint32_t> find_line_starts(std::string_view bytes) {
  std::vector<uint32_t> starts;
  for (size_t at = 0; at < bytes.size();) {
    starts.push_back(static_cast<uint32_t>(at));
    const size_t end = bytes.find('\n', at);
    at = end == std::string_view::npos ? bytes.size() : end + 1;
  }
  return starts;
}

std::string header_of(const Section& section) {
  std::string header(section.name);
  if (!section.signature.empty()) header.append(": ").append(section.signature);
  return header;
}

// A function inside a function stays with it: cutting there would part it from what it closes over.
bool is_boundary(const ParsedFile& file, const Symbol& symbol) {
  if (symbol.parent != kNoSymbol) {
    const SymbolKind parent = file.symbols[static_cast<size_t>(symbol.parent)].kind;
    if (parent == SymbolKind::kFunction || parent == SymbolKind::kMethod) return false;
  }
  return !is_value(symbol.kind) || symbol.parent == kNoSymbol;
}

std::vector<Section> sections_of_code(const ParsedFile& file) {
  std::vector<Section> sections;
  size_t scope = 0;
  const auto add_scopes_before = [&](uint32_t byte) {
    for (; scope < file.scopes.size() && file.scopes[scope].start_byte <= byte; ++scope) {
      const Scope& one = file.scopes[scope];
      sections.push_back(
          {one.start_line, one.start_line, one.end_line, true, kNoSymbol, one.qualified_name, one.signature});
    }
  };
  for (size_t i = 0; i < file.symbols.size(); ++i) {
    const Symbol& symbol = file.symbols[i];
    add_scopes_before(symbol.start_byte);
    const bool has_comment_above = symbol.doc_start_line != 0 && symbol.doc_start_line < symbol.start_line;
    sections.push_back({has_comment_above ? symbol.doc_start_line : symbol.start_line, symbol.start_line,
                        symbol.end_line, is_boundary(file, symbol), static_cast<int32_t>(i),
                        symbol.qualified_name, symbol.signature});
  }
  add_scopes_before(UINT32_MAX);
  return sections;
}

std::vector<Section> sections_of_document(const Language& language, std::string_view bytes,
                                          const std::vector<uint32_t>& starts) {
  std::vector<Section> sections;
  if (language.heading_mark.empty()) return sections;
  bool in_fence = false;
  std::vector<size_t> levels;  // one a section
  std::vector<size_t> open;
  for (uint32_t i = 0; i < starts.size(); ++i) {
    const size_t end = i + 1 < starts.size() ? starts[i + 1] : bytes.size();
    const std::string_view line = bytes.substr(starts[i], end - starts[i]);
    if (line.starts_with("```") || line.starts_with("~~~")) in_fence = !in_fence;
    if (in_fence || !line.starts_with(language.heading_mark)) continue;
    size_t level = 0;
    while (line.substr(level * language.heading_mark.size()).starts_with(language.heading_mark)) ++level;
    // A heading ends the sections of its own level and below.
    while (!open.empty() && levels[open.back()] >= level) {
      sections[open.back()].end_line = i;
      open.pop_back();
    }
    open.push_back(sections.size());
    levels.push_back(level);
    const std::string_view title = line.substr(level * language.heading_mark.size());
    sections.push_back({i + 1, i + 1, static_cast<uint32_t>(starts.size()), true, kNoSymbol,
                        cut_utf8(ascii::trim_space(title), kMaxSignatureBytes), ""});
  }
  return sections;
}

// Gives each chunk the innermost section that began before it and is still open.
void add_headers(const std::vector<Section>& sections, std::vector<Chunk>& chunks) {
  std::vector<size_t> open;
  size_t next = 0;
  for (Chunk& chunk : chunks) {
    for (; next < sections.size() && sections[next].start_line < chunk.start_line; ++next) {
      while (!open.empty() && sections[open.back()].end_line < sections[next].start_line) open.pop_back();
      open.push_back(next);
    }
    while (!open.empty() && sections[open.back()].end_line < chunk.start_line) open.pop_back();
    if (open.empty()) continue;
    chunk.header = header_of(sections[open.back()]);
    for (size_t i = open.size(); i-- > 0 && chunk.enclosing == kNoSymbol;)
      chunk.enclosing = sections[open[i]].symbol;
  }
}

}  // namespace

void add_chunks(const Language& language, std::string_view bytes, ParsedFile& file) {
  const std::vector<uint32_t> starts = find_line_starts(bytes);
  const auto line_count = static_cast<uint32_t>(starts.size());
  file.line_count = line_count;
  const auto sections =
      language.has_symbols() ? sections_of_code(file) : sections_of_document(language, bytes, starts);
  std::vector<bool> can_cut(line_count + 2);
  for (const Section& section : sections) {
    if (section.is_boundary) can_cut[section.cut_line] = true;
  }
  const auto byte_at = [&](uint32_t line) {
    return line <= line_count ? starts[line - 1] : static_cast<uint32_t>(bytes.size());
  };
  uint32_t first = 1;
  const auto close_before = [&](uint32_t line) {
    file.chunks.push_back({first, line - 1, byte_at(first), byte_at(line), kNoSymbol, ""});
    first = line;
  };
  for (uint32_t line = 2; line <= line_count; ++line) {
    const uint32_t lines = line - first;
    const bool is_full = lines >= kMaxChunkLines || byte_at(line + 1) - byte_at(first) > kMaxChunkBytes;
    if (is_full || (can_cut[line] && lines >= kMinChunkLines)) close_before(line);
  }
  if (line_count > 0) close_before(line_count + 1);
  add_headers(sections, file.chunks);
}

}  // namespace knapsack::code
