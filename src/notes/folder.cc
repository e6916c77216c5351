#include "notes/folder.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>

#include "core/ascii.h"
#include "core/ids.h"
#include "core/paths.h"
#include "notes/leftover.h"
#include "text/secrets/redact.h"
#include "text/unicode/utf8.h"

namespace knapsack::notes {
namespace {

// An entry that is all said in its heading, "## [2026-02-03] A retry keeps its id", is content too.
bool holds_dated_title(std::span<const Line> lines) {
  return std::any_of(lines.begin(), lines.end(), [](const Line& line) {
    const auto heading = heading_of(line);
    return heading.level > 0 && heading.title.starts_with('[') &&
           read_stamp(heading.title.substr(1)).has_value();
  });
}

// Notes are written by hand; what is larger than this is something else under their name.
constexpr uint64_t kMaxFileBytes = uint64_t{16} * 1024 * 1024;
constexpr size_t kTitleCharacters = 100;
// Of tasks, conventions, decisions and learnings each. Every one costs about a kilobyte while a packet is
// made; nobody keeps more by hand, and a packet holds a few hundred.
constexpr size_t kMaxEntries = 20'000;

constexpr std::array<std::string_view, 8> kReadOrder = {
    "CONSTITUTION.md", "TASKS.md",     "CONVENTIONS.md", "ARCHITECTURE.md",
    "DECISIONS.md",    "LEARNINGS.md", "GLOSSARY.md",    "AGENT_PLAYBOOK.md"};

struct Page {
  std::string name;  // relative to the folder: "decisions/storage.md"
  MarkdownLines lines;
};

bool is_control(char c) {
  const auto byte = static_cast<unsigned char>(c);
  return ((byte < 0x20) & (byte != '\n') & (byte != '\r') & (byte != '\t')) | (byte == 0x7f);
}

// Control characters would drive the terminal of whoever prints the packet; they are no part of a note.
std::string without_controls(std::string text) {
  // Without a branch or an early end: the compiler makes vectors of this.
  unsigned char found = 0;
  for (const char c : text) found = static_cast<unsigned char>(found | (is_control(c) ? 1 : 0));
  if (found == 0) return text;
  std::string out;
  out.reserve(text.size());
  for (const char c : text) {
    if (is_control(c)) {
      append_code_point(out, kReplacementCharacter);
    } else {
      out += c;
    }
  }
  return out;
}

// What the disk said of a file, without the place that it has on this machine.
std::string reason_of(const Error& error, const std::string& path) {
  std::string reason = error.line();
  for (const char* action : {"read", "list"}) {
    const std::string opening = fmt::format("cannot {} {}: ", action, path);
    if (reason.starts_with(opening)) reason.erase(0, opening.size());
  }
  return reason;
}

bool tag_start(std::string_view text, size_t at) {
  const bool after_space = at == 0 || text[at - 1] == ' ' || text[at - 1] == '\n' || text[at - 1] == '\t';
  return text[at] == '#' && after_space && at + 1 < text.size() && (ascii::is_letter(text[at + 1]));
}

std::vector<std::string_view> tags_of(std::string_view text) {
  std::vector<std::string_view> tags;
  for (size_t at = text.find('#'); at != std::string_view::npos; at = text.find('#', at + 1)) {
    if (!tag_start(text, at)) continue;
    const size_t end = std::min(text.find_first_of(" \t\n", at), text.size());
    tags.push_back(text.substr(at + 1, end - at - 1));
  }
  return tags;
}

Task make_task(const ListItem& item, const std::string& file) {
  Task task;
  task.text = item.text;
  task.title = task_title(item.text);
  task.file = file;
  task.line = item.line;
  for (const std::string_view tag : tags_of(item.text)) {
    if (tag == "in-progress") task.in_progress = true;
    if (!tag.starts_with("added:")) continue;
    if (const auto stamp = read_stamp(tag.substr(6))) {
      task.added = stamp->time;
      task.stamp = std::string(tag.substr(6, stamp->length));
    }
  }
  return task;
}

class FolderReader {
 public:
  FolderReader(const FileSystem& files, const FolderRequest& request) : files_(files), request_(request) {}

  Result<NotesFolder> run() {
    KNAPSACK_CHECK(check_folder());
    KNAPSACK_TRY(entries_, files_.list(request_.path));
    read_top_level();
    const auto decisions = theme_pages("decisions");
    const auto learnings = theme_pages("learnings");
    const auto conventions = theme_pages("conventions");
    read_constitution();
    read_tasks();
    read_conventions(conventions);
    read_entries_into(folder_.decisions, "DECISIONS.md", decisions);
    read_entries_into(folder_.learnings, "LEARNINGS.md", learnings);
    name_other_pages();
    folder_.fingerprint = read_bytes_.hash();
    return std::move(folder_);
  }

