// Changing the pages of a notes folder: one more entry, a task that is done, what is over taken out. Every byte that is not
// meant stays as it is: line ends, comments, wrapped lines, whatever a person wrote between.
//
// Pure functions on the bytes of a page; any thread.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/clock.h"
#include "core/result.h"

namespace knapsack::notes {

enum class NoteKind { kDecision, kLearning, kConvention, kTask };
// "decision", "learning", "convention", "task"; nothing for another word.
std::optional<NoteKind> parse_note_kind(std::string_view word);
// The page of the folder that such entries are kept in: "DECISIONS.md".
std::string_view page_of(NoteKind kind);

// The page with one more entry at its end, or as it is where it says the same already. The first line of `text` is the
// title of a decision or a learning. What is returned reads as the page and the text: nothing in either hides or forges
// a note; kUsage where the page cannot take it.
Result<std::string> with_entry(std::string_view page, NoteKind kind, std::string_view text, Timestamp now);

struct DoneTask {
  std::string page;
  std::string task;  // its text
};
// Ticks the one open task that holds all of these words, or the first of several that say the same. kNotFound for none;
// kUsage names them where there are several.
Result<DoneTask> with_task_done(std::string_view page, std::string_view words);

struct ArchivedPage {
  std::string page;      // without what was taken out
  std::string archived;  // what was taken out, as it stood
  size_t count = 0;
};
// Finished tasks that hold no open one.
ArchivedPage without_done_tasks(std::string_view page);
// Entries that say of themselves that they are superseded.
ArchivedPage without_superseded(std::string_view page);

}  // namespace knapsack::notes
