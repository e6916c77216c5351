// Entries: the dated decisions and learnings of a notes folder.
// Private to notes/.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/clock.h"
#include "notes/leftover.h"
#include "text/markdown/markdown_lines.h"

namespace knapsack::notes {

struct Entry {
  std::string title;  // one line
  std::string stamp;  // "2026-02-03" or "2026-02-03-101500", as written; empty when undated
  std::optional<Timestamp> date;
  std::string body;  // without separators and blank edges
  bool superseded = false;
  size_t line = 0;  // where it starts
};

// Headings "## [YYYY-MM-DD-HHMMSS] Title" and "## [YYYY-MM-DD] Title" of level 1 to 4, and "### Title"
// sections, whose date may stand in "**Discovered**: date". What stands before them counts too: bullets, perhaps with
// a date in front, and rows of tables are entries. A page without any entry is one named after `page_title`.
// Index lists ("## Themes", "## Index") are not entries. `unread`: paragraphs that are part of none.
std::vector<Entry> read_entries(std::span<const Line> lines, const std::string& page_title,
                                std::vector<Paragraph>* unread = nullptr);

// The sections that only list what stands elsewhere.
bool is_index_heading(std::string_view title);

// "2026-02-03-101500", "2026-02-03 10:15:00" or "2026-02-03" at the start of the text.
struct Stamp {
  Timestamp time;
  size_t length = 0;
};
std::optional<Stamp> read_stamp(std::string_view text);

}  // namespace knapsack::notes