 private:
  std::string on_disk(const std::string& name) const { return join_path(request_.path, name); }
  std::string shown(const std::string& name) const { return join_path(request_.shown_as, name); }

  Status check_folder() const {
    const auto info = files_.info(request_.path);
    if (!info.ok() && info.error().code == ErrorCode::kNotFound) {
      return Error{ErrorCode::kNotFound, fmt::format("there is no notes folder at {}", request_.shown_as),
                   fmt::format("create one with `mkdir {0}` and write {0}/CONSTITUTION.md, {0}/TASKS.md, "
                               "{0}/DECISIONS.md…, or name another with `notes.context_dir`",
                               request_.shown_as)};
    }
    if (!info.ok()) return info.error();
    if (info->kind != FileKind::kDirectory) {
      return Error{ErrorCode::kIo,
                   fmt::format("{} is {}, not a folder", request_.shown_as, describe(info->kind)),
                   "name a folder with `notes.context_dir`"};
    }
    return ok_status();
  }

  std::nullopt_t pass_over(const std::string& name, const std::string& why) {
    folder_.warnings.push_back(fmt::format("{} {}", shown(name), why));
    return std::nullopt;
  }
  std::nullopt_t pass_over(const std::string& name, const Error& error) {
    return pass_over(name, "was not read: " + reason_of(error, on_disk(name)));
  }

  // Nothing, and a warning, for what is no plain file of a reasonable size or cannot be read: the other pages
  // hold all the same.
  std::optional<Page> read_page(const std::string& name, FileKind kind) {
    if (kind == FileKind::kSymlink) {
      const auto target = files_.resolve(on_disk(name));
      const auto home = files_.resolve(request_.path);
      const bool inside = target.ok() && home.ok() && target->starts_with(*home + "/");
      return pass_over(name, inside
                                 ? "is a symbolic link and was not followed"
                                 : "is a symbolic link that leads out of the notes folder and was not read");
    }
    if (kind != FileKind::kRegular)
      return pass_over(name, fmt::format("is {}, not a regular file, and was not read", describe(kind)));
    auto bytes = files_.read(on_disk(name), kMaxFileBytes);
    if (!bytes.ok() && bytes.error().code == ErrorCode::kLimit)
      return pass_over(name, fmt::format("is larger than {} MiB and was not read", kMaxFileBytes >> 20U));
    if (!bytes.ok()) return pass_over(name, bytes.error());
    read_bytes_.add(fmt::format("{}:{}:{}:", name.size(), name, bytes->size()));
    read_bytes_.add(*bytes);
    std::string text = without_controls(sanitize_utf8(*std::move(bytes)));
    folder_.secrets += redact_secrets_by_line(text);
    Page page{name, read_lines(std::move(text))};
    say_hidden(page);
    return page;
  }

  // Somebody may have commented them out; a comment or a fence that was never meant to reach so far looks the same.
  void say_hidden(const Page& page) {
    constexpr std::array<std::string_view, 4> kHoldEntries = {"DECISIONS.md", "LEARNINGS.md", "decisions/",
                                                              "learnings/"};
    const bool holds_entries =
        std::any_of(kHoldEntries.begin(), kHoldEntries.end(),
                    [&](std::string_view start) { return page.name.starts_with(start); });
    if (!holds_entries) return;
    std::vector<Paragraph> hidden;
    for (const size_t line : page.lines.hidden_entries()) hidden.push_back({"", line, line, false, ""});
    if (hidden.empty()) return;
    folder_.unrecognised.push_back(fmt::format("{} {}: {} in a comment or a code fence", shown(page.name),
                                               lines_in_words(hidden),
                                               hidden.size() == 1 ? "an entry" : "entries"));
  }

  void read_top_level() {
    std::vector<std::string> order = request_.priority_order;
    for (const auto name : kReadOrder) {
      if (std::find(order.begin(), order.end(), name) == order.end()) order.emplace_back(name);
    }
    for (const std::string& name : order) {
      const auto entry = find_entry(entries_, name);
      if (entry == entries_.end() || page(name) != nullptr) continue;
      auto found = read_page(name, entry->kind);
      if (!found || !(holds_content(found->lines) || holds_dated_title(found->lines))) continue;
      folder_.read_order.push_back(shown(name));
      pages_.push_back(std::move(*found));
    }
  }

