#include "notes/list_items.h"

#include "support/support.h"

namespace knapsack::notes {
namespace {

using ::testing::ElementsAre;

std::vector<std::string> boxes(const std::string& markdown) {
  std::vector<std::string> out;
  for (const auto& item : boxed_items(read_lines(markdown))) {
    const char* state = item.box == Box::kOpen ? "open" : item.box == Box::kDone ? "done" : "skipped";
    out.push_back(std::string(state) + ": " + item.text);
  }
  return out;
}

std::vector<std::string> bullets(const std::string& markdown) {
  std::vector<std::string> out;
  for (const auto& item : bullet_items(read_lines(markdown))) out.push_back(item.text);
  return out;
}

TEST(ListItems, ReadsEveryStateOfABox) {
  EXPECT_THAT(boxes("- [ ] a\n* [ ] b\n+ [x] c\n1. [X] d\n- [-] e\n- [/] f\n- [✓] g"),
              ElementsAre("open: a", "open: b", "done: c", "done: d", "skipped: e", "open: f", "done: g"));
}

TEST(ListItems, TakesLinksAndFootnotesForWhatTheyAre) {
  EXPECT_THAT(boxes("- [a](b)\n- [^1] c\n- [ ]x"), ElementsAre());
}

TEST(ListItems, JoinsWrappedLinesAlsoWithoutIndentation) {
  EXPECT_THAT(boxes("- [ ] one\n  two\nthree\n\n- [ ] four"),
              ElementsAre("open: one two three", "open: four"));
}

TEST(ListItems, KeepsSubTasksAndParagraphsWithTheirTask) {
  EXPECT_THAT(boxes("- [ ] parent\n    - [ ] child\n    - [x] done child\n\n  more\n- [ ] next"),
              ElementsAre("open: parent\n  - [ ] child\n  - [x] done child\nmore", "open: next"));
}

TEST(ListItems, RescuesOpenSubTasksOfATickedParent) {
  EXPECT_THAT(boxes("- [x] parent\n  - [ ] left over\n    detail\n  - [x] also done\n- [ ] next"),
              ElementsAre("done: parent", "open: left over detail", "done: also done", "open: next"));
}

TEST(ListItems, FindsBoxesUnderPlainBullets) {
  EXPECT_THAT(boxes("- Group\n  - [ ] rule one\n  - [ ] rule two"),
              ElementsAre("open: rule one", "open: rule two"));
}

TEST(ListItems, IgnoresFencesAndCommentsButKeepsAnExampleInsideATask) {
  EXPECT_THAT(boxes("```\n- [ ] no\n```\n<!-- - [ ] no -->\n- [ ] yes\n  ```sh\n  make\n  ```"),
              ElementsAre("open: yes\n```sh\nmake\n```"));
}

TEST(ListItems, EndsAnItemAtAHeadingASeparatorOrAParagraph) {
  EXPECT_THAT(boxes("- [ ] a\n## h\ntext\n- [ ] b\n---\ntext\n- [ ] c\n\ntext"),
              ElementsAre("open: a", "open: b", "open: c"));
}

TEST(ListItems, ReadsTopLevelBulletsWithTheirNestedLines) {
  EXPECT_THAT(bullets("Intro\n- a\n  - nested\n    - deeper\n- [ ] boxed\n* b\n  wrapped"),
              ElementsAre("a\n- nested\n  - deeper", "boxed", "b wrapped"));
}

TEST(ListItems, KnowsTheHeadingAboveAndTheLine) {
  const auto items = bullet_items(read_lines("# A\n\n## B\n\n- x"));
  ASSERT_EQ(items.size(), 1U);
  EXPECT_EQ(items[0].heading, "B");
  EXPECT_EQ(items[0].line, 5U);
}

}  // namespace
}  // namespace knapsack::notes
