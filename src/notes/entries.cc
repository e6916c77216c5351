#include "notes/entries.h"

#include <algorithm>
#include <map>

#include "core/ascii.h"
#include "notes/list_items.h"
#include "text/unicode/utf8.h"

namespace knapsack::notes {
namespace {

bool starts_with_word(std::string_view text, std::string_view word) {
  if (text.size() < word.size()) return false;
  for (size_t i = 0; i < word.size(); ++i) {
    if (ascii::lower(text[i]) != word[i]) return false;
  }
  return true;
}

std::string_view skip_any(std::string_view text, std::string_view characters) {
  const size_t first = text.find_first_not_of(characters);
  return first == std::string_view::npos ? std::string_view() : text.substr(first);
}

int number(std::string_view text, size_t at, size_t count) {
  if (at + count > text.size()) return -1;
  int value = 0;
  for (size_t i = at; i < at + count; ++i) {
    if (!ascii::is_digit(text[i])) return -1;
    value = value * 10 + (text[i] - '0');
  }
  return value;
}

// The value of "**Name**: value" or "**Name:** value", perhaps behind a list marker; nothing when it is
// another line.
std::optional<std::string_view> bold_field(std::string_view line, std::string_view name) {
  line = skip_any(line, "-*+ \t");
  if (!starts_with_word(line, name)) return std::nullopt;
  line.remove_prefix(name.size());
  if (!line.starts_with("**:") && !line.starts_with(":**")) return std::nullopt;
  return trim(line.substr(3));
}

// A legend lists the possible states: "Superseded | Deprecated".
bool says_retired(std::string_view status) {
  status = skip_any(status, "~*_ ");
  for (const std::string_view word : {"superseded", "deprecated"}) {
    if (starts_with_word(status, word)) return !trim(status.substr(word.size())).starts_with('|');
  }
  return false;
}

bool marks_superseded(const Line& line) {
  if (line.fenced) return false;
  std::string_view text = line.trimmed();
  if (starts_with_word(text, "~~superseded")) return true;
  if (text.starts_with('>')) return starts_with_word(trim(text.substr(1)), "**superseded");
  const auto status = bold_field(text, "status");
  return status && says_retired(*status);
}

std::string join_body(std::span<const Line> lines, size_t first, size_t last) {
  std::string body;
  size_t blank_lines = 0;
  for (size_t i = first; i < last; ++i) {
    if (is_separator(lines[i])) continue;
    if (lines[i].blank()) {
      ++blank_lines;
      continue;
    }
    if (!body.empty())
      body.append(lines[i].fenced ? blank_lines + 1 : std::min<size_t>(blank_lines + 1, 2), '\n');
    blank_lines = 0;
    const size_t end = lines[i].text.find_last_not_of(" \t");
    body += lines[i].text.substr(0, end + 1);
  }
  return body;
}

class EntryReader {
 public:
  EntryReader(std::span<const Line> lines, const std::string& page_title)
      : lines_(lines), page_title_(page_title) {}

  std::vector<Entry> run(std::vector<Paragraph>* unread) {
    std::string page_heading;
    const auto titles = static_cast<size_t>(std::count_if(
        lines_.begin(), lines_.end(), [](const Line& line) { return heading_of(line).level == 1; }));
    size_t first_open = lines_.size();
    for (size_t i = 0; i < lines_.size(); ++i) {
      const Heading heading = heading_of(lines_[i]);
      if (heading.level == 1 && page_heading.empty()) page_heading = heading.title;
      if (heading.level == 0 || heading.level > 4 || !opens(i, heading, titles)) continue;
      open(i, heading);  // an undated one is dropped again if it turns out to be a mere group heading
      first_open = std::min(first_open, i);
    }
    close(lines_.size());
    read_before(first_open, unread);
    if (!page_title_.empty() && entries_.empty() && !saw_heading_ && holds_content(lines_)) {
      const auto rest = without_headings();
      const bool superseded = std::any_of(rest.begin(), rest.end(), marks_superseded);
      entries_.push_back({page_heading.empty() ? page_title_ : page_heading, "", std::nullopt,
                          join_body(rest, 0, rest.size()), superseded, 1});
      if (unread != nullptr) unread->clear();
    }
    return std::move(entries_);
  }

