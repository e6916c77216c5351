// What a result of `search` shows of a file.
#include "engine/recipes/search/search_excerpt.h"

#include "support/support.h"

namespace knapsack {
namespace {

constexpr const char* kFile =
    "import os\n"                           // 1
    "\n"                                    // 2
    "class Cart:\n"                         // 3
    "    @cached\n"                         // 4
    "    def total(self, rate):\n"          // 5
    "        \"\"\"The sum of it.\"\"\"\n"  // 6
    "        price = self.price\n"          // 7
    "\n"                                    // 8
    "        return price * rate\n";        // 9

TEST(SearchExcerpt, ShowsTheOpenerAndTheLinesWithTheWordsWithTheirNumbers) {
  const std::string shown = code_excerpt(kFile, {4, 9, 5, 9}, search::TextMatch("price rate"));
  EXPECT_EQ(shown,
            "5  def total(self, rate):\n"
            "6      \"\"\"The sum of it.\"\"\"\n"
            "7      price = self.price\n"
            "9      return price * rate");
}

TEST(SearchExcerpt, ShowsWhatFollowsANameThatStandsAlone) {
  EXPECT_EQ(
      code_excerpt(kFile, {3, 9, 3, 3}, search::TextMatch("Cart")),
      "3  class Cart:\n4      @cached\n5      def total(self, rate):\n6          \"\"\"The sum of it.\"\"\"");
}

TEST(SearchExcerpt, ShowsTabsAsSpaces) {
  EXPECT_EQ(code_excerpt("\tfunc f() {\n\t\treturn\n", {1, 2, 1, 1}, search::TextMatch("f")),
            "1  func f() {\n2      return");
}

TEST(SearchExcerpt, TakesOddPlacesAndBytes) {
  EXPECT_EQ(code_excerpt("", {1, 5, 1, 1}, search::TextMatch("x")), "");
  EXPECT_EQ(code_excerpt("one\n", {7, 9, 8, 7}, search::TextMatch("x")), "");
  EXPECT_EQ(code_excerpt("a\xff"
                         "b\r\n",
                         {1, 1, 0, 1}, search::TextMatch("x")),
            "1  a\xEF\xBF\xBD"
            "b");
  const std::string lengthy =
      code_excerpt(std::string(5000, 'x') + "\n", {1, 1, 1, 1}, search::TextMatch("x"));
  EXPECT_LT(lengthy.size(), 200U);
  EXPECT_TRUE(lengthy.ends_with("…"));
}

}  // namespace
}  // namespace knapsack
