#include "notes/loose_lines.h"

#include <algorithm>

#include "notes/entries.h"
#include "notes/list_items.h"

namespace knapsack::notes {
namespace {

bool is_delimiter_row(std::string_view row) {
  return row.find('-') != std::string_view::npos && row.find_first_not_of("|-: \t") == std::string_view::npos;
}

std::string cells_of(std::string_view row) {
  std::string cells;
  while (!row.empty()) {
    const size_t bar = row.find('|');
    const std::string_view cell = trim(row.substr(0, bar));
    row.remove_prefix(bar == std::string_view::npos ? row.size() : bar + 1);
    if (cell.empty()) continue;
    if (!cells.empty()) cells += " | ";
    cells += cell;
  }
  return cells;
}

class LooseReader {
 public:
  LooseReader(std::span<const Line> lines, const std::vector<LineRange>& covered) : lines_(lines) {
    loose_.assign(lines.size(), true);
    bool in_index = false;
    for (size_t i = 0; i < lines.size(); ++i) {
      const Heading heading = heading_of(lines[i]);
      if (heading.level > 0) in_index = is_index_heading(heading.title);
      const bool inside = std::any_of(covered.begin(), covered.end(), [&](const LineRange& range) {
        return lines[i].number >= range.first && lines[i].number <= range.last;
      });
      loose_[i] = !inside && !in_index && heading.level == 0 && !lines[i].blank() && !is_separator(lines[i]);
    }
  }

  std::vector<LooseBlock> run() {
    for (size_t first = 0; first < lines_.size();) {
      if (!loose_[first]) {
        ++first;
        continue;
      }
      size_t last = first;
      while (last + 1 < lines_.size() && loose_[last + 1] && lines_[last + 1].fenced == lines_[first].fenced)
        ++last;
      add(first, last);
      first = last + 1;
    }
    return std::move(blocks_);
  }

 private:
  void add(size_t first, size_t last) {
    const std::span<const Line> lines = lines_.subspan(first, last - first + 1);
    const std::string_view begin = lines_[first].trimmed();
    const bool other = lines_[first].fenced || begin.starts_with('>') || begin.starts_with('<');
    if (other) return add_block(LooseKind::kOther, "", first, last);
    if (begin.starts_with('|')) return add_rows(first, last);
    const auto items = bullet_items(lines);
    if (!items.empty() && items.front().line == lines_[first].number) {
      for (const ListItem& item : items)
        blocks_.push_back({LooseKind::kItem, item.text, {item.line, item.last_line}, false});
      return;
    }
    std::string text;
    for (const Line& line : lines) text += (text.empty() ? "" : " ") + std::string(line.trimmed());
    add_block(LooseKind::kProse, text, first, last);
  }

  // The head of a table names its columns.
  void add_rows(size_t first, size_t last) {
    const bool has_head = first < last && is_delimiter_row(lines_[first + 1].trimmed());
    for (size_t i = has_head ? first + 2 : first; i <= last; ++i)
      add_block(LooseKind::kRow, cells_of(lines_[i].trimmed()), i, i);
  }

  void add_block(LooseKind kind, std::string text, size_t first, size_t last) {
    size_t next = last + 1;
    while (next < lines_.size() && (lines_[next].blank() || is_separator(lines_[next]))) ++next;
    // What is covered is a list or an entry.
    const bool leads = next < lines_.size() && !loose_[next];
    const bool introduces = kind == LooseKind::kProse && (leads || text.ends_with(':'));
    blocks_.push_back({kind, std::move(text), {lines_[first].number, lines_[last].number}, introduces});
  }

  std::span<const Line> lines_;
  std::vector<char> loose_;
  std::vector<LooseBlock> blocks_;
};

}  // namespace

std::vector<LooseBlock> loose_blocks(std::span<const Line> lines, const std::vector<LineRange>& covered) {
  return LooseReader(lines, covered).run();
}

}  // namespace knapsack::notes
