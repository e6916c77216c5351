// Units: a file cut so that each line that says something is in exactly one stretch that can be shown alone.
//
// A function is a unit, with its decorators and the comment directly above it; so is a type without methods.
// A type with methods is taken apart into its head (the lines before its first member), its methods and the
// stretches between them, and so is a very long function that has functions inside. A table or a property of several
// lines is a unit too; what else lies between definitions is cut at blank lines. Lines of closing braces alone belong to nothing. Pure; any thread.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "code/index/curated_rows.h"
#include "core/line_range.h"

namespace knapsack::code {

enum class UnitKind : uint8_t {
  kFunction,
  kType,     // without methods of its own
  kHead,     // of a type or a long function that was taken apart
  kBetween,  // between definitions
  kImports,  // never what a task is about
  kRemarks,  // comments alone, such as a licence: never shown for themselves
  kValue,    // a table or a property with a body, of several lines
};
std::string_view to_string(UnitKind kind);

struct Unit {
  LineRange lines;
  UnitKind kind = UnitKind::kBetween;
  int32_t symbol = kNoSymbol;  // the definition that it is, or that it heads; a position in the file
  int32_t owner = kNoSymbol;   // the type, or the long function, that it is a part of
  std::string name;            // of the definition, or of what the first line assigns to; may be empty

  bool is_ranked() const { return kind != UnitKind::kImports && kind != UnitKind::kRemarks; }
};

// The text of a file by lines, counted from 1.
class TextLines {
 public:
  explicit TextLines(std::string_view text);
  uint32_t count() const { return static_cast<uint32_t>(starts_.size()); }
  // Without its line feed; empty beyond the end.
  std::string_view line(uint32_t number) const;
  // With the line feeds between them.
  std::string_view lines(LineRange range) const;
  bool is_blank(uint32_t number) const;
  // The line that holds a byte.
  uint32_t line_of(size_t byte) const;

 private:
  std::string_view text_;
  std::vector<size_t> starts_;
};

// Sorted by line; `symbols` are those of the file, by position.
// A program that nobody parses is cut by how it is laid out.
std::vector<Unit> cut_units(const TextLines& text, std::span<const SymbolRow> symbols,
                            std::string_view language);

// A comment, an attribute or a decorator, as most languages write them.
bool is_remark(std::string_view line);
// Whether it only says when, or under which name, the lines around it count: `#ifdef X`, `#endif`, `#region`.
bool is_directive(std::string_view line);
// Lines of a range without what they are indented by; short ones, which stand everywhere, are left out.
std::vector<std::string_view> telling_lines(const TextLines& text, LineRange range);
// `public:`, `protected:` or `private:`, without the colon in Ruby.
bool is_access_label(std::string_view line);

}  // namespace knapsack::code
