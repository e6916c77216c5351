#include "notes/instructions.h"

#include "support/support.h"

namespace knapsack::notes {
namespace {

std::vector<std::string> items_of(const std::string& text) {
  std::vector<std::string> texts;
  for (const Convention& each : instruction_items(text, "AGENTS.md")) texts.push_back(each.text);
  return texts;
}

TEST(Instructions, AnItemThatSaysLittleIsReadWithWhatItsListIsAbout) {
  EXPECT_EQ(
      items_of(
          "Three files are bumped together:\n\n- `a/package.json`: `version`\n- `jsr.json`\n\nRun this:\n\n"
          "- Always run the checks before a commit\n"),
      (std::vector<std::string>{"Three files are bumped together: `a/package.json`: `version`",
                                "Three files are bumped together: `jsr.json`",
                                "Always run the checks before a commit"}));
}

TEST(Instructions, AHeadingAndASentenceThatEndsLeadToNothing) {
  EXPECT_EQ(items_of("# Files:\n\n- `a.json`\n"), (std::vector<std::string>{"`a.json`"}));
  EXPECT_EQ(items_of("Read this.\n- `a.json`\n"), (std::vector<std::string>{"`a.json`"}));
  EXPECT_EQ(items_of("- `a.json`\n"), (std::vector<std::string>{"`a.json`"}));
}

}  // namespace
}  // namespace knapsack::notes
