#include "text/markdown/markdown_lines.h"

#include "support/support.h"

namespace knapsack {
namespace {

std::vector<std::string> texts(const std::string& markdown) {
  std::vector<std::string> out;
  for (const auto& line : read_lines(markdown))
    out.push_back((line.fenced ? "|" : "") + std::string(line.text));
  return out;
}

using ::testing::ElementsAre;

TEST(MarkdownLines, EndsLinesAtLineFeedReturnOrBoth) {
  EXPECT_THAT(texts("a\r\nb\rc\nd"), ElementsAre("a", "b", "c", "d"));
  EXPECT_THAT(texts("a\n\n"), ElementsAre("a", ""));
  EXPECT_THAT(texts(""), ElementsAre());
}

TEST(MarkdownLines, CutsCommentsOut) {
  EXPECT_THAT(texts("a <!-- b --> c"), ElementsAre("a  c"));
  EXPECT_THAT(texts("a\n<!-- b\nc -->\nd"), ElementsAre("a", "d"));
  EXPECT_THAT(texts("a <!-- b\nc --> d <!-- e --> f"), ElementsAre("a  d  f"));
}

TEST(MarkdownLines, KeepsWhatAnUnclosedCommentWouldHide) {
  EXPECT_THAT(texts("a\n<!-- b\nc"), ElementsAre("a", "<!-- b", "c"));
  // The dashes of an opener close nothing: this once read behind the last line.
  EXPECT_THAT(texts("a <!-->\n"), ElementsAre("a <!-->"));
  EXPECT_THAT(texts("<!--->"), ElementsAre("<!--->"));
  EXPECT_THAT(texts("a <!--> b --> c"), ElementsAre("a  c"));
  EXPECT_THAT(texts("a <!-->\nb --> c"), ElementsAre("a  c"));
}

TEST(MarkdownLines, TakeACommentBehindTextOverNoHeadingAndNoOtherItem) {
  EXPECT_THAT(texts("a <!-- b\n\n## c\n\nd --> e"), ElementsAre("a <!-- b", "", "## c", "", "d --> e"));
  EXPECT_THAT(texts("- a <!-- b\n- c --> d"), ElementsAre("- a <!-- b", "- c --> d"));
  EXPECT_THAT(texts("1. a <!-- b\n  - c --> d"), ElementsAre("1. a  d"));
  EXPECT_THAT(texts("a \\<!-- b --> c <!-- d -->"), ElementsAre("a \\<!-- b --> c "));
}

TEST(MarkdownLines, NameTheDatedHeadingsThatAreHidden) {
  EXPECT_THAT(read_lines("<!--\n## [2026-01-01] a\n-->\n## [2026-01-02] b\n```\n### [2026-01-03] c\n```")
                  .hidden_entries(),
              ElementsAre(2, 6));
  EXPECT_THAT(read_lines("<!--\n## [YYYY-MM-DD] a\n-->\n## [2026-01-02] b").hidden_entries(), ElementsAre());
}

TEST(MarkdownLines, LastAsLongAsTheirOwnerWhereverItMoves) {
  MarkdownLines read = read_lines("a\nb <!-- c --> d\n```\ne\n```");
  const MarkdownLines kept = std::move(read);
  read = read_lines("something else altogether");
  std::vector<std::string_view> found;
  for (const Line& line : kept) found.push_back(line.text);
  EXPECT_THAT(found, ElementsAre("a", "b  d", "```", "e", "```"));
}

TEST(MarkdownLines, LeavesInlineCodeAlone) {
  EXPECT_THAT(texts("the `<!-- INDEX:START -->` marker"), ElementsAre("the `<!-- INDEX:START -->` marker"));
  EXPECT_THAT(texts("``a ` <!-- x --> ``b"), ElementsAre("``a ` <!-- x --> ``b"));
}

TEST(MarkdownLines, DropsIndexBlocks) {
  EXPECT_THAT(texts("a\n<!-- INDEX:START -->\n- x\n<!-- INDEX:END -->\nb"), ElementsAre("a", "b"));
  EXPECT_THAT(texts("a\n<!-- INDEX:START -->\n- x\nb"), ElementsAre("a", "- x", "b"));
}

TEST(MarkdownLines, MarksFencesWithTheirMarkers) {
  EXPECT_THAT(texts("a\n```md\n- [ ] b <!-- c -->\n```\nd"),
              ElementsAre("a", "|```md", "|- [ ] b <!-- c -->", "|```", "d"));
  EXPECT_THAT(texts("~~~~\n~~~\n~~~~"), ElementsAre("|~~~~", "|~~~", "|~~~~"));
}

TEST(MarkdownLines, TakesAnUnclosedFenceAsText) {
  EXPECT_THAT(texts("```\na\nb"), ElementsAre("```", "a", "b"));
  EXPECT_THAT(texts("````\na\n```\nb\n```"), ElementsAre("````", "a", "|```", "|b", "|```"));
}

TEST(MarkdownLines, TakesLinearTimeOnOpenersThatNeverClose) {
  std::string many;
  for (int i = 0; i < 200'000; ++i) many += i % 2 == 0 ? "```\n" : "<!--\n";
  many += "x";
  EXPECT_EQ(read_lines(many).size(), 200'001U);
  std::string behind_text;
  for (int i = 0; i < 200'000; ++i) behind_text += "a <!--\n";
  EXPECT_EQ(read_lines(behind_text + "# b\nc -->").size(), 200'002U);
}

TEST(MarkdownLines, ReadsHeadings) {
  const auto heading = [](std::string_view text) { return heading_of({text, 1, false}); };
  EXPECT_EQ(heading("## A title ##").level, 2);
  EXPECT_EQ(heading("## A title ##").title, "A title");
  EXPECT_EQ(heading("### C#").title, "C#");
  EXPECT_EQ(heading("#hashtag").level, 0);
  EXPECT_EQ(heading("####### seven").level, 0);
  EXPECT_EQ(heading("    # code").level, 0);
}

TEST(MarkdownLines, TellsSeparatorsFromBullets) {
  const auto separator = [](std::string_view text) { return is_separator({text, 1, false}); };
  EXPECT_TRUE(separator("---") && separator("* * *") && separator("___"));
  EXPECT_FALSE(separator("--") || separator("- a") || separator("--- a"));
}

}  // namespace
}  // namespace knapsack
