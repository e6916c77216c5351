#include "notes/list_items.h"

#include <optional>

#include "core/ascii.h"
#include "core/blanks.h"

namespace knapsack::notes {
namespace {

struct Marker {
  size_t indent = 0;
  Box box = Box::kNone;
  std::string_view content;
};

// One character between brackets makes a box. People also mark work in progress with "[/]" or "[>]": whatever
// is neither ticked nor struck is still open.
Box box_of(std::string_view mark) {
  if (mark == "x" || mark == "X" || mark == "✓" || mark == "✔") return Box::kDone;
  if (mark == "-" || mark == "~") return Box::kSkipped;
  return mark.size() == 1 ? Box::kOpen : Box::kNone;
}

// "- ", "* ", "+ ", "12. ", "3) ", then perhaps "[ ] ".
std::optional<Marker> marker_of(const Line& line) {
  if (line.fenced || is_separator(line)) return std::nullopt;
  std::string_view text = line.trimmed();
  size_t end = 0;
  if (!text.empty() && (text[0] == '-' || text[0] == '*' || text[0] == '+')) {
    end = 1;
  } else {
    while (end < text.size() && end < 9 && ascii::is_digit(text[end])) ++end;
    if (end == 0 || end >= text.size() || (text[end] != '.' && text[end] != ')')) return std::nullopt;
    ++end;
  }
  if (end < text.size() && !ascii::is_blank(text[end])) return std::nullopt;
  Marker marker{line.indent(), Box::kNone, trim(text.substr(end))};
  const std::string_view content = marker.content;
  if (!content.starts_with('[')) return marker;
  const size_t close = content.find(']');
  if (close == std::string_view::npos || (close + 1 < content.size() && !ascii::is_blank(content[close + 1])))
    return marker;
  marker.box = box_of(content.substr(1, close - 1));
  if (marker.box != Box::kNone) marker.content = trim(content.substr(close + 1));
  return marker;
}

class ItemReader {
 public:
  explicit ItemReader(bool boxes_only) : boxes_only_(boxes_only) {}

  std::vector<ListItem> run(std::span<const Line> lines) {
    for (const Line& line : lines) read(line);
    finish();
    return std::move(items_);
  }

 private:
  void read(const Line& line) {
    const bool after_blank = after_blank_;
    after_blank_ = line.blank() && !line.fenced;
    if (after_blank_) return;
    if (const Heading heading = heading_of(line); heading.level > 0) {
      finish();
      heading_ = heading.title;
      return;
    }
    const auto marker = marker_of(line);
    const bool inside = active_ && line.indent() >= active_indent_ + 2;
    if (marker && starts_item(*marker, inside)) {
      finish();
      active_ = ListItem{marker->box, std::string(marker->content), line.number, line.number, heading_};
      active_indent_ = marker->indent;
      joinable_ = true;
      return;
    }
    if (!active_) return;
    if (is_separator(line) && !inside) {
      finish();
    } else if (inside || (line.fenced && !after_blank)) {
      append(line, marker.has_value(), after_blank);
    } else if (!marker && !after_blank) {
      append(line, false, false);  // a wrapped line that lost its indentation
    } else {
      finish();
    }
  }

  bool starts_item(const Marker& marker, bool inside) const {
    if (!boxes_only_) return !inside;
    if (marker.box == Box::kNone) return false;
    return !inside || active_->box != Box::kOpen;
  }

  // Plain lines continue the paragraph; nested markers, fenced lines and paragraphs keep their own line.
  void append(const Line& line, bool is_marker, bool after_blank) {
    active_->last = line.number;
    const bool joins = joinable_ && !is_marker && !line.fenced && !after_blank &&
                       !line.trimmed().starts_with('>') && !line.trimmed().starts_with('|');
    if (joins) {
      if (!active_->text.empty()) active_->text += ' ';
      active_->text += line.trimmed();
    } else {
      const size_t depth = line.indent() > active_indent_ + 2 ? line.indent() - active_indent_ - 2 : 0;
      active_->text += '\n';
      if (line.fenced) {
        active_->text += std::string(depth, ' ').append(trim_left(line.text));
      } else {
        active_->text += std::string(depth, ' ').append(line.trimmed());
      }
    }
    joinable_ = !line.fenced && !line.trimmed().starts_with('|');
  }

  static std::string_view trim_left(std::string_view text) { return text.substr(leading_blanks(text)); }

  void finish() {
    if (active_ && !active_->text.empty()) items_.push_back(std::move(*active_));
    active_.reset();
  }

  bool boxes_only_;
  std::vector<ListItem> items_;
  std::optional<ListItem> active_;
  size_t active_indent_ = 0;
  bool joinable_ = false;
  bool after_blank_ = false;
  std::string heading_;
};

}  // namespace

std::vector<ListItem> boxed_items(std::span<const Line> lines) {
  return ItemReader(true).run(lines);
}
std::vector<ListItem> bullet_items(std::span<const Line> lines) {
  return ItemReader(false).run(lines);
}

}  // namespace knapsack::notes
