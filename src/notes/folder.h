// NotesFolder: everything a `.context` folder says, read and sorted out, nothing ranked yet.
//
// Reading never follows a symbolic link inside the folder and never blocks. A page that cannot be read (a
// FIFO, a link that leads out, no permission) is passed over with a warning that names it, and the rest is
// read: a packet without its constitution must not look whole, and one bad page must not take the rules away.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/files/file_system.h"
#include "notes/entries.h"
#include "notes/list_items.h"

namespace knapsack::notes {

struct Task {
  std::string text;   // tags included
  std::string title;  // one short line, tags left out
  std::string stamp;  // the value of #added, as written
  std::optional<Timestamp> added;
  bool in_progress = false;
  std::string file;
  size_t line = 0;
};

struct Convention {
  std::string text;
  std::string file;
  size_t line = 0;
};

struct FiledEntry {
  Entry entry;
  std::string file;
};

struct NotesFolder {
  std::vector<std::string> read_order;    // paths as a reader in the workspace would open them
  std::vector<std::string> constitution;  // every rule, in file order
  std::vector<Task> tasks;                // the open ones, in file order
  std::vector<Convention> conventions;
  std::vector<FiledEntry> decisions;
  std::vector<FiledEntry> learnings;
  std::vector<std::string> warnings;  // what was passed over and why, a line each
  // Which lines of which page are neither a rule, a task, a convention nor an entry, a line a page.
  std::vector<std::string> unrecognised;
  uint64_t secrets = 0;     // that were replaced, in every page before it was split
  std::string fingerprint;  // of every byte that was read
};

struct FolderRequest {
  std::string path;                         // the folder on disk
  std::string shown_as;                     // how read_order and messages name it
  std::vector<std::string> priority_order;  // file names to read first; the rest follow in the usual order
};

// An error only where there is no such folder or it cannot be listed.
Result<NotesFolder> read_folder(const FileSystem& files, const FolderRequest& request);

// What a task is called where its whole text does not fit: its first line without tags, shortened.
std::string task_title(std::string_view text);
// A text without its `#tags` (`#priority:high`, `#added:2026-02-16-111948`), white space folded.
std::string without_tags(std::string_view text);
// The first line, cut at a word boundary to about this many characters.
std::string shorten(std::string_view text, size_t max_characters);

}  // namespace knapsack::notes
