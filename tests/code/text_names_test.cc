// Which strings and symbols name something, and what.
#include "code/parse/text_names.h"

#include "support/support.h"

namespace knapsack::code {
namespace {

std::string named(std::string_view literal, bool may_be_plain = false) {
  const auto found = name_in_text(literal, may_be_plain);
  return found ? found->qualifier + "|" + found->name : "nothing";
}

TEST(TextNames, AreThoseThatFrameworksLookUp) {
  EXPECT_EQ(named("\"shop.Order\""), "shop|Order");
  EXPECT_EQ(named("'shop.views.order_list'"), "shop.views|order_list");
  EXPECT_EQ(named("\"users#show\""), "UsersController|show");
  EXPECT_EQ(named("'admin/blog_posts#index'"), "Admin.BlogPostsController|index");
  EXPECT_EQ(named("'App\\Http\\CheckoutController@store'"), "App.Http.CheckoutController|store");
  EXPECT_EQ(named("\"App\\\\Models\\\\User\""), "App.Models|User");
  EXPECT_EQ(named("'CheckoutController@store'"), "CheckoutController|store");
  EXPECT_EQ(named(":blog_posts"), "|BlogPost");
  EXPECT_EQ(named(":companies"), "|Company");
  EXPECT_EQ(named(":address"), "|Address");
  EXPECT_EQ(named(":boxes"), "|Box");
  EXPECT_EQ(named("\"Line\"", true), "|Line");
}

TEST(TextNames, OfAClassAreSpeltAsSymbolsSpellThem) {
  using ::testing::ElementsAre;
  EXPECT_THAT(text_spellings("BlogPost"), ElementsAre("blog_post", "blog_posts"));
  EXPECT_THAT(text_spellings("Company"), ElementsAre("company", "companies"));
  EXPECT_THAT(text_spellings("Box"), ElementsAre("box", "boxes"));
  EXPECT_THAT(text_spellings("HTTPServer"), ElementsAre("httpserver", "httpservers"));
  EXPECT_TRUE(text_spellings("total").empty());
  EXPECT_TRUE(text_spellings("").empty());
  EXPECT_TRUE(text_spellings("+").empty());
}

TEST(TextNames, AreNotFilesSentencesOrAnythingElse) {
  for (const char* literal :
       {"\"index.html\"", "\"a.b\"", "\"Line\"", "\"\"", "\"shop..Order\"", "\"1.2.3\"", "\"see shop.Order\"",
        "f\"shop.Order\"", "\"x#\"", "\"#fff\"", "\"a@b\"", "'\\\\'", "\"shop.Order",
        "\"https://shop.Order/x\"", ":", ":\"odd\"", "\"me@shop.example\""})
    EXPECT_EQ(named(literal), "nothing") << literal;
  EXPECT_EQ(named("\"" + std::string(200, 'a') + ".Order\""), "nothing");
}

}  // namespace
}  // namespace knapsack::code
