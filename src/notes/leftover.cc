#include "notes/leftover.h"

#include <fmt/format.h>

#include <algorithm>

namespace knapsack::notes {
namespace {

constexpr size_t kMaxNamedRanges = 8;

bool is_table_line(const Line& line) {
  const std::string_view text = line.trimmed();
  return !line.fenced && text.size() > 1 && text.starts_with('|');
}

// "|---|:--:|"
bool is_table_rule(const Line& line) {
  return is_table_line(line) && line.trimmed().find_first_not_of("|-: \t") == std::string_view::npos;
}

std::vector<std::string> cells_of(std::string_view text) {
  std::vector<std::string> cells;
  text.remove_prefix(1);
  if (text.ends_with('|')) text.remove_suffix(1);
  std::string cell;
  for (size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '|' && (i == 0 || text[i - 1] != '\\')) {
      cells.emplace_back(trim(cell));
      cell.clear();
    } else {
      cell += text[i];
    }
  }
  cells.emplace_back(trim(cell));
  return cells;
}

std::string row_text(const std::vector<std::string>& names, const std::vector<std::string>& cells) {
  std::string text;
  for (size_t i = 0; i < cells.size(); ++i) {
    if (cells[i].empty()) continue;
    if (!text.empty()) text += "; ";
    if (i < names.size() && !names[i].empty()) text += names[i] + ": ";
    text += cells[i];
  }
  return text;
}

class ParagraphReader {
 public:
  explicit ParagraphReader(std::span<const Line> lines) : lines_(lines) {}

  std::vector<Paragraph> run() {
    for (size_t i = 0; i < lines_.size(); ++i) {
      const Line& line = lines_[i];
      if (const Heading heading = heading_of(line); heading.level > 0) {
        finish();
        heading_ = heading.title;
      } else if (line.fenced || line.blank() || is_separator(line)) {
        finish();
      } else if (is_table_line(line)) {
        finish();
        read_table_line(i);
      } else {
        in_table_ = false;
        if (open_.text.empty()) {
          open_ = {"", line.number, line.number, false, heading_};
        } else {
          open_.text += ' ';
        }
        open_.text += line.trimmed();
        open_.last = line.number;
      }
    }
    finish();
    return std::move(found_);
  }

 private:
  void read_table_line(size_t i) {
    if (is_table_rule(lines_[i])) return;
    const bool is_head = !in_table_ && i + 1 < lines_.size() && is_table_rule(lines_[i + 1]);
    std::vector<std::string> cells = cells_of(lines_[i].trimmed());
    if (!in_table_) names_.clear();
    in_table_ = true;
    if (is_head) {
      names_ = std::move(cells);
      return;
    }
    std::string text = row_text(names_, cells);
    if (!text.empty())
      found_.push_back({std::move(text), lines_[i].number, lines_[i].number, true, heading_});
  }

  void finish() {
    if (!open_.text.empty()) found_.push_back(std::move(open_));
    open_ = {};
  }

  const std::span<const Line> lines_;
  std::vector<Paragraph> found_;
  Paragraph open_;
  std::string heading_;
  std::vector<std::string> names_;  // of the columns of the table
  bool in_table_ = false;
};

}  // namespace

std::vector<Paragraph> paragraphs_of(std::span<const Line> lines) {
  return ParagraphReader(lines).run();
}

std::vector<Line> without_ranges(std::span<const Line> lines,
                                 const std::vector<std::pair<size_t, size_t>>& ranges) {
  std::vector<Line> rest(lines.begin(), lines.end());
  auto range = ranges.begin();
  for (Line& line : rest) {
    while (range != ranges.end() && range->second < line.number) ++range;
    if (range != ranges.end() && line.number >= range->first) line = {std::string_view(), line.number, false};
  }
  return rest;
}

std::string lines_in_words(const std::vector<Paragraph>& paragraphs) {
  std::vector<std::pair<size_t, size_t>> ranges;
  for (const Paragraph& each : paragraphs) {
    if (!ranges.empty() && each.first <= ranges.back().second + 1) {
      ranges.back().second = each.last;
    } else {
      ranges.emplace_back(each.first, each.last);
    }
  }
  std::string text = ranges.size() == 1 && ranges[0].first == ranges[0].second ? "line " : "lines ";
  for (size_t i = 0; i < std::min(ranges.size(), kMaxNamedRanges); ++i) {
    const auto [first, last] = ranges[i];
    text += fmt::format("{}{}", i == 0 ? "" : ", ",
                        first == last ? fmt::format("{}", first) : fmt::format("{}-{}", first, last));
  }
  if (ranges.size() > kMaxNamedRanges) text += fmt::format(" and {} more", ranges.size() - kMaxNamedRanges);
  return text;
}

}  // namespace knapsack::notes
