#include "notes/note_edit.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <compare>
#include <set>

#include "core/blanks.h"
#include "notes/entries.h"
#include "notes/folder.h"
#include "notes/list_items.h"
#include "notes/note_text.h"
#include "text/unicode/utf8.h"
#include "text/words/stem.h"
#include "text/words/words.h"

namespace knapsack::notes {
namespace {

struct KindRow {
  NoteKind kind;
  std::string_view word, page, title;
};
constexpr std::array<KindRow, 4> kKinds = {
    {{NoteKind::kDecision, "decision", "DECISIONS.md", "Decisions"},
     {NoteKind::kLearning, "learning", "LEARNINGS.md", "Learnings"},
     {NoteKind::kConvention, "convention", "CONVENTIONS.md", "Conventions"},
     {NoteKind::kTask, "task", "TASKS.md", "Tasks"}}};

const KindRow& row_of(NoteKind kind) {
  return *std::find_if(kKinds.begin(), kKinds.end(), [&](const KindRow& each) { return each.kind == kind; });
}

// Where each line begins; one more for the end of the page.
std::vector<size_t> line_starts(std::string_view page) {
  std::vector<size_t> starts = {0};
  for (size_t at = page.find('\n'); at != std::string_view::npos; at = page.find('\n', at + 1))
    starts.push_back(at + 1);
  if (starts.back() != page.size()) starts.push_back(page.size());
  return starts;
}

std::string stamp_of(Timestamp now) {
  const std::string time = format_rfc3339(now);  // 2026-11-15T08:00:00Z
  return fmt::format("{}-{}{}{}", time.substr(0, 10), time.substr(11, 2), time.substr(14, 2),
                     time.substr(17, 2));
}

// The lines of a list item: what follows the first belongs to it by its indentation.
std::string as_item(std::string_view text) {
  std::string item;
  for (const char c : text) {
    item += c;
    if (c == '\n') item += "  ";
  }
  return item;
}

// On the first line: the last one may end a fence.
std::string tagged(std::string item, const std::string& stamp) {
  return item.insert(std::min(item.find('\n'), item.size()), " #added:" + stamp);
}

std::string with_line_ends(std::string_view text, std::string_view line_end) {
  std::string made;
  for (const char c : text) made += c == '\n' ? std::string(line_end) : std::string(1, c);
  return made;
}

std::vector<std::string> stems_of(std::string_view text) {
  WordOptions options;
  options.stemming = Stemming::kByScript;
  return words_of(text, options);
}

// Takes the lines [first, last) out of a page, blank lines before what follows included.
class LineTaker {
 public:
  explicit LineTaker(std::string_view page) : page_(page), starts_(line_starts(page)) {}

  size_t lines() const { return starts_.size() - 1; }
  std::string_view line(size_t number) const {
    return page_.substr(starts_[number], starts_[number + 1] - starts_[number]);
  }
  void take(size_t first, size_t last) {
    made_.page += page_.substr(kept_, starts_[first] - kept_);
    made_.archived += page_.substr(starts_[first], starts_[last] - starts_[first]);
    kept_ = starts_[last];
    ++made_.count;
  }
  ArchivedPage finish() {
    made_.page += page_.substr(kept_);
    return std::move(made_);
  }

 private:
  std::string_view page_;
  std::vector<size_t> starts_;
  size_t kept_ = 0;
  ArchivedPage made_;
};

// A carriage return alone ends a line for readers, and its lines cannot be counted by line feeds.
bool has_old_line_ends(std::string_view page) {
  for (size_t at = page.find('\r'); at != std::string_view::npos; at = page.find('\r', at + 1)) {
    if (page.substr(at, 2) != "\r\n") return true;
  }
  return false;
}

bool is_indented_line(std::string_view line) {
  return line.starts_with("  ") || line.starts_with('\t');
}

// Behind the last line of the item that begins at `first`.
size_t end_of_item(const LineTaker& page, size_t first) {
  size_t end = first + 1;
  for (size_t at = end; at < page.lines(); ++at) {
    if (is_blank_text(page.line(at))) continue;
    if (!is_indented_line(page.line(at))) break;
    end = at + 1;
  }
  return end;
}

// What a reader makes of a note. Two that are equal say the same.
struct ReadNote {
  std::string title, body;
  bool holds = true;  // neither ticked off nor superseded

