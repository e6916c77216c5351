#include "notes/folder.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "core/ids.h"
#include "notes/loose_lines.h"
#include "text/redact.h"
#include "text/utf8.h"

namespace knapsack::notes {
namespace {

// Notes are written by hand; what is larger than this is something else under their name.
constexpr uint64_t kMaxFileBytes = uint64_t{16} * 1024 * 1024;
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
    KNAPSACK_CHECK(read_top_level());
    KNAPSACK_TRY(const auto decisions, theme_pages("decisions"));
    KNAPSACK_TRY(const auto learnings, theme_pages("learnings"));
    KNAPSACK_TRY(const auto conventions, theme_pages("conventions"));
    read_constitution();
    read_tasks();
    read_conventions(conventions);
    read_entries_into(folder_.decisions, "DECISIONS.md", decisions);
    read_entries_into(folder_.learnings, "LEARNINGS.md", learnings);
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
                               "{0}/DECISIONS.md…, or name another with --context-dir",
                               request_.shown_as)};
    }
    if (!info.ok()) return info.error();
    if (info->kind != FileKind::kDirectory) {
      return Error{ErrorCode::kIo,
                   fmt::format("{} is {}, not a folder", request_.shown_as, describe(info->kind)),
                   "name a folder with --context-dir"};
    }
    return ok_status();
  }

  // Nothing, and a warning, for what is no plain file of a reasonable size. A disk that fails is an error.
  Result<std::optional<Page>> read_page(const std::string& name, FileKind kind) {
    const auto pass_over = [&](const std::string& why) {
      folder_.warnings.push_back(fmt::format("{} {}", shown(name), why));
      return std::optional<Page>();
    };
    if (kind == FileKind::kSymlink) {
      const auto target = files_.resolve(on_disk(name));
      const auto home = files_.resolve(request_.path);
      const bool inside = target.ok() && home.ok() && target->starts_with(*home + "/");
      return pass_over(inside ? "is a symbolic link and was not followed"
                              : "is a symbolic link that leads out of the notes folder and was not read");
    }
    if (kind != FileKind::kRegular)
      return pass_over(fmt::format("is {}, not a regular file, and was not read", describe(kind)));
    auto bytes = files_.read(on_disk(name), kMaxFileBytes);
    if (!bytes.ok()) {
      if (bytes.error().code != ErrorCode::kLimit) return bytes.error();
      return pass_over(fmt::format("holds more than {} MiB and was not read", kMaxFileBytes >> 20U));
    }
    read_bytes_.add(fmt::format("{}:{}:{}:", name.size(), name, bytes->size()));
    read_bytes_.add(*bytes);
    std::string text = without_controls(sanitize_utf8(*std::move(bytes)));
    folder_.secrets += redact_secrets_by_line(text);
    return std::optional<Page>(Page{name, read_lines(std::move(text))});
  }

  Status read_top_level() {
    std::vector<std::string> order = request_.priority_order;
    for (const auto name : kReadOrder) {
      if (std::find(order.begin(), order.end(), name) == order.end()) order.emplace_back(name);
    }
    for (const std::string& name : order) {
      const auto entry = find_entry(entries_, name);
      if (entry == entries_.end() || page(name) != nullptr) continue;
      KNAPSACK_TRY(auto found, read_page(name, entry->kind));
      if (!found) continue;
      // Nothing but headings is nothing to read, though each may be an entry.
      if (holds_content(found->lines)) folder_.read_order.push_back(shown(name));
      pages_.push_back(std::move(*found));
    }
    return ok_status();
  }

  Result<std::vector<Page>> theme_pages(const std::string& theme) {
    std::vector<Page> pages;
    const auto entry = find_entry(entries_, theme);
    if (entry == entries_.end() || entry->kind == FileKind::kRegular) return pages;
    if (entry->kind == FileKind::kSymlink) {
      KNAPSACK_CHECK(read_page(theme, entry->kind));  // says that it is a link
      return pages;
    }
    KNAPSACK_TRY(const auto names, files_.list(on_disk(theme)));
    for (const auto& name : names) {
      if (!name.name.ends_with(".md") || name.kind == FileKind::kDirectory) continue;
      KNAPSACK_TRY(auto found, read_page(theme + "/" + name.name, name.kind));
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

  void say_left(const std::string& file, size_t count, std::string_view what) {
    if (count > 0)
      folder_.warnings.push_back(fmt::format("{} holds {} more {} than the {} that are read", shown(file),
                                             count, what, kMaxEntries));
  }

  void say_unread(const Page& source, const LineRange& lines) {
    const std::string which = lines.first == lines.last ? fmt::format("line {}", lines.first)
                                                        : fmt::format("lines {}-{}", lines.first, lines.last);
    folder_.unrecognised.push_back(fmt::format("{} {}: not recognised", shown(source.name), which));
  }

  // What is not in a list and can be read all the same; the rest is named.
  template <class Take>
  void take_loose(const Page& source, const std::vector<LineRange>& covered, const Take& take) {
    for (LooseBlock& block : loose_blocks(source.lines, covered)) {
      if (block.introduces) continue;
      if (block.kind == LooseKind::kOther || block.text.empty() || !take(block))
        say_unread(source, block.lines);
    }
  }

  static std::vector<LineRange> ranges_of(const std::vector<ListItem>& items) {
    std::vector<LineRange> ranges;
    for (const ListItem& item : items) ranges.push_back({item.line, item.last_line});
    return ranges;
  }

  void read_constitution() {
    const Page* found = page("CONSTITUTION.md");
    if (found == nullptr) return;
    auto rules = boxed_items(found->lines);
    // Some people write their rules as plain bullets, as prose or in a table; rules must not be lost for want of a box.
    if (rules.empty()) rules = bullet_items(found->lines);
    const auto covered = ranges_of(rules);
    take_loose(*found, covered, [&](const LooseBlock& block) {
      rules.push_back({Box::kNone, block.text, block.lines.first, block.lines.last, ""});
      return true;
    });
    std::stable_sort(rules.begin(), rules.end(),
                     [](const ListItem& a, const ListItem& b) { return a.line < b.line; });
    for (auto& rule : rules) folder_.constitution.push_back(std::move(rule.text));
  }

  void read_tasks() {
    const Page* found = page("TASKS.md");
    if (found == nullptr) return;
    auto items = boxed_items(found->lines);
    const auto covered = ranges_of(items);
    const bool boxes = !items.empty();
    take_loose(*found, covered, [&](const LooseBlock& block) {
      // Beside boxes an item without one is a remark; where nobody draws boxes every item is to be done.
      if (boxes || block.kind != LooseKind::kItem) return false;
      items.push_back({Box::kOpen, block.text, block.lines.first, block.lines.last, ""});
      return true;
    });
    size_t left = 0;
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
      auto items = bullet_items(source.lines);
      const auto covered = ranges_of(items);
      take_loose(source, covered, [&](const LooseBlock& block) {
        items.push_back({Box::kNone, block.text, block.lines.first, block.lines.last, ""});
        return true;
      });
      std::stable_sort(items.begin(), items.end(),
                       [](const ListItem& a, const ListItem& b) { return a.line < b.line; });
      for (const auto& item : items) {
        // A list of the theme pages repeats what is read from the pages themselves.
        if (!themes.empty() && is_index_heading(item.heading)) continue;
        if (folder_.conventions.size() == kMaxEntries) {
          ++left;
          continue;
        }
        folder_.conventions.push_back({item.text, source.name, item.line});
      }
      say_left(source.name, left, "conventions");
    };
    if (const Page* found = page("CONVENTIONS.md")) add(*found);
    for (const Page& theme : themes) add(theme);
  }

  // Entries under headings, and what else can be one: items of a list, rows of a table, paragraphs.
  std::vector<Entry> all_entries(const Page& source, const std::string& page_title) {
    std::vector<Entry> entries = read_entries(source.lines, page_title);
    std::vector<LineRange> covered;
    for (const Entry& entry : entries) covered.push_back({entry.line, entry.last_line});
    take_loose(source, covered, [&](const LooseBlock& block) {
      entries.push_back(entry_of_text(block.text, block.lines.first));
      return true;
    });
    std::stable_sort(entries.begin(), entries.end(),
                     [](const Entry& a, const Entry& b) { return a.line < b.line; });
    return entries;
  }

  void read_entries_into(std::vector<FiledEntry>& target, const std::string& root,
                         const std::vector<Page>& themes) {
    const auto add = [&](const Page& source, const std::string& page_title) {
      size_t left = 0;
      for (auto& entry : all_entries(source, page_title)) {
        if (target.size() == kMaxEntries) {
          ++left;
          continue;
        }
        target.push_back({std::move(entry), source.name});
      }
      say_left(source.name, left, "entries");
    };
    // Prose before entries introduces them; a theme page may be nothing but prose.
    if (const Page* found = page(root)) add(*found, "");
    for (const Page& theme : themes) {
      const size_t slash = theme.name.rfind('/') + 1;
      add(theme, theme.name.substr(slash, theme.name.size() - slash - 3));
    }
  }

  const FileSystem& files_;
  const FolderRequest& request_;
  std::vector<DirectoryEntry> entries_;
  std::vector<Page> pages_;  // the top-level ones
  NotesFolder folder_;
  ContentHasher read_bytes_;
};

}  // namespace

Result<NotesFolder> read_folder(const FileSystem& files, const FolderRequest& request) {
  return FolderReader(files, request).run();
}

}  // namespace knapsack::notes
