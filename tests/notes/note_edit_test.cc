// Changing notes keeps every byte that is not meant.
#include "notes/note_edit.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "notes/entries.h"
#include "notes/list_items.h"
#include "support/support.h"
#include "text/markdown/markdown_lines.h"

namespace knapsack::notes {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

constexpr Timestamp kNow{1'794'729'600'000'000};  // 2026-11-15T08:00:00Z

TEST(NoteEdit, AnEntryIsAddedBehindWhatIsThere) {
  const std::string page = "# Decisions\n\n## [2026-01-01] First\n\nBecause.";
  EXPECT_EQ(*with_entry(page, NoteKind::kDecision, "Second\nIts reason.\nAnd more.", kNow),
            page + "\n\n## [2026-11-15-080000] Second\n\nIts reason.\nAnd more.\n");
  EXPECT_EQ(*with_entry("", NoteKind::kLearning, "A retry keeps its id", kNow),
            "# Learnings\n\n## [2026-11-15-080000] A retry keeps its id\n");
  EXPECT_EQ(*with_entry("# Tasks\n\n- [ ] One\n  - [x] part\n", NoteKind::kTask, "Two", kNow),
            "# Tasks\n\n- [ ] One\n  - [x] part\n- [ ] Two #added:2026-11-15-080000\n");
  EXPECT_EQ(*with_entry("- Be kind\r\n", NoteKind::kConvention, "Be short\nand plain", kNow),
            "- Be kind\r\n- Be short\r\n  and plain\r\n");
  EXPECT_EQ(*with_entry("Prose.\n", NoteKind::kConvention, "A rule", kNow), "Prose.\n\n- A rule\n");
}

TEST(NoteEdit, TheTaskThatIsMeantIsTickedAndNothingElseChanges) {
  const std::string page =
      "<!-- [ ] not a task -->\r\n# Tasks\r\n\r\n- [ ] Retry a carrier   #priority:high\r\n- [/] Show the "
      "queue\r\n";
  const auto done = with_task_done(page, "retries carrier");
  ASSERT_OK(done);
  EXPECT_EQ(done->page,
            "<!-- [ ] not a task -->\r\n# Tasks\r\n\r\n- [x] Retry a carrier   #priority:high\r\n- [/] Show "
            "the queue\r\n");
  EXPECT_EQ(with_task_done(page, "zeppelin").error().code, ErrorCode::kNotFound);
  const auto both = with_task_done("- [ ] a b\n- [ ] a c\n", "a");
  EXPECT_EQ(both.error().code, ErrorCode::kUsage);
  EXPECT_THAT(both.error().what, HasSubstr("\"a b\", \"a c\""));
}

TEST(NoteEdit, OfTasksThatSayTheSameTheFirstIsTicked) {
  const auto done = with_task_done("- [ ] a #added:2026-01-01\n- [ ] a #added:2026-01-02\n", "a");
  ASSERT_OK(done);
  EXPECT_EQ(done->page, "- [x] a #added:2026-01-01\n- [ ] a #added:2026-01-02\n");
}

TEST(NoteEdit, WhatIsThereAlreadyChangesNothing) {
  const std::pair<NoteKind, const char*> rows[] = {
      {NoteKind::kTask, "Retry\nwith its id"},
      {NoteKind::kConvention, "Times are UTC"},
      {NoteKind::kDecision, "Use A\nBecause.\n\n```\nf(<!--)\n```"},
      {NoteKind::kLearning, "A title alone"}};
  for (const auto& [kind, text] : rows) {
    const std::string page = *with_entry("", kind, text, kNow);
    EXPECT_EQ(*with_entry(page, kind, text, Timestamp{kNow.micros + 60'000'000}), page) << text;
    EXPECT_NE(*with_entry(page, kind, "Another", kNow), page);
  }
  const std::string over = "- [x] Retry\n";
  EXPECT_NE(*with_entry(over, NoteKind::kTask, "Retry", kNow), over) << "what is done may come up again";
}

TEST(NoteEdit, AnItemIsWrittenWithoutTheMarkerThatItCameWith) {
  EXPECT_EQ(*with_entry("", NoteKind::kTask, "- [ ] T", kNow),
            "# Tasks\n\n- [ ] T #added:2026-11-15-080000\n");
  EXPECT_EQ(*with_entry("", NoteKind::kConvention, "* C", kNow), "# Conventions\n\n- C\n");
  EXPECT_EQ(*with_entry("", NoteKind::kLearning, "\n\nThree\r\nBody", kNow),
            "# Learnings\n\n## [2026-11-15-080000] Three\n\nBody\n");
}

// What a page of decisions is read as: title, then body.
std::vector<std::string> read_back(const std::string& page) {
  std::vector<std::string> found;
  for (const Entry& entry : read_entries(read_lines(page), "")) {
    found.push_back(entry.title);
    found.push_back(entry.body);
  }
  return found;
}

TEST(NoteEdit, NoNoteHidesForgesOrLosesAnother) {
  using ::testing::ElementsAre;
  const auto page_of_all = [](const std::vector<std::string>& texts) {
    std::string page;
    for (const std::string& text : texts) page = *with_entry(page, NoteKind::kDecision, text, kNow);
    return page;
  };
  EXPECT_THAT(
      read_back(page_of_all({"Use A\nRender it as <!-- in the template", "Keep B", "Pipeline goes X --> Y"})),
      ElementsAre("Use A", "Render it as \\<!-- in the template", "Keep B", "", "Pipeline goes X --> Y", ""));
  EXPECT_THAT(read_back(page_of_all({"A\nSo:\n```\nf()", "B\n```\ng()\n```", "C"})),
              ElementsAre("A", "So:\n```\nf()\n```", "B", "```\ng()\n```", "C", ""));
  EXPECT_THAT(read_back(page_of_all({"A\n## [2026-01-01] X\n# Y\n### Kept\n---\nEnd\r## [2026-01-01] Z"})),
              ElementsAre("A", "\\## [2026-01-01] X\n\\# Y\n### Kept\n\\---\nEnd\n\\## [2026-01-01] Z"));
  EXPECT_THAT(
      read_back(page_of_all({"Use C #", "Say `<!--` in code\nand `<!-- x`", "<!-- INDEX:START -->"})),
      ElementsAre("Use C \\#", "", "Say `<!--` in code", "and `<!-- x`", "\\<!-- INDEX:START -->", ""));
}

TEST(NoteEdit, APageWithAnOpenFenceOrCommentTakesANoteThatWouldCloseIt) {
  using ::testing::ElementsAre;
  const std::string open = "## [2026-01-01] Old\n\n";
  EXPECT_THAT(read_back(*with_entry(open + "```\nf()\n", NoteKind::kDecision, "New\n```\ng()\n```", kNow)),
              ElementsAre("Old", "```\nf()", "New", "\\```\ng()\n\\```"));
  EXPECT_THAT(read_back(*with_entry(open + "<!-- to do\n", NoteKind::kDecision, "X --> Y", kNow)),
              ElementsAre("Old", "<!-- to do", "X --\\> Y", ""));
}

TEST(NoteEdit, AnItemOfManyLinesStaysOne) {
  const std::string page =
      *with_entry("- Be kind\n", NoteKind::kConvention, "One\n# two\n\n```\nthree\n- four", kNow);
  const auto items = bullet_items(read_lines(*with_entry(page, NoteKind::kConvention, "Last", kNow)));
  ASSERT_EQ(items.size(), 3U) << page;
  EXPECT_EQ(items[1].text, "One \\# two\n```\nthree\n- four\n```");
  EXPECT_EQ(items[2].text, "Last");
}

TEST(NoteEdit, FinishedTasksGoWithTheirLinesAndOpenOnesKeepTheirParents) {
  const auto made = without_done_tasks(
      "# Tasks\n\n- [x] Done\n  with a wrapped line\n  - [x] and a part\n- [ ] Open\n  - [x] part\n- [x] "
      "Parent\n  - [ ] still open\n\nEnd.\n");
  EXPECT_EQ(made.count, 1U);
  EXPECT_EQ(made.archived, "- [x] Done\n  with a wrapped line\n  - [x] and a part\n");
  EXPECT_EQ(made.page, "# Tasks\n\n- [ ] Open\n  - [x] part\n- [x] Parent\n  - [ ] still open\n\nEnd.\n");
  EXPECT_EQ(made.page.size() + made.archived.size(),
            without_done_tasks(made.page).page.size() + made.archived.size());
}

TEST(NoteEdit, SupersededEntriesGoWhole) {
  const std::string page =
      "# Decisions\n\n## [2026-01-01] Old\n\n**Status**: Superseded by the next\n\n### Why\n\nIt was "
      "slow.\n\n## [2026-02-01] New\n\nHolds.\n";
  const auto made = without_superseded(page);
  EXPECT_EQ(made.count, 1U);
  EXPECT_THAT(made.archived, StartsWith("## [2026-01-01] Old\n"));
  EXPECT_EQ(made.page, "# Decisions\n\n## [2026-02-01] New\n\nHolds.\n");
}

}  // namespace
}  // namespace knapsack::notes