  auto operator<=>(const ReadNote&) const = default;
};

// In the order of the page.
std::vector<ReadNote> notes_of(std::string_view page, NoteKind kind) {
  const MarkdownLines lines = read_lines(sanitize_utf8(std::string(page)));
  std::vector<ReadNote> found;
  if (kind == NoteKind::kDecision || kind == NoteKind::kLearning) {
    for (Entry& entry : read_entries(lines, ""))
      found.push_back({std::move(entry.title), std::move(entry.body), !entry.superseded});
    return found;
  }
  const bool is_task = kind == NoteKind::kTask;
  for (const ListItem& item : is_task ? boxed_items(lines) : bullet_items(lines))
    found.push_back({without_tags(item.text), "", !is_task || item.box == Box::kOpen});
  return found;
}

// The new note is the last one, and none that was there is lost. A row of a table that names an entry is a line of
// contents and no entry any more.
bool holds_both(const std::vector<ReadNote>& after, const std::vector<ReadNote>& before,
                const ReadNote& made) {
  if (after.empty() || after.back() != made) return false;
  const std::set<ReadNote> kept(after.begin(), after.end());
  return std::all_of(before.begin(), before.end(), [&](const ReadNote& each) {
    return kept.contains(each) || each.title.find(made.title) != std::string::npos;
  });
}

// The page with the note at its end.
std::string appended(std::string_view page, NoteKind kind, std::string_view text, Timestamp now, Care care) {
  const std::string_view line_end = page.find("\r\n") == std::string_view::npos ? "\n" : "\r\n";
  const std::string clean = with_line_feeds(text);
  std::string made(page);
  if (is_blank_text(page)) made = fmt::format("# {}{}", row_of(kind).title, line_end);
  if (!made.ends_with('\n')) made += line_end;
  const auto lines = line_starts(made);
  const std::string_view last = std::string_view(made).substr(lines[lines.size() - 2]);
  const bool after_blank = is_blank_text(last);
  if (kind == NoteKind::kDecision || kind == NoteKind::kLearning) {
    if (!after_blank) made += line_end;
    const size_t title_end = std::min(clean.find('\n'), clean.size());
    const std::string body = with_line_feeds(std::string_view(clean).substr(title_end));
    made +=
        fmt::format("## [{}] {}{}", stamp_of(now), title_text(clean.substr(0, title_end), care), line_end);
    if (!body.empty())
      made += fmt::format("{}{}{}", line_end, with_line_ends(body_text(body, care), line_end), line_end);
    return made;
  }
  // A list goes on; behind anything else one begins.
  const std::string_view begin = trim(last);
  const bool in_list =
      begin.starts_with("- ") || begin.starts_with("* ") || (is_indented_line(last) && !begin.empty());
  if (!in_list && !after_blank) made += line_end;
  const std::string_view marker = kind == NoteKind::kTask ? "- [ ] " : "- ";
  const std::string item = as_item(item_text(without_marker(clean), marker, care));
  made += marker;
  made += with_line_ends(kind == NoteKind::kTask ? tagged(item, stamp_of(now)) : item, line_end);
  return made += line_end;
}

}  // namespace

std::optional<NoteKind> parse_note_kind(std::string_view word) {
  for (const KindRow& row : kKinds) {
    if (row.word == word) return row.kind;
  }
  return std::nullopt;
}

std::string_view page_of(NoteKind kind) {
  return row_of(kind).page;
}

Result<std::string> with_entry(std::string_view page, NoteKind kind, std::string_view text, Timestamp now) {
  for (const Care care : {Care::kUsual, Care::kUtmost}) {
    const std::vector<ReadNote> alone = notes_of(appended("", kind, text, now, care), kind);
    if (alone.size() != 1) continue;
    const std::vector<ReadNote> before = notes_of(page, kind);
    if (std::find(before.begin(), before.end(), alone.front()) != before.end()) return std::string(page);
    std::string made = appended(page, kind, text, now, care);
    if (holds_both(notes_of(made, kind), before, alone.front())) return made;
  }
  return Error{
      ErrorCode::kUsage,
      fmt::format("the note would not be read: {} has a code fence or a comment that is never closed",
                  page_of(kind)),
      fmt::format("close it in {}", page_of(kind))};
}

Result<DoneTask> with_task_done(std::string_view page, std::string_view words) {
  if (has_old_line_ends(page)) {
    return Error{ErrorCode::kUsage,
                 "the page has line ends of one carriage return, which are not changed here",
                 "write it with LF or CRLF"};
  }
  const auto wanted = stems_of(words);
  const MarkdownLines lines = read_lines(sanitize_utf8(std::string(page)));
  std::vector<ListItem> found;
  for (ListItem& item : boxed_items(lines)) {
    if (item.box != Box::kOpen) continue;
    const auto has = stems_of(item.text);
    const bool holds =
        !wanted.empty() && std::all_of(wanted.begin(), wanted.end(), [&](const std::string& word) {
          return std::find(has.begin(), has.end(), word) != has.end();
        });
    if (holds) found.push_back(std::move(item));
  }
  if (found.empty()) {
    return Error{ErrorCode::kNotFound, fmt::format("no open task contains \"{}\"", words),
                 "`knapsack agent` shows them"};
  }
  const bool all_same = std::all_of(found.begin(), found.end(), [&](const ListItem& item) {
    return without_tags(item.text) == without_tags(found.front().text);
  });
  if (!all_same) {
    std::string titles;
    for (const ListItem& item : found)
      titles += fmt::format("{}\"{}\"", titles.empty() ? "" : ", ", task_title(item.text));
    return Error{ErrorCode::kUsage,
                 fmt::format("{} open tasks contain \"{}\": {}", found.size(), words, titles),
                 "give more of its words"};
  }
  const auto starts = line_starts(page);
  std::string changed(page);
  const size_t begin = starts[found.front().line - 1];
  const size_t open = changed.find('[', begin), close = changed.find(']', begin);
  changed.replace(open + 1, close - open - 1, "x");
  return DoneTask{std::move(changed), found.front().text};
}

ArchivedPage without_done_tasks(std::string_view page) {
  if (has_old_line_ends(page)) return {std::string(page), "", 0};
  LineTaker taker(page);
  const MarkdownLines lines = read_lines(sanitize_utf8(std::string(page)));
  const auto items = boxed_items(lines);
  size_t behind = 0;
  for (const ListItem& item : items) {
    const size_t first = item.line - 1;
    if (item.box != Box::kDone || first < behind || is_indented_line(taker.line(first))) continue;
    const size_t end = end_of_item(taker, first);
    const bool open_within = std::any_of(items.begin(), items.end(), [&](const ListItem& other) {
      return other.box == Box::kOpen && other.line - 1 > first && other.line - 1 < end;
    });
    if (open_within) continue;
    taker.take(first, end);
    behind = end;
  }
  return taker.finish();
}

ArchivedPage without_superseded(std::string_view page) {
  if (has_old_line_ends(page)) return {std::string(page), "", 0};
  LineTaker taker(page);
  const MarkdownLines lines = read_lines(sanitize_utf8(std::string(page)));
  size_t behind = 0;
  for (const Entry& entry : read_entries(lines, "")) {
    if (!entry.superseded || entry.line - 1 < behind) continue;
    const auto* begin =
        std::find_if(lines.begin(), lines.end(), [&](const Line& line) { return line.number == entry.line; });
    const int level = heading_of(*begin).level;
    const auto* end = std::find_if(begin + 1, lines.end(), [&](const Line& line) {
      const int other = heading_of(line).level;
      return other > 0 && other <= level;
    });
    const size_t last = end == lines.end() ? taker.lines() : end->number - 1;
    taker.take(entry.line - 1, last);
    behind = last;
  }
  return taker.finish();
}

}  // namespace knapsack::notes
