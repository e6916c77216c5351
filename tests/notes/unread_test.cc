// Nothing in the notes folder is silently unread: what people write beside the usual forms is read, and the rest is named
// by file and line.
#include "core/files/memory_file_system.h"
#include "notes/folder.h"
#include "support/support.h"

namespace knapsack::notes {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

NotesFolder folder_of(const std::string& page, const std::string& text) {
  MemoryFileSystem files;
  files.put("/w/.context/" + page, text);
  auto folder = read_folder(files, {"/w/.context", ".context", {}});
  EXPECT_OK(folder);
  return *std::move(folder);
}

std::vector<std::string> titles(const std::vector<FiledEntry>& entries) {
  std::vector<std::string> found;
  for (const FiledEntry& each : entries) found.push_back(each.entry.title);
  return found;
}

TEST(NotesUnread, BulletedLearningsAreEntriesWithTheirDates) {
  const NotesFolder folder =
      folder_of("LEARNINGS.md",
                "# Learnings\n\n- Retries need a key\n- [2026-02-03] Offsets are bytes\n"
                "- **2026-02-04**: Carriers answer late.\n  They say so in the manual.\n"
                "* ~~The port is 80~~\n");
  EXPECT_THAT(titles(folder.learnings),
              ElementsAre("Retries need a key", "Offsets are bytes",
                          "Carriers answer late. They say so in the manual.", "~~The port is 80~~"));
  EXPECT_EQ(folder.learnings[1].entry.stamp, "2026-02-03");
  EXPECT_EQ(folder.learnings[2].entry.stamp, "2026-02-04");
  EXPECT_EQ(folder.learnings[2].entry.line, 5U);
  EXPECT_TRUE(folder.learnings[3].entry.superseded);
  EXPECT_THAT(folder.unrecognised, IsEmpty());
}

TEST(NotesUnread, EntriesInACommentOrAFenceAreNamed) {
  const NotesFolder folder = folder_of(
      "DECISIONS.md",
      "## [2026-01-01] Use A\n\n```\nf()\n\n## [2026-01-02] Keep B\n\n```\n\n<!--\n## [2026-01-03] C\n-->\n");
  EXPECT_THAT(titles(folder.decisions), ElementsAre("Use A"));
  EXPECT_THAT(folder.unrecognised,
              ElementsAre(".context/DECISIONS.md lines 6, 11: entries in a comment or a code fence"));
  EXPECT_THAT(folder_of("LEARNINGS.md", "<!--\n## [2026-01-03] C\n-->\n").unrecognised,
              ElementsAre(".context/LEARNINGS.md line 2: an entry in a comment or a code fence"));
}

TEST(NotesUnread, BulletsBeforeEntriesAreEntriesToo) {
  const NotesFolder folder =
      folder_of("DECISIONS.md", "# Decisions\n\n- Use SQLite\n\n## [2026-01-01] Poll\n\n- a\n- b\n");
  EXPECT_THAT(titles(folder.decisions), ElementsAre("Use SQLite", "Poll"));
  EXPECT_EQ(folder.decisions[1].entry.body, "- a\n- b");
}

TEST(NotesUnread, ProseRulesAreRules) {
  const NotesFolder folder =
      folder_of("CONSTITUTION.md",
                "# Constitution\n\nNever delete\nan order.\n\n- [ ] Boxed\n- Plain\n\n"
                "| Rule | Why |\n|---|---|\n| No force pushes | others work here |\n\nAsk first.\n");
  EXPECT_THAT(folder.constitution, ElementsAre("Never delete an order.", "Boxed", "Plain",
                                               "Rule: No force pushes; Why: others work here", "Ask first."));
}

TEST(NotesUnread, ABulletThatOnlyNamesTheBoxesBelowItIsNotARule) {
  EXPECT_THAT(
      folder_of("CONSTITUTION.md", "- Security\n  - [ ] No secrets\n- Plain\n- [ ] Boxed\n").constitution,
      ElementsAre("No secrets", "Plain", "Boxed"));
}

TEST(NotesUnread, ProseAndTablesOfConventionsAreConventions) {
  const NotesFolder folder =
      folder_of("CONVENTIONS.md",
                "# Conventions\n\nTimes are UTC.\n\n- Tabs\n\n## Names\n\n"
                "| Thing | Form |\n|---|---|\n| class | `CamelCase` |\n| file | `snake_case` |\n");
  std::vector<std::string> texts;
  for (const Convention& each : folder.conventions) texts.push_back(each.text);
  EXPECT_THAT(texts, ElementsAre("Times are UTC.", "Tabs", "Thing: class; Form: `CamelCase`",
                                 "Thing: file; Form: `snake_case`"));
  EXPECT_EQ(folder.conventions[2].line, 11U);
}

TEST(NotesUnread, HeadingsOfLevelOneAndFourAreEntries) {
  EXPECT_THAT(
      titles(
          folder_of("DECISIONS.md", "# [2026-01-01] First\n\na\n\n# [2026-01-02] Second\n\nb\n").decisions),
      ElementsAre("First", "Second"));
  EXPECT_THAT(titles(folder_of("LEARNINGS.md", "# Poll\n\na\n\n# Push\n\nb\n").learnings),
              ElementsAre("Poll", "Push"));
  EXPECT_THAT(
      titles(folder_of("LEARNINGS.md", "# Learnings\n\n#### Poll\n\na\n\n#### [2026-01-02] Push\n\nb\n")
                 .learnings),
      ElementsAre("Poll", "Push"));
  // Inside an entry they still belong to its body.
  const NotesFolder inside =
      folder_of("DECISIONS.md", "## [2026-01-01] A\n\nx\n\n#### Why\n\ny\n\n# Really\n\nz\n");
  ASSERT_THAT(titles(inside.decisions), ElementsAre("A"));
  EXPECT_THAT(inside.decisions[0].entry.body, HasSubstr("# Really\n\nz"));
}

TEST(NotesUnread, RowsOfATableAreEntriesUnlessTheyListThem) {
  EXPECT_THAT(titles(folder_of("DECISIONS.md",
                               "# Decisions\n\n| Date | Decision |\n|---|---|\n| 2026-01-01 | Use SQLite |\n")
                         .decisions),
              ElementsAre("Date: 2026-01-01; Decision: Use SQLite"));
  EXPECT_THAT(titles(folder_of("DECISIONS.md",
                               "| Date | Decision |\n|---|---|\n| 2026-01-01 | Use SQLite |\n\n"
                               "## [2026-01-01] Use SQLite\n\nIt is there.\n")
                         .decisions),
              ElementsAre("Use SQLite"));
}

TEST(NotesUnread, APageOfNothingButProseIsOneEntry) {
  const NotesFolder folder = folder_of("LEARNINGS.md", "# Learnings\n\nThe carrier lies.\nAlways.\n");
  ASSERT_THAT(titles(folder.learnings), ElementsAre("Learnings"));
  EXPECT_EQ(folder.learnings[0].entry.body, "The carrier lies.\nAlways.");
  EXPECT_THAT(folder.unrecognised, IsEmpty());
}

TEST(NotesUnread, TasksWithoutAnyBoxAreTasks) {
  const NotesFolder folder = folder_of("TASKS.md", "# Tasks\n\n- Write it\n- Test it\n");
  ASSERT_EQ(folder.tasks.size(), 2U);
  EXPECT_EQ(folder.tasks[1].title, "Test it");
}

TEST(NotesUnread, TheRestIsNamedByItsLines) {
  EXPECT_THAT(
      folder_of(
          "TASKS.md",
          "# Tasks\n\nWhat we do\nthis month.\n\n- [ ] One\n- a remark\n\n```\n- [ ] example\n```\n\nBye.\n")
          .unrecognised,
      ElementsAre(".context/TASKS.md lines 3-4, 7, 13: not recognised as tasks"));
  EXPECT_THAT(
      folder_of("DECISIONS.md", "# Decisions\n\nThe big ones.\n\n## [2026-01-01] A\n\nx\n").unrecognised,
      ElementsAre(".context/DECISIONS.md line 3: not recognised as entries"));
  EXPECT_THAT(folder_of("IDEAS.md", "Fly.\n").unrecognised,
              ElementsAre(".context/IDEAS.md: no page of notes has this name"));
}

}  // namespace
}  // namespace knapsack::notes
