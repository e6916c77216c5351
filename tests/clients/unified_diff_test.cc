#include "clients/unified_diff.h"

#include <random>

#include "support/support.h"

namespace knapsack::clients {
namespace {

using namespace knapsack::testing;

TEST(UnifiedDiff, ShowsAChangeWithThreeLinesAroundIt) {
  EXPECT_EQ(unified_diff("1\n2\n3\n4\n5\n6\n7\n8\n", "1\n2\n3\n4\nx\n5\n6\n7\n8\n", "a", "b"),
            "--- a\n+++ b\n@@ -2,6 +2,7 @@\n 2\n 3\n 4\n+x\n 5\n 6\n 7\n");
}

TEST(UnifiedDiff, ANewFileIsAllAdditions) {
  EXPECT_EQ(unified_diff("", "x\ny", "/dev/null", "b"),
            "--- /dev/null\n+++ b\n@@ -0,0 +1,2 @@\n+x\n+y\n\\ No newline at end of file\n");
}

TEST(UnifiedDiff, EqualTextsHaveNone) {
  EXPECT_EQ(unified_diff("a\n", "a\n", "a", "b"), "");
}

// The judge is the program that everybody applies such diffs with.
TEST(UnifiedDiff, IsWhatPatchApplies) {
  std::mt19937 random(3);
  for (int i = 0; i < 40; ++i) {
    std::vector<std::string> lines;
    for (unsigned n = random() % 40; n > 0; --n) lines.push_back("line " + std::to_string(random() % 6));
    std::string before, after;
    for (const auto& line : lines) before += line + "\n";
    for (const auto& line : lines) {
      if (random() % 5 != 0) after += line + "\n";
      if (random() % 5 == 0)
        after += "new " + std::to_string(random() % 100) + (random() % 4 == 0 ? "\r\n" : "\n");
    }
    if (before == after || before.empty()) continue;
    TemporaryFolder folder;
    folder.write("f", before);
    const auto patched = run_command({"/usr/bin/git", "apply", "--unidiff-zero", "--whitespace=nowarn", "-"},
                                     folder.path(), {}, unified_diff(before, after, "a/f", "b/f"));
    ASSERT_EQ(patched.exit_code, 0) << patched.err << unified_diff(before, after, "a/f", "b/f");
    if (after.empty()) continue;
    EXPECT_EQ(folder.read("f"), after);
  }
}

}  // namespace
}  // namespace knapsack::clients