  std::vector<Page> theme_pages(const std::string& theme) {
    std::vector<Page> pages;
    const auto entry = find_entry(entries_, theme);
    if (entry == entries_.end() || entry->kind == FileKind::kRegular) return pages;
    if (entry->kind == FileKind::kSymlink) {
      read_page(theme, entry->kind);  // says that it is a link
      return pages;
    }
    const auto names = files_.list(on_disk(theme));
    if (!names.ok()) {
      pass_over(theme, names.error());
      return pages;
    }
    for (const auto& name : *names) {
      if (!name.name.ends_with(".md") || name.kind == FileKind::kDirectory) continue;
      auto found = read_page(theme + "/" + name.name, name.kind);
      if (found) pages.push_back(std::move(*found));
    }
    return pages;
  }

  static std::vector<DirectoryEntry>::const_iterator find_entry(const std::vector<DirectoryEntry>& entries,
                                                                const std::string& name) {
    return std::find_if(entries.begin(), entries.end(),
                        [&](const auto& entry) { return entry.name == name; });
  }

  const Page* page(const std::string& name) const {
    for (const auto& each : pages_) {
      if (each.name == name) return &each;
    }
    return nullptr;
  }

  // Pages beside the known ones are not read; whoever wrote them should know.
  void name_other_pages() {
    std::vector<std::string> others;
    for (const DirectoryEntry& entry : entries_) {
      const bool known = std::find(kReadOrder.begin(), kReadOrder.end(), entry.name) != kReadOrder.end() ||
                         page(entry.name) != nullptr;
      if (entry.kind == FileKind::kRegular && entry.name.ends_with(".md") && !known)
        others.push_back(shown(entry.name));
    }
    if (others.empty()) return;
    constexpr size_t kMaxNamedPages = 5;
    const size_t named = std::min(others.size(), kMaxNamedPages);
    folder_.unrecognised.push_back(
        fmt::format("{}{}: no page of notes has {}",
                    fmt::join(others.begin(), others.begin() + static_cast<ptrdiff_t>(named), ", "),
                    named < others.size() ? fmt::format(" and {} more", others.size() - named) : "",
                    others.size() == 1 ? "this name" : "these names"));
  }

  void say_left(const std::string& file, size_t count, std::string_view what) {
    if (count > 0)
      folder_.warnings.push_back(fmt::format("{} holds {} more {} than the {} that are read", shown(file),
                                             count, what, kMaxEntries));
  }

  void read_constitution() {
    const Page* found = page("CONSTITUTION.md");
    if (found == nullptr) return;
    // Some people write their rules as plain bullets or as sentences; rules must not be lost for want of a box.
    std::map<size_t, std::string> rules;  // by line
    const std::vector<Line> unboxed = take(boxed_items(found->lines), found->lines, rules);
    std::vector<ListItem> bullets = bullet_items(unboxed);
    const auto indent_of = [&](size_t number) {
      const auto line = std::find_if(found->lines.begin(), found->lines.end(),
                                     [&](const Line& each) { return each.number == number; });
      return line == found->lines.end() ? 0 : line->indent();
    };
    // A bullet that only names the boxes below it.
    const auto is_group = [&](const ListItem& item) {
      return rules.contains(item.last + 1) && indent_of(item.last + 1) > indent_of(item.line);
    };
    std::vector<std::pair<size_t, size_t>> ranges;
    for (const ListItem& item : bullets) ranges.emplace_back(item.line, item.last);
    const std::vector<Line> prose = without_ranges(unboxed, ranges);
    std::erase_if(bullets, is_group);
    for (ListItem& item : bullets) rules.emplace(item.line, std::move(item.text));
    // "These rules hold for every change." introduces the list behind it.
    const size_t first_item = rules.empty() ? 0 : rules.begin()->first;
    for (Paragraph& each : paragraphs_of(prose)) {
      const bool announces = each.text.ends_with(':') || each.text.starts_with("These rules") ||
                             each.text.starts_with("The following");
      const bool is_introduction = !each.row && announces && each.last < first_item;
      if (!is_introduction) rules.emplace(each.first, std::move(each.text));
    }
    for (auto& [line, rule] : rules) folder_.constitution.push_back(std::move(rule));
  }

  // The texts of items by their lines; what is left of the page without them.
  static std::vector<Line> take(std::vector<ListItem> items, std::span<const Line> lines,
                                std::map<size_t, std::string>& texts) {
    std::vector<std::pair<size_t, size_t>> ranges;
    for (ListItem& item : items) {
      ranges.emplace_back(item.line, item.last);
      texts.emplace(item.line, std::move(item.text));
    }
    return without_ranges(lines, ranges);
  }

  void say_unrecognised(const std::string& file, const std::vector<Paragraph>& paragraphs,
                        std::string_view what) {
    if (paragraphs.empty()) return;
    folder_.unrecognised.push_back(
        fmt::format("{} {}: not recognised as {}", shown(file), lines_in_words(paragraphs), what));
  }

