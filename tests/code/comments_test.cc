#include "code/parse/comments.h"

#include <string>
#include <utility>

#include "code/parse/source_text.h"
#include "support/support.h"

namespace knapsack::code {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

TEST(Comments, AreClassifiedByTheirWords) {
  const std::pair<const char*, CommentKind> cases[] = {
      {"TODO: later", CommentKind::kTodo},
      {"todo: later", CommentKind::kTodo},
      {"the todo list", CommentKind::kPlain},
      {"FIXME(ann) now", CommentKind::kTodo},
      {"XXX", CommentKind::kTodo},
      {"XXXL sizes", CommentKind::kPlain},
      {"a hack", CommentKind::kPlain},
      {"HACK around it", CommentKind::kTodo},
      {"kept because callers rely on it", CommentKind::kRationale},
      {"Because of this", CommentKind::kRationale},
      {"written twice so\nthat a crash is seen", CommentKind::kRationale},
      {"TODO: drop it, because it is old", CommentKind::kTodo},
      {"NOTE: because of that", CommentKind::kRationale},
      {"NOTE: not thread safe", CommentKind::kNote},
      {"takes note of it", CommentKind::kPlain},
      {"WARNING: slow", CommentKind::kNote},
      {"plain words", CommentKind::kPlain},
      {"", CommentKind::kPlain},
  };
  for (const auto& [text, kind] : cases) EXPECT_EQ(classify_comment(text, 100), kind) << text;
}

TEST(Comments, ALicenceStandsAtTheTop) {
  EXPECT_EQ(classify_comment("Copyright 2024 Someone", 1), CommentKind::kLicense);
  EXPECT_EQ(classify_comment("SPDX-License-Identifier: MIT", 3), CommentKind::kLicense);
  EXPECT_EQ(classify_comment("Copyright 2024 Someone", 300), CommentKind::kPlain);
  EXPECT_EQ(classify_comment("prints the licence", 1), CommentKind::kPlain);
}

TEST(Comments, IssueNumbersAreFoundAsPeopleWriteThem) {
  EXPECT_THAT(find_issue_numbers("see #12, GH-34 and (#56)"), ElementsAre(12, 34, 56));
  EXPECT_THAT(find_issue_numbers("https://example.org/a/b/issues/7 and /pull/8#issue"), ElementsAre(7, 8));
  EXPECT_THAT(find_issue_numbers("#12 and #12"), ElementsAre(12));
  EXPECT_THAT(find_issue_numbers("#12"), ElementsAre(12));
  EXPECT_THAT(find_issue_numbers("C#12 a#3 #12abc #fff #0 #99999999999 12"), IsEmpty());
  EXPECT_THAT(find_issue_numbers(""), IsEmpty());
}

TEST(Comments, LoseTheirMarks) {
  const std::pair<const char*, const char*> cases[] = {
      {"// one\n// two", "one\ntwo"},
      {"  /// one\n  ///\n  ///   two", "one\n\n  two"},
      {"//! one", "one"},
      {"/* one */", "one"},
      {"/**\n * one\n *\n *   two\n */", "one\n\n  two"},
      {"/* one\n   two */", "one\ntwo"},
      {"//////////", ""},
      {"/**/", ""},
      {"", ""},
  };
  for (const auto& [comment, text] : cases) {
    EXPECT_EQ(strip_comment(comment, "//", "/* */", 1'000), text) << comment;
  }
  EXPECT_EQ(strip_comment("-- | Doc\n-- more", "--", "{- -}", 1'000), "Doc\nmore");
  EXPECT_EQ(strip_comment("# one\n#\n# two", "#", "", 1'000), "one\n\ntwo");
  EXPECT_EQ(strip_comment("\n    First.\n\n    Then:\n      more\n    ", "", "", 1'000),
            "First.\n\nThen:\n  more");
}

}  // namespace
}  // namespace knapsack::code
