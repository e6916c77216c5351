#include "notes/entries.h"

#include "support/support.h"

namespace knapsack::notes {
namespace {

std::vector<Entry> entries(const std::string& markdown, const std::string& page = "") {
  return read_entries(read_lines(markdown), page);
}

TEST(Entries, ReadsEveryFormOfHeading) {
  const auto found = entries(
      "# Decisions\n\n## [2026-02-03-101500] One\n\nbody one\n\n---\n\n## [2026-02-04] Two\nbody two\n"
      "### [2026-02-05-000000] Three\nbody three\n### Four\n\n**Discovered**: 2026-02-06\n\nbody four\n");
  ASSERT_EQ(found.size(), 4U);
  EXPECT_EQ(found[0].title, "One");
  EXPECT_EQ(found[0].stamp, "2026-02-03-101500");
  EXPECT_EQ(format_rfc3339(*found[0].date), "2026-02-03T10:15:00Z");
  EXPECT_EQ(found[0].body, "body one");
  EXPECT_EQ(found[1].title, "Two");
  EXPECT_EQ(found[1].body, "body two");
  EXPECT_EQ(found[2].title, "Three");
  EXPECT_EQ(found[3].title, "Four");
  EXPECT_EQ(found[3].stamp, "2026-02-06");
}

TEST(Entries, KeepsSubHeadingsInTheBody) {
  const auto found =
      entries("## [2026-01-01] A\n\n### Context\n\nwhy\n\n#### Detail\n\nhow\n\n## [2026-01-02] B\n");
  ASSERT_EQ(found.size(), 2U);
  EXPECT_EQ(found[0].body, "### Context\n\nwhy\n\n#### Detail\n\nhow");
}

TEST(Entries, TakesAnUndatedSectionWithTextForAnEntryAndAGroupHeadingForNone) {
  const auto found =
      entries("# L\n\n## Group\n\n### Lesson\n\ntext\n\n## Also a lesson\n\ntext\n\n## Empty\n");
  ASSERT_EQ(found.size(), 2U);
  EXPECT_EQ(found[0].title, "Lesson");
  EXPECT_FALSE(found[0].date);
  EXPECT_EQ(found[1].title, "Also a lesson");
}

TEST(Entries, SkipsIndexesLegendsAndFencedExamples) {
  const auto found = entries(
      "<!-- INDEX:START -->\n## [2026-01-01] no\n<!-- INDEX:END -->\n<!--\n## [2026-01-01] no\n-->\n"
      "```md\n## [2026-01-01] no\n```\n## [2026-01-02] yes\n\n```md\n## [2026-01-03] part of yes\n```\n\n## "
      "Themes\n\n- a — b\n");
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].title, "yes");
  EXPECT_EQ(found[0].body, "```md\n## [2026-01-03] part of yes\n```");
}

TEST(Entries, SeesWhatIsSupersededAndOnlyThat) {
  const std::pair<const char*, bool> cases[] = {
      {"~~Superseded by [2026-02-01]~~", true},
      {"**Status**: Superseded by X", true},
      {"**Status:** superseded", true},
      {"- **Status**: Deprecated", true},
      {"> **Superseded** by [2026-02-01] Other", true},
      {"**Status**: Accepted", false},
      {"**Status**: Accepted | Superseded | Deprecated", false},
      {"**Status**: Superseded | Deprecated", false},
      {"This approach was superseded last year.", false},
      {"Superseded entries are dropped.", false},
      {"```\n**Status**: Superseded\n```", false},
      {"Related: supersedes [2025-01-01]", false},
  };
  for (const auto& [line, expected] : cases) {
    const auto found = entries(std::string("## [2026-01-01] Title\n\n") + line + "\n");
    ASSERT_EQ(found.size(), 1U) << line;
    EXPECT_EQ(found[0].superseded, expected) << line;
  }
}

TEST(Entries, MakesAPageWithoutEntriesOneEntry) {
  const auto found = entries("# Storage\n\nWe keep rows.\n", "storage");
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].title, "Storage");
  EXPECT_EQ(found[0].body, "We keep rows.");
  EXPECT_TRUE(entries("# Decisions\n\nAn introduction.\n").empty());
  EXPECT_TRUE(entries("# Storage\n", "storage").empty());
}

TEST(Entries, RefusesDatesThatDoNotExist) {
  EXPECT_FALSE(read_stamp("2026-13-01"));
  EXPECT_FALSE(read_stamp("2026-02-30"));
  EXPECT_FALSE(read_stamp("YYYY-MM-DD"));
  EXPECT_EQ(read_stamp("2026-02-03-996000")->length, 10U) << "a wrong time leaves the date";
}

}  // namespace
}  // namespace knapsack::notes
