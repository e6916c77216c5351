#include "code/references/test_links.h"

#include <algorithm>

#include "code/support_repository.h"
#include "support/support.h"

namespace knapsack::code {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

// Paths alone: what the names say.
class Names {
 public:
  explicit Names(std::vector<std::string> paths) : paths_(std::move(paths)) {
    std::sort(paths_.begin(), paths_.end());
    for (const std::string& path : paths_) files_.push_back({path, &detect_language(path, ""), "", ""});
  }

  uint32_t number(std::string_view path) const {
    return static_cast<uint32_t>(std::find(paths_.begin(), paths_.end(), path) - paths_.begin());
  }
  std::vector<std::string> subjects(std::string_view test) const {
    std::vector<std::string> found;
    for (const TestLink& link : TestLinker(files_).subjects(number(test), {}, {}))
      found.push_back(paths_[link.file]);
    return found;
  }
  std::span<const ResolverFile> files() const { return files_; }

 private:
  std::vector<std::string> paths_;
  std::vector<ResolverFile> files_;
};

TEST(TestLinks, FollowTheNamingHabitsOfEachLanguage) {
  struct Case {
    std::string_view test, subject;
  };
  const std::vector<Case> cases = {
      {"tests/test_cart.py", "shop/cart.py"},
      {"cart/tests.py", "cart/__init__.py"},
      {"pkg/cart_test.go", "pkg/cart.go"},
      {"src/cart.spec.ts", "src/cart.ts"},
      {"src/__tests__/cart.test.tsx", "src/cart.tsx"},
      {"test/cart-item.test.js", "lib/cart-item.js"},
      {"src/__tests__/button.test.ts", "src/button/index.ts"},
      {"app/src/test/java/org/acme/CartTest.java", "app/src/main/java/org/acme/Cart.java"},
      {"app/src/test/java/org/acme/CartTestCase.java", "app/src/main/java/org/acme/Cart.java"},
      {"src/test/scala/CartSpec.scala", "src/main/scala/Cart.scala"},
      {"Shop.Tests/CartTests.cs", "Shop/Cart.cs"},
      {"tests/x/cart_test.cc", "src/x/cart.cc"},
      {"spec/models/cart_spec.rb", "app/models/cart.rb"},
      {"test/bank/account_test.exs", "lib/bank/account.ex"},
      {"tests/CartTest.php", "src/Cart.php"},
      {"Tests/ShopTests/CartTests.swift", "Sources/Shop/Cart.swift"},
      {"tests/cart.rs", "src/cart.rs"},
      {"test/CartSpec.hs", "src/Cart.hs"},
      {"test/phx.gen.auth_test.exs", "lib/phx.gen.auth.ex"},
  };
  for (const Case& one : cases) {
    const Names names({std::string(one.test), std::string(one.subject), "zz/other.py", "zz/other.ts"});
    EXPECT_THAT(names.subjects(one.test), ElementsAre(one.subject)) << one.test;
    const TestLinker linker(names.files());
    EXPECT_GE(linker.name_match(names.number(one.test), names.number(one.subject)), 0.4F) << one.test;
    EXPECT_EQ(linker.name_match(names.number(one.subject), names.number(one.test)), 0)
        << "only a test has subjects";
  }
}

TEST(TestLinks, ChooseTheSubjectWhoseFoldersFitBest) {
  const Names names({"src/x/foo.cc", "src/y/foo.cc", "tests/x/foo_test.cc", "tests/y/foo_test.cc",
                     "a/test/z/bar_test.go", "a/z/bar.go", "b/z/bar.go"});
  EXPECT_THAT(names.subjects("tests/x/foo_test.cc"), ElementsAre("src/x/foo.cc"));
  EXPECT_THAT(names.subjects("tests/y/foo_test.cc"), ElementsAre("src/y/foo.cc"));
  EXPECT_THAT(names.subjects("a/test/z/bar_test.go"), ElementsAre("a/z/bar.go"));
}

TEST(TestLinks, DropTrailingWordsOfALongerName) {
  const Names names({"shop/cart.py", "shop/cart_items.py", "tests/test_cart_totals.py",
                     "tests/test_cart_items.py", "tests/test_nothing.py"});
  EXPECT_THAT(names.subjects("tests/test_cart_totals.py"), ElementsAre("shop/cart.py"));
  EXPECT_THAT(names.subjects("tests/test_cart_items.py"), ElementsAre("shop/cart_items.py"));
  EXPECT_THAT(names.subjects("tests/test_nothing.py"), IsEmpty());
}

TEST(TestLinks, TakeAHeaderAndItsSourceForOneSubject) {
  const Names names({"src/foo.cc", "src/foo.h", "tests/foo_test.cc", "src/foo.py"});
  EXPECT_THAT(names.subjects("tests/foo_test.cc"), ElementsAre("src/foo.cc", "src/foo.h"));
}

TEST(TestLinks, SayNothingWhereManyFilesFitEquallyWell) {
  std::vector<std::string> paths = {"tests/test_utils.py"};
  for (char c = 'a'; c < 'f'; ++c) paths.push_back(std::string(1, c) + "/utils.py");
  EXPECT_THAT(Names(paths).subjects("tests/test_utils.py"), IsEmpty());
}

TEST(TestLinks, AddUpNamesImportsAndUses) {
  const Names names(
      {"shop/cart.py", "shop/helpers.py", "shop/unused.py", "tests/conftest.py", "tests/test_cart.py"});
  const TestLinker linker(names.files());
  const std::vector<ImportTarget> imports = {{names.number("shop/cart.py"), 1.0F, kWholeModule},
                                             {names.number("shop/helpers.py"), 1.0F, kWholeModule},
                                             {names.number("tests/conftest.py"), 1.0F, kWholeModule}};
  const std::vector<TestUse> uses = {{names.number("shop/cart.py"), 9}, {names.number("shop/helpers.py"), 1}};
  const std::vector<TestLink> links = linker.subjects(names.number("tests/test_cart.py"), imports, uses);
  ASSERT_EQ(links.size(), 2U);
  EXPECT_EQ(links[0].file, names.number("shop/cart.py"));
  EXPECT_FLOAT_EQ(links[0].by_name, 0.8F);
  EXPECT_NEAR(links[0].by_import, 0.424F, 0.001F);
  EXPECT_FLOAT_EQ(links[0].by_reference, 0.54F);
  EXPECT_NEAR(links[0].confidence, 0.947F, 0.001F);
  EXPECT_EQ(links[1].file, names.number("shop/helpers.py"));
  EXPECT_LT(links[1].confidence, 0.5F);
}

TEST(TestLinks, LeaveOutWhatIsHardlyAny) {
  const Names names({"src/a.go", "src/b.go", "src/x_test.go"});
  const std::vector<TestUse> uses = {{names.number("src/a.go"), 99}, {names.number("src/b.go"), 1}};
  const auto links = TestLinker(names.files()).subjects(names.number("src/x_test.go"), {}, uses);
  ASSERT_EQ(links.size(), 1U);
  EXPECT_EQ(links[0].file, names.number("src/a.go"));
}

TEST(TestLinks, KnowWhatATestsNameIsAbout) {
  EXPECT_THAT(subject_words("tests/test_cart_totals.py"), ElementsAre("cart", "totals"));
  EXPECT_THAT(subject_words("CartTotalsTest.java"), ElementsAre("cart", "totals"));
  EXPECT_THAT(subject_words("cart-totals.spec.ts"), ElementsAre("cart", "totals"));
  EXPECT_THAT(subject_words("cart/tests.py"), ElementsAre("cart"));
  EXPECT_THAT(subject_words("tests.py"), IsEmpty());
}

TEST(TestLinks, CompareFoldersWithoutThoseOfTheLayout) {
  EXPECT_EQ(folder_likeness("tests/x/y/a_test.cc", "src/x/y/a.cc"), 1);
  EXPECT_EQ(folder_likeness("a/src/test/java/p/T.java", "a/src/main/java/p/S.java"), 1);
  EXPECT_EQ(folder_likeness("test.py", "main.py"), 1);
  EXPECT_EQ(folder_likeness("tests/x/a.py", "src/y/a.py"), 0);
  EXPECT_EQ(folder_likeness("Shop.Tests/a.cs", "Shop/a.cs"), 1);
  EXPECT_FLOAT_EQ(folder_likeness("tests/x/a.py", "src/x/deep/a.py"), 0.5F);
}

TEST(TestLinks, FitTestNamesToWhatTheyTest) {
  EXPECT_EQ(test_name_fit("testTransferMovesMoney", "transfer"), 1);
  EXPECT_EQ(test_name_fit("test_transfers_money", "transfer"), 1);
  EXPECT_EQ(test_name_fit("adds two numbers", "parse_file"), 0);
  EXPECT_FLOAT_EQ(test_name_fit("TestParseEmpty", "parse_file"), 0.5F);
  EXPECT_EQ(test_name_fit("anything", ""), 0);
}

}  // namespace
}  // namespace knapsack::code
