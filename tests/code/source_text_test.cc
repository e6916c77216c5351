#include "code/parse/source_text.h"

#include <string>
#include <utility>

#include "support/support.h"

namespace knapsack::code {
namespace {

std::string fold_all(std::string_view text, std::vector<ByteRange> skip = {}, size_t max_bytes = 100) {
  return fold(text, {0, static_cast<uint32_t>(text.size())}, skip, max_bytes);
}

TEST(SourceText, FoldsToOneLine) {
  EXPECT_EQ(fold_all("  int  f(\n\tint a,\r\n  int b)  "), "int f(int a, int b)");
  EXPECT_EQ(fold_all("a /* x */ b", {{2, 9}}), "a b");
  EXPECT_EQ(fold_all("@x() def f", {{0, 4}}), "def f");
  EXPECT_EQ(fold_all("abc", {{1, 2}, {1, 3}}), "a c");
  EXPECT_EQ(fold_all("", {}), "");
  EXPECT_EQ(fold_all("\xE2\x82\xAC\xE2\x82\xAC", {}, 4), "\xE2\x82\xAC");
}

TEST(SourceText, BracketsOverSeveralLinesFoldAsOnOne) {
  EXPECT_EQ(fold_all("def f(\n    a,\n    b,\n) -> X"), "def f(a, b) -> X");
  EXPECT_EQ(fold_all("fn f<T>(\n  a: [u8; 2],\n  b: (\n    A,\n    B\n  ),\n)"),
            "fn f<T>(a: [u8; 2], b: (A, B))");
  EXPECT_EQ(fold_all("class A[\n  T,\n]"), "class A[T]");
  EXPECT_EQ(fold_all("void f(/* x */ int a)", {{7, 14}}), "void f(int a)");
  // What stands on one line stays as it was written, in strings too.
  EXPECT_EQ(fold_all("f( a, (1, ), \"( x )\" )"), "f( a, (1, ), \"( x )\" )");
  EXPECT_EQ(fold_all("\n)"), ")");
}

TEST(SourceText, UnquotesLiterals) {
  const std::pair<const char*, const char*> cases[] = {
      {"\"a\"", "a"}, {"'a'", "a"},         {"`a`", "a"}, {"<a/b.h>", "a/b.h"},   {"\"\"\"a\n\"\"\"", "a\n"},
      {"r'a'", "a"},  {"u8\"a\"", "a"},     {"a", "a"},   {"\"", "\""},           {"\"a", "\"a"},
      {"\"\"", ""},   {"'''a'b'''", "a'b"}, {"", ""},     {"abcd'x'", "abcd'x'"},
  };
  for (const auto& [literal, text] : cases) EXPECT_EQ(unquote(literal), text) << literal;
}

TEST(SourceText, FindsWholeWords) {
  EXPECT_TRUE(has_word("static int x", "static"));
  EXPECT_TRUE(has_word("x static", "static"));
  EXPECT_FALSE(has_word("statics static_", "static"));
  EXPECT_TRUE(has_word("statics static", "static"));
  EXPECT_FALSE(has_word("", "static"));
}

TEST(SourceText, CutsBetweenCharacters) {
  EXPECT_EQ(cut_utf8("abc", 5), "abc");
  EXPECT_EQ(cut_utf8("a\xC3\xA9", 2), "a");
  EXPECT_EQ(cut_utf8("a\xC3\xA9", 3), "a\xC3\xA9");
  EXPECT_EQ(cut_utf8("\xF0\x9F\x98\x80", 3), "");
}

TEST(SourceText, RepairsUtf8InPlace) {
  const std::pair<std::string, std::string> cases[] = {
      {"plain ascii text", ""},
      {"caf\xC3\xA9 \xE2\x82\xAC \xF0\x9F\x98\x80", ""},
      {"a\xFF", "a?"},
      {"\xC3", "?"},
      {"\xC0\x80", "??"},            // overlong
      {"\xED\xA0\x80", "???"},       // a surrogate
      {"\xF4\x90\x80\x80", "????"},  // beyond U+10FFFF
      {"\xE2\x82x", "??x"},
      {"long ascii before it \x80\xC3\xA9", "long ascii before it ?\xC3\xA9"},
  };
  for (const auto& [bytes, expected] : cases) {
    std::string repaired;
    EXPECT_EQ(repair_utf8(bytes, repaired), !expected.empty()) << bytes;
    EXPECT_EQ(repaired, expected);
  }
}

}  // namespace
}  // namespace knapsack::code
