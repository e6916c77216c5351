// Changing notes keeps every byte that is not meant.
#include "notes/note_edit.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/support.h"

namespace knapsack::notes {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

constexpr Timestamp kNow{1'794'729'600'000'000};  // 2026-11-15T08:00:00Z

TEST(NoteEdit, AnEntryIsAddedBehindWhatIsThere) {
  const std::string page = "# Decisions\n\n## [2026-01-01] First\n\nBecause.";
  EXPECT_EQ(with_entry(page, NoteKind::kDecision, "Second\nIts reason.\nAnd more.", kNow),
            page + "\n\n## [2026-11-15-080000] Second\n\nIts reason.\nAnd more.\n");
  EXPECT_EQ(with_entry("", NoteKind::kLearning, "A retry keeps its id", kNow),
            "# Learnings\n\n## [2026-11-15-080000] A retry keeps its id\n");
  EXPECT_EQ(with_entry("# Tasks\n\n- [ ] One\n  - [x] part\n", NoteKind::kTask, "Two", kNow),
            "# Tasks\n\n- [ ] One\n  - [x] part\n- [ ] Two #added:2026-11-15-080000\n");
  EXPECT_EQ(with_entry("- Be kind\r\n", NoteKind::kConvention, "Be short\nand plain", kNow),
            "- Be kind\r\n- Be short\r\n  and plain\r\n");
  EXPECT_EQ(with_entry("Prose.\n", NoteKind::kConvention, "A rule", kNow), "Prose.\n\n- A rule\n");
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