  void read_tasks() {
    const Page* found = page("TASKS.md");
    if (found == nullptr) return;
    size_t left = 0;
    auto items = boxed_items(found->lines);
    // A page of plain bullets is one of tasks; beside boxes a bullet is a remark.
    if (items.empty()) {
      items = bullet_items(found->lines);
      for (ListItem& item : items) item.box = Box::kOpen;
    }
    std::map<size_t, std::string> taken;
    say_unrecognised(found->name, paragraphs_of(take(items, found->lines, taken)), "tasks");
    for (const auto& item : items) {
      if (item.box != Box::kOpen) continue;
      if (folder_.tasks.size() == kMaxEntries) {
        ++left;
        continue;
      }
      folder_.tasks.push_back(make_task(item, found->name));
    }
    say_left(found->name, left, "open tasks");
  }

  void read_conventions(const std::vector<Page>& themes) {
    const auto add = [&](const Page& source) {
      size_t left = 0;
      const auto add_one = [&](const std::string& text, size_t line, const std::string& heading) {
        // A list of the theme pages repeats what is read from the pages themselves.
        if (!themes.empty() && is_index_heading(heading)) return;
        if (folder_.conventions.size() == kMaxEntries) {
          ++left;
          return;
        }
        folder_.conventions.push_back({text, source.name, line});
      };
      const auto items = bullet_items(source.lines);
      std::map<size_t, std::string> taken;
      const auto prose = paragraphs_of(take(items, source.lines, taken));
      auto next = prose.begin();
      for (const ListItem& item : items) {
        for (; next != prose.end() && next->first < item.line; ++next)
          add_one(next->text, next->first, next->heading);
        add_one(item.text, item.line, item.heading);
      }
      for (; next != prose.end(); ++next) add_one(next->text, next->first, next->heading);
      say_left(source.name, left, "conventions");
    };
    if (const Page* found = page("CONVENTIONS.md")) add(*found);
    for (const Page& theme : themes) add(theme);
  }

  void read_entries_into(std::vector<FiledEntry>& target, const std::string& root,
                         const std::vector<Page>& themes) {
    const auto add = [&](const Page& source, const std::string& page_title) {
      size_t left = 0;
      std::vector<Paragraph> unread;
      for (auto& entry : read_entries(source.lines, page_title, &unread)) {
        if (target.size() == kMaxEntries) {
          ++left;
          continue;
        }
        target.push_back({std::move(entry), source.name});
      }
      say_left(source.name, left, "entries");
      say_unrecognised(source.name, unread, "entries");
    };
    // Prose before entries introduces them; a page of nothing but prose is one entry.
    if (const Page* found = page(root)) add(*found, root.substr(0, root.size() - 3));
    for (const Page& theme : themes) {
      const std::string_view name = base_name(theme.name);
      add(theme, std::string(name.substr(0, name.size() - 3)));
    }
  }

  const FileSystem& files_;
  const FolderRequest& request_;
  std::vector<DirectoryEntry> entries_;
  std::vector<Page> pages_;  // the top-level ones that hold content
  NotesFolder folder_;
  ContentHasher read_bytes_;
};

}  // namespace

std::string task_title(std::string_view text) {
  return shorten(without_tags(text), kTitleCharacters);
}

std::string without_tags(std::string_view text) {
  // Written in place: this runs over every byte of every task.
  std::string kept(text.size(), ' ');
  size_t size = 0;
  for (size_t at = 0; at < text.size();) {
    const char c = text[at];
    if (c == '#' && tag_start(text, at)) {
      at = std::min(text.find_first_of(" \t\n", at), text.size());
      continue;
    }
    const bool space = c == ' ' || c == '\t';
    if (!space || (size > 0 && kept[size - 1] != ' ')) kept[size++] = space ? ' ' : c;
    ++at;
  }
  while (size > 0 && (kept[size - 1] == ' ' || kept[size - 1] == '\n')) --size;
  kept.resize(size);
  return kept;
}

std::string shorten(std::string_view text, size_t max_characters) {
  std::string_view line = trim(text.substr(0, text.find('\n')));
  size_t bytes = 0, characters = 0, last_space = 0;
  while (bytes < line.size() && characters < max_characters) {
    if (line[bytes] == ' ') last_space = bytes;
    bytes += decode_code_point(line.substr(bytes)).size;
    ++characters;
  }
  if (bytes >= line.size()) return std::string(line) + (line.size() < trim(text).size() ? " …" : "");
  const size_t end = last_space > bytes / 2 ? last_space : bytes;
  return std::string(trim(line.substr(0, end))) + " …";
}

Result<NotesFolder> read_folder(const FileSystem& files, const FolderRequest& request) {
  return FolderReader(files, request).run();
}

}  // namespace knapsack::notes