 private:
  // Inside an entry a heading of level 1 or 4 belongs to its body, or what follows it would belong to nothing.
  bool opens(size_t at, const Heading& heading, size_t titles) const {
    const bool dated = stamp_of(heading.title).has_value();
    const int around = start_ ? heading_.level : 0;  // 0: in no entry
    switch (heading.level) {
      case 1:
        // The only one is the title of the page, unless it has a date.
        return (dated && (around == 0 || around == 1)) || (titles > 1 && (around == 0 || around == 1));
      case 2:
        return true;
      case 3:
        return dated || !inside_dated_ || discovered_below(at);
      default:
        return around == 0 || around == 4 || (dated && !inside_dated_);
    }
  }

  // Bullets and rows before the first heading of an entry are entries; sentences introduce what follows.
  void read_before(size_t end, std::vector<Paragraph>* unread) {
    const std::span<const Line> head = lines_.first(end);
    std::vector<std::pair<size_t, size_t>> ranges;
    std::map<size_t, Entry> found;
    for (const ListItem& item : bullet_items(head)) {
      ranges.emplace_back(item.line, item.last);
      if (!is_index_heading(item.heading)) found.emplace(item.line, entry_of(item.text, item.line));
    }
    for (Paragraph& each : paragraphs_of(without_ranges(head, ranges))) {
      if (each.row && !lists_an_entry(each.text)) {
        found.emplace(each.first, entry_of(each.text, each.first));
      } else if (!each.row && unread != nullptr) {
        unread->push_back(std::move(each));
      }
    }
    std::vector<Entry> all;
    for (auto& [line, entry] : found) all.push_back(std::move(entry));
    std::move(entries_.begin(), entries_.end(), std::back_inserter(all));
    entries_ = std::move(all);
  }

  // A row of a table of contents.
  bool lists_an_entry(std::string_view row) const {
    return std::any_of(entries_.begin(), entries_.end(), [&](const Entry& entry) {
      return !entry.title.empty() && row.find(entry.title) != std::string_view::npos;
    });
  }

  // "2026-02-03: text", "[2026-02-03] text", "**2026-02-03** text", or just the text.
  static Entry entry_of(const std::string& text, size_t line) {
    Entry entry;
    entry.line = line;
    std::string_view rest = text;
    const std::string_view inner = skip_any(rest, "[*(_`");
    if (const auto stamp = read_stamp(inner)) {
      entry.stamp = std::string(inner.substr(0, stamp->length));
      entry.date = stamp->time;
      rest = skip_any(inner.substr(stamp->length), "])*_`:- \t");
    }
    constexpr size_t kMaxTitleBytes = 120;
    const std::string_view first = rest.substr(0, rest.find('\n'));
    const size_t stop = first.find(". ");
    const bool is_short = first.size() <= kMaxTitleBytes;
    entry.title = std::string(trim(is_short ? first
                                   : stop != std::string_view::npos && stop < kMaxTitleBytes
                                       ? first.substr(0, stop + 1)
                                       : utf8_prefix(first, kMaxTitleBytes)));
    if (entry.title.size() < trim(rest).size()) entry.body = std::string(trim(rest));
    entry.superseded = starts_with_word(entry.title, "~~superseded") || entry.title.starts_with("~~");
    return entry;
  }

  static std::optional<Stamp> stamp_of(std::string_view title) {
    if (!title.starts_with('[')) return std::nullopt;
    const auto stamp = read_stamp(title.substr(1));
    if (!stamp || title.substr(1 + stamp->length, 1) != "]") return std::nullopt;
    return stamp;
  }

