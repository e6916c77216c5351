#include "understand/task_segments.h"

#include "support/support.h"

namespace knapsack {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::SizeIs;

// "kind: text" for each segment, line ends shown as '/'.
std::vector<std::string> parts(std::string_view text) {
  std::vector<std::string> shown;
  for (const TaskSegment& segment : split_task_text(text)) {
    std::string line = segment.text;
    std::replace(line.begin(), line.end(), '\n', '/');
    shown.push_back(std::string(to_string(segment.kind)) + ": " + line);
  }
  return shown;
}

TEST(TaskSegments, TheFirstLineIsTheTitle) {
  EXPECT_THAT(parts("Cart total is wrong\n\nIt ignores discounts."),
              ElementsAre("title: Cart total is wrong", "prose: It ignores discounts."));
  EXPECT_THAT(parts("\n\n## Cart total is wrong ##\r\nIt ignores\r\ndiscounts."),
              ElementsAre("title: Cart total is wrong", "prose: It ignores/discounts."));
  EXPECT_THAT(parts("### Describe the bug\n\nThe cart fails."),
              ElementsAre("template: ### Describe the bug", "title: The cart fails."));
  EXPECT_THAT(parts("where is `Cart.total` computed?"),
              ElementsAre("title: where is `Cart.total` computed?"));
  EXPECT_THAT(parts("Корзина считает неверно\nСкидка не учтена"),
              ElementsAre("title: Корзина считает неверно", "prose: Скидка не учтена"));
  EXPECT_THAT(parts("<details>\n<h1>Ported to C#</h1>"), ElementsAre("title: Ported to C#"));
  EXPECT_THAT(parts(""), IsEmpty());
  EXPECT_THAT(parts("\n \t\n"), IsEmpty());
}

TEST(TaskSegments, AVeryLongFirstLineIsNoTitle) {
  const std::string longest(kMaxTitleBytes, 'x');
  EXPECT_THAT(parts(longest), ElementsAre("title: " + longest));
  EXPECT_THAT(parts(longest + "x"), ElementsAre("prose: " + longest + "x"));
}

TEST(TaskSegments, CodeOrATraceAtTheStartLeavesNoTitle) {
  EXPECT_THAT(parts("```\nx = 1\n```\nWhy?"), ElementsAre("code: x = 1", "prose: Why?"));
  EXPECT_THAT(parts("Traceback (most recent call last):\n  File \"a.py\", line 1, in f\nValueError: bad\n"),
              ElementsAre("trace: Traceback (most recent call last):/  File \"a.py\", line 1, in f",
                          "prose: ValueError: bad"));
}

TEST(TaskSegments, InlineCodeStandsBetweenTheWordsAroundIt) {
  EXPECT_THAT(
      parts("t\nCall `total` or ``a `b` c`` now"),
      ElementsAre("title: t", "prose: Call", "inline: total", "prose: or", "inline: a `b` c", "prose: now"));
  EXPECT_THAT(parts("t\nan odd ` tick"), ElementsAre("title: t", "prose: an odd ` tick"));
  EXPECT_THAT(parts("t\n```x = 1``` is inline"),
              ElementsAre("title: t", "inline: x = 1", "prose: is inline"));
}

TEST(TaskSegments, FencesHoldCodeWhateverIsInThem) {
  EXPECT_THAT(parts("t\n```python\ndef f():\n\n    pass\n# Environment\n```\nafter"),
              ElementsAre("title: t", "code: def f():/    pass/# Environment", "prose: after"));
  EXPECT_THAT(parts("t\n````md\n```py\nx\n```\n````\nafter"),
              ElementsAre("title: t", "code: ```py/x/```", "prose: after"));
  EXPECT_THAT(parts("t\n~~~\n```\n~~~\nafter"), ElementsAre("title: t", "code: ```", "prose: after"));
  EXPECT_THAT(parts("t\n```\na\n```\n```\nb\n```"), ElementsAre("title: t", "code: a", "code: b"));
  EXPECT_THAT(parts("t\n```\nnever closed\nat all"), ElementsAre("title: t", "code: never closed/at all"));
  EXPECT_THAT(parts("t\n> ```\n> x = 1\n> ```\n> said she"),
              ElementsAre("title: t", "code: x = 1", "prose: said she"));
}

TEST(TaskSegments, IndentedLinesAreCodeExceptInLists) {
  EXPECT_THAT(parts("t\n\n    x = 1\n\ty = 2\n"), ElementsAre("title: t", "code:     x = 1/\ty = 2"));
  EXPECT_THAT(parts("t\n>>> total(3)\n"), ElementsAre("title: t", "code: >>> total(3)"));
  EXPECT_THAT(parts("t\n- open the cart\n    - add an item\n    which is free\n\nthen\n\n    x = 1"),
              ElementsAre("title: t", "prose: - open the cart/- add an item/which is free", "prose: then",
                          "code:     x = 1"));
}

TEST(TaskSegments, CommentsTagsAndLinksAreDropped) {
  EXPECT_THAT(parts("t\n<!-- please\nfill in -->seen <!-- a --> and <!-- b -->heard"),
              ElementsAre("title: t", "prose: seen  and heard"));
  EXPECT_THAT(parts("t\n<!-- never closed\ntext"), ElementsAre("title: t", "prose: <!-- never closed/text"));
  EXPECT_THAT(
      parts("t\n```\n<!-- kept -->\n```\nthe `<!--` mark -->"),
      ElementsAre("title: t", "code: <!-- kept -->", "prose: the", "inline: <!--", "prose: mark -->"));
  EXPECT_THAT(parts("t\n<details><summary>Log</summary>\n\nbody<br/>vector<int>\n</details>"),
              ElementsAre("title: t", "prose: Log", "prose: body vector<int>"));
  EXPECT_THAT(
      parts("t\nsee [the docs](https://a.example/x_(y)) or https://b.example/z?q=1, <https://c.example>."),
      ElementsAre("title: t", "prose: see [the docs] or , ."));
  EXPECT_THAT(parts("t\n<pre>\nx = 1\n</pre>\nafter <pre>"),
              ElementsAre("title: t", "code: x = 1", "prose: after"));
}

TEST(TaskSegments, FramesAreTraceAndTheMessageIsProse) {
  EXPECT_THAT(
      parts("t\n```\nTraceback (most recent call last):\n  File \"a.py\", line 1, in f\n    g()\n"
            "shop.Oops: bad\n\nDuring handling of the above exception, another exception occurred:\n\n"
            "Traceback (most recent call last):\n  File \"b.py\", line 2, in h\nKeyError: 'x'\n$ ls\n```"),
      ElementsAre("title: t",
                  "trace: Traceback (most recent call last):/  File \"a.py\", line 1, in f/    g()",
                  "prose: shop.Oops: bad",
                  "trace: During handling of the above exception, another exception occurred:/"
                  "Traceback (most recent call last):/  File \"b.py\", line 2, in h",
                  "prose: KeyError: 'x'", "code: $ ls"));
  EXPECT_THAT(
      parts("t\nTypeError: x is undefined\n    at total (/app/cart.js:1:2)\n    at /app/main.js:3:4\nand so "
            "on"),
      ElementsAre("title: t", "prose: TypeError: x is undefined",
                  "trace:     at total (/app/cart.js:1:2)/    at /app/main.js:3:4", "prose: and so on"));
}

TEST(TaskSegments, WhatTheTemplateAskedIsTold) {
  EXPECT_THAT(
      parts("t\n### Steps to reproduce\nOpen it\n**Expected behavior**\nExpected 3 but got 4\n"
            "- [x] I searched\nPython: 3.11.2\n- numpy 1.26.0\nPython is slow here\nBroken since 2.1"),
      ElementsAre("title: t", "template: ### Steps to reproduce", "prose: Open it",
                  "template: **Expected behavior**", "prose: Expected 3 but got 4",
                  "template: - [x] I searched/Python: 3.11.2/- numpy 1.26.0",
                  "prose: Python is slow here/Broken since 2.1"));
  EXPECT_THAT(parts("t\n## Environment\nmy laptop\n```\npip list\n```\n## Conversion of prices\nfails"),
              ElementsAre("title: t", "template: ## Environment", "template: my laptop", "template: pip list",
                          "prose: Conversion of prices", "prose: fails"));
  EXPECT_THAT(parts("т\n## Шаги воспроизведения\nОткрыть\n**Окружение**\nноутбук"),
              ElementsAre("title: т", "template: ## Шаги воспроизведения", "prose: Открыть",
                          "template: **Окружение**", "template: ноутбук"));
}

// `bat --diagnostic` prints headings of its own below that of the template.
TEST(TaskSegments, ASectionAboutTheMachineGoesOnBelowItsHeading) {
  EXPECT_THAT(
      parts("t\n**bat version and environment**\n#### Software version\nbat 0.26.1\n"
            "#### System Config file\nCould not read contents of '/etc/bat/config'\n"
            "### Additional thoughts\nnone"),
      ElementsAre("title: t", "template: **bat version and environment**", "template: #### Software version",
                  "template: bat 0.26.1", "template: #### System Config file",
                  "template: Could not read contents of '/etc/bat/config'", "prose: Additional thoughts",
                  "prose: none"));
  EXPECT_THAT(parts("t\n#### Environment\nlaptop\n#### Prices\nfail"),
              ElementsAre("title: t", "template: #### Environment", "template: laptop", "prose: Prices",
                          "prose: fail"));
}

TEST(TaskSegments, HaveNothingOfWhatWasRedacted) {
  EXPECT_THAT(
      parts("login fails with [redacted: password] twice\n```\nrun --key [redacted: secret value] now\n```\n"
            "[redacted: never closed"),
      ElementsAre("title: login fails with  twice", "code: run --key  now",
                  "prose: [redacted: never closed"));
}

TEST(TaskSegments, AreBoundedInNumber) {
  std::string many = "t\n";
  for (size_t i = 0; i < kMaxSegments + 10; ++i) many += "a `b`\n";
  EXPECT_THAT(split_task_text(many), SizeIs(kMaxSegments));
}

}  // namespace
}  // namespace knapsack
