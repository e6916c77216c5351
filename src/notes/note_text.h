// The words of a new note as Markdown that reads the same and can neither hide nor forge another note.
//
// A backslash goes before what would open a comment, and before lines that would be read as another note or as a rule
// across the page; a fence that is left open is closed. Pure functions; any thread.
// Private to notes/.
#pragma once

#include <string>
#include <string_view>

namespace knapsack::notes {

// Fences, ends of comments and small headings stay as they are, or get a backslash too: for a page that has an open
// fence or comment already, which they would close.
enum class Care { kUsual, kUtmost };

// "\r\n" and "\r" become "\n"; blank lines at either end go.
std::string with_line_feeds(std::string_view text);
// What follows the title of an entry.
std::string body_text(std::string_view text, Care care);
// An item of a list, without its marker; `marker` is what it will stand behind.
std::string item_text(std::string_view text, std::string_view marker, Care care);
// The title of an entry: what would end the heading is escaped.
std::string title_text(std::string_view line, Care care);

// Without the marker and the open box that somebody wrote before an item: "- [ ] Retry" says "Retry".
std::string_view without_marker(std::string_view text);

}  // namespace knapsack::notes