  std::vector<Line> without_headings() const {
    std::vector<Line> rest;
    for (const Line& line : lines_) {
      if (heading_of(line).level != 1) rest.push_back(line);
    }
    return rest;
  }

  bool discovered_below(size_t at) const {
    for (size_t i = at + 1; i < lines_.size(); ++i) {
      const int level = heading_of(lines_[i]).level;
      if (level > 0 && level <= 3) return false;
      if (!lines_[i].fenced && bold_field(lines_[i].trimmed(), "discovered")) return true;
    }
    return false;
  }

  void open(size_t at, const Heading& heading) {
    close(at);
    saw_heading_ = true;
    start_ = at;
    heading_ = heading;
    inside_dated_ = stamp_of(heading.title).has_value();
  }

  void close(size_t end) {
    if (!start_) return;
    const size_t start = *start_;
    start_.reset();
    Entry entry;
    entry.line = lines_[start].number;
    entry.title = heading_.title;
    entry.body = join_body(lines_, start + 1, end);
    if (const auto stamp = stamp_of(heading_.title)) {
      entry.stamp = heading_.title.substr(1, stamp->length);
      entry.date = stamp->time;
      entry.title = std::string(trim(std::string_view(heading_.title).substr(stamp->length + 2)));
    } else {
      inside_dated_ = false;
      if (is_index_heading(entry.title) || entry.body.empty()) return;
      find_discovered(start, end, entry);
    }
    if (entry.title.empty()) entry.title = entry.stamp;
    entry.superseded = starts_with_word(entry.title, "~~superseded");
    for (size_t i = start + 1; i < end; ++i)
      entry.superseded = entry.superseded || marks_superseded(lines_[i]);
    entries_.push_back(std::move(entry));
  }

  void find_discovered(size_t start, size_t end, Entry& entry) const {
    for (size_t i = start + 1; i < end; ++i) {
      if (lines_[i].fenced) continue;
      const auto value = bold_field(lines_[i].trimmed(), "discovered");
      if (!value) continue;
      if (const auto stamp = read_stamp(*value)) {
        entry.date = stamp->time;
        entry.stamp = std::string(value->substr(0, stamp->length));
        return;
      }
    }
  }

  const std::span<const Line> lines_;
  const std::string& page_title_;
  std::vector<Entry> entries_;
  std::optional<size_t> start_;
  Heading heading_;
  bool inside_dated_ = false;
  bool saw_heading_ = false;
};

}  // namespace

std::vector<Entry> read_entries(std::span<const Line> lines, const std::string& page_title,
                                std::vector<Paragraph>* unread) {
  return EntryReader(lines, page_title).run(unread);
}

bool is_index_heading(std::string_view title) {
  std::string folded;
  for (const char c : title) folded += ascii::lower(c);
  return folded == "themes" || folded == "index" || folded == "table of contents";
}

std::optional<Stamp> read_stamp(std::string_view text) {
  if (text.size() < 10 || text[4] != '-' || text[7] != '-') return std::nullopt;
  const int year = number(text, 0, 4), month = number(text, 5, 2), day = number(text, 8, 2);
  const auto date = make_timestamp(year, month, day, 0, 0, 0);
  if (!date) return std::nullopt;
  std::string_view clock = text.substr(10);
  size_t length = 10;
  if (!clock.empty() && (clock[0] == '-' || clock[0] == ' ' || clock[0] == 'T')) {
    const bool colons = clock.size() >= 9 && clock[3] == ':' && clock[6] == ':';
    const int hour = number(clock, 1, 2);
    const int minute = number(clock, colons ? 4 : 3, 2);
    const int second = number(clock, colons ? 7 : 5, 2);
    if (const auto time = make_timestamp(year, month, day, hour, minute, second)) {
      length += colons ? 9 : 7;
      return Stamp{*time, length};
    }
  }
  return Stamp{*date, length};
}

}  // namespace knapsack::notes
