#include "stages/precision_lines.h"

#include <algorithm>

#include "code/parse/source_text.h"
#include "core/ascii.h"

namespace knapsack::stages {
namespace {

// A line that opens a block is looked for so far above.
constexpr uint32_t kMaxOpenerDistance = 3000;

size_t indentation(std::string_view line) {
  return std::min(line.find_first_not_of(" \t"), line.size());
}

template <size_t N>
bool begins_with_any(std::string_view line, const std::string_view (&words)[N]) {
  return std::any_of(std::begin(words), std::end(words), [&](std::string_view word) {
    return line.starts_with(word) && (line.size() == word.size() || !code::is_identifier(line[word.size()]));
  });
}

// `> extends Base {` ends, and `else` or `where` goes on with, what began some lines above.
bool goes_on(std::string_view line) {
  constexpr std::string_view kMarks = ">)}]";
  constexpr std::string_view kWords[] = {"else", "where", "extends", "implements", "throws"};
  return kMarks.find(line.front()) != kMarks.npos || begins_with_any(line, kWords);
}

// `set` and `try {` say nothing of what they stand in.
bool is_bare_block(std::string_view line) {
  constexpr std::string_view kWords[] = {"get", "set", "add", "remove", "try", "do", "begin", "finally"};
  // Nor does `cfg_rt! {` of Rust: a macro around definitions.
  if (line.ends_with("! {")) return true;
  return line.size() <= 12 && line.find_first_of("(=.\"'") == line.npos && begins_with_any(line, kWords);
}

bool has_letters(std::string_view line) {
  return std::any_of(line.begin(), line.end(), [](unsigned char c) {
    return ascii::is_letter(static_cast<char>(c)) || ascii::is_digit(static_cast<char>(c)) || c >= 0x80;
  });
}

// Without its last line, the rest of a file would read as part of the comment.
bool closes_comment(std::string_view line) {
  const std::string_view bare = ascii::trim_space(line);
  constexpr std::string_view kEnds[] = {"*/", "\"\"\"", "'''", "-}", "#}", "*)", "=end", "=cut", "]]"};
  return std::any_of(std::begin(kEnds), std::end(kEnds),
                     [&](std::string_view end) { return bare.ends_with(end); });
}

}  // namespace

std::vector<code::Unit> units_with(const code::TextLines& text, const std::vector<code::SymbolRow>& symbols,
                                   std::string_view language, const std::vector<uint32_t>& lines) {
  std::vector<code::Unit> units = code::cut_units(text, symbols, language);
  std::erase_if(units, [&](const code::Unit& unit) {
    const auto first = std::lower_bound(lines.begin(), lines.end(), unit.lines.first);
    return !unit.is_ranked() || first == lines.end() || *first > unit.lines.last;
  });
  return units;
}

LineRange focus_on_uses(LineRange unit, const std::vector<uint32_t>& uses) {
  constexpr uint32_t kShortLines = 12;
  constexpr uint32_t kAround = 2;
  const auto first = std::lower_bound(uses.begin(), uses.end(), unit.first);
  if (unit.last - unit.first < kShortLines || first == uses.end()) return {};
  uint32_t last = *first;
  for (auto use = first; use != uses.end() && *use <= unit.last && *use - last <= kShortLines; ++use)
    last = *use;
  return {std::max(unit.first, *first - std::min(*first, kAround)), std::min(unit.last, last + kAround)};
}

LineRange opener_of(const code::TextLines& lines, LineRange unit,
                    const std::vector<code::SymbolRow>& symbols) {
  // The first line of a definition that ends before the unit and has this line; 0 for none. Its texts may stand at the
  // very left.
  const auto begin_of_other = [&](uint32_t line) -> uint32_t {
    for (const code::SymbolRow& row : symbols) {
      const code::Symbol& symbol = row.symbol;
      if (symbol.start_line < line && line <= symbol.end_line && symbol.end_line < unit.first)
        return symbol.start_line;
    }
    return 0;
  };

  uint32_t first = unit.first;
  while (first < unit.last && lines.is_blank(first)) ++first;
  // An annotation of several lines is indented deeper than what it stands above; a comment may stand further left.
  size_t own = indentation(lines.line(first));
  const auto is_aside = [&](uint32_t line) {
    return lines.is_blank(line) || code::is_remark(lines.line(line)) || code::is_directive(lines.line(line));
  };
  if (code::is_directive(lines.line(first))) own = lines.line(first).npos;
  while (first < unit.last && is_aside(first)) ++first;
  own = std::min(own, indentation(lines.line(first)));
  if (own == 0) return {};
  const uint32_t least = unit.first > kMaxOpenerDistance ? unit.first - kMaxOpenerDistance : 1;
  for (uint32_t line = unit.first; line-- > least;) {
    const std::string_view text = lines.line(line);
    const size_t indent = indentation(text);
    const std::string_view bare = ascii::trim_space(text);
    // `public:` stands further to the left than the members behind it, and is not what they stand in.
    if (lines.is_blank(line) || indent >= own || code::is_access_label(bare)) continue;
    if (bare.size() <= 2) {
      // A bracket of its own belongs to the line above it; what stands deeper there is of something before.
      if (bare.find_first_of("([{") != bare.npos) own = indent + 1;
      continue;
    }
    const bool is_preprocessed =
        bare.front() == '#' && code::is_identifier(bare[1]);  // `#define`; no heading
    if (code::is_remark(text) || is_preprocessed || goes_on(bare)) continue;
    if (is_bare_block(bare) || bare.ends_with(';')) continue;
    const uint32_t begin = begin_of_other(line);
    if (begin == 0) return {line, line};
    line = begin;
  }
  return {};
}

LineRange spare_of(const code::Symbol& symbol, LineRange unit, const code::TextLines& lines) {
  constexpr uint32_t kKeptLines = 3;
  constexpr uint32_t kLongLines = 8;
  const uint32_t first = symbol.doc_start_line;
  if (first == 0 || first < unit.first || first > unit.last) return {};
  uint32_t last = std::min(symbol.doc_end_line, unit.last);
  if (closes_comment(lines.line(last))) --last;
  if (last < first + kLongLines - 1) return {};
  uint32_t kept = 0;
  for (bool has_words = false; kept < kKeptLines; ++kept) {
    const bool here = has_letters(lines.line(first + kept));
    if (has_words && !here) break;  // the end of its first paragraph
    has_words = has_words || here;
  }
  return {first + kept, last};
}

std::string use_relation(const ScopedFile& file) {
  for (const std::string& relation : file.relations)
    if (relation.starts_with("refers to ")) return relation;
  return "refers to what the task names";
}

}  // namespace knapsack::stages
